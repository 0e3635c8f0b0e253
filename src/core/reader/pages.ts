/**
 * Walks the page headers of a column chunk before the decoder sees it: sizes, value counts and checksums against each
 * other, the chunk and a budget. Bodies are not decompressed. It finds what crafted or cut files claim; a changed byte
 * inside a compressed body that still decompresses cannot be found without checksums, which few writers add.
 */
import { FOOTER_LIMITS, FooterError, Physical, type RowGroup } from "./footer.ts";
import { T, ThriftError, ThriftReader } from "./thrift.ts";

const PageType = { DATA: 0, INDEX: 1, DICTIONARY: 2, DATA_V2: 3 } as const;

interface PageHeader {
  type: number;
  uncompressed: number;
  compressed: number;
  /** Unsigned; -1 when the page carries none. */
  crc: number;
  values: number;
}

function readHeader(r: ThriftReader): PageHeader {
  const h: PageHeader = { type: -1, uncompressed: -1, compressed: -1, crc: -1, values: 0 };
  r.struct((id, type) => {
    if (id === 1) h.type = r.zigzag();
    else if (id === 2) h.uncompressed = r.zigzag();
    else if (id === 3) h.compressed = r.zigzag();
    else if (id === 4) h.crc = r.zigzag() >>> 0;
    else if ((id === 5 || id === 7 || id === 8) && type === T.STRUCT)
      r.struct((field, t) => {
        if (field === 1) h.values = r.zigzag();
        else r.skip(t);
      });
    else r.skip(type);
  });
  return h;
}

const corrupt = (detail: string) => new FooterError("page-corrupt", detail);

/**
 * @param chunk bytes of one column chunk, as the footer bounds them
 * @param physical its Parquet type
 * @returns why it must not be decoded; null when nothing speaks against it
 */
export function checkPages(
  chunk: Uint8Array,
  group: RowGroup,
  leaf: number,
  physical: number,
): FooterError | null {
  const r = new ThriftReader(chunk);
  let values = 0;
  let decompressed = 0;
  let dictionary: PageHeader | null = null;
  try {
    while (r.pos < chunk.length && values < group.numValues(leaf)) {
      const header = readHeader(r);
      const fault = checkHeader(header, chunk, r.pos);
      if (fault) return fault;
      decompressed += header.uncompressed;
      if (decompressed > FOOTER_LIMITS.chunkBytes)
        return new FooterError("size-limit", `its pages claim ${decompressed} bytes decompressed`);
      if (header.type === PageType.DICTIONARY) {
        if (dictionary) return corrupt("a column chunk has two dictionaries");
        dictionary = header;
      } else if (header.type !== PageType.INDEX) values += header.values;
      r.pos += header.compressed;
    }
  } catch (error) {
    if (error instanceof ThriftError) return corrupt(`a page header ${error.message}`);
    throw error;
  }
  if (values !== group.numValues(leaf))
    return corrupt(`its pages hold ${values} values, the footer says ${group.numValues(leaf)}`);
  return checkExpansion(dictionary, values, physical);
}

function checkHeader(h: PageHeader, chunk: Uint8Array, body: number): FooterError | null {
  if (h.type < 0 || h.type > 3) return corrupt("a page is of no known type");
  if (h.compressed < 0 || h.uncompressed < 0 || h.values < 0) return corrupt("a page claims a negative size");
  if (h.compressed > chunk.length - body) return corrupt("a page is longer than its column chunk");
  if (h.uncompressed > FOOTER_LIMITS.chunkBytes)
    return new FooterError("size-limit", `a page claims ${h.uncompressed} bytes decompressed`);
  if (h.type === PageType.DICTIONARY && h.values > h.uncompressed * 8 + 1)
    return corrupt(`a dictionary claims ${h.values} entries`);
  if (h.crc >= 0 && crc32(chunk.subarray(body, body + h.compressed)) !== h.crc)
    return corrupt("a page does not match its checksum");
  return null;
}

/** Text that a dictionary blows up: one long entry for every row fits in a few kilobytes and decodes to gigabytes. */
function checkExpansion(dictionary: PageHeader | null, values: number, physical: number): FooterError | null {
  if (
    !dictionary ||
    dictionary.values === 0 ||
    (physical !== Physical.BYTE_ARRAY && physical !== Physical.FIXED_LEN_BYTE_ARRAY)
  )
    return null;
  const expected = (dictionary.uncompressed / dictionary.values) * values;
  if (expected <= FOOTER_LIMITS.chunkBytes) return null;
  return new FooterError("size-limit", `its dictionary decodes to some ${Math.round(expected / 2 ** 20)} MB`);
}

let table: Uint32Array | null = null;

/** CRC-32 as Parquet's page checksums use it (the polynomial of gzip). */
export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
  });
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++)
    crc = (table[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
