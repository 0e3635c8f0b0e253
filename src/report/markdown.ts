/** Reports as Markdown, for an issue or a chat: no picture, no link, and nothing that was recorded is more than text. */
import type { FindingView } from "../protocol/diagnosis.ts";
import type { ReportParams } from "../protocol/report.ts";
import { SEVERITY_WORDS } from "../view/findings.ts";
import { counts, factsOf } from "../view/findings-document.ts";
import { firstWords, pairWords } from "./compare-words.ts";
import { count, figure, moment, plural } from "./figures.ts";
import { sampleFacts } from "./finding-card.ts";
import type { FoundInRun, RunReport } from "./gather.ts";
import type { CompareReport } from "./gather-compare.ts";
import { asCode, cell, codeCell, fenced, inIssue } from "./markdown-text.ts";

const MAX_PROMPT = 400;
const MAX_COMPLETION = 800;
const MAX_SAMPLES = 2;
const MAX_EVENTS = 20;
const MAX_WARNINGS = 20;
const MAX_METRICS = 30;
const MAX_CONFIG = 40;
const MAX_VALUE = 120;

export function runMarkdown(report: RunReport, params: ReportParams): string {
  const { overview } = report;
  return joined([
    `# Run ${asCode(overview.label)}`,
    factTable(report),
    verdict(report),
    ...report.found.flatMap((found, i) => finding(found, i + 1, report)),
    outcomes(report),
    events(report),
    warnings(report),
    made(params),
  ]);
}

const joined = (parts: readonly string[]): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`;
const made = ({ version, madeAt }: ReportParams): string =>
  `_Made by Flight Deck ${version} on ${moment(madeAt)}._`;

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function factTable({ overview, axis, counts: all }: RunReport): string {
  const state = `${axis.state ?? overview.state}: ${axis.stateReason ?? overview.stateReason}`;
  const rows = [
    ["run id", overview.runId === "" || overview.runId === overview.label ? "" : codeCell(overview.runId)],
    ["state", cell(state)],
    ["steps", axis.steps === 0 ? "none" : `${count(axis.steps)} (${axis.firstText} to ${axis.lastText})`],
    ["algorithm", overview.algorithm === "" ? "" : codeCell(overview.algorithm)],
    ["model", overview.model === "" ? "" : codeCell(overview.model)],
    ["started", moment(overview.createdAt)],
    ["captured samples", all.samples === 0 ? "" : count(all.samples)],
  ].filter(([, value]) => value !== "");
  return tableOf(["", ""], rows as string[][]);
}

function verdict({ diagnosis, run }: RunReport): string {
  const { state, words } = diagnosis.verdict;
  const over = state === "none" ? "" : ` over ${plural(diagnosis.steps, "step")}`;
  const thresholds =
    run.configName === "" ? "Default thresholds." : `Thresholds of ${asCode(run.configName)}.`;
  return `**${state === "findings" ? counts(diagnosis) : words}${over}.** ${thresholds}`;
}

function finding({ finding: of, samples }: FoundInRun, number: number, { overview }: RunReport): string[] {
  const own = of.ours ? " · a check of Flight Deck's own" : "";
  const rows = (samples?.rows ?? []).slice(0, MAX_SAMPLES);
  return [
    `## ${number}. ${of.title}`,
    `${asCode(of.signature)} · ${SEVERITY_WORDS[of.severity] ?? of.severity} · ${factsOf(of).join(" · ")}${own}`,
    `Seen: ${inIssue(of.words)}`,
    of.what,
    evidence(of),
    of.tries.length === 0
      ? ""
      : `What to try:\n\n${of.tries.map((text, i) => `${i + 1}. ${text}`).join("\n")}`,
    ...rows.flatMap((row) => [
      `Sample ${asCode(`${overview.label}/${row.step}/${row.rank}/${row.id}`)} · ${sampleFacts(row)}`,
      ...(row.prompt === "" ? [] : [fenced(row.prompt, MAX_PROMPT, row.promptLength)]),
      ...(row.completion === "" ? [] : [fenced(row.completion, MAX_COMPLETION, row.completionLength)]),
    ]),
  ];
}

function evidence({ evidence: pieces }: FindingView): string {
  const rows = pieces.flatMap(({ figures }) => figures);
  return rows.length === 0
    ? ""
    : tableOf(
        ["evidence", ""],
        rows.map(({ label, value }) => [cell(label), codeCell(value)]),
      );
}

function outcomes({ diagnosis: { passed, skipped, unread, unreadCount } }: RunReport): string {
  const lines = [
    ...(passed.length === 0
      ? []
      : [
          `Passed: ${passed.map(({ title, words }) => (words === "" ? title : `${title} (${inIssue(words)})`)).join(", ")}.`,
        ]),
    ...(skipped.length === 0
      ? []
      : [`Skipped: ${skipped.map(({ title, words }) => `${title} (${inIssue(words)})`).join(", ")}.`]),
    ...(unread.length === 0
      ? []
      : [
          `Could not be looked at: ${unread.map(({ file, message }) => `${asCode(file)} (${inIssue(message)})`).join(", ")}${unreadCount > unread.length ? ` and ${unreadCount - unread.length} more` : ""}.`,
        ]),
  ];
  return lines.length === 0
    ? ""
    : `## What passed, and what could not be looked for\n\n${lines.join("\n\n")}`;
}

