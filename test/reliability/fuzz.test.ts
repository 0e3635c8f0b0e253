/**
 * Damaged copies of real recordings, 500 of the 20,000 of `npm run fuzz`, read by the shipped worker through the host's client:
 * nothing crashes, hangs, grows or is answered with an error of ours, and every answer keeps its contract.
 */
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import type { Accident } from "./fuzz/child.ts";
import { type FuzzResult, fuzz, report } from "./fuzz/fuzz.ts";

const seed = Number(process.env["FLIGHT_DECK_SEED"] ?? 20261);
const COUNT = 500;

const read = (numbers: readonly number[], accidents: Record<number, Accident> = {}): Promise<FuzzResult> =>
  fuzz({
    root: path.join(import.meta.dirname, "../.."),
    wasm: createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm"),
    ...{ seed, numbers, jobs: Math.min(2, os.availableParallelism()), accidents },
  });

it(`${COUNT} mutants (seed ${seed})`, { timeout: 600_000 }, async () => {
  const result = await read(Array.from({ length: COUNT }, (_, n) => n));
  expect(result.outcomes).toHaveLength(COUNT);
  expect(result.faulty, report(result)).toEqual([]);
  // They are damaged indeed: most are read with a word, some without any sign.
  const warned = result.outcomes.filter(({ refused, codes }) => refused !== "" || codes.length > 0);
  expect(warned.length).toBeGreaterThan(COUNT / 2);
});

it("what dies or grows is noticed, and the next one is read", { timeout: 120_000 }, async () => {
  const accidents = { 1: "thread dies", 2: "process dies", 4: "process grows" } as const;
  const { outcomes, faulty } = await read([0, 1, 2, 3, 4, 5], accidents);
  const faults = faulty.toSorted((a, b) => a.n - b.n).map(({ n, faults: all }) => `${n}: ${all.join("; ")}`);
  expect(faults).toEqual([
    expect.stringMatching(/^1: .*error: worker lost \(crash\)/),
    expect.stringContaining("2: the process ended (SIGKILL)"),
    expect.stringMatching(/^4: took \d+ MB$/),
  ]);
  expect(outcomes).toHaveLength(6);
});
