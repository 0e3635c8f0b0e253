/**
 * A Parquet footer, read with bounds: what the file claims, checked against the file's size and a budget, before a
 * decoder sees a byte of it. No decoder that was tried is safe on claims that lie (docs/decisions/0001-parquet.md).
 * Format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
import type { WarningCode } from "../format/problems.ts";
import { T, ThriftError, ThriftReader } from "./thrift.ts";

/** Limits of what is believed. Far above anything a recorder writes. */
export const FOOTER_LIMITS = {
  footerBytes: 64 * 1024 * 1024,
  schemaElements: 200_000,
  depth: 32,
  rowGroups: 100_000,
  /** Rows of one file. */
  rows: 1 << 24,
  /** Decompressed bytes of one column chunk. */
  chunkBytes: 256 * 1024 * 1024,
} as const;

export class FooterError extends Error {
  override readonly name = "FooterError";
  readonly code: WarningCode;
  constructor(code: WarningCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

export const Physical = {
  BOOLEAN: 0,
  INT32: 1,
  INT64: 2,
  INT96: 3,
  FLOAT: 4,
  DOUBLE: 5,
  BYTE_ARRAY: 6,
  FIXED_LEN_BYTE_ARRAY: 7,
} as const;

/** Logical kinds that matter to a reader of recordings. */
export type Logical =
  | "none"
  | "string"
  | "list"
  | "map"
  | "decimal"
  | "date"
  | "time"
  | "timestamp"
  | "int"
  | "uint"
  | "null"
  | "float16"
  | "other";

export interface SchemaNode {
  readonly name: string;
  /** UTF-8 bytes of the name as in the file (a name that is not valid UTF-8 still has to match its chunk). */
  readonly rawName: Uint8Array;
  /** -1 for a group. */
  readonly physical: number;
  readonly typeLength: number;
  /** 0 required, 1 optional, 2 repeated. */
  readonly repetition: number;
  readonly converted: number;
  readonly scale: number;
  readonly precision: number;
  readonly logical: Logical;
  /** The LogicalType union as bytes, to be written again as it was; empty when there is none. */
  readonly logicalRaw: Uint8Array;
  readonly children: readonly SchemaNode[];
  /** Leaves below, itself included; chunks lie in this order. */
  readonly leafCount: number;
}

export interface Chunk {
  readonly physical: number;
  readonly codec: number;
  readonly encodings: readonly number[];
  readonly numValues: number;
  readonly uncompressed: number;
  readonly compressed: number;
  readonly dataPageOffset: number;
  /** 0 when there is none. */
  readonly dictionaryPageOffset: number;
  /** First byte of the chunk in the file. */
  readonly start: number;
  /** Set when the chunk cannot be used; the other columns can. */
  readonly fault: FooterError | null;
}

export interface RowGroup {
  readonly numRows: number;
  /** By leaf. */
  readonly chunks: readonly Chunk[];
}

export interface TopColumn {
  readonly node: SchemaNode;
  /** Index of its first leaf. */
  readonly leaf: number;
}

export interface Footer {
  /** Sum over the row groups: what can be decoded. */
  readonly rows: number;
  /** What the footer's own total says; differs only in a damaged file. */
  readonly claimedRows: number;
  readonly rowGroups: readonly RowGroup[];
  /** Top-level columns in file order. Of equal names the last wins, and `duplicates` holds the name. */
  readonly columns: ReadonlyMap<string, TopColumn>;
  readonly duplicates: readonly string[];
  readonly externalFile: boolean;
}

interface RawElement {
  physical: number;
  typeLength: number;
  repetition: number;
  rawName: Uint8Array;
  children: number;
  converted: number;
  scale: number;
  precision: number;
  logical: Logical;
  logicalRaw: Uint8Array;
}

const NONE = new Uint8Array(0);
const utf8 = new TextDecoder("utf-8");

/** LogicalType's field ids, from the format's definition. */
const LOGICAL_BY_ID: Readonly<Record<number, Logical>> = {
  1: "string",
  2: "map",
  3: "list",
  4: "string",
  5: "decimal",
  6: "date",
  7: "time",
  8: "timestamp",
  10: "int",
  11: "null",
  12: "string",
  15: "float16",
};

/** ConvertedType, used by older writers in place of LogicalType. */
const LOGICAL_BY_CONVERTED: Readonly<Record<number, Logical>> = {
  0: "string",
  1: "map",
  3: "list",
  4: "string",
  5: "decimal",
  6: "date",
  7: "time",
  8: "time",
  9: "timestamp",
  10: "timestamp",
  11: "uint",
  12: "uint",
  13: "uint",
  14: "uint",
  15: "int",
  16: "int",
  17: "int",
  18: "int",
  19: "string",
};

function readLogical(r: ThriftReader): { logical: Logical; raw: Uint8Array } {
  const start = r.pos;
  let logical: Logical = "other";
  r.struct((id, type) => {
    logical = LOGICAL_BY_ID[id] ?? "other";
    if (id !== 10 || type !== T.STRUCT) {
      r.skip(type);
      return;
    }
    r.struct((f, t) => {
      if (f === 2 && t === T.FALSE) logical = "uint";
      r.skip(t);
    });
  });
  return { logical, raw: r.bytes.subarray(start, r.pos) };
}

function readElement(r: ThriftReader): RawElement {
  const e: RawElement = {
    physical: -1,
    typeLength: 0,
    repetition: 0,
    rawName: NONE,
    children: 0,
    converted: -1,
    scale: 0,
    precision: 0,
    logical: "none",
    logicalRaw: NONE,
  };
  r.struct((id, type) => {
    if (id === 1) e.physical = r.zigzag();
    else if (id === 2) e.typeLength = r.zigzag();
    else if (id === 3) e.repetition = r.zigzag();
    else if (id === 4) e.rawName = r.binary();
    else if (id === 5) e.children = r.zigzag();
    else if (id === 6) e.converted = r.zigzag();
    else if (id === 7) e.scale = r.zigzag();
    else if (id === 8) e.precision = r.zigzag();
    else if (id === 10 && type === T.STRUCT) {
      const l = readLogical(r);
      e.logical = l.logical;
      e.logicalRaw = l.raw;
    } else r.skip(type);
  });
  if (e.logical === "none" && e.converted >= 0) e.logical = LOGICAL_BY_CONVERTED[e.converted] ?? "other";
  return e;
}

function readSchema(r: ThriftReader): RawElement[] {
  const { size, type } = r.list();
  if (type !== T.STRUCT || size > FOOTER_LIMITS.schemaElements)
    throw new FooterError("footer-corrupt", `the schema claims ${size} elements`);
  const out: RawElement[] = [];
  for (let i = 0; i < size; i++) out.push(readElement(r));
  return out;
}

/** Turns the flat, pre-order list into a tree; counts and depth are checked as it goes. */
function buildTree(flat: readonly RawElement[]): SchemaNode {
  let next = 0;
  const build = (depth: number): SchemaNode => {
    const e = flat[next++];
    if (!e) throw new FooterError("footer-corrupt", "the schema is shorter than it claims");
    if (depth > FOOTER_LIMITS.depth) throw new FooterError("footer-corrupt", "the schema is nested too deep");
    if (e.children < 0 || e.children > flat.length - next)
      throw new FooterError("footer-corrupt", `a schema element claims ${e.children} children`);
    const children: SchemaNode[] = [];
    for (let i = 0; i < e.children; i++) children.push(build(depth + 1));
    const leafCount =
      children.length === 0 && e.physical >= 0 ? 1 : children.reduce((n, c) => n + c.leafCount, 0);
    return {
      name: utf8.decode(e.rawName),
      rawName: e.rawName,
      physical: children.length === 0 ? e.physical : -1,
      typeLength: e.typeLength,
      repetition: e.repetition,
      converted: e.converted,
      scale: e.scale,
      precision: e.precision,
      logical: e.logical,
      logicalRaw: e.logicalRaw,
      children,
      leafCount,
    };
  };
  const root = build(0);
  if (next !== flat.length)
    throw new FooterError("footer-corrupt", "the schema has elements that belong nowhere");
  return root;
}

function readColumnMeta(r: ThriftReader): Omit<Chunk, "start" | "fault"> {
  let physical = -1;
  let codec = -1;
  let numValues = -1;
  let uncompressed = -1;
  let compressed = -1;
  let dataPageOffset = -1;
  let dictionaryPageOffset = 0;
  const encodings: number[] = [];
  r.struct((id, type) => {
    if (id === 1) physical = r.zigzag();
    else if (id === 2 && type === T.LIST) {
      const { size } = r.list();
      for (let i = 0; i < size; i++) encodings.push(r.zigzag());
    } else if (id === 4) codec = r.zigzag();
    else if (id === 5) numValues = r.zigzag();
    else if (id === 6) uncompressed = r.zigzag();
    else if (id === 7) compressed = r.zigzag();
    else if (id === 9) dataPageOffset = r.zigzag();
    else if (id === 11) dictionaryPageOffset = r.zigzag();
    else r.skip(type);
  });
  return {
    physical,
    codec,
    encodings,
    numValues,
    uncompressed,
    compressed,
    dataPageOffset,
    dictionaryPageOffset,
  };
}

/** UNCOMPRESSED 0, SNAPPY 1, GZIP 2, BROTLI 4, LZ4 5, ZSTD 6, LZ4_RAW 7: what the decoder has. */
const CODECS: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 6, 7]);

