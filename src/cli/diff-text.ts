/** A comparison of two runs as text. */
import { configRows, type IsIgnored, pathTexts } from "../core/compare/config.ts";
import type { RunComparison } from "../core/compare/index.ts";
import { diverged, metricsOf } from "../core/compare/pair.ts";
import { resultsRows, welch } from "../core/compare/results.ts";
import { type MetricComparison, MIN_COMMON } from "../core/compare/types.ts";
import type { JsonValue } from "../core/format/json.ts";
import type { RunModel } from "../core/run/model.ts";
import { configParts, separated } from "../view/compare-extra.ts";
import { PROMPTS } from "../view/compare-json.ts";
import { turned } from "../view/compare-pairs.ts";
import { RECORDS_METHOD } from "../view/compare-records.ts";
import { warningViews } from "../view/problems.ts";
import { jsonText } from "../view/text.ts";
import type { Context } from "./context.ts";
import { figure, oneLine, type Style, shorten, table } from "./terminal.ts";

export interface DiffTextOptions {
  /** With the metrics that only we compare. */
  readonly extra: boolean;
  readonly isIgnored: IsIgnored;
}

const MAX_ROWS = 40;
const MAX_CELL = 48;
const MAX_SKIPPED = 12;
const ALIGNED = {
  step: "common steps",
  relative: "common relative steps",
  time: "rows that meet in time",
} as const;

