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
  rows: 1 << 22,
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

/** Numbers kept of one column chunk, side by side in a {@link RowGroup}. */
const FACT = {
  PHYSICAL: 0,
  CODEC: 1,
  VALUES: 2,
  UNCOMPRESSED: 3,
  COMPRESSED: 4,
  DATA: 5,
  DICTIONARY: 6,
  ENCODINGS: 7,
} as const;
const STRIDE = 8;

/**
 * One row group. A run can have a million column chunks (tens of thousands of shards), so their facts lie in one array
 * instead of an object each.
 */
export class RowGroup {
  readonly numRows: number;
  private readonly facts: Float64Array;
  private readonly schema: Schema;
  private readonly dataEnd: number;

  constructor(numRows: number, facts: Float64Array, schema: Schema, dataEnd: number) {
    this.numRows = numRows;
    this.facts = facts;
    this.schema = schema;
    this.dataEnd = dataEnd;
  }

  private fact(leaf: number, which: number): number {
    return this.facts[leaf * STRIDE + which] as number;
  }
  codec(leaf: number): number {
    return this.fact(leaf, FACT.CODEC);
  }
  numValues(leaf: number): number {
    return this.fact(leaf, FACT.VALUES);
  }
  /** Bytes when decompressed, as claimed. */
  uncompressed(leaf: number): number {
    return this.fact(leaf, FACT.UNCOMPRESSED);
  }
  compressed(leaf: number): number {
    return this.fact(leaf, FACT.COMPRESSED);
  }
  dataPageOffset(leaf: number): number {
    return this.fact(leaf, FACT.DATA);
  }
  /** 0 when there is none. */
  dictionaryPageOffset(leaf: number): number {
    return this.fact(leaf, FACT.DICTIONARY);
  }
  /** Bit n is set for encoding n. */
  encodings(leaf: number): number {
    return this.fact(leaf, FACT.ENCODINGS);
  }

  /** First byte of the chunk in the file. */
  start(leaf: number): number {
    const dictionary = this.dictionaryPageOffset(leaf);
    return dictionary > 0 ? dictionary : this.dataPageOffset(leaf);
  }

  /** Why the chunk cannot be used; null when it can. Other chunks are not touched by it. */
  fault(leaf: number): FooterError | null {
    const start = this.start(leaf);
    const compressed = this.compressed(leaf);
    const dictionary = this.dictionaryPageOffset(leaf);
    const uncompressed = this.uncompressed(leaf);
    const corrupt = (detail: string) => new FooterError("footer-corrupt", detail);
    if (this.fact(leaf, FACT.PHYSICAL) !== this.schema.leaves[leaf]?.physical)
      return corrupt("a column chunk has another type than the schema");
    if (!CODECS.has(this.codec(leaf)))
      return new FooterError("unsupported-codec", `compression codec ${this.codec(leaf)}`);
    if (dictionary < 0 || (dictionary > 0 && dictionary >= this.dataPageOffset(leaf)))
      return corrupt("a dictionary page does not lie before the data");
    if (this.numValues(leaf) < 0 || compressed <= 0 || start < 4 || start + compressed > this.dataEnd)
      return corrupt("a column chunk lies outside the file");
    if (this.dataPageOffset(leaf) >= start + compressed)
      return corrupt("a data page lies outside its column chunk");
    if (uncompressed < 0) return corrupt("a column chunk claims a negative size");
    if (uncompressed > FOOTER_LIMITS.chunkBytes)
      return new FooterError("size-limit", `a column chunk claims ${uncompressed} bytes decompressed`);
    return null;
  }
}

export interface TopColumn {
  readonly node: SchemaNode;
  /** Index of its first leaf. */
  readonly leaf: number;
}

/** The columns of a file. Files of one run mostly share one, as the same object. */
export interface Schema {
  /** Top-level columns in file order. Of equal names the last wins, and `duplicates` holds the name. */
  readonly columns: ReadonlyMap<string, TopColumn>;
  readonly duplicates: readonly string[];
  readonly leaves: readonly SchemaNode[];
}

