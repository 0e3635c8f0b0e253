/** The report of a comparison as a page: where the runs part, what is configured differently, which prompts earn more. */
import type { MetricGap, PairView } from "../protocol/compare.ts";
import type { ReportParams } from "../protocol/report.ts";
import type { SeriesView } from "../protocol/run.ts";
import { SEVERITY_WORDS } from "../view/findings.ts";
import { counts } from "../view/findings-document.ts";
import { type ChartLine, chart, restartIds, sample } from "./chart.ts";
import { configuration, prompts } from "./compare-parts.ts";
import { firstWords, pairWords } from "./compare-words.ts";
import { page, section, table } from "./document.ts";
import { count, figure, plural } from "./figures.ts";
import type { RunReport } from "./gather.ts";
import { type CompareReport, MAX_DRAWN } from "./gather-compare.ts";
import { type Child, el, type Markup, recorded } from "./markup.ts";
import { footer, short } from "./run-page.ts";

const MAX_RESULTS = 200;
const MAX_METRICS = 60;

export async function comparePage(
  report: CompareReport,
  runs: readonly RunReport[],
  params: ReportParams,
): Promise<string> {
  restartIds();
  const title = namesOf(report).join(" ↔ ");
  return page(`${short(title, 200)}: comparison`, [
    header(report, runs),
    el(
      "main",
      {},
      leading(report),
      parting(report),
      charts(report),
      configuration(report),
      prompts(report),
      findings(report, runs),
      results(report),
    ),
    footer(params),
  ]);
}

/** Folder names, which people know their runs by. */
const namesOf = ({ overview }: CompareReport): string[] => overview.runs.map(({ label }) => label);

function header(report: CompareReport, runs: readonly RunReport[]): Markup {
  const names = namesOf(report);
  return el(
    "header",
    {},
    el("p", { class: "over" }, `Comparison of ${names.length} runs`),
    el(
      "h1",
      {},
      names.map((name, i) => [i > 0 ? " ↔ " : null, recorded(name)]),
    ),
    el(
      "div",
      { class: `verdict ${report.pairs.some(({ first }) => first !== null) ? "warn" : "info"}` },
      report.pairs.map((pair) =>
        el(
          "p",
          {},
          names.length > 2 ? [el("b", {}, recorded(names[pair.other] ?? "")), ": "] : null,
          el("b", {}, recorded(firstWords(pair))),
          " ",
          recorded(pairWords(pair)),
        ),
      ),
    ),
    el("h4", {}, "Runs"),
    table(
      [
        { title: "" },
        { title: "run" },
        { title: "run id" },
        { title: "algorithm" },
        { title: "model" },
        { title: "state" },
        { title: "steps", isNumber: true },
        { title: "findings" },
      ],
      report.overview.runs.map(({ label, runId, algorithm, model }, i) => {
        const run = runs[i];
        return [
          i < MAX_DRAWN ? sample(i) : null,
          [recorded(label), el("div", { class: "muted" }, roleOf(i, report.overview.runs.length))],
          recorded(runId),
          recorded(algorithm),
          recorded(model),
          run ? (run.axis.state ?? run.overview.state) : "",
          run ? count(run.axis.steps) : "",
          run ? counts(run.diagnosis) || run.diagnosis.verdict.words : "",
        ];
      }),
    ),
    report.overview.runs.length > MAX_DRAWN
      ? el("p", { class: "cut" }, `Curves of the first ${MAX_DRAWN} runs are drawn.`)
      : null,
  );
}

/** Sentences and gaps say A and B. */
function roleOf(run: number, runs: number): string {
  if (run > 0) return runs === 2 ? "B" : "";
  return runs === 2 ? "baseline, A" : "baseline";
}

function lineOf(report: CompareReport, run: number, series: SeriesView): ChartLine {
  return { label: report.overview.runs[run]?.label ?? "", style: run, series };
}

