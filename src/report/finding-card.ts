/** A finding as a card: what the run shows, the curves that show it, what to try, and samples to read. */
import type { FindingView } from "../protocol/diagnosis.ts";
import type { SampleRow, SamplesPage } from "../protocol/run.ts";
import { SEVERITY_WORDS } from "../view/findings.ts";
import { factsOf } from "../view/findings-document.ts";
import { chart } from "./chart.ts";
import { facts } from "./document.ts";
import { count, figure, plural } from "./figures.ts";
import type { FoundInRun, Picture, RunReport } from "./gather.ts";
import { heatmap } from "./heat.ts";
import { type Child, el, type Markup, passage, recorded } from "./markup.ts";

const MAX_PROMPT = 700;
const MAX_COMPLETION = 1400;

export function findingCard(
  { finding, pictures, samples }: FoundInRun,
  number: number,
  report: RunReport,
): Markup {
  const { severity, evidence } = finding;
  const own = finding.ours ? " · a check of Flight Deck's own" : "";
  return el(
    "article",
    { class: `card ${severity}`, id: `f${number}` },
    el(
      "div",
      { class: "top" },
      el("h3", {}, `${number}. ${finding.title}`),
      el("span", { class: `pill ${severity}` }, SEVERITY_WORDS[severity] ?? severity),
    ),
    el("p", { class: "when" }, el("code", {}, finding.signature), ` · ${factsOf(finding).join(" · ")}${own}`),
    el("p", {}, recorded(finding.words)),
    el("p", {}, finding.what),
    evidence.map(({ figures }) =>
      facts(
        figures.map(({ label, value }) => [label, recorded(value)] as const),
        "figures",
      ),
    ),
    (pictures ?? []).map((picture) => evidencePicture(picture, finding)),
    finding.tries.length === 0
      ? null
      : [
          el("h4", {}, "What to try"),
          el(
            "ol",
            { class: "tries" },
            finding.tries.map((text) => el("li", {}, text)),
          ),
        ],
    samples ? samplesBehind(samples, finding, report) : null,
  );
}

function evidencePicture(picture: Picture, finding: FindingView): Markup {
  const drawing = finding.drawings.find(({ metric }) =>
    picture.spec.series.some((series) => series.metric === metric),
  );
  const { firstStep, severity } = finding;
  return pictureOf(picture, true, {
    thresholds:
      drawing && drawing.threshold !== null && Number.isFinite(drawing.threshold) ? [drawing.threshold] : [],
    windows: [
      ...(drawing?.early ? [{ name: "early" as const, x: drawing.early }] : []),
      ...(drawing?.late ? [{ name: "late" as const, x: drawing.late }] : []),
    ],
    onsets: firstStep === null ? [] : [{ x: firstStep, severity }],
    notes:
      firstStep === null
        ? []
        : [el("span", { class: `badge ${severity}` }, `onset step ${finding.firstStepText}`)],
  });
}

type More = Partial<Pick<Parameters<typeof chart>[0], "thresholds" | "windows" | "onsets" | "notes">>;

export function pictureOf(picture: Picture, isWide: boolean, more: More): Markup {
  const { spec } = picture;
  const problem = picture.view.problems[0];
  const notes = [
    ...(more.notes ?? []),
    ...(problem ? [el("span", { class: "badge odd" }, recorded(problem.message))] : []),
  ];
  if (picture.kind === "heatmap") return heatmap(spec.title, spec.unit, picture.view, isWide, notes);
  const { view, left } = picture;
  const labels = new Map(spec.series.map(({ metric, label }) => [metric, label]));
  return chart({
    ...more,
    title: spec.title,
    unit: spec.unit,
    isWide,
    left,
    notes,
    lines: view.series.map((series, style) => ({
      label: labels.get(series.metric) ?? series.metric,
      style,
      series,
    })),
    xDomain: view.xDomain,
    y: view.yRobust,
    outside: view.outside,
  });
}

function samplesBehind(
  { total, rows, sort }: SamplesPage,
  { samples: asked }: FindingView,
  report: RunReport,
): Child {
  const many = rows.length < total ? `${rows.length} of ${count(total)}` : `all ${count(total)}`;
  if (rows.length === 0)
    return [
      el("h4", {}, "Samples behind it"),
      el("p", { class: "muted" }, `None was captured in steps ${asked.from} to ${asked.to}.`),
    ];
  return [
    el("h4", {}, "Samples behind it"),
    el(
      "p",
      { class: "cut" },
      sort === asked.sort
        ? `${asked.why.charAt(0).toUpperCase()}${asked.why.slice(1)}${/[?.!]$/.test(asked.why) ? "" : "."}`
        : // What they were meant to show cannot be said of others.
          ["The recording has no ", el("code", {}, asked.sort), " to choose by."],
      ` Steps ${asked.from} to ${asked.to}, by `,
      el("code", {}, sort),
      `, ${asked.descending ? "largest" : "smallest"} first; ${many} captured there. What was captured is not the population.`,
    ),
    rows.map((row) => sampleOf(row, report.overview.label)),
  ];
}

export function sampleFacts(row: SampleRow): string {
  return [
    `step ${row.step}`,
    `rank ${row.rank}`,
    ...(row.reward === null ? [] : [`reward ${figure(row.reward)}`]),
    ...(row.advantage === null ? [] : [`advantage ${figure(row.advantage)}`]),
    ...(row.length === null ? [] : [plural(row.length, "token")]),
    ...(row.truncated === true ? ["truncated"] : []),
  ].join(" · ");
}

function sampleOf(row: SampleRow, label: string): Markup {
  return el(
    "div",
    { class: "sample" },
    el(
      "div",
      { class: "facts-line" },
      sampleFacts(row),
      " · ",
      el("code", {}, recorded(`${label}/${row.step}/${row.rank}/${row.id}`)),
    ),
    row.prompt === "" ? null : [el("h5", {}, "Prompt"), passage(row.prompt, MAX_PROMPT, row.promptLength)],
    el("h5", {}, "Completion"),
    row.completion === ""
      ? el("p", { class: "muted" }, "Nothing was written.")
      : passage(row.completion, MAX_COMPLETION, row.completionLength),
  );
}
