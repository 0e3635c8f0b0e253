/** The only place that touches the Parquet decoder: bytes of a whole (small) Parquet file → Arrow vectors. */
import { type Table, tableFromIPC } from "apache-arrow";
import { initSync, readParquet, wasmMemory } from "parquet-wasm/esm";
import { withMemoryLimit } from "./wasmMemory.ts";

/** Bytes that the decoder may ever hold: ten times what the largest call of an ordinary run takes. */
export const DECODER_LIMIT = 512 * 1024 * 1024;

let ready = false;
let broken = false;

/** Compiles the decoder. @param wasm the bytes of parquet_wasm_bg.wasm; calling again does nothing. */
export function initParquet(wasm: Uint8Array): void {
  if (ready) return;
  initSync({ module: withMemoryLimit(wasm, DECODER_LIMIT) });
  ready = true;
}

export function parquetReady(): boolean {
  return ready;
}

/** Bytes that the decoder holds: they grow with the largest call and never shrink. 0 before it is ready. */
export function decoderMemory(): number {
  return ready ? (wasmMemory() as { readonly buffer: ArrayBuffer }).buffer.byteLength : 0;
}

/** True once a call ended in a trap: what it held is never given back, and later calls may fail of that. */
export function decoderBroken(): boolean {
  return broken;
}

/** The decoder refused the bytes: a page is damaged, or claims what cannot be. Its own words say little and are dropped. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  readonly code: "page-corrupt" | "size-limit";

  constructor(message: string, code: "page-corrupt" | "size-limit" = "page-corrupt") {
    super(message);
    this.code = code;
  }
}

/** All columns of an excerpt. @throws DecodeError */
export function decodeParquet(file: Uint8Array): Table {
  if (!ready) throw new Error("initParquet has not been called");
  try {
    // One batch instead of one a thousand rows: the default makes 98 of 100,000 rows.
    return tableFromIPC(readParquet(file, { batchSize: 1 << 20 }).intoIPCStream());
  } catch (error) {
    const isTrap = error instanceof Error && error.name === "RuntimeError";
    broken ||= isTrap;
    if (isTrap && decoderMemory() > DECODER_LIMIT / 2)
      throw new DecodeError(`decoding it takes more than ${DECODER_LIMIT >> 20} MB`, "size-limit");
    throw new DecodeError("its pages cannot be decoded");
  }
}
