/** Findings in words and in rlprobe's JSON; one wording for the editor, documents, the terminal and agents. */

import { CHECKS } from "../core/doctor/checks/index.ts";
import type { RunDiagnosis } from "../core/doctor/index.ts";
import { metricsOf } from "../core/doctor/load.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import {
  type Diagnosis,
  type Evidence,
  type Finding,
  MIN_ROWS,
  type Outcome,
  type Signature,
} from "../core/doctor/types.ts";
import type { Warning } from "../core/format/problems.ts";
import type { RunModel } from "../core/run/model.ts";
import { said, t } from "../protocol/l10n.ts";
import { covers, isUnread, unreadSteps } from "./unread.ts";

const BY_ID: ReadonlyMap<string, Signature> = new Map([...SIGNATURES, ...CHECKS].map((s) => [s.id, s]));

export function signatureOf(id: string): Signature | null {
  return BY_ID.get(id) ?? null;
}

/** What a signature is called, in the language of VS Code. */
export const titleOf = (id: string): string => said(signatureOf(id)?.title ?? id);

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
  /** Ours, and only where it was looked for. */
  readonly detectable_step?: number | bigint | null;
}

export function findingsJson({ findings, links, detectable }: RunDiagnosis): FindingJson[] {
  return findings.map((f) => ({
    signature_id: f.signature,
    severity: f.severity,
    first_step: f.firstStep,
    confidence: f.confidence,
    explanation: explanationOf(f),
    evidence: f.evidence,
    suggested_actions: signatureOf(f.signature)?.pages.tries ?? [],
    links_to_samples: links.get(f) ?? [],
    ...(detectable.has(f) ? { detectable_step: detectable.get(f) ?? null } : {}),
  }));
}

/** What this run shows, and what it means. */
export function explanationOf(finding: Finding): string {
  const what = signatureOf(finding.signature)?.pages.what;
  return what === undefined ? finding.words : `${finding.words} ${what}`;
}

/** In English, for what programs and other people read. */
export const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  critical: "critical",
  warn: "warning",
  info: "info",
};

/** What a diagnosis could look at. */
export interface Looked {
  readonly rows: number;
  readonly findings: number;
  readonly outcomes: readonly Outcome[];
  /** What of the steps could not be read, as far as it matters here. */
  readonly unread: readonly Pick<Warning, "column">[];
  readonly hasRecording: boolean;
}

/**
 * What a diagnosis comes to where it found nothing: "clear" is an all-clear, "partly" is one for a part of the run or of the
 * signatures, and "none" is no answer at all. `words` is a sentence without its full stop.
 */
export interface VerdictWords {
  readonly state: "findings" | "clear" | "partly" | "none";
  readonly words: string;
}

export function verdictWords(looked: Looked): VerdictWords {
  const { findings, outcomes, unread } = looked;
  const done = outcomes.filter(({ state }) => state !== "skipped").length;
  const wanted = outcomes.filter((o) => o.state !== "skipped" || o.reason !== "off").length;
  if (findings > 0) return { state: "findings", words: "" };
  if (done === 0) return { state: "none", words: nothingWords(looked, wanted) };
  const isFew = done * 2 < wanted;
  if (unread.length > 0) return { state: "partly", words: inPart(isFew, done, wanted) };
  if (!isFew) return { state: "clear", words: t("No findings") };
  const words = t("No findings, but only {0} of {1} signatures could be looked for", done, wanted);
  return { state: "partly", words };
}

/** The same of a run that was diagnosed. */
export function verdictOf({ findings, outcomes, rows }: Diagnosis, model: RunModel): VerdictWords {
  const { hasRecording } = model;
  const unread = unreadForDoctor(model.warnings());
  return verdictWords({ rows, findings: findings.length, outcomes, unread, hasRecording });
}

const inPart = (isFew: boolean, done: number, wanted: number): string =>
  isFew
    ? t("No findings in what could be read, but only {0} of {1} signatures could be looked for", done, wanted)
    : t("No findings in what could be read");

function nothingWords({ rows, unread, hasRecording }: Looked, wanted: number): string {
  if (!hasRecording) return t("Not diagnosed: the folder holds run records only, no steps");
  const isPart = unread.length > 0;
  if (rows === 0)
    return isPart
      ? t("Not diagnosed: no step could be read")
      : t("Not diagnosed: no steps have been recorded");
  if (rows < MIN_ROWS) return isPart ? fewRead(rows) : fewRecorded(rows);
  if (wanted === 0) return t("Not diagnosed: every signature is switched off");
  return isPart
    ? t("Not diagnosed: the metrics that signatures look at could not be read or were not recorded")
    : t("Not diagnosed: the metrics that signatures look at are missing or have too few values");
}

const fewRead = (rows: number): string =>
  rows === 1
    ? t("Not diagnosed: of what could be read, 1 step is too few, it takes {0}", MIN_ROWS)
    : t("Not diagnosed: of what could be read, {0} steps are too few, it takes {1}", rows, MIN_ROWS);
const fewRecorded = (rows: number): string =>
  rows === 1
    ? t("Not diagnosed: 1 step is too few, it takes {0}", MIN_ROWS)
    : t("Not diagnosed: {0} steps are too few, it takes {1}", rows, MIN_ROWS);

/** Signatures in the order given, those that share a reason in one line: "KL blow-up, Entropy collapse — fewer than 30 steps". */
export function outcomeLines(outcomes: readonly Outcome[], unread: Looked["unread"] = []): string[] {
  const titles = new Map<string, string[]>();
  for (const outcome of outcomes) {
    const reason = outcomeReason(outcome, unread);
    const title = titleOf(outcome.signature);
    const same = titles.get(reason);
    if (same) same.push(title);
    else titles.set(reason, [title]);
  }
  return [...titles].map(([reason, all]) => `${all.join(", ")}${reason === "" ? "" : ` — ${reason}`}`);
}

/** How far from firing, or why it was not looked at; "" when there is nothing to say. */
export function outcomeReason(outcome: Outcome, unread: Looked["unread"] = []): string {
  if (outcome.state === "fired") return "";
  if (outcome.state === "passed") return outcome.distance ? said(outcome.distance.phrase) : "";
  if (outcome.reason === "off") return t("switched off");
  if (outcome.reason === "short-run")
    return unread.some(isWholeRows)
      ? t("fewer than {0} steps could be read", MIN_ROWS)
      : t("fewer than {0} steps", MIN_ROWS);
  // A metric that is in the file and cannot be read is not one that was never recorded.
  const lost = outcome.metrics.filter((metric) => isUnread(metric, unread)).join(", ");
  const lacking = outcome.metrics.filter((metric) => !isUnread(metric, unread)).join(", ");
  const isThin = outcome.reason === "too-few";
  const lostWords = isThin
    ? t("too few values of {0} could be read", lost)
    : t("{0} could not be read", lost);
  const lackingWords = isThin ? t("too few values of {0}", lacking) : t("no {0} recorded", lacking);
  return [lost === "" ? "" : lostWords, lacking === "" ? "" : lackingWords].filter(Boolean).join("; ");
}

/** Not a column beside others: without it rows are missing. */
const isWholeRows = ({ column }: Pick<Warning, "column">): boolean =>
  column === undefined || column === "step";

const COLUMNS: readonly string[] = [...metricsOf([...SIGNATURES, ...CHECKS]), "kl_positional", "step"];

/** What of the steps could not be read and would have been looked at. */
export function unreadForDoctor(warnings: readonly Warning[]): Warning[] {
  return unreadSteps(warnings, (column) => COLUMNS.some((metric) => covers(metric, column)));
}
