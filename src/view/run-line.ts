/** A run of a list in words: beside its name, over it, and read aloud. */

import { counted } from "../protocol/counts.ts";
import type { SeverityView } from "../protocol/diagnosis.ts";
import { t } from "../protocol/l10n.ts";
import { severityWord, stateWord } from "../protocol/names.ts";
import type { FindingLine } from "../protocol/runs.ts";
import type { ListedRun } from "./listed-run.ts";
import { visibleLabel } from "./visible.ts";

const MAX_NAME = 120;
const MAX_LINE = 400;

/** Names are the recording's: on one line, and nothing in them hides or turns. */
export const shown = (text: string): string => visibleLabel(text, MAX_NAME);

/** Four significant digits. */
export function rewardText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

const number = (n: number): string => n.toLocaleString("en-US");
const stepsText = (n: number): string => counted("step", n, number(n));

/** "250 steps · 0.5029 · Reward follows length". @param place what tells it from runs of the same name, "" for nothing */
export function runDescription(run: ListedRun, place = ""): string {
  const { summary, problem } = run;
  const parts = problem ? [shown(problem.message)] : summary ? factsOf(run) : [];
  return [...parts, shown(place)].filter((part) => part !== "").join(" · ");
}

function factsOf(run: ListedRun): string[] {
  const { summary, findings, kind } = run;
  if (!summary) return [];
  const worst = findings?.[0];
  const more = (findings?.length ?? 0) - 1;
  return [
    kind === "records" ? t("run records") : stepsText(summary.steps),
    ...(summary.lastReward === null ? [] : [rewardText(summary.lastReward)]),
    ...(worst ? [`${worst.title}${more > 0 ? ` +${more}` : ""}`] : undiagnosed(run)),
  ];
}

/** Several lines of plain text. */
export function runTooltip(run: ListedRun): string {
  const { dir, kind, summary, findings, verdict, problem } = run;
  const lines = [dir];
  if (problem) lines.push(problem.message, problem.remedy);
  if (kind === "loose") lines.push(t("Step files without a manifest."));
  if (summary) {
    const what = [summary.runId, summary.algorithm, summary.model].filter((text) => text !== "");
    lines.push(what.join(" · "), summary.stateReason);
    if (summary.lastReward !== null) lines.push(t("Last reward {0}", rewardText(summary.lastReward)));
    if (summary.warnings > 0) lines.push(warningsText(summary.warnings));
  }
  for (const finding of findings ?? []) lines.push(findingText(finding));
  if (findings?.length === 0 && verdict) lines.push(`${verdict.words}.`);
  return lines
    .filter((line) => line !== "")
    .map((line) => visibleLabel(line, MAX_LINE))
    .join("\n");
}

function findingText({ severity, title, firstStep }: FindingLine): string {
  const kind = severityWord(severity);
  return firstStep === "" ? `${kind}: ${title}` : t("{0}: {1} from step {2}", kind, title, firstStep);
}

const warningsText = (n: number): string =>
  n === 1 ? t("1 warning about the recording") : t("{0} warnings about the recording", number(n));

const findingsText = (severity: SeverityView, n: number): string =>
  counted(
    ({ critical: "critical finding", warn: "warning finding", info: "info finding" } as const)[severity],
    n,
    number(n),
  );

/** For a screen reader: all that icons and colours say. */
export function runAloud(run: ListedRun): string {
  const { label, summary, findings, problem, kind } = run;
  if (problem) return t("{0}, cannot be read: {1}", shown(label), shown(problem.message));
  if (!summary) return t("{0}, not read yet", shown(label));
  const counts = (["critical", "warn", "info"] as const).flatMap((severity: SeverityView) => {
    const n = (findings ?? []).filter((finding) => finding.severity === severity).length;
    return n === 0 ? [] : [findingsText(severity, n)];
  });
  const worst = findings?.[0];
  return [
    shown(label),
    kind === "records" ? t("run records") : stateWord(summary.state),
    ...(kind === "records" ? [] : [stepsText(summary.steps)]),
    ...(summary.lastReward === null ? [] : [t("last reward {0}", rewardText(summary.lastReward))]),
    ...counts,
    ...(worst ? [t("worst: {0}", worst.title)] : undiagnosed(run)),
    ...(findings?.length === 0 && undiagnosed(run).length === 0 ? [t("no findings")] : []),
  ].join(", ");
}

/** Where nothing could be looked at, that is said: it is no all-clear. */
const undiagnosed = ({ kind, verdict }: ListedRun): string[] =>
  kind !== "records" && verdict?.state === "none" ? [shown(verdict.words)] : [];

/** What tells runs of one name apart: the folder above, and above that, as far as needed. By folder. */
export function placesOf(runs: readonly ListedRun[]): ReadonlyMap<string, string> {
  const byName = new Map<string, ListedRun[]>();
  for (const run of runs) {
    const same = byName.get(run.label);
    if (same) same.push(run);
    else byName.set(run.label, [run]);
  }
  const places = new Map<string, string>();
  for (const same of byName.values()) {
    if (same.length < 2) continue;
    const parents = same.map(({ dir }) => dir.split(/[\\/]/).slice(0, -1));
    let depth = 1;
    const tail = (parts: readonly string[]): string => parts.slice(-depth).join("/");
    while (depth < 6 && new Set(parents.map(tail)).size < same.length) depth++;
    same.forEach(({ dir }, i) => {
      places.set(dir, tail(parents[i] ?? []));
    });
  }
  return places;
}
