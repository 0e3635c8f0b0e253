/** A run of a list in words: beside its name, over it, and read aloud. */
import type { SeverityView } from "../protocol/diagnosis.ts";
import type { FindingLine } from "../protocol/runs.ts";
import { SEVERITY_WORDS } from "./findings.ts";
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

const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;

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
    kind === "records" ? "run records" : counted(summary.steps, "step"),
    ...(summary.lastReward === null ? [] : [rewardText(summary.lastReward)]),
    ...(worst ? [`${worst.title}${more > 0 ? ` +${more}` : ""}`] : undiagnosed(run)),
  ];
}

/** Several lines of plain text. */
export function runTooltip(run: ListedRun): string {
  const { dir, kind, summary, findings, verdict, problem } = run;
  const lines = [dir];
  if (problem) lines.push(problem.message, problem.remedy);
  if (kind === "loose") lines.push("Step files without a manifest.");
  if (summary) {
    const what = [summary.runId, summary.algorithm, summary.model].filter((text) => text !== "");
    lines.push(what.join(" · "), summary.stateReason);
    if (summary.lastReward !== null) lines.push(`Last reward ${rewardText(summary.lastReward)}`);
    if (summary.warnings > 0) lines.push(`${counted(summary.warnings, "warning")} about the recording`);
  }
  for (const finding of findings ?? []) lines.push(findingText(finding));
  if (findings?.length === 0 && verdict) lines.push(`${verdict.words}.`);
  return lines
    .filter((line) => line !== "")
    .map((line) => visibleLabel(line, MAX_LINE))
    .join("\n");
}

function findingText({ severity, title, firstStep }: FindingLine): string {
  return `${SEVERITY_WORDS[severity] ?? severity}: ${title}${firstStep === "" ? "" : ` from step ${firstStep}`}`;
}

/** For a screen reader: all that icons and colours say. */
export function runAloud(run: ListedRun): string {
  const { label, summary, findings, problem, kind } = run;
  if (problem) return `${shown(label)}, cannot be read: ${shown(problem.message)}`;
  if (!summary) return `${shown(label)}, not read yet`;
  const counts = (["critical", "warn", "info"] as const).flatMap((severity: SeverityView) => {
    const n = (findings ?? []).filter((finding) => finding.severity === severity).length;
    return n === 0 ? [] : [counted(n, `${SEVERITY_WORDS[severity] ?? severity} finding`)];
  });
  const worst = findings?.[0];
  return [
    shown(label),
    kind === "records" ? "run records" : summary.state,
    ...(kind === "records" ? [] : [counted(summary.steps, "step")]),
    ...(summary.lastReward === null ? [] : [`last reward ${rewardText(summary.lastReward)}`]),
    ...counts,
    ...(worst ? [`worst: ${worst.title}`] : undiagnosed(run)),
    ...(findings?.length === 0 && undiagnosed(run).length === 0 ? ["no findings"] : []),
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
