/** Parquet files made in memory, with the decoder's own writer, for tests that need no disk and no Python. */
import fs from "node:fs";
import { createRequire } from "node:module";
import * as arrow from "apache-arrow";
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from "parquet-wasm/esm";
import { initParquet } from "../../../src/core/reader/decode.ts";

const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");
initParquet(fs.readFileSync(wasm));

export type Cells =
  | { type: "double"; values: readonly (number | null)[] }
  | { type: "int64"; values: readonly (bigint | null)[] }
  | { type: "bool"; values: readonly (boolean | null)[] }
  | { type: "text"; values: readonly (string | null)[] }
  | { type: "list"; values: readonly (readonly number[] | null)[] }
  | { type: "null"; values: readonly null[] };

export const double = (values: readonly (number | null)[]): Cells => ({ type: "double", values });
export const int64 = (values: readonly (number | bigint | null)[]): Cells => ({
  type: "int64",
  values: values.map((v) => (v === null ? null : BigInt(v))),
});
export const bool = (values: readonly (boolean | null)[]): Cells => ({ type: "bool", values });
export const text = (values: readonly (string | null)[]): Cells => ({ type: "text", values });
export const list = (values: readonly (readonly number[] | null)[]): Cells => ({ type: "list", values });
export const nulls = (rows: number): Cells => ({ type: "null", values: new Array<null>(rows).fill(null) });

const TYPES: Record<Cells["type"], () => arrow.DataType> = {
  double: () => new arrow.Float64(),
  int64: () => new arrow.Int64(),
  bool: () => new arrow.Bool(),
  text: () => new arrow.Utf8(),
  list: () => new arrow.List(new arrow.Field("element", new arrow.Float64(), true)),
  null: () => new arrow.Null(),
};

function vector(cells: Cells): arrow.Vector {
  const builder = arrow.makeBuilder({ type: TYPES[cells.type](), nullValues: [null] });
  for (const v of cells.values) builder.append(v as never);
  return builder.finish().toVector();
}

/** @param rowGroup rows of a row group at most */
export function parquet(
  columns: Readonly<Record<string, Cells>> | Map<string, Cells>,
  rowGroup = 1 << 20,
): Uint8Array {
  const entries: [string, Cells][] = columns instanceof Map ? [...columns] : Object.entries(columns);
  const vectors = entries.map(([, cells]) => vector(cells));
  const fields = entries.map(([name, cells]) => new arrow.Field(name, TYPES[cells.type](), true));
  const schema = new arrow.Schema(fields);
  const rows = vectors[0]?.length ?? 0;
  const data = arrow.makeData({
    type: new arrow.Struct(fields),
    length: rows,
    children: vectors.map((v) => v.data[0] as arrow.Data),
  });
  const batch = new arrow.RecordBatch(schema, data as arrow.Data<arrow.Struct>);
  const ipc = arrow.tableToIPC(new arrow.Table([batch]), "stream");
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setMaxRowGroupSize(rowGroup)
    .build();
  return writeParquet(WasmTable.fromIPCStream(ipc), properties).slice();
}
