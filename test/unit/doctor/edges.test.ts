/**
 * At the edges of rlprobe's signatures: levels at a threshold, just below and just above, windows and runs of rows cut at their lengths and one
 * beside, holes; and every combination of levels exactly at the limits and beside them. What rlprobe says of each was recorded by
 * test/contract/make_edges.py and make_limits.py.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/core/doctor/engine.ts";
import { DoctorRun } from "../../../src/core/doctor/run.ts";
import { SIGNATURES } from "../../../src/core/doctor/signatures/index.ts";
import { differences } from "../../contract/findings.ts";

type Cell = number | string | null;
type Piece = readonly [value: Cell, rows: number, added?: number];

interface Case {
  readonly signature: string;
  readonly rows: number;
  readonly config: Readonly<Record<string, number>>;
  readonly columns: Readonly<Record<string, readonly Piece[]>>;
  readonly findings: readonly unknown[];
}

const casesIn = (name: string): Case[] =>
  readFileSync(new URL(`../../fixtures/oracle/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
const DRAWN = casesIn("edges.jsonl");
const CASES = [...DRAWN, ...casesIn("limits.jsonl")];

const cellsOf = (pieces: readonly Piece[]): (number | null)[] =>
  pieces.flatMap(([value, rows, added = 0]) =>
    Array.from({ length: rows }, (_, i) => (value === null ? null : Number(value) + i * added)),
  );

const BUCKET = "kl_positional.";
const COMPONENT = "reward_component.";

/** As a recording with these columns is loaded. */
function runOf({ rows, columns }: Case): DoctorRun {
  const series = new Map<string, Float64Array>();
  const written = new Map<string, Uint8Array>();
  const components: { name: string; values: Float64Array; first: number }[] = [];
  const buckets: (number | null)[][] = [];
  for (const [name, pieces] of Object.entries(columns)) {
    const cells = cellsOf(pieces);
    const values = Float64Array.from(cells, (v) => v ?? Number.NaN);
    const first = cells.findIndex((v) => v !== null);
    if (name.startsWith(BUCKET)) buckets.push(cells);
    else if (first < 0) continue;
    else if (name.startsWith(COMPONENT))
      components.push({ name: name.slice(COMPONENT.length), values, first });
    else {
      series.set(name, values);
      written.set(
        name,
        Uint8Array.from(cells, (v) => (v === null ? 0 : 1)),
      );
    }
  }
  components.sort((a, b) => a.first - b.first);
  return new DoctorRun({
    rows,
    step: Float64Array.from({ length: rows }, (_, i) => i * 10),
    exact: null,
    series,
    written,
    components: components.map(({ name, values }) => [name, values] as const),
    positional: positionalOf(buckets, rows),
  });
}

/** A row's list ends with its last bucket that was written. */
function positionalOf(buckets: readonly (number | null)[][], rows: number): DoctorRun["positional"] {
  const width = buckets.findLastIndex((cells) => cells.some((v) => v !== null)) + 1;
  if (width === 0) return null;
  const values = Float64Array.from(
    { length: rows * width },
    (_, i) => buckets[i % width]?.[Math.floor(i / width)] ?? Number.NaN,
  );
  return { width, values };
}

/** Metrics that an entry of the evidence is about. */
function metricsIn(entry: Readonly<Record<string, unknown>>): string[] {
  const component = entry["component"] ?? entry["stagnant_component"];
  if (component !== undefined) return [`reward_component.${component}`];
  const metric = String(entry["metric"] ?? "");
  return metric === "" || metric.includes("(") ? [] : metric.split("+");
}

/** Windows of another width. */
const WIDE: ReadonlySet<string> = new Set(["ENTROPY_COLLAPSE reward_mean"]);

describe.each(SIGNATURES.map(({ id }) => id))("%s at its edges", (id) => {
  const own = CASES.filter(({ signature }) => signature === id);

  it("finds what rlprobe finds", () => {
    expect(own.length).toBeGreaterThan(40);
    for (const one of own) {
      const { findings } = diagnose(runOf(one), { [id]: { values: one.config } });
      const ours = findings.map((f) => ({
        signature_id: f.signature,
        severity: f.severity,
        first_step: f.firstStep,
        confidence: f.confidence,
        evidence: f.evidence,
      }));
      expect(differences(one.findings, ours), JSON.stringify(one)).toEqual([]);
    }
  });

  it("draws what it found: the windows that it looked at, and the limit", () => {
    for (const one of own) {
      const findings = diagnose(runOf(one), { [id]: { values: one.config } }).findings;
      for (const { evidence, drawings, words } of findings.filter(({ signature }) => signature === id)) {
        expect(words).toMatch(/^[^\n]{20,}\.$/);
        expect(words).not.toMatch(/undefined|NaN%/);
        const drawn = drawings.map(({ metric }) => metric);
        expect(drawn).toEqual(expect.arrayContaining(evidence.flatMap(metricsIn)));
        expect(drawn[0]).toBe(evidence.flatMap(metricsIn)[0]);
        const { rows } = one;
        const [early, late] = [Math.max(10, Math.floor(rows / 4)), Math.max(10, Math.floor(rows / 5))];
        for (const drawing of drawings) {
          if (drawing.early) expect(drawing.early).toEqual({ from: 0, to: early });
          if (drawing.late && !WIDE.has(`${id} ${drawing.metric}`) && id !== "FORMAT_GAMING")
            expect(drawing.late).toEqual({ from: rows - late, to: rows });
        }
        const threshold = evidence[0]?.["threshold"] ?? evidence[0]?.["collapse_threshold"];
        if (threshold !== undefined) expect(drawings[0]?.threshold).toBe(threshold);
      }
    }
  });

  it("is tried on both sides", () => {
    const drawn = DRAWN.filter(({ signature }) => signature === id);
    const fired = drawn.filter((one) =>
      one.findings.some((f) => (f as { readonly signature_id: string }).signature_id === id),
    );
    expect(fired.length).toBeGreaterThan(20);
    expect(drawn.length - fired.length).toBeGreaterThan(20);
  });
});
