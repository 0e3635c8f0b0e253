/** Runs signatures over a run in memory: findings, and of each signature whether it fired, passed or had to be skipped. */
import { english } from "./phrase.ts";
import type { DoctorRun } from "./run.ts";
import { SIGNATURES } from "./signatures/index.ts";
import {
  type Diagnosis,
  type Finding,
  MIN_ROWS,
  type Outcome,
  type Report,
  type Severity,
  type Signature,
  type Verdict,
} from "./types.ts";

/** Values that doctor.toml sets, by signature id; what is not named keeps its default. */
export interface DoctorConfig {
  readonly [id: string]:
    | { readonly enabled?: boolean; readonly values?: Readonly<Record<string, number>> }
    | undefined;
}

const RANK: Readonly<Record<Severity, number>> = { critical: 0, warn: 1, info: 2 };

/** Asks a signature; whoever asks often with the same values may remember what it said. */
export type Inspect = (signature: Signature, run: DoctorRun, values: Record<string, number>) => Verdict;
const inspectAnew: Inspect = (signature, run, values) => signature.inspect(run, values);

export function diagnose(
  run: DoctorRun,
  config: DoctorConfig = {},
  signatures: readonly Signature[] = SIGNATURES,
  inspect: Inspect = inspectAnew,
): Diagnosis {
  const findings: Finding[] = [];
  const outcomes: Outcome[] = [];
  for (const signature of signatures) {
    const own = config[signature.id];
    const skipped =
      own?.enabled === false ? ({ reason: "off", metrics: [] } as const) : whySkipped(signature, run);
    if (skipped) {
      outcomes.push({ signature: signature.id, state: "skipped", ...skipped });
      continue;
    }
    const { reports, distance } = inspect(signature, run, valuesOf(signature, own?.values));
    for (const report of reports) findings.push(findingOf(signature, report, run));
    outcomes.push(
      reports.length > 0
        ? { signature: signature.id, state: "fired" }
        : { signature: signature.id, state: "passed", distance: distance ?? null },
    );
  }
  // A stable sort: ties keep the order of the signatures.
  findings.sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.confidence - a.confidence);
  return { findings, outcomes, rows: run.rows };
}

export function valuesOf(
  signature: Signature,
  set: Readonly<Record<string, number>> = {},
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(signature.params).map(([name, p]) => [name, set[name] ?? p.default]),
  );
}

export function whySkipped(
  signature: Signature,
  run: DoctorRun,
): { reason: "short-run" | "missing" | "too-few"; metrics: string[] } | null {
  if (run.rows < MIN_ROWS) return { reason: "short-run", metrics: [] };
  const lacking = signature.needs.filter((metric) => !isEnough(run, metric));
  const stop = signature.needsAny ? lacking.length === signature.needs.length : lacking.length > 0;
  if (!stop) return null;
  const thin = lacking.filter((metric) => run.isRecorded(metric));
  return thin.length > 0 ? { reason: "too-few", metrics: thin } : { reason: "missing", metrics: lacking };
}

/** Counts of NaN and the list columns need no more than one value; a series needs enough to judge by. */
function isEnough(run: DoctorRun, metric: string): boolean {
  if (metric === "kl_positional") return run.positional !== null;
  if (metric.endsWith(".*")) return run.components.length >= 2;
  if (metric === "nan_count" || metric === "inf_count") return run.isRecorded(metric);
  return run.has(metric);
}

function findingOf(signature: Signature, report: Report, run: DoctorRun): Finding {
  return {
    signature: signature.id,
    severity: report.severity ?? signature.severity,
    firstStep: report.onset < 0 ? null : run.stepAt(report.onset),
    onsetRow: report.onset,
    confidence: Math.max(0, Math.min(1, report.confidence)),
    evidence: report.evidence,
    words: english(report.phrase),
    phrase: report.phrase,
    drawings: report.drawings,
    links: report.links ?? null,
  };
}
