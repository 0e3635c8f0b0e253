/** Diagnosis of a run: rlprobe's fourteen signatures, and on request the checks of ours. */
import type { RowOrder, RunModel } from "../run/model.ts";
import { CHECKS } from "./checks/index.ts";
import { detectableRow } from "./detectable.ts";
import { type DoctorConfig, diagnose } from "./engine.ts";
import { loadDoctorRun, longestRewarded } from "./load.ts";
import { SIGNATURES } from "./signatures/index.ts";
import type { Diagnosis, Finding } from "./types.ts";

export interface RunDiagnosis extends Diagnosis {
  /** Sample ids by finding, for the signature that links to samples. */
  readonly links: ReadonlyMap<Finding, readonly string[]>;
  /** The step at which each finding could first have been known; `null` when never. Empty where it was not looked for. */
  readonly detectable: ReadonlyMap<Finding, number | bigint | null>;
}

export interface DiagnoseOptions {
  readonly order: RowOrder;
  readonly config?: DoctorConfig;
  /** With the checks of ours. */
  readonly extra?: boolean;
  /** Look for the steps at which findings could first have been known, which takes longer. */
  readonly detectable?: boolean;
}

export async function diagnoseRun(
  model: RunModel,
  { order, config = {}, extra = false, detectable = false }: DiagnoseOptions,
): Promise<RunDiagnosis> {
  const signatures = extra ? [...SIGNATURES, ...CHECKS] : SIGNATURES;
  const run = await loadDoctorRun(model, order, signatures);
  const diagnosis = diagnose(run, config, signatures);
  const links = new Map<Finding, readonly string[]>();
  for (const finding of diagnosis.findings)
    if (finding.links === "longest-rewarded")
      links.set(
        finding,
        (await longestRewarded(model)).map((s) => s.sample_id),
      );
  const known = new Map<Finding, number | bigint | null>();
  for (const finding of detectable ? diagnosis.findings : []) {
    const signature = signatures.find(({ id }) => id === finding.signature);
    const row = signature && detectableRow(run, signature, finding, config[signature.id]?.values);
    known.set(finding, row === undefined || row === null ? null : run.stepAt(row));
  }
  return { ...diagnosis, links, detectable: known };
}