/** The last ones: the end of a run is in them. */
function events({ events: first, lastEvents }: RunReport): string {
  if (first.total === 0) return "";
  const rows = [...first.rows, ...(lastEvents?.rows ?? [])].slice(-MAX_EVENTS);
  const note = rows.length < first.total ? `The last ${rows.length} of ${count(first.total)}.\n\n` : "";
  const lines = rows.map(({ step, kind, message }) => [step, codeCell(cut(kind)), cell(cut(message))]);
  return `## Events\n\n${note}${tableOf(["step", "kind", "message"], lines)}`;
}

function warnings({ warnings: all }: RunReport): string {
  if (all.length === 0) return "";
  const rows = all
    .slice(0, MAX_WARNINGS)
    .map(({ file, message, remedy }) => [file === "" ? "" : codeCell(file), cell(message), cell(remedy)]);
  const more =
    all.length > rows.length ? `\n\n_${plural(all.length - rows.length, "more warning")} left out._` : "";
  return `## About the recording\n\n${tableOf(["file", "noticed", "what to do"], rows)}${more}`;
}

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text);

export function compareMarkdown(
  report: CompareReport,
  runs: readonly RunReport[],
  params: ReportParams,
): string {
  const names = report.overview.runs.map(({ label }) => label);
  const own = report.overview.runs.map(({ label, runId, algorithm, model }, i) => {
    const run = runs[i];
    return [
      `${String.fromCharCode(65 + Math.min(i, 25))} ${codeCell(label)}`,
      runId === "" ? "" : codeCell(runId),
      algorithm === "" ? "" : codeCell(algorithm),
      model === "" ? "" : codeCell(model),
      run ? count(run.axis.steps) : "",
      run ? counts(run.diagnosis) || cell(run.diagnosis.verdict.words) : "",
    ];
  });
  return joined([
    `# Comparison of ${names.map(asCode).join(" and ")}`,
    tableOf(["run", "id", "algorithm", "model", "steps", "findings"], own),
    ...report.pairs.flatMap((pair) => pairText(pair, report)),
    configText(report),
    ...report.prompts.map((gaps) => promptText(gaps, report)),
    made(params),
  ]);
}

function pairText(pair: CompareReport["pairs"][number], { overview }: CompareReport): string[] {
  const parted = pair.metrics.filter(({ divergence, separation }) => divergence ?? separation);
  const rows = parted
    .slice(0, MAX_METRICS)
    .map(({ title, divergence, separation, gapEarly, gapLate, zLate, higherLate }) => [
      cell(title),
      divergence ? divergence.text : `separates at ${separation?.at.text ?? ""}`,
      figure(gapEarly),
      figure(gapLate),
      divergence ? figure(zLate) : "",
      higherLate.toUpperCase(),
    ]);
  return [
    `## ${asCode(overview.runs[0]?.label ?? "")} and ${asCode(overview.runs[pair.other]?.label ?? "")}`,
    `**${inIssue(firstWords(pair))}** ${pairWords(pair)}`,
    rows.length === 0
      ? ""
      : tableOf(
          ["metric", "parts at step", "gap B − A early", "gap B − A late", "noise units", "higher late"],
          rows,
        ),
    parted.length > rows.length ? `_${plural(parted.length - rows.length, "more metric")} left out._` : "",
  ];
}

function configText({ config, overview }: CompareReport): string {
  const rows = config.flatMap(({ title, rows: all }) =>
    all
      .filter(({ differs }) => differs)
      .map(({ path, cells }) => [
        cell(title),
        codeCell(cut(path)),
        ...cells.map(({ present, value }) => (present ? codeCell(value.slice(0, MAX_VALUE)) : "–")),
      ]),
  );
  if (rows.length === 0) return "## Configuration\n\nNothing is configured differently.";
  const more =
    rows.length > MAX_CONFIG ? `\n\n_${plural(rows.length - MAX_CONFIG, "more value")} left out._` : "";
  return `## Configured differently\n\n${tableOf(["", "key", ...overview.runs.map(({ label }) => codeCell(label))], rows.slice(0, MAX_CONFIG))}${more}`;
}

function promptText(
  { prompts, other, total }: CompareReport["prompts"][number],
  { overview }: CompareReport,
): string {
  if (prompts.length === 0) return "";
  const rows = prompts.map(({ text, rewardA, rewardB, gap }) => [
    codeCell(text.slice(0, MAX_VALUE)),
    figure(rewardA),
    figure(rewardB),
    figure(gap),
  ]);
  return `## Same prompt, other reward: ${asCode(overview.runs[other]?.label ?? "")}\n\n${plural(total, "prompt")} in both; the widest gaps.\n\n${tableOf(["prompt", "A", "B", "gap B − A"], rows)}`;
}
