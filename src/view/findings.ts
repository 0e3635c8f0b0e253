/** Findings in words and in rlprobe's JSON; one wording for the editor, documents, the terminal and agents. */

import { CHECKS } from "../core/doctor/checks/index.ts";
import type { RunDiagnosis } from "../core/doctor/index.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import { type Evidence, type Finding, MIN_ROWS, type Outcome, type Signature } from "../core/doctor/types.ts";

const BY_ID: ReadonlyMap<string, Signature> = new Map([...SIGNATURES, ...CHECKS].map((s) => [s.id, s]));

export function signatureOf(id: string): Signature | null {
  return BY_ID.get(id) ?? null;
}

/** rlprobe's `doctor --json`, key by key. */
export interface FindingJson {
  readonly signature_id: string;
  readonly severity: string;
  readonly first_step: number | bigint | null;
  readonly confidence: number;
  readonly explanation: string;
  readonly evidence: readonly Evidence[];
  readonly suggested_actions: readonly string[];
  readonly links_to_samples: readonly string[];
}

export function findingsJson({ findings, links }: RunDiagnosis): FindingJson[] {
  return findings.map((f) => ({
    signature_id: f.signature,
    severity: f.severity,
    first_step: f.firstStep,
    confidence: f.confidence,
    explanation: explanationOf(f),
    evidence: f.evidence,
    suggested_actions: signatureOf(f.signature)?.pages.tries ?? [],
    links_to_samples: links.get(f) ?? [],
  }));
}

/** What this run shows, and what it means. */
export function explanationOf(finding: Finding): string {
  const what = signatureOf(finding.signature)?.pages.what;
  return what === undefined ? finding.words : `${finding.words} ${what}`;
}

export const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  critical: "critical",
  warn: "warning",
  info: "info",
};

/** "Entropy collapse — 0.71, limit 0.25", "Value divergence — no value_loss recorded". */
export function outcomeWords(outcome: Outcome): string {
  const title = signatureOf(outcome.signature)?.title ?? outcome.signature;
  const reason = outcomeReason(outcome);
  return reason === "" ? title : `${title} — ${reason}`;
}

/** How far from firing, or why it was not looked at; "" when there is nothing to say. */
export function outcomeReason(outcome: Outcome): string {
  if (outcome.state === "fired") return "";
  if (outcome.state === "passed") return outcome.distance?.words ?? "";
  const metrics = outcome.metrics.join(", ");
  switch (outcome.reason) {
    case "off":
      return "switched off";
    case "short-run":
      return `fewer than ${MIN_ROWS} steps`;
    case "missing":
      return `no ${metrics} recorded`;
    case "too-few":
      return `too few values of ${metrics}`;
  }
}
