/** Tables ↔ the bytes of a Parquet file, of the types and the compression that rlprobe's files have. */
import * as arrow from "apache-arrow";
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from "parquet-wasm/esm";
import { DecodeError, decodeParquet } from "../reader/decode.ts";
import type { ColumnData, TableData } from "./table.ts";

/** The encoder holds 170 KB a column while it compresses with zstd, 80 KB with snappy, and its memory has an end. */
const WIDE = 1000;
export const MAX_COLUMNS = 4500;

/** Rows of a row group at most; pyarrow's default. */
const ROW_GROUP = 1 << 20;

/** The encoder failed: of what it was given, or because it is broken for good. */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
}

/** @throws EncodeError */
export function encodeTable(table: TableData): Uint8Array {
  try {
    const ipc = arrow.tableToIPC(arrowTable(table), "stream");
    const properties = new WriterPropertiesBuilder()
      .setCompression(table.columns.size > WIDE ? Compression.SNAPPY : Compression.ZSTD)
      .setMaxRowGroupSize(ROW_GROUP)
      .setCreatedBy("flight-deck")
      .build();
    return writeParquet(WasmTable.fromIPCStream(ipc), properties).slice();
  } catch (error) {
    throw new EncodeError(error instanceof Error ? error.name : "unknown");
  }
}

/** Encodes a little of everything, so that the first part does not wait for it. @throws EncodeError when it cannot encode at all */
export function warmEncoder(): void {
  const columns: [string, ColumnData][] = [
    ["step", { kind: "int64", values: BigInt64Array.of(1n), valid: null }],
    ["warm", { kind: "double", values: Float64Array.of(0), valid: null }],
    ["text", { kind: "text", values: [""] }],
    ["none", { kind: "null" }],
  ];
  encodeTable({ rows: 1, columns: new Map(columns) });
}

/**
 * @param want "numbers" leaves out columns that no step table has
 * @returns null when the bytes are no Parquet file or are damaged, or, where all columns are wanted, one is none of a step table
 */
