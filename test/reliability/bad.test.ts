/**
 * Every damaged or hostile run gives what test/fixtures/bad/cases.json says: no crash, no hang, bounded memory, nothing
 * written into it. A third by seed, all with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleInto } from "../helpers/bundle.ts";
import { random } from "../unit/random.ts";
import { type BadCase, layBases, layCase, readCases } from "./corpus.ts";
import type { Reading } from "./reader.ts";
import { ReaderProcess } from "./reader-process.ts";

const MEMORY_MB = 512;
const all = process.env["FLIGHT_DECK_LONG"] === "1";
const seed = Number(process.env["FLIGHT_DECK_SEED"] ?? 20261);

let root = "";
let script = "";
let wasm = "";
let reader: ReaderProcess | null = null;
let other: ReaderProcess | null = null;

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-bad-"));
  fs.chmodSync(root, 0o755);
  layBases(root);
  await bundleInto(root, { reader: "test/reliability/reader.ts" });
  wasm = path.join(root, "parquet_wasm_bg.wasm");
  script = path.join(root, "reader.cjs");
  reader = new ReaderProcess(script, wasm);
  other = new ReaderProcess(script, wasm, "nobody");
});

/** What each case took. */
const figures: { readonly id: string; readonly ms: number; readonly peakMb: number }[] = [];

/** For docs/reliability.md: memory is that of the one process that read them all. */
function summary(): string {
  const times = figures.toSorted((a, b) => a.ms - b.ms);
  const [slowest, most] = [times.at(-1), figures.toSorted((a, b) => b.peakMb - a.peakMb)[0]];
  const median = times[times.length >> 1]?.ms ?? 0;
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const first = figures.find(({ peakMb }) => peakMb === most?.peakMb);
  return [
    `${figures.length} runs read in ${(total / 1000).toFixed(1)} s`,
    `median ${median} ms`,
    `slowest ${slowest?.id} ${slowest?.ms} ms`,
    `peak memory ${most?.peakMb} MB, reached in ${first?.id}`,
  ].join("; ");
}

afterAll(() => {
  if (all) process.stdout.write(`${summary()}\n`);
  reader?.stop();
  other?.stop();
  execFileSync("chmod", ["-R", "u+rwX", root]);
  fs.rmSync(root, { recursive: true, force: true });
});

/** What must not change: every path with its kind, size and time. */
function snapshot(dir: string): string {
  return execFileSync("find", [dir, "-printf", "%P %y %s %T@\\n"], { encoding: "utf8", maxBuffer: 1 << 28 });
}

function check(c: BadCase, got: Reading | "hang" | "crash"): void {
  if (got === "hang" || got === "crash") throw new Error(`the reader ended with a ${got}`);
  expect(got.refused ?? "").not.toContain("uncoded");
  expect(got.peakMb).toBeLessThan(MEMORY_MB);
  if (c.verdict === "any") return;
  if (c.verdict === "refuse") {
    expect(c.codes).toContain(got.refused);
    return;
  }
  expect(got.refused).toBe(null);
  const codes = got.warnings.map((w) => w.code);
  for (const what of ["steps", "samples", "events"] as const)
    if (typeof c.salvage?.[what] === "number")
      expect({ [what]: got[what] }).toEqual({ [what]: c.salvage[what] });
  if (c.verdict === "warn")
    expect(
      codes.some((code) => c.codes.includes(code)),
      `${codes} has one of ${c.codes}`,
    ).toBe(true);
  const alarming = got.warnings
    .filter((w) => w.level === "warning" && !c.codes.includes(w.code))
    .map((w) => w.code);
  if (c.verdict === "open") expect(alarming).toEqual([]);
  for (const w of got.warnings) {
    expect(w.detail.length).toBeLessThan(300);
    expect(w.detail).not.toMatch(/root:|passwd|undefined|\bat \S+:\d+/);
  }
}

/** Folders of many runs are the business of listings, not of opening one. */
const cases = readCases().filter((c) => c.id !== "x-root-mixed");
const draw = random(seed);
const chosen = cases.filter(() => all || draw() < 1 / 3);

describe(`damaged runs (seed ${seed}, ${chosen.length} of ${cases.length})`, () => {
  for (const c of chosen)
    it(`${c.id}: ${c.wrong.slice(0, 80)}`, async () => {
      const dir = layCase(root, c);
      const before = c.asUser || c.id === "f-name-bytes" ? "" : snapshot(dir);
      const got = await (c.asUser ? other : reader)?.read(dir);
      if (before) expect(snapshot(dir)).toBe(before);
      execFileSync("chmod", ["-R", "u+rwX", path.join(root, "runs")]);
      fs.rmSync(dir, { recursive: true, force: true });
      if (typeof got === "object") figures.push({ id: c.id, ms: got.ms, peakMb: got.peakMb });
      check(c, got ?? "crash");
    });
});

describe("the corpus", () => {
  it("has a case for every family", () => {
    expect(cases.length).toBeGreaterThan(360);
    expect(new Set(cases.map((c) => c.id[0]))).toEqual(
      new Set(["p", "d", "l", "m", "e", "s", "r", "f", "j"]),
    );
  });
});
