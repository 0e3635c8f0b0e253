/** The findings of a run as a Markdown document: to read, search, split, copy and hand on. */
import type { DiagnosisView, FindingView } from "../protocol/diagnosis.ts";
import { SEVERITY_WORDS } from "./findings.ts";
import { asCode, inCell, inMarkdown } from "./markdown.ts";

export interface FindingsOf {
  /** The run folder's name, and its path. */
  readonly label: string;
  readonly dir: string;
  /** The doctor.toml that was used; `null` for the defaults. */
  readonly config: string | null;
  readonly view: DiagnosisView;
}

/** @param pageOf where the page of a signature is, as the document links to it */
export function findingsDocument(of: FindingsOf, pageOf: (signature: string) => string): string {
  const { findings, passed, skipped } = of.view;
  return `${[
    `# Findings of ${inMarkdown(of.label)}`,
    headline(of),
    ...unreadOf(of.view),
    ...problemsOf(of.view),
    ...findings.flatMap((finding) => findingText(finding, pageOf(finding.signature))),
    ...listed(
      "Passed",
      passed.map(({ title, words }) => (words === "" ? title : `${title} (${words})`)),
    ),
    ...listed(
      "Skipped",
      skipped.map(({ title, words }) => `${title}: ${words}`),
    ),
  ].join("\n\n")}\n`;
}

function headline({ dir, config, view }: FindingsOf): string {
  const steps = `${view.steps.toLocaleString("en-US")} steps`;
  const { state, words } = view.verdict;
  const found =
    state === "none" ? `${words}.` : `${state === "findings" ? counts(view) : words} over ${steps}.`;
  const thresholds = config === null ? "Default thresholds." : `Thresholds of ${asCode(config)}.`;
  return `${found} ${thresholds}\n\nRun: ${asCode(dir)}`;
}

/** "1 critical finding, 2 warnings". */
export function counts({ findings }: DiagnosisView): string {
  const words = { critical: ["critical finding"], warn: ["warning"], info: ["note"] } as const;
  return (["critical", "warn", "info"] as const)
    .flatMap((severity) => {
      const n = findings.filter((f) => f.severity === severity).length;
      return n === 0 ? [] : [`${n} ${words[severity][0]}${n === 1 ? "" : "s"}`];
    })
    .join(", ");
}

function unreadOf({ unread, unreadCount }: DiagnosisView): string[] {
  if (unread.length === 0) return [];
  const lines = unread.map(({ file, message }) => `- ${asCode(file)}: ${inMarkdown(message)}`);
  if (unreadCount > unread.length) lines.push(`- and ${unreadCount - unread.length} more`);
  return [`Could not be looked at:\n\n${lines.join("\n")}`];
}

function problemsOf({ configProblems }: DiagnosisView): string[] {
  if (configProblems.length === 0) return [];
  const lines = configProblems.map(
    ({ line, message }) => `- ${line === null ? "" : `Line ${line}: `}${inMarkdown(message)}`,
  );
  return [`Not used of that file:\n\n${lines.join("\n")}`];
}

/** "onset step 600", "could have been known at step 640", "99 % sure". */
export function factsOf(finding: FindingView): string[] {
  return [
    ...(finding.firstStepText === "" ? [] : [`onset step ${finding.firstStepText}`]),
    ...(finding.knownStepText === "" ? [] : [`could have been known at step ${finding.knownStepText}`]),
    `${Math.round(finding.confidence * 100)} % sure`,
  ];
}

function findingText(finding: FindingView, page: string): string[] {
  const kind = SEVERITY_WORDS[finding.severity] ?? finding.severity;
  const origin = finding.ours ? ["a check of Flight Deck's own, which rlprobe does not have"] : [];
  return [
    `## ${finding.title}`,
    `[${finding.signature.replaceAll("_", "\\_")}](${page}) · ${[kind, ...factsOf(finding), ...origin].join(" · ")}`,
    inMarkdown(finding.words),
    finding.what,
    evidenceTable(finding),
    `What to try:\n\n${finding.tries.map((t, i) => `${i + 1}. ${t}`).join("\n")}`,
    samplesText(finding),
  ].filter((part) => part !== "");
}

function evidenceTable({ evidence }: FindingView): string {
  const rows = evidence.flatMap(({ figures }) => figures);
  if (rows.length === 0) return "";
  const lines = rows.map(({ label, value }) => `| ${inCell(inMarkdown(label))} | ${inCell(asCode(value))} |`);
  return ["| evidence | |", "|---|---|", ...lines].join("\n");
}

function samplesText({ samples: { from, to, sort, descending, k, why } }: FindingView): string {
  if (why === "") return "";
  const order = `${asCode(sort)}, ${descending ? "largest" : "smallest"} first`;
  return `Samples to read: ${why} (steps ${from} to ${to}, by ${order}, ${k} of them).`;
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, items.map((i) => `- ${inMarkdown(i)}`).join("\n")];
}