function checkChunk(c: Omit<Chunk, "start" | "fault">, dataEnd: number, node: SchemaNode | undefined): Chunk {
  const dict = c.dictionaryPageOffset;
  const start = dict > 0 && dict < c.dataPageOffset ? dict : c.dataPageOffset;
  let fault: FooterError | null = null;
  if (c.physical !== node?.physical)
    fault = new FooterError("footer-corrupt", "a column chunk has another type than the schema");
  else if (!CODECS.has(c.codec)) fault = new FooterError("unsupported-codec", `compression codec ${c.codec}`);
  else if (c.numValues < 0 || c.compressed <= 0 || start < 4 || start + c.compressed > dataEnd)
    fault = new FooterError("footer-corrupt", "a column chunk lies outside the file");
  else if (dict < 0 || (dict > 0 && (dict < 4 || dict >= c.dataPageOffset)))
    fault = new FooterError("footer-corrupt", "a dictionary page does not lie before the data");
  else if (c.uncompressed < 0)
    fault = new FooterError("footer-corrupt", "a column chunk claims a negative size");
  else if (c.uncompressed > FOOTER_LIMITS.chunkBytes)
    fault = new FooterError("size-limit", `a column chunk claims ${c.uncompressed} bytes decompressed`);
  return { ...c, start, fault };
}

