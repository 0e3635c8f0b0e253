/** The only place that touches the Parquet decoder: bytes of a whole (small) Parquet file → Arrow vectors. */
import { type Table, tableFromIPC } from "apache-arrow";
import { initSync, readParquet, wasmMemory } from "parquet-wasm/esm";

let ready = false;

/** Compiles the decoder. @param wasm the bytes of parquet_wasm_bg.wasm; calling again does nothing. */
export function initParquet(wasm: Uint8Array): void {
  if (ready) return;
  initSync({ module: wasm as Uint8Array<ArrayBuffer> });
  ready = true;
}

export function parquetReady(): boolean {
  return ready;
}

/** Bytes that the decoder holds: they grow with the largest call and never shrink. 0 before it is ready. */
export function decoderMemory(): number {
  return ready ? (wasmMemory() as { readonly buffer: ArrayBuffer }).buffer.byteLength : 0;
}

/** The decoder refused the bytes: a page is damaged, or claims what cannot be. Its own words say little and are dropped. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** All columns of an excerpt. @throws DecodeError */
export function decodeParquet(file: Uint8Array): Table {
  if (!ready) throw new Error("initParquet has not been called");
  try {
    // One batch instead of one a thousand rows: the default makes 98 of 100,000 rows.
    return tableFromIPC(readParquet(file, { batchSize: 1 << 20 }).intoIPCStream());
  } catch {
    throw new DecodeError("the decoder refused the pages");
  }
}
