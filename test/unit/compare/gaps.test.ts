/**
 * At the edges of rlprobe's comparison: gaps at the limit, just below and just above, stays one row too short, windows and holes cut at their
 * lengths and one beside. What rlprobe says of each was recorded by test/contract/make_gaps.py.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { divergence, gapOf } from "../../../src/core/compare/divergence.ts";

type Piece = readonly [value: number | string | null, rows: number, swing: number];

interface Case {
  readonly z: number;
  readonly sustain: number;
  readonly a: readonly Piece[];
  readonly b: readonly Piece[];
  readonly found: Readonly<Record<"gapLate" | "zLate", number | string>> & {
    readonly at: number | null;
    readonly higherLate: string;
  };
}

const CASES = readFileSync(new URL("../../fixtures/oracle/gaps.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Omit<Case, "found"> & { readonly found: Case["found"] | null });

const column = (pieces: readonly Piece[]): Float64Array =>
  Float64Array.from(
    pieces.flatMap(([value, rows, swing]) =>
      Array.from({ length: rows }, (_, i) =>
        value === null ? Number.NaN : Number(value) + (i % 2 === 0 ? swing : -swing),
      ),
    ),
  );

test("400 gaps, as rlprobe has them", () => {
  const others = CASES.filter(({ a, b, z, sustain, found }) => {
    const ours = divergence(gapOf(column(a), column(b)), z, sustain);
    if (!ours || !found) return ours !== found;
    return !(
      ours.at === (found.at ?? -1) &&
      Object.is(ours.gapLate + 0, Number(found.gapLate) + 0) &&
      Object.is(ours.zLate + 0, Number(found.zLate) + 0) &&
      ours.higherLate === found.higherLate
    );
  });
  expect(others.map((one) => JSON.stringify(one))).toEqual([]);
  expect(CASES.length).toBe(400);
});