export interface Footer extends Schema {
  /** Sum over the row groups: what can be decoded. */
  readonly rows: number;
  /** What the footer's own total says; differs only in a damaged file. */
  readonly claimedRows: number;
  readonly rowGroups: readonly RowGroup[];
  readonly externalFile: boolean;
  /** Value of the ARROW:schema entry (base64), when it was asked for and is there. */
  readonly arrowSchema: Uint8Array | null;
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
  return { logical, raw: r.bytes.slice(start, r.pos) };
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
    else if (id === 4) e.rawName = r.binary().slice();
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

/** UNCOMPRESSED 0, SNAPPY 1, GZIP 2, BROTLI 4, LZ4 5, ZSTD 6, LZ4_RAW 7: what the decoder has. */
const CODECS: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 6, 7]);

function readColumnMeta(r: ThriftReader, facts: Float64Array, at: number): void {
  facts.fill(-1, at, at + STRIDE);
  facts[at + FACT.DICTIONARY] = 0;
  facts[at + FACT.ENCODINGS] = 0;
  r.struct((id, type) => {
    if (id === 1) facts[at + FACT.PHYSICAL] = r.zigzag();
    else if (id === 2 && type === T.LIST) {
      const { size } = r.list();
      let mask = 0;
      for (let i = 0; i < size; i++) {
        const encoding = r.zigzag();
        if (encoding >= 0 && encoding < 31) mask |= 1 << encoding;
      }
      facts[at + FACT.ENCODINGS] = mask;
    } else if (id === 4) facts[at + FACT.CODEC] = r.zigzag();
    else if (id === 5) facts[at + FACT.VALUES] = r.zigzag();
    else if (id === 6) facts[at + FACT.UNCOMPRESSED] = r.zigzag();
    else if (id === 7) facts[at + FACT.COMPRESSED] = r.zigzag();
    else if (id === 9) facts[at + FACT.DATA] = r.zigzag();
    else if (id === 11) facts[at + FACT.DICTIONARY] = r.zigzag();
    else r.skip(type);
  });
}

/** @returns true when the chunk names another file for its data */
function readChunk(r: ThriftReader, facts: Float64Array, at: number): boolean {
  let meta = false;
  let encrypted = false;
  let external = false;
  r.struct((id, type) => {
    if (id === 1 && type === T.BINARY) external = r.binary().length > 0;
    else if (id === 3 && type === T.STRUCT) {
      readColumnMeta(r, facts, at);
      meta = true;
    } else {
      if (id === 8 || id === 9) encrypted = true;
      r.skip(type);
    }
  });
  if (encrypted) throw new FooterError("encrypted-parquet", "its columns are encrypted");
  if (!meta) throw new FooterError("footer-corrupt", "a column chunk has no metadata");
  return external;
}

