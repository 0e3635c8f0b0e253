/**
 * An excerpt: a small Parquet file in memory that holds chosen columns of one or many files, each file's row groups
 * behind one another. Column chunks are copied as they are (still compressed); only the footer is written anew.
 *
 * It exists because of what was measured of parquet-wasm 0.8 (docs/decisions/0001-parquet.md): `readParquet` ignores
 * its `columns` option, `ParquetFile.read` never settles on a damaged file, and each call costs a millisecond, which
 * at tens of thousands of small files is the whole cost. Given an excerpt, `readParquet` can only see what was asked
 * for, fails by throwing, and decodes a thousand parts in one call.
 */
import { type Footer, Physical, type RowGroup, type SchemaNode, type TopColumn } from "./footer.ts";
import { T, ThriftWriter } from "./thrift.ts";

/** One file's contribution to an excerpt. */
export interface ExcerptPart {
  readonly footer: Footer;
  /** Bytes of a column chunk, as long as the footer says. */
  readonly bytes: (group: number, leaf: number) => Uint8Array;
}

const MAGIC = new Uint8Array([0x50, 0x41, 0x52, 0x31]);

/** Two columns with one signature can stand behind one another in an excerpt. */
export function signature(node: SchemaNode): string {
  let known = signatures.get(node);
  if (known === undefined) {
    known = describe(node);
    signatures.set(node, known);
  }
  return known;
}

const signatures = new WeakMap<SchemaNode, string>();

function describe(node: SchemaNode): string {
  const own = `${node.physical},${node.typeLength},${node.repetition},${node.logical},${node.scale},${node.precision},${node.logicalRaw.join(".")}`;
  return node.children.length === 0
    ? own
    : `${own}(${node.children.map((c) => `${c.name}:${signature(c)}`).join(";")})`;
}

function writeElement(w: ThriftWriter, node: SchemaNode): void {
  w.begin();
  const leaf = node.children.length === 0;
  if (leaf) w.int(1, T.I32, node.physical);
  if (leaf && node.typeLength > 0) w.int(2, T.I32, node.typeLength);
  w.int(3, T.I32, node.repetition);
  w.field(4, T.BINARY);
  w.binary(node.rawName);
  if (!leaf) w.int(5, T.I32, node.children.length);
  // Text is decoded as plain bytes: the decoder refuses a whole shard for one invalid byte, a reader must not.
  const text = leaf && node.physical === Physical.BYTE_ARRAY && node.logical === "string";
  if (node.converted >= 0 && !text) w.int(6, T.I32, node.converted);
  if (node.logical === "decimal") {
    w.int(7, T.I32, node.scale);
    w.int(8, T.I32, node.precision);
  }
  if (node.logicalRaw.length > 0 && !text) w.raw(10, T.STRUCT, node.logicalRaw);
  w.end();
  for (const child of node.children) writeElement(w, child);
}

function elementCount(node: SchemaNode): number {
  return 1 + node.children.reduce((n, c) => n + elementCount(c), 0);
}

interface Leaf {
  readonly physical: number;
  readonly path: readonly Uint8Array[];
}

function leafPaths(node: SchemaNode, above: readonly Uint8Array[] = []): Leaf[] {
  const path = [...above, node.rawName];
  return node.children.length === 0
    ? [{ physical: node.physical, path }]
    : node.children.flatMap((c) => leafPaths(c, path));
}

interface Placed {
  readonly group: RowGroup;
  readonly leaf: number;
  readonly offset: number;
}

interface PlacedGroup {
  readonly rows: number;
  readonly placed: readonly Placed[];
}

function writeChunk(
  w: ThriftWriter,
  { group, leaf, offset }: Placed,
  physical: number,
  path: readonly Uint8Array[],
): void {
  const move = offset - group.start(leaf);
  w.begin();
  w.int(2, T.I64, offset);
  w.field(3, T.STRUCT);
  w.begin();
  w.int(1, T.I32, physical);
  w.field(2, T.LIST);
  writeEncodings(w, group.encodings(leaf));
  w.field(3, T.LIST);
  w.listHead(T.BINARY, path.length);
  for (const p of path) w.binary(p);
  w.int(4, T.I32, group.codec(leaf));
  w.int(5, T.I64, group.numValues(leaf));
  w.int(6, T.I64, group.uncompressed(leaf));
  w.int(7, T.I64, group.compressed(leaf));
  w.int(9, T.I64, group.dataPageOffset(leaf) + move);
  if (group.dictionaryPageOffset(leaf) > 0) w.int(11, T.I64, group.dictionaryPageOffset(leaf) + move);
  w.end();
  w.end();
}

