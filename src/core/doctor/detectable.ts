/** When a finding could first have been known: what a watcher that checks after every step would have raised it at. */
import { valuesOf, whySkipped } from "./engine.ts";
import type { DoctorRun } from "./run.ts";
import { type Finding, MIN_ROWS, type Signature } from "./types.ts";

/** Prefixes tried from end to end; between two of them every row, or a bisection where there are too many. */
const STRIDES = 128;
const EVERY_ROW = 64;

/**
 * The first row count at which the signature fires for the same metric or component, found by running it over prefixes.
 * A short firing between two strides of a long run can be missed; what is returned always fires.
 *
 * @returns the row whose recording would have raised it, at or behind the onset; null when no prefix fires
 */
export function detectableRow(...asked: Parameters<typeof searchDetectable>): number | null {
  const search = searchDetectable(...asked);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

/** The same, one prefix after another: whoever drives it may do something else in between, or stop. */
export function* searchDetectable(
  run: DoctorRun,
  signature: Signature,
  finding: Pick<Finding, "evidence">,
  set: Readonly<Record<string, number>> = {},
): Generator<undefined, number | null, undefined> {
  const values = valuesOf(signature, set);
  const subject = subjectOf(finding);
  const fires = (rows: number): boolean => {
    const seen = run.prefix(rows);
    if (whySkipped(signature, seen)) return false;
    return signature.inspect(seen, values).reports.some((r) => subjectOf(r) === subject);
  };
  const stride = Math.max(1, Math.ceil((run.rows - MIN_ROWS + 1) / STRIDES));
  let quiet = MIN_ROWS - 1;
  for (let rows = MIN_ROWS; ; rows = Math.min(run.rows, rows + stride)) {
    yield;
    if (fires(rows)) return (yield* refine(quiet, rows, fires)) - 1;
    quiet = rows;
    if (rows >= run.rows) return null;
  }
}

/** @returns the smallest row count in `(quiet, firing]` that fires, as far as it can be told cheaply */
function* refine(
  quiet: number,
  firing: number,
  fires: (rows: number) => boolean,
): Generator<undefined, number, undefined> {
  if (firing - quiet <= EVERY_ROW) {
    for (let rows = quiet + 1; rows < firing; rows++) {
      yield;
      if (fires(rows)) return rows;
    }
    return firing;
  }
  let low = quiet;
  let high = firing;
  while (high - low > 1) {
    yield;
    const middle = (low + high) >> 1;
    if (fires(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** What a finding is about: two of one signature can be about two metrics. */
export function subjectOf({ evidence }: Pick<Finding, "evidence">): string {
  const first = evidence[0];
  return String(first?.["component"] ?? first?.["signature"] ?? first?.["metric"] ?? "");
}