function readChunk(
  r: ThriftReader,
  dataEnd: number,
  node: SchemaNode | undefined,
  external: () => void,
): Chunk {
  let meta: Omit<Chunk, "start" | "fault"> | null = null;
  let encrypted = false;
  r.struct((id, type) => {
    if (id === 1 && type === T.BINARY) {
      if (r.binary().length > 0) external();
    } else if (id === 3 && type === T.STRUCT) meta = readColumnMeta(r);
    else {
      if (id === 8 || id === 9) encrypted = true;
      r.skip(type);
    }
  });
  if (encrypted) throw new FooterError("encrypted-parquet", "its columns are encrypted");
  if (!meta) throw new FooterError("footer-corrupt", "a column chunk has no metadata");
  return checkChunk(meta, dataEnd, node);
}

function readRowGroup(
  r: ThriftReader,
  leaves: readonly SchemaNode[],
  dataEnd: number,
  external: () => void,
): RowGroup {
  let numRows = -1;
  const chunks: Chunk[] = [];
  r.struct((id, type) => {
    if (id === 1 && type === T.LIST) {
      const { size } = r.list();
      if (size !== leaves.length)
        throw new FooterError(
          "footer-corrupt",
          `a row group has ${size} column chunks for ${leaves.length} columns`,
        );
      for (let i = 0; i < size; i++) chunks.push(readChunk(r, dataEnd, leaves[i], external));
    } else if (id === 3) numRows = r.zigzag();
    else r.skip(type);
  });
  if (chunks.length !== leaves.length)
    throw new FooterError("footer-corrupt", "a row group has no column chunks");
  if (numRows < 0 || numRows > FOOTER_LIMITS.rows)
    throw new FooterError(
      numRows < 0 ? "footer-corrupt" : "size-limit",
      `a row group claims ${numRows} rows`,
    );
  return { numRows, chunks };
}

