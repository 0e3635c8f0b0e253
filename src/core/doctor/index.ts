/** Diagnosis of a run: rlprobe's fourteen signatures, and on request the checks of ours. */
import type { RowOrder, RunModel } from "../run/model.ts";
import { CHECKS } from "./checks/index.ts";
import { type DoctorConfig, diagnose } from "./engine.ts";
import { loadDoctorRun, longestRewarded } from "./load.ts";
import { SIGNATURES } from "./signatures/index.ts";
import type { Diagnosis, Finding } from "./types.ts";

export interface RunDiagnosis extends Diagnosis {
  /** Sample ids by finding, for the signature that links to samples. */
  readonly links: ReadonlyMap<Finding, readonly string[]>;
}

export async function diagnoseRun(
  model: RunModel,
  order: RowOrder,
  config: DoctorConfig = {},
  extra = false,
): Promise<RunDiagnosis> {
  const signatures = extra ? [...SIGNATURES, ...CHECKS] : SIGNATURES;
  const diagnosis = diagnose(await loadDoctorRun(model, order, signatures), config, signatures);
  const links = new Map<Finding, readonly string[]>();
  for (const finding of diagnosis.findings)
    if (finding.links === "longest-rewarded")
      links.set(
        finding,
        (await longestRewarded(model)).map((s) => s.sample_id),
      );
  return { ...diagnosis, links };
}
