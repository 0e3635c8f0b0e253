/** The findings of a run as a Markdown document: to read, search, split, copy and hand on. */
import { counted } from "../protocol/counts.ts";
import type { DiagnosisView, FindingView } from "../protocol/diagnosis.ts";
import { t } from "../protocol/l10n.ts";
import { severityWord } from "../protocol/names.ts";
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
    `# ${t("Findings of {0}", inMarkdown(of.label))}`,
    headline(of),
    ...unreadOf(of.view),
    ...problemsOf(of.view),
    ...findings.flatMap((finding) => findingText(finding, pageOf(finding.signature))),
    ...listed(
      t("Passed"),
      passed.map(({ title, words }) => (words === "" ? title : `${title} (${words})`)),
    ),
    ...listed(
      t("Skipped"),
      skipped.map(({ title, words }) => `${title}: ${words}`),
    ),
  ].join("\n\n")}\n`;
}

function headline({ dir, config, view }: FindingsOf): string {
  const steps = counted("step", view.steps, view.steps.toLocaleString("en-US"));
  const { state, words } = view.verdict;
  const found =
    state === "none" ? `${words}.` : t("{0} over {1}.", state === "findings" ? counts(view) : words, steps);
  const thresholds = config === null ? t("Default thresholds.") : t("Thresholds of {0}.", asCode(config));
  return `${found} ${thresholds}\n\n${t("Run: {0}", asCode(dir))}`;
}

/** "1 critical finding, 2 warnings". */
export function counts({ findings }: DiagnosisView): string {
  const words = { critical: "critical finding", warn: "warning", info: "note" } as const;
  return (["critical", "warn", "info"] as const)
    .flatMap((severity) => {
      const n = findings.filter((f) => f.severity === severity).length;
      return n === 0 ? [] : [counted(words[severity], n, String(n))];
    })
    .join(", ");
}

function unreadOf({ unread, unreadCount }: DiagnosisView): string[] {
  if (unread.length === 0) return [];
  const lines = unread.map(({ file, message }) => `- ${asCode(file)}: ${inMarkdown(message)}`);
  if (unreadCount > unread.length) lines.push(`- ${t("and {0} more", unreadCount - unread.length)}`);
  return [`${t("Could not be looked at:")}\n\n${lines.join("\n")}`];
}

function problemsOf({ configProblems }: DiagnosisView): string[] {
  if (configProblems.length === 0) return [];
  const lines = configProblems.map(
    ({ line, message }) =>
      `- ${line === null ? inMarkdown(message) : t("Line {0}: {1}", line, inMarkdown(message))}`,
  );
  return [`${t("Not used of that file:")}\n\n${lines.join("\n")}`];
}

/** "onset step 600", "could have been known at step 640", "99 % sure". */
export function factsOf(finding: FindingView): string[] {
  return [
    ...(finding.firstStepText === "" ? [] : [t("onset step {0}", finding.firstStepText)]),
    ...(finding.knownStepText === "" ? [] : [t("could have been known at step {0}", finding.knownStepText)]),
    t("{0} % sure", Math.round(finding.confidence * 100)),
  ];
}

function findingText(finding: FindingView, page: string): string[] {
  const kind = severityWord(finding.severity);
  const origin = finding.ours ? [t("a check of Flight Deck's own, which rlprobe does not have")] : [];
  return [
    `## ${finding.title}`,
    `[${finding.signature.replaceAll("_", "\\_")}](${page}) · ${[kind, ...factsOf(finding), ...origin].join(" · ")}`,
    inMarkdown(finding.words),
    finding.what,
    evidenceTable(finding),
    `${t("What to try:")}\n\n${finding.tries.map((one, i) => `${i + 1}. ${one}`).join("\n")}`,
    samplesText(finding),
  ].filter((part) => part !== "");
}

function evidenceTable({ evidence }: FindingView): string {
  const rows = evidence.flatMap(({ figures }) => figures);
  if (rows.length === 0) return "";
  const lines = rows.map(({ label, value }) => `| ${inCell(inMarkdown(label))} | ${inCell(asCode(value))} |`);
  return [`| ${t("evidence")} | |`, "|---|---|", ...lines].join("\n");
}

function samplesText({ samples: { from, to, sort, descending, k, why } }: FindingView): string {
  if (why === "") return "";
  const order = descending ? t("{0}, largest first", asCode(sort)) : t("{0}, smallest first", asCode(sort));
  return t("Samples to read: {0} (steps {1} to {2}, by {3}, {4} of them).", why, from, to, order, k);
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, items.map((i) => `- ${inMarkdown(i)}`).join("\n")];
}
