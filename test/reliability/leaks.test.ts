/**
 * Ten recordings are opened, drawn, diagnosed, compared, watched and closed again and again in the real thread: nothing stays behind.
 * Ten times, and with `npm run test:long` the fifty of docs/reliability.md. The editors of a real VS Code are in test/workbench.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleInto } from "../helpers/bundle.ts";
import type { Held, LeaksAnswer } from "./leaks-child.ts";

const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const ROUNDS = isLong ? 50 : 10;
/** By then everything that is loaded once, and what the caches hold, is there. */
const WARM = 4;
const RECORDINGS = [
  ...["grpo-baseline", "grpo-length-hack", "grpo-live-copy", "grpo-crash-exception"].map((n) => `trl/${n}`),
  ...["manual-ranks", "manual-ppo", "manual-reused-dir"].map((name) => `trl/${name}`),
  ...["mixed", "sparse", "live-entropy-collapse"].map((name) => `synthetic/${name}`),
];
const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle");
const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");

const least = (rounds: readonly Held[], of: (held: Held) => number): number => Math.min(...rounds.map(of));

test(`ten runs opened and closed ${ROUNDS} times leave nothing behind`, { timeout: 600_000 }, async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-leaks-"));
  try {
    await bundleInto(root, {
      child: "test/reliability/leaks-child.ts",
      thread: "test/reliability/leaks-thread.ts",
    });
    const [child, thread] = ["child", "thread"].map((name) => path.join(root, `${name}.cjs`));
    const dirs = RECORDINGS.map((name) => path.join(oracle, name.replace("/", "/recordings/")));
    const args = [child ?? "", thread ?? "", wasm, path.join(root, "cache"), String(ROUNDS), ...dirs];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
    const { rounds, log, spawned, watched, end, peakMb } = JSON.parse(stdout) as LeaksAnswer;
    const first = rounds.slice(WARM, WARM + 3);
    const last = rounds.slice(-3);
    if (isLong) process.stdout.write(`${JSON.stringify({ first, last, end, peakMb })}\n`);
    expect(rounds).toHaveLength(ROUNDS);
    // There was something to leave behind.
    expect(watched).toBeGreaterThanOrEqual(ROUNDS * dirs.length * 2);
    expect(rounds.map(({ watchers }) => watchers)).toEqual(rounds.map(() => 0));
    expect(last.map(({ resources }) => resources)).toEqual(first.map(({ resources }) => resources));
    expect(least(last, ({ files }) => files)).toBeLessThanOrEqual(least(first, ({ files }) => files));
    expect(least(last, ({ tasks }) => tasks)).toBeLessThanOrEqual(least(first, ({ tasks }) => tasks));
    // A run that stayed would be some 10 KB in the host and 300 KB in the thread, ten of them each round.
    const grown = (of: (held: Held) => number) => (least(last, of) - least(first, of)) / (ROUNDS - WARM);
    expect(grown(({ heapKb }) => heapKb)).toBeLessThan(60);
    expect(grown(({ threadKb }) => threadKb)).toBeLessThan(400);
    expect({ log, spawned, threads: last.map(({ threads }) => threads) }).toEqual({
      ...{ log: [], spawned: 1, threads: [1, 1, 1] },
    });
    // And with the thread goes what it held.
    expect(end.files).toBeLessThan(least(last, ({ files }) => files));
    expect(end).toMatchObject({ watchers: 0, threads: 0 });
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});