export async function diffText(
  { style }: Context,
  comparison: RunComparison,
  { isIgnored, extra }: DiffTextOptions,
): Promise<string> {
  const { pair, metrics } = comparison;
  const own = metrics.filter(({ ours }) => ours);
  const counted = metrics.length - own.length;
  const blocks = [
    [
      `${style.bold("A")}  ${nameOf(pair.a)}`,
      `${style.bold("B")}  ${nameOf(pair.b)}`,
      `${pair.common} ${ALIGNED[pair.settings.align]}, ${counted} metrics compared${ownWords(comparison, extra)}`,
      style.dim("gaps are B - A: above zero B is higher"),
    ].join("\n"),
    divergenceText(comparison, style),
    own.length > 0 ? ownText(comparison, own, style) : "",
    separationText(comparison, style),
    skippedText(comparison, style),
    configText([pair.a, pair.b], isIgnored, style),
    promptsText(comparison, style),
    resultsText(pair.a, pair.b, style),
    warningsText([pair.a, pair.b], style),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function nameOf({ label, manifest }: RunModel): string {
  const id = manifest?.run_id ?? "";
  return oneLine(id === "" || id === label ? label : `${label}  (${id})`);
}

/** The editor compares them too: without a word its counts are others than these. */
function ownWords({ pair, metrics }: RunComparison, extra: boolean): string {
  if (pair.common < MIN_COMMON) return "";
  const own = extra
    ? metrics.filter(({ ours }) => ours)
    : metricsOf(pair.a, pair.b).filter(({ ours, inA, inB }) => ours && inA && inB);
  if (own.length === 0) return "";
  return extra
    ? `, ${own.length} more by Flight Deck only`
    : `; ${own.length} columns that only Flight Deck compares are left out (--extra)`;
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${figure(value)}`;

function divergenceText(comparison: RunComparison, style: Style): string {
  const { pair, metrics } = comparison;
  const [first] = comparison.diverged;
  if (pair.common < MIN_COMMON) {
    const other = pair.suggestion();
    const rows = pair.common === 1 ? "1 row meets" : `${pair.common === 0 ? "No" : pair.common} rows meet`;
    return `${rows}, it takes ${MIN_COMMON} to compare metrics.${other ? ` More meet with --align ${other}.` : ""}`;
  }
  if (metrics.length === 0) return `No metric has ${MIN_COMMON} values in both runs: none is compared.`;
  if (!first) {
    const isFound = metrics.some(({ at, separation }) => at >= 0 || separation !== null);
    return isFound
      ? "No metric diverges by rlprobe's rule."
      : style.green("No metric diverges: the runs track each other.");
  }
  return [
    `${style.red(`The runs part at step ${pair.stepAt(first.at)}`)}, first in ${oneLine(first.metric)}.`,
    "",
    metricsTable(comparison, comparison.diverged, style),
  ].join("\n");
}

function metricsTable({ pair }: RunComparison, metrics: readonly MetricComparison[], style: Style): string {
  return table(
    [
      { title: "metric" },
      { title: "parts at", align: "right" },
      { title: "late gap (B-A)", align: "right" },
      { title: "noise units", align: "right" },
      { title: "higher late" },
    ],
    metrics.map(({ metric, at, gapLate, zLate, higherLate }) => [
      shorten(oneLine(metric), MAX_CELL),
      String(pair.stepAt(at)),
      signed(turned(gapLate)),
      signed(turned(zLate)),
      higherLate.toUpperCase(),
    ]),
    style,
  );
}

function ownText(comparison: RunComparison, own: readonly MetricComparison[], style: Style): string {
  const parted = diverged(own);
  if (parted.length === 0) return style.dim("None of Flight Deck's own metrics diverges.");
  return `${style.dim("metrics that only Flight Deck compares")}\n${metricsTable(comparison, parted, style)}`;
}

/** Those that the first rule does not name: what diverges is said already. */
function separationText({ pair, metrics }: RunComparison, style: Style): string {
  const found = separated(metrics).filter(({ at }) => at < 0);
  if (found.length === 0) return "";
  return [
    style.dim("separate for good, by Flight Deck's own measure (rlprobe's rule calls them tracking)"),
    ...found.map(({ metric, separation }) =>
      separation
        ? `  ${shorten(oneLine(metric), MAX_CELL)} around step ${pair.stepAt(separation.at)}: gap ${signed(turned(separation.before))} before, ${signed(turned(separation.after))} after`
        : "",
    ),
  ].join("\n");
}

const SKIPPED = {
  "too-few": `fewer than ${MIN_COMMON} common values`,
  "only-a": "only in A",
  "only-b": "only in B",
} as const;

/** What is not compared says nothing of the runs: a metric that turned into NaN must not look as if it tracked. */
function skippedText({ pair, skipped }: RunComparison, style: Style): string {
  if (pair.common < MIN_COMMON) return "";
  const lines = (["too-few", "only-a", "only-b"] as const).flatMap((why) => {
    const names = skipped.filter(({ reason }) => reason === why).map(({ metric }) => metric);
    if (names.length === 0) return [];
    const shown = names.slice(0, MAX_SKIPPED).map((name) => shorten(oneLine(name), MAX_CELL));
    const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
    return [style.dim(`not compared, ${SKIPPED[why]}: ${shown.join(", ")}${more}`)];
  });
  return lines.join("\n");
}

function configText(models: readonly RunModel[], isIgnored: IsIgnored, style: Style): string {
  const blocks = configParts(models).flatMap(({ id, title, configs }) => {
    const rows = configRows(configs).filter(({ parts, differs }) => differs && !isIgnored(id, parts));
    if (rows.length === 0) return [];
    const paths = pathTexts(rows);
    const shown = rows
      .slice(0, MAX_ROWS)
      .map(({ values: [a, b] }, i) => [
        shorten(oneLine(paths[i] ?? ""), MAX_CELL),
        valueText(a),
        valueText(b),
      ]);
    const more = rows.length > shown.length ? [style.dim(`  and ${rows.length - shown.length} more`)] : [];
    return [
      [table([{ title: title.toLowerCase() }, { title: "A" }, { title: "B" }], shown, style), ...more].join(
        "\n",
      ),
    ];
  });
  return blocks.join("\n\n");
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "-" : shorten(oneLine(jsonText(value, 400)), MAX_CELL);
}

function promptsText({ prompts }: RunComparison, style: Style): string {
  const { by, pairs, a, b } = prompts;
  if (by === "none")
    return a.keys.size > 0 && b.keys.size > 0
      ? style.dim("No prompt has samples with a reward in both runs.")
      : "";
  const shown = pairs.slice(0, PROMPTS);
  const title = by === "id" ? "prompt" : "prompt (matched by text: no prompt_id in common)";
  return table(
    [
      { title },
      { title: "reward A", align: "right" },
      { title: "reward B", align: "right" },
      { title: "gap (B-A)", align: "right" },
      { title: "samples", align: "right" },
    ],
    shown.map(({ codeA, codeB, gap }) => [
      shorten(oneLine(a.keys.text(codeA)), MAX_CELL),
      figure(a.mean[codeA]),
      figure(b.mean[codeB]),
      signed(gap),
      `${a.n[codeA]}/${b.n[codeB]}`,
    ]),
    style,
  );
}

function resultsText(a: RunModel, b: RunModel, style: Style): string {
  const rows = resultsRows([a.records.metrics, b.records.metrics]).slice(0, MAX_ROWS);
  if (rows.length === 0) return "";
  const cell = (r: (typeof rows)[number]["results"][number] | undefined): string =>
    r ? `${figure(r.mean)}${Number.isNaN(r.sd) ? "" : ` ± ${figure(r.sd)}`} (${r.n})` : "-";
  const lines = rows.map(({ benchmark, metric, horizon, results: [x, y] }) => {
    const d = x && y ? welch(x, y) : null;
    const reach = d && !Number.isNaN(d.low) ? ` [${figure(d.low)}, ${figure(d.high)}]` : "";
    const name = [benchmark, metric, ...(horizon === null ? [] : [String(horizon)])].join(" ");
    return [shorten(oneLine(name), MAX_CELL), cell(x), cell(y), d ? `${signed(d.value)}${reach}` : "-"];
  });
  const head = [{ title: "metrics.json" }, { title: "A" }, { title: "B" }, { title: "B-A" }];
  return `${table(head, lines, style)}\n${style.dim(RECORDS_METHOD)}`;
}

/** What is wrong with the recordings: a comparison rests on what could be read. */
function warningsText(models: readonly RunModel[], style: Style): string {
  const lines = models.flatMap((model) =>
    warningViews(model.warnings())
      .filter(({ level }) => level === "warning")
      .map(({ file, message }) =>
        style.yellow(`  ${oneLine(`${model.label}${file === "" ? "" : `/${file}`}`)}: ${oneLine(message)}`),
      ),
  );
  return lines.length === 0 ? "" : `${style.dim("about the recordings")}\n${lines.join("\n")}`;
}