function readRowGroup(
  r: ThriftReader,
  schema: Schema,
  dataEnd: number,
): { group: RowGroup; external: boolean } {
  let numRows = -1;
  let external = false;
  let facts: Float64Array | null = null;
  const columns = schema.leaves.length;
  r.struct((id, type) => {
    if (id === 1 && type === T.LIST) {
      const { size } = r.list();
      if (size !== columns)
        throw new FooterError(
          "footer-corrupt",
          `a row group has ${size} column chunks for ${columns} columns`,
        );
      facts = new Float64Array(size * STRIDE);
      for (let i = 0; i < size; i++) if (readChunk(r, facts, i * STRIDE)) external = true;
    } else if (id === 3) numRows = r.zigzag();
    else r.skip(type);
  });
  if (!facts) throw new FooterError("footer-corrupt", "a row group has no column chunks");
  if (numRows < 0 || numRows > FOOTER_LIMITS.rows)
    throw new FooterError(
      numRows < 0 ? "footer-corrupt" : "size-limit",
      `a row group claims ${numRows} rows`,
    );
  return { group: new RowGroup(numRows, facts, schema, dataEnd), external };
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
export function parseFooter(bytes: Uint8Array, dataEnd: number, keepArrowSchema = false): Footer {
  try {
    return parse(new ThriftReader(bytes), dataEnd, keepArrowSchema);
  } catch (error) {
    if (error instanceof FooterError) throw error;
    if (error instanceof ThriftError) throw new FooterError("footer-corrupt", `its footer ${error.message}`);
    throw error;
  }
}

function parse(r: ThriftReader, dataEnd: number, keepArrowSchema: boolean): Footer {
  let schema: Schema | null = null;
  let claimedRows = 0;
  let encrypted = false;
  let externalFile = false;
  let arrowSchema: Uint8Array | null = null;
  const rowGroups: RowGroup[] = [];
  r.struct((id, type) => {
    if (id === 2 && type === T.LIST) schema = schemaAt(r);
    else if (id === 3) claimedRows = r.zigzag();
    else if (id === 4 && type === T.LIST) {
      if (!schema) throw new FooterError("footer-corrupt", "row groups come before the schema");
      const { size } = r.list();
      if (size > FOOTER_LIMITS.rowGroups)
        throw new FooterError("footer-corrupt", `it claims ${size} row groups`);
      for (let i = 0; i < size; i++) {
        const { group, external } = readRowGroup(r, schema, dataEnd);
        rowGroups.push(group);
        externalFile ||= external;
      }
    } else if (id === 5 && type === T.LIST && keepArrowSchema) arrowSchema = readArrowEntry(r);
    else {
      if (id === 8) encrypted = true;
      r.skip(type);
    }
  });
  if (encrypted) throw new FooterError("encrypted-parquet", "it is encrypted");
  if (!schema) throw new FooterError("footer-corrupt", "it has no schema");
  const { columns, duplicates, leaves } = schema as Schema;
  const rows = rowGroups.reduce((n, g) => n + g.numRows, 0);
  if (rows > FOOTER_LIMITS.rows) throw new FooterError("size-limit", `it claims ${rows} rows`);
  return { rows, claimedRows, rowGroups, externalFile, arrowSchema, columns, duplicates, leaves };
}

/** The value of the key "ARROW:schema" in the footer's key-value list. */
function readArrowEntry(r: ThriftReader): Uint8Array | null {
  let found: Uint8Array | null = null;
  const { size } = r.list();
  for (let i = 0; i < size; i++) {
    let key = "";
    let value: Uint8Array = NONE;
    r.struct((id, type) => {
      if (id === 1) key = r.string();
      else if (id === 2) value = r.binary();
      else r.skip(type);
    });
    if (key === "ARROW:schema") found = value.slice();
  }
  return found;
}

/** Schemas seen last, with their bytes: tens of thousands of parts and shards share a handful. */
const recent: { readonly bytes: Uint8Array; readonly schema: Schema }[] = [];
const RECENT = 16;

/** The schema at the reader's place. Equal bytes are the same list, since a Thrift list says where it ends. */
function schemaAt(r: ThriftReader): Schema {
  const start = r.pos;
  for (const [i, known] of recent.entries()) {
    if (!equalAt(r.bytes, start, known.bytes) || start + known.bytes.length > r.end) continue;
    r.pos = start + known.bytes.length;
    if (i > 0) recent.unshift(...recent.splice(i, 1));
    return known.schema;
  }
  const root = buildTree(readSchema(r));
  const schema = { ...topColumns(root), leaves: leavesOf(root) };
  recent.unshift({ bytes: r.bytes.slice(start, r.pos), schema });
  recent.length = Math.min(recent.length, RECENT);
  return schema;
}

function equalAt(bytes: Uint8Array, start: number, known: Uint8Array): boolean {
  // From the end: schemas that differ mostly share their beginning.
  for (let i = known.length - 1; i >= 0; i--) if (bytes[start + i] !== known[i]) return false;
  return true;
}

function topColumns(root: SchemaNode): Pick<Schema, "columns" | "duplicates"> {
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
