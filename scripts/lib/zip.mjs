/** Reads a whole zip archive (stored or deflated entries, no zip64), as a .vsix is one. */
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

function endOfDirectory(zip) {
  for (let at = zip.length - 22; at >= 0; at--) if (zip.readUInt32LE(at) === END) return at;
  throw new Error("not a zip archive");
}

function content(zip, { method, packed, local }) {
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + packed);
  return method === DEFLATED ? inflateRawSync(bytes) : bytes;
}

/**
 * @param {Buffer} zip
 * @returns {{ name: string, bytes: Buffer }[]} its files
 */
export function readZip(zip) {
  const end = endOfDirectory(zip);
  const files = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error("the zip archive's directory is damaged");
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const entry = {
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      local: zip.readUInt32LE(at + 42),
    };
    if (!name.endsWith("/")) files.push({ name, bytes: content(zip, entry) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
