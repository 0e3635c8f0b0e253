/** A WebAssembly module's memory kept within bounds: the engine refuses to grow it further, whatever its code asks for. */

const PAGE = 65_536;
const MEMORY_SECTION = 5;
const HEADER = 8;

/**
 * The same module with a limit on its memory.
 * @param wasm a module that has one memory of its own, without a limit
 * @param limit bytes, rounded down to whole pages of 64 KiB; never below what the module starts with
 * @throws RangeError when the bytes are no such module
 */
export function withMemoryLimit(wasm: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const reader = new Reader(wasm);
  for (reader.at = HEADER; reader.at < wasm.length; ) {
    const start = reader.at;
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id === MEMORY_SECTION) return replaced(wasm, start, end, section(reader, limit));
    reader.at = end;
  }
  throw new RangeError("the module has no memory of its own");
}

/** One memory: its flags, the pages it starts with and, new, the pages it may have. */
function section(reader: Reader, limit: number): number[] {
  const memories = reader.number();
  const flags = reader.byte();
  if (memories !== 1 || flags !== 0) throw new RangeError("the module's memory is not as expected");
  const pages = reader.number();
  const body = [1, 1, ...leb(pages), ...leb(Math.max(pages, Math.floor(limit / PAGE)))];
  return [MEMORY_SECTION, ...leb(body.length), ...body];
}

function replaced(bytes: Uint8Array, start: number, end: number, by: number[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length - (end - start) + by.length);
  out.set(bytes.subarray(0, start));
  out.set(by, start);
  out.set(bytes.subarray(end), start + by.length);
  return out;
}

/** WebAssembly's variable-length numbers: seven bits a byte, lowest first. */
function leb(value: number): number[] {
  const out: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...out, rest];
    out.push((rest & 0x7f) | 0x80);
  }
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.at++];
    if (value === undefined) throw new RangeError("the module is cut off");
    return value;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError("a number in the module is too long");
  }
}