function leading(report: CompareReport): Child {
  if (report.leading.length === 0) return null;
  return section(
    "Where they part first",
    report.leading.map(({ gap, overlay, picture, other }) => {
      const at = gap.divergence;
      const onsets = at ? [{ x: at.x, severity: "warn" }] : [];
      const who =
        report.overview.runs.length > 2 ? ` against ${report.overview.runs[other]?.label ?? ""}` : "";
      return el(
        "article",
        { class: "card warn" },
        el(
          "div",
          { class: "top" },
          el("h3", {}, recorded(gap.title)),
          el("span", { class: "pill warn" }, `parts at step ${at?.text ?? "–"}`),
        ),
        el("p", {}, recorded(gapWords(gap)), who === "" ? null : [" (", recorded(who.trim()), ")"]),
        chart({
          title: gap.title,
          unit: gap.unit,
          isWide: true,
          lines: overlay.series.map(({ run, series }) => lineOf(report, run, series)),
          xDomain: overlay.xDomain,
          y: overlay.yRobust,
          outside: overlay.outside,
          onsets,
        }),
        picture.series
          ? chart({
              title: "Gap (B − A) with the noise of its early window",
              unit: gap.unit,
              isWide: true,
              lines: [{ label: "gap", style: 7, series: picture.series }],
              xDomain: picture.xDomain,
              y: picture.yRobust,
              outside: picture.outside,
              band: bandOf(gap),
              windows: [
                ...(gap.early ? [{ name: "early" as const, x: gap.early }] : []),
                ...(gap.late ? [{ name: "late" as const, x: gap.late }] : []),
              ],
              onsets,
            })
          : null,
      );
    }),
  );
}

/** Four times the noise on either side, which is what counts as a divergence. */
function bandOf({ gapEarly, noise }: MetricGap): readonly [number, number] | null {
  const half = 4 * noise;
  return Number.isFinite(gapEarly) && Number.isFinite(half) ? [gapEarly - half, gapEarly + half] : null;
}

function gapWords({ gapEarly, gapLate, zLate, higherLate }: MetricGap): string {
  return `Gap (B − A) ${figure(gapEarly)} early, ${figure(gapLate)} late: ${figure(Math.abs(zLate))} times its noise; ${higherLate.toUpperCase()} is higher in the end.`;
}

function parting(report: CompareReport): Child {
  return report.pairs.map((pair) => {
    const parted = pair.metrics.filter(({ divergence, separation }) => divergence ?? separation);
    const name = report.overview.runs[pair.other]?.label ?? "";
    const shown = parted.slice(0, MAX_METRICS);
    return section(
      "Where metrics part",
      report.overview.runs.length > 2 ? el("h4", {}, recorded(name)) : null,
      shown.length === 0 ? el("p", {}, "None does.") : metricTable(shown),
      parted.length > shown.length
        ? el("p", { class: "cut" }, `${plural(parted.length - shown.length, "more metric")} left out.`)
        : null,
      skipped(pair),
    );
  });
}

function metricTable(metrics: readonly MetricGap[]): Markup {
  return table(
    [
      { title: "metric" },
      { title: "parts at step", isNumber: true },
      { title: "gap B − A early", isNumber: true },
      { title: "gap B − A late", isNumber: true },
      { title: "noise units", isNumber: true },
      { title: "higher late" },
    ],
    metrics.map(({ title, ours, divergence, separation, gapEarly, gapLate, zLate, higherLate }) => [
      [
        recorded(short(title, 120)),
        ours ? el("span", { class: "muted" }, " (compared by Flight Deck only)") : null,
      ],
      divergence ? divergence.text : separation ? `separates at ${separation.at.text}` : "",
      figure(divergence || !separation ? gapEarly : separation.before),
      figure(divergence || !separation ? gapLate : separation.after),
      divergence ? figure(zLate) : "",
      higherLate.toUpperCase(),
    ]),
  );
}

