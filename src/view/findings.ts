/** Findings in words and in rlprobe's JSON; one wording for the editor, documents, the terminal and agents. */

import { CHECKS } from "../core/doctor/checks/index.ts";
import type { RunDiagnosis } from "../core/doctor/index.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type { Evidence, Finding, Outcome, Signature } from "../core/doctor/types.ts";

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

/** "Entropy collapse — 3.1× above its limit", "Value divergence — no value_loss recorded". */
export function outcomeWords(outcome: Outcome): string {
  const title = signatureOf(outcome.signature)?.title ?? outcome.signature;
  if (outcome.state === "fired") return title;
  if (outcome.state === "passed") return outcome.distance ? `${title} — ${outcome.distance.words}` : title;
  const metrics = outcome.metrics.join(", ");
  switch (outcome.reason) {
    case "off":
      return `${title} — switched off`;
    case "short-run":
      return `${title} — fewer than 30 steps`;
    case "missing":
      return `${title} — no ${metrics} recorded`;
    case "too-few":
      return `${title} — too few values of ${metrics}`;
  }
}
