/** A recording read by us, held against what rlprobe says of it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { inspectJson } from "../../src/cli/inspect.ts";
import { strictJson } from "../../src/cli/json.ts";
import { initParquet, nodeSource, openRun } from "../../src/core/index.ts";

type Reading = Readonly<Record<string, unknown>>;

export interface Recording {
  /** "synthetic/healthy-grpo" */
  readonly title: string;
  readonly folder: string;
  /** rlprobe's reading; null where rlprobe refuses the run. */
  readonly expected: Reading | null;
}

initParquet(
  readFileSync(new URL("../../node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm", import.meta.url)),
);

/** Every recording in `folder/recordings`, with its expectation from `folder/expected`. */
export function recordingsIn(folder: string): Recording[] {
  const expected = new Set(readdirSync(path.join(folder, "expected")));
  return readdirSync(path.join(folder, "recordings"))
    .sort()
    .map((name) => ({
      title: `${path.basename(folder)}/${name}`,
      folder: path.join(folder, "recordings", name),
      expected: expected.has(`${name}.json`)
        ? (JSON.parse(readFileSync(path.join(folder, "expected", `${name}.json`), "utf8")) as Reading)
        : null,
    }));
}

/** What `flight-deck inspect RUN --json --as-recorded` prints, parsed again. */
export async function inspectAsRecorded(folder: string): Promise<Reading> {
  const json = strictJson(await inspectJson(await openRun(nodeSource(folder)), { asRecorded: true }));
  return JSON.parse(json) as Reading;
}

const EXACT = ["n_steps", "first_step", "last_step", "n_samples", "samples_by_rank", "rank_dirs"];

/** Equal in everything that both tell; sums to 1e-9 relative. */
export function expectSameReading(actual: Reading, expected: Reading): void {
  expect(actual["manifest"]).toEqual(finite(expected["manifest"]));
  for (const key of EXACT) expect(actual[key], key).toEqual(expected[key]);
  expect(actual["events"]).toEqual(finite(expected["events"]));
  const ours = actual["columns"] as Columns;
  const theirs = expected["columns"] as Columns;
  expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
  for (const [name, { present, sum }] of Object.entries(theirs)) {
    expect(ours[name]?.present, `${name}: present`).toBe(present);
    expectClose(ours[name]?.sum, finite(sum), `${name}: sum`);
  }
}

type Columns = Readonly<Record<string, { readonly present: number; readonly sum: unknown }>>;

function expectClose(actual: unknown, expected: unknown, what: string): void {
  if (typeof actual !== "number" || typeof expected !== "number") {
    expect(actual, what).toEqual(expected);
    return;
  }
  expect(Math.abs(actual - expected), what).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
}

const NOT_FINITE: readonly unknown[] = ["NaN", "Infinity", "-Infinity"];

/** Expectations spell NaN and infinities as text; strict JSON has null in their place. */
function finite(value: unknown): unknown {
  if (NOT_FINITE.includes(value)) return null;
  if (Array.isArray(value)) return value.map(finite);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, finite(item)]));
}