function leavesOf(root: SchemaNode): SchemaNode[] {
  const out: SchemaNode[] = [];
  const walk = (n: SchemaNode) => {
    if (n.children.length === 0) {
      if (n.physical >= 0) out.push(n);
    } else for (const c of n.children) walk(c);
  };
  for (const c of root.children) walk(c);
  return out;
}

/**
 * @param bytes the footer itself, without length and magic
 * @param dataEnd where column data must end: the footer's own offset in the file
 * @throws FooterError with a code of ours, never anything else
 */
export function parseFooter(bytes: Uint8Array, dataEnd: number): Footer {
  try {
    return parse(new ThriftReader(bytes), dataEnd);
  } catch (error) {
    if (error instanceof FooterError) throw error;
    if (error instanceof ThriftError) throw new FooterError("footer-corrupt", `its footer ${error.message}`);
    throw error;
  }
}

function parse(r: ThriftReader, dataEnd: number): Footer {
  let root: SchemaNode | null = null;
  let leaves: SchemaNode[] = [];
  let claimedRows = 0;
  let encrypted = false;
  let externalFile = false;
  const rowGroups: RowGroup[] = [];
  r.struct((id, type) => {
    if (id === 2 && type === T.LIST) {
      root = buildTree(readSchema(r));
      leaves = leavesOf(root);
    } else if (id === 3) claimedRows = r.zigzag();
    else if (id === 4 && type === T.LIST) {
      if (!root) throw new FooterError("footer-corrupt", "row groups come before the schema");
      const { size } = r.list();
      if (size > FOOTER_LIMITS.rowGroups)
        throw new FooterError("footer-corrupt", `it claims ${size} row groups`);
      for (let i = 0; i < size; i++)
        rowGroups.push(
          readRowGroup(r, leaves, dataEnd, () => {
            externalFile = true;
          }),
        );
    } else {
      if (id === 8) encrypted = true;
      r.skip(type);
    }
  });
  if (encrypted) throw new FooterError("encrypted-parquet", "it is encrypted");
  if (!root) throw new FooterError("footer-corrupt", "it has no schema");
  const rows = rowGroups.reduce((n, g) => n + g.numRows, 0);
  if (rows > FOOTER_LIMITS.rows) throw new FooterError("size-limit", `it claims ${rows} rows`);
  return { rows, claimedRows, rowGroups, externalFile, ...topColumns(root) };
}

function topColumns(root: SchemaNode): Pick<Footer, "columns" | "duplicates"> {
  const columns = new Map<string, TopColumn>();
  const duplicates: string[] = [];
  let leaf = 0;
  for (const node of root.children) {
    if (columns.has(node.name)) duplicates.push(node.name);
    columns.set(node.name, { node, leaf });
    leaf += node.leafCount;
  }
  return { columns, duplicates };
}