function writeEncodings(w: ThriftWriter, mask: number): void {
  const list: number[] = [];
  for (let e = 0; e < 31; e++) if (mask & (1 << e)) list.push(e);
  w.listHead(T.I32, list.length);
  for (const e of list) w.element(e);
}

/**
 * @param names columns to take; every part must have them all, with equal {@link signature}s
 * @returns a whole Parquet file
 */
export function buildExcerpt(parts: readonly ExcerptPart[], names: readonly string[]): Uint8Array {
  const first = parts[0];
  if (!first) throw new RangeError("an excerpt needs a part");
  const nodes = names.map((n) => column(first.footer, n).node);
  const pieces: Uint8Array[] = [MAGIC];
  let offset = MAGIC.length;
  const groups: PlacedGroup[] = [];
  for (const part of parts) {
    const leaves = leavesOf(part.footer, names);
    part.footer.rowGroups.forEach((group, g) => {
      const placed = leaves.map((leaf) => {
        const at = { group, leaf, offset };
        pieces.push(part.bytes(g, leaf));
        offset += group.compressed(leaf);
        return at;
      });
      groups.push({ rows: group.numRows, placed });
    });
  }
  return assemble(pieces, offset, writeFooter(nodes, groups));
}

/** Leaves of the named columns, in the order of the names. */
export function leavesOf(footer: Footer, names: readonly string[]): number[] {
  return names.flatMap((n) => {
    const { leaf, node } = column(footer, n);
    return Array.from({ length: node.leafCount }, (_, i) => leaf + i);
  });
}

function writeFooter(nodes: readonly SchemaNode[], groups: readonly PlacedGroup[]): Uint8Array {
  const w = new ThriftWriter();
  w.begin();
  w.int(1, T.I32, 2);
  w.field(2, T.LIST);
  w.listHead(T.STRUCT, 1 + nodes.reduce((n, c) => n + elementCount(c), 0));
  w.begin();
  w.field(4, T.BINARY);
  w.binary(new TextEncoder().encode("schema"));
  w.int(5, T.I32, nodes.length);
  w.end();
  for (const node of nodes) writeElement(w, node);
  const rows = groups.reduce((n, g) => n + g.rows, 0);
  w.int(3, T.I64, rows);
  const leaves = nodes.flatMap((n) => leafPaths(n));
  w.field(4, T.LIST);
  w.listHead(T.STRUCT, groups.length);
  for (const group of groups) writeGroup(w, group, leaves);
  w.end();
  return w.bytes();
}

function writeGroup(w: ThriftWriter, { rows, placed }: PlacedGroup, leaves: readonly Leaf[]): void {
  w.begin();
  w.field(1, T.LIST);
  w.listHead(T.STRUCT, placed.length);
  placed.forEach((p, i) => {
    writeChunk(w, p, leaves[i]?.physical ?? 0, leaves[i]?.path ?? []);
  });
  const bytes = placed.reduce((n, p) => n + p.group.uncompressed(p.leaf), 0);
  w.int(2, T.I64, bytes);
  w.int(3, T.I64, rows);
  w.end();
}

function assemble(pieces: readonly Uint8Array[], offset: number, footer: Uint8Array): Uint8Array {
  const out = new Uint8Array(offset + footer.length + 8);
  let at = 0;
  for (const p of pieces) {
    out.set(p, at);
    at += p.length;
  }
  out.set(footer, offset);
  new DataView(out.buffer).setUint32(offset + footer.length, footer.length, true);
  out.set(MAGIC, out.length - 4);
  return out;
}

function column(footer: Footer, name: string): TopColumn {
  const top = footer.columns.get(name);
  if (!top) throw new RangeError("a part lacks a column of the excerpt");
  return top;
}