export function decodeTable(bytes: Uint8Array, want: "all" | "numbers" = "all"): TableData | null {
  try {
    return tableData(decodeParquet(bytes), want === "all");
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}

function arrowTable({ rows, columns }: TableData): arrow.Table {
  const data = [...columns].map(([name, column]) => ({ name, data: arrowData(column, rows) }));
  const fields = data.map(({ name, data: d }) => new arrow.Field(name, d.type, true));
  const struct = arrow.makeData({
    type: new arrow.Struct(fields),
    length: rows,
    nullCount: 0,
    children: data.map(({ data: d }) => d),
  });
  return new arrow.Table([new arrow.RecordBatch(new arrow.Schema(fields), struct)]);
}

function arrowData(column: ColumnData, rows: number): arrow.Data {
  switch (column.kind) {
    case "null":
      return arrow.makeData({ type: new arrow.Null(), length: rows });
    case "double":
      return arrow.makeData({
        type: new arrow.Float64(),
        length: rows,
        data: column.values,
        ...nulls(column.valid),
      });
    case "int64":
      return arrow.makeData({
        type: new arrow.Int64(),
        length: rows,
        data: column.values,
        ...nulls(column.valid),
      });
    case "bool":
      return built(new arrow.Bool(), column.values);
    case "text":
      return built(new arrow.Utf8(), column.values);
    case "doubles":
      return listData({ kind: "double", values: column.values, valid: null }, column, rows);
    case "int64s":
      return listData({ kind: "int64", values: column.values, valid: null }, column, rows);
  }
}

function built(type: arrow.Bool | arrow.Utf8, values: readonly (boolean | string | null)[]): arrow.Data {
  const builder = arrow.makeBuilder({ type, nullValues: [null] });
  for (const value of values) builder.append(value as never);
  const data = builder.finish().toVector().data[0];
  if (!data) throw new EncodeError("empty");
  return data;
}

function listData(
  inner: ColumnData,
  column: Extract<ColumnData, { readonly offsets: Int32Array }>,
  rows: number,
): arrow.Data {
  const child = arrowData(inner, column.values.length);
  return arrow.makeData({
    type: new arrow.List(new arrow.Field("element", child.type, true)),
    length: rows,
    valueOffsets: column.offsets,
    child,
    ...nulls(column.valid),
  });
}

function nulls(valid: Uint8Array | null): { nullCount: number; nullBitmap: Uint8Array | null } {
  if (!valid) return { nullCount: 0, nullBitmap: null };
  const nullBitmap = new Uint8Array((valid.length + 7) >> 3);
  let nullCount = 0;
  for (let i = 0; i < valid.length; i++) {
    if (valid[i] === 0) nullCount++;
    else nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return { nullCount, nullBitmap };
}

function tableData(table: arrow.Table, needsAll: boolean): TableData | null {
  const columns = new Map<string, ColumnData>();
  for (const [i, field] of table.schema.fields.entries()) {
    const vector = table.getChildAt(i);
    const column = vector && columnData(field.type, vector, table.numRows);
    if (column && !columns.has(field.name)) columns.set(field.name, column);
    else if (needsAll) return null;
  }
  return { rows: table.numRows, columns };
}

function columnData(type: arrow.DataType, vector: arrow.Vector, rows: number): ColumnData | null {
  if (arrow.DataType.isNull(type) || vector.nullCount === rows) return { kind: "null" };
  if (arrow.DataType.isFloat(type) && type.precision === arrow.Precision.DOUBLE)
    return {
      kind: "double",
      values: gathered(vector, new Float64Array(rows)),
      valid: validity(vector, rows),
    };
  if (arrow.DataType.isInt(type) && type.bitWidth === 64 && type.isSigned)
    return {
      kind: "int64",
      values: gathered(vector, new BigInt64Array(rows)),
      valid: validity(vector, rows),
    };
  return arrow.DataType.isList(type) ? listColumn(vector, rows) : null;
}

function gathered<T extends Float64Array | BigInt64Array>(vector: arrow.Vector, out: T): T {
  let at = 0;
  for (const data of vector.data) {
    (out as Float64Array).set((data.values as Float64Array).subarray(0, data.length), at);
    at += data.length;
  }
  return out;
}

function validity(vector: arrow.Vector, rows: number): Uint8Array | null {
  if (vector.nullCount === 0) return null;
  const out = new Uint8Array(rows).fill(1);
  let at = 0;
  for (const data of vector.data) {
    const { nullBitmap, offset } = data;
    if (data.nullCount > 0 && nullBitmap)
      for (let i = 0; i < data.length; i++)
        out[at + i] = ((nullBitmap[(offset + i) >> 3] ?? 0) >> ((offset + i) & 7)) & 1;
    at += data.length;
  }
  return out;
}

/** Lists of doubles, of whole numbers as doubles; lists that hold a null or something else are none of ours. */
function listColumn(vector: arrow.Vector, rows: number): ColumnData | null {
  const offsets = new Int32Array(rows + 1);
  const values: Float64Array[] = [];
  let at = 0;
  let end = 0;
  for (const data of vector.data) {
    const child = data.children[0];
    const inner = child && columnData(child.type, new arrow.Vector([child]), child.length);
    const own = data.valueOffsets as Int32Array;
    const first = own[0] ?? 0;
    const last = own[data.length] ?? first;
    if (inner?.kind === "double" && !inner.valid) values.push(inner.values.subarray(first, last));
    else if (last > first) return null;
    for (let i = 1; i <= data.length; i++) offsets[at + i] = end + (own[i] ?? 0) - first;
    at += data.length;
    end += last - first;
  }
  return { kind: "doubles", values: joined(values, end), offsets, valid: validity(vector, rows) };
}

function joined(pieces: readonly Float64Array[], length: number): Float64Array {
  const out = new Float64Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
