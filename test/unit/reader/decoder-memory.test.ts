import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  DECODER_LIMIT,
  DecodeError,
  decodeParquet,
  decoderBroken,
  decoderMemory,
} from "../../../src/core/reader/decode.ts";
import { withMemoryLimit } from "../../../src/core/reader/wasmMemory.ts";
import { layBases, layCase, readCases } from "../../reliability/corpus.ts";
import { int64, parquet } from "../helpers/parquet.ts";

const PAGE = 65_536;

/** A module that exports a memory which starts with one page: type, function and code sections are not needed. */
const SMALL = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 10, 1, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0],
);

function memoryOf(module: Uint8Array<ArrayBuffer>): WebAssembly.Memory {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  return exports["memory"] as WebAssembly.Memory;
}

describe("withMemoryLimit", () => {
  it("lets a module grow up to the limit and no further", () => {
    const memory = memoryOf(withMemoryLimit(SMALL, 3 * PAGE + 5));
    expect(memory.buffer.byteLength).toBe(PAGE);
    memory.grow(2);
    expect(() => memory.grow(1)).toThrow(RangeError);
    // Without it the same module does.
    memoryOf(SMALL).grow(1000);
  });

  it("writes limits of any length, and never one below what the module starts with", () => {
    expect(() => memoryOf(withMemoryLimit(SMALL, 5000 * PAGE)).grow(4999)).not.toThrow();
    expect(memoryOf(withMemoryLimit(SMALL, 0)).buffer.byteLength).toBe(PAGE);
  });

  it("fits the decoder", () => {
    const file = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");
    const limited = withMemoryLimit(fs.readFileSync(file), DECODER_LIMIT);
    expect(WebAssembly.validate(limited)).toBe(true);
  });

  it.each([
    ["nothing", Uint8Array.of()],
    ["a module without memory", SMALL.slice(0, 8)],
    ["a module cut in the middle", SMALL.slice(0, 10)],
    ["a limit that is there already", Uint8Array.of(...SMALL.slice(0, 8), 5, 4, 1, 1, 1, 2)],
  ])("refuses %s", (_, bytes) => {
    expect(() => withMemoryLimit(bytes, PAGE)).toThrow(RangeError);
  });
});

describe("the decoder", () => {
  let root = "";
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-decoder-"));
    layBases(root);
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it("stops at its limit when a bomb gets past the checks, says so, and goes on", () => {
    const bomb = readCases().find((c) => c.id === "p-bomb-dict-20g");
    const bytes = fs.readFileSync(
      path.join(layCase(root, bomb ?? expect.fail()), "samples/shard-00000.parquet"),
    );
    expect(decoderBroken()).toBe(false);
    let thrown: unknown;
    try {
      decodeParquet(bytes);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DecodeError);
    expect(thrown).toMatchObject({ code: "size-limit" });
    expect(decoderMemory()).toBeLessThanOrEqual(DECODER_LIMIT);
    expect(decoderBroken()).toBe(true);
    expect(decodeParquet(parquet({ step: int64([1, 2, 3]) })).numRows).toBe(3);
  });
});