const REASONS = { "only-a": "only in A", "only-b": "only in B", "too-few": "too few common values" } as const;

function skipped({ skipped: all }: PairView): Child {
  if (all.length === 0) return null;
  const lines = (["too-few", "only-a", "only-b"] as const).flatMap((reason) => {
    const names = all.filter((each) => each.reason === reason).map(({ metric }) => short(metric, 80));
    if (names.length === 0) return [];
    const shown = names.slice(0, 16).join(", ");
    return [
      el(
        "p",
        { class: "cut" },
        `Not compared, ${REASONS[reason]}: `,
        recorded(shown),
        names.length > 16 ? ` and ${names.length - 16} more.` : ".",
      ),
    ];
  });
  return lines;
}

function charts(report: CompareReport): Child {
  const { overlays, chartsLeft } = report;
  if (overlays.length === 0) return null;
  const places = new Map<string, number>();
  for (const { metrics } of report.pairs)
    for (const { metric, divergence } of metrics)
      if (divergence)
        places.set(metric, Math.min(places.get(metric) ?? Number.POSITIVE_INFINITY, divergence.x));
  return section(
    "All shared metrics",
    el(
      "div",
      { class: "charts" },
      overlays.map(({ title, unit, group, view }) => {
        const at = places.get(view.metric);
        return chart({
          title,
          unit,
          isWide: false,
          lines: view.series.map(({ run, series }) => lineOf(report, run, series)),
          xDomain: view.xDomain,
          y: view.yRobust,
          outside: view.outside,
          onsets: at === undefined ? [] : [{ x: at, severity: "warn" }],
          notes: [el("span", { class: "group" }, group)],
        });
      }),
    ),
    chartsLeft === 0
      ? null
      : el("p", { class: "cut" }, `${plural(chartsLeft, "more chart")} left out for the size of this file.`),
  );
}

function findings({ overview }: CompareReport, runs: readonly RunReport[]): Child {
  return section(
    "Findings side by side",
    el(
      "div",
      { class: "two" },
      runs.map(({ diagnosis }, i) =>
        el(
          "div",
          {},
          el("h4", {}, recorded(overview.runs[i]?.label ?? "")),
          diagnosis.findings.length === 0
            ? el("p", { class: "muted" }, `${diagnosis.verdict.words}.`)
            : el(
                "ul",
                { class: "plain" },
                diagnosis.findings.map(({ title, severity, firstStepText, words }) =>
                  el(
                    "li",
                    {},
                    el("span", { class: `pill ${severity}` }, SEVERITY_WORDS[severity] ?? severity),
                    " ",
                    el("b", {}, title),
                    firstStepText === "" ? "" : ` from step ${firstStepText}`,
                    el("div", {}, recorded(words)),
                  ),
                ),
              ),
        ),
      ),
    ),
  );
}

function results({ records: { rows, method, dropped }, overview }: CompareReport): Child {
  if (rows.length === 0) return null;
  return section(
    "Results over seeds",
    table(
      [
        { title: "benchmark" },
        { title: "metric" },
        { title: "horizon" },
        ...overview.runs.map(({ label }) => ({ title: short(label, 60), isNumber: true })),
      ],
      rows
        .slice(0, MAX_RESULTS)
        .map(({ benchmark, metric, horizon, cells }) => [
          recorded(short(benchmark, 120)),
          recorded(short(metric, 120)),
          recorded(short(horizon, 40)),
          ...cells.map((cell) =>
            cell
              ? `${figure(cell.mean)}${Number.isNaN(cell.sd) ? "" : ` ± ${figure(cell.sd)}`} (n ${cell.n})`
              : "–",
          ),
        ]),
    ),
    el("p", { class: "cut" }, method),
    dropped + Math.max(0, rows.length - MAX_RESULTS) > 0
      ? el("p", { class: "cut" }, "More rows left out.")
      : null,
  );
}
