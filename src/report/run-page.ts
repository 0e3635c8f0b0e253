/** The report of one run as a page: how it stands, what was found and why, its curves, events and configuration. */
import type { FindingView } from "../protocol/diagnosis.ts";
import type { ReportParams } from "../protocol/report.ts";
import type { EventView } from "../protocol/run.ts";
import { SEVERITY_WORDS } from "../view/findings.ts";
import { counts as countsOf } from "../view/findings-document.ts";
import { duration } from "../view/text.ts";
import { type Onset, restartIds } from "./chart.ts";
import { facts, page, section, table } from "./document.ts";
import { count, moment, plural } from "./figures.ts";
import { findingCard, pictureOf } from "./finding-card.ts";
import type { FoundInRun, Picture, RunReport } from "./gather.ts";
import { type Child, el, type Markup, recorded } from "./markup.ts";
import { timeline } from "./timeline.ts";

const MAX_ROWS = 400;
const MAX_WARNINGS = 60;

export async function runPage(report: RunReport, params: ReportParams): Promise<string> {
  restartIds();
  const { overview } = report;
  return page(`${runName(overview)}: report`, [
    header(report),
    el(
      "main",
      {},
      findings(report),
      charts(report),
      events(report),
      configuration(report),
      recording(report),
    ),
    footer(params),
  ]);
}

/** The folder's name, which people know the run by, and its id where that is another. */
const runName = ({ label, runId }: RunReport["overview"]): string =>
  runId === "" || runId === label ? label : `${label} (${runId})`;

export function footer({ version, madeAt }: ReportParams): Markup {
  return el(
    "footer",
    {},
    `Made by Flight Deck ${version} on ${moment(madeAt)}. Curves are drawn from all steps: of each pixel column the first, lowest, highest and last value. `,
    "✕ NaN, ▲ ±Inf, small triangles on the frame: values outside of the picture.",
  );
}

const TONES: Readonly<Record<string, string>> = {
  crashed: "bad",
  killed: "bad",
  stalled: "warn",
  halted: "warn",
  running: "info",
  finished: "ok",
};

export function stateLine({ overview, axis }: RunReport): Markup {
  const state = axis.state ?? overview.state;
  return el(
    "p",
    { class: "state" },
    el("span", { class: `pill ${TONES[state] ?? "muted"}` }, state),
    el("span", {}, axis.stateReason ?? overview.stateReason),
  );
}

function header(report: RunReport): Markup {
  const { overview, axis, counts } = report;
  const lasts =
    axis.timeFirst !== null && axis.timeLast !== null ? duration(axis.timeLast - axis.timeFirst) : "";
  const steps = axis.steps === 0 ? "none" : `${count(axis.steps)} (${axis.firstText} to ${axis.lastText})`;
  return el(
    "header",
    {},
    el("p", { class: "over" }, "Training run"),
    el("h1", {}, recorded(overview.label)),
    stateLine(report),
    facts([
      ["Run id", overview.runId === overview.label ? "" : recordedOr(overview.runId)],
      ["Steps", steps],
      ["Algorithm", recordedOr(overview.algorithm)],
      ["Model", recordedOr(overview.model)],
      ["Started", moment(overview.createdAt)],
      ["Lasted", lasts],
      [
        "Ranks",
        overview.worldSize > 1 || overview.ranks.length > 1
          ? `${count(Math.max(overview.worldSize, overview.ranks.length))}`
          : "",
      ],
      ["Captured samples", counts.samples === 0 ? "" : count(counts.samples)],
    ]),
    verdict(report),
    timeline(report),
  );
}

const recordedOr = (text: string): Child => (text === "" ? "" : recorded(text));

function verdict(report: RunReport): Markup {
  const { diagnosis, warnings, run } = report;
  const { state, words } = diagnosis.verdict;
  const tone = state === "findings" ? worst(diagnosis.findings) : state === "clear" ? "ok" : "warn";
  const over = state === "none" ? "" : ` over ${plural(diagnosis.steps, "step")}`;
  const serious = warnings.filter(({ level }) => level === "warning").length;
  return el(
    "div",
    { class: `verdict ${tone}` },
    el("b", {}, `${state === "findings" ? countsOf(diagnosis) : words}${over}.`),
    diagnosis.findings.length === 0
      ? null
      : el(
          "ul",
          {},
          diagnosis.findings.map((finding, i) =>
            el(
              "li",
              {},
              el("a", { href: `#f${i + 1}` }, finding.title),
              finding.firstStepText === "" ? null : ` from step ${finding.firstStepText}`,
            ),
          ),
        ),
    el(
      "p",
      { class: "muted" },
      `${passedWords(report)} ${run.configName === "" ? "Default thresholds." : "Thresholds of "}`,
      run.configName === "" ? null : [el("code", {}, recorded(run.configName)), "."],
    ),
    serious === 0
      ? null
      : el(
          "p",
          {},
          el("a", { href: "#recording" }, plural(serious, "warning")),
          " about the recording itself.",
        ),
  );
}

function passedWords({ diagnosis: { passed, skipped } }: RunReport): string {
  return `${plural(passed.length, "check")} passed, ${skipped.length} could not be made.`;
}

function worst(all: readonly FindingView[]): string {
  return (
    ["critical", "warn", "info"].find((severity) => all.some((finding) => finding.severity === severity)) ??
    "info"
  );
}

function findings(report: RunReport): Child {
  const { found, diagnosis } = report;
  const { unread, unreadCount, configProblems } = diagnosis;
  const detailed = found.filter(({ pictures }) => pictures !== null);
  const rest = found.slice(detailed.length);
  return [
    found.length === 0
      ? null
      : section(
          "Findings",
          detailed.map((each, i) => findingCard(each, i + 1, report)),
          rest.length === 0 ? null : shortList(rest, detailed.length),
        ),
    unreadCount === 0
      ? null
      : section(
          "Could not be looked at",
          el(
            "ul",
            { class: "plain" },
            unread.map(({ file, message }) =>
              el("li", {}, el("code", {}, recorded(file)), " ", recorded(message)),
            ),
          ),
          unreadCount > unread.length
            ? el(
                "p",
                { class: "cut" },
                `And ${plural(unreadCount - unread.length, "more problem")} of the kind.`,
              )
            : null,
        ),
    configProblems.length === 0
      ? null
      : section(
          "Not used of doctor.toml",
          el(
            "ul",
            { class: "plain" },
            configProblems.map(({ line, message }) =>
              el("li", {}, line === null ? "" : `Line ${line}: `, recorded(message)),
            ),
          ),
        ),
    section(
      "What passed, and what could not be looked for",
      el(
        "div",
        { class: "two" },
        list(
          "Passed",
          diagnosis.passed.map(({ title, words }) => [
            el("b", {}, title),
            words === "" ? "" : " – ",
            recorded(words),
          ]),
          "Nothing did.",
        ),
        list(
          "Skipped",
          diagnosis.skipped.map(({ title, words }) => [
            el("b", {}, title),
            words === "" ? "" : " – ",
            recorded(words),
          ]),
          "Nothing was.",
        ),
      ),
    ),
  ];
}

function list(title: string, items: readonly Child[], none: string): Markup {
  return el(
    "div",
    {},
    el("h4", {}, `${title} (${items.length})`),
    items.length === 0
      ? el("p", { class: "muted" }, none)
      : el(
          "ul",
          { class: "plain" },
          items.map((item) => el("li", {}, item)),
        ),
  );
}

function shortList(rest: readonly FoundInRun[], before: number): Child {
  return [
    el("h4", {}, "More findings"),
    table(
      [
        { title: "finding" },
        { title: "severity" },
        { title: "from step", isNumber: true },
        { title: "what the run shows" },
      ],
      rest.map(({ finding }, i) => [
        el("span", { id: `f${before + i + 1}` }, finding.title),
        SEVERITY_WORDS[finding.severity] ?? finding.severity,
        finding.firstStepText,
        recorded(finding.words),
      ]),
    ),
  ];
}

function charts({ groups, chartsLeft, found }: RunReport): Child {
  if (groups.length === 0) return null;
  const onsets = (picture: Picture): Onset[] =>
    found.flatMap(({ finding: { firstStep, severity, drawings } }) => {
      const isCited = drawings.some(({ metric }) =>
        picture.spec.series.some((series) => series.metric === metric),
      );
      return isCited && firstStep !== null ? [{ x: firstStep, severity }] : [];
    });
  return section(
    "Charts",
    el(
      "div",
      { class: "charts" },
      groups.map(({ title, pictures }) =>
        pictures.map((picture) =>
          pictureOf(picture, false, {
            onsets: onsets(picture),
            notes: [el("span", { class: "group" }, title)],
          }),
        ),
      ),
    ),
    chartsLeft === 0
      ? null
      : el(
          "p",
          { class: "cut" },
          `${plural(chartsLeft, "more chart")} left out for the size of this file. `,
          el("code", {}, "flight-deck export"),
          " writes the values of all.",
        ),
  );
}

function events({ events: first, lastEvents }: RunReport): Child {
  if (first.total === 0) return null;
  const kinds = first.kinds
    .slice(0, 24)
    .map(({ kind, count: n }) => [el("code", {}, recorded(kind)), ` ${count(n)}  `]);
  const last = lastEvents?.rows ?? [];
  const between = first.total - first.rows.length - last.length;
  const columns = [{ title: "step" }, { title: "kind" }, { title: "message" }];
  return section(
    "Events",
    el("p", { class: "muted" }, `${plural(first.total, "event")}: `, kinds),
    table(columns, first.rows.map(eventRow)),
    between > 0 ? el("p", { class: "cut" }, `${plural(between, "event")} left out here.`) : null,
    last.length === 0 ? null : table(columns, last.map(eventRow)),
  );
}

const MAX_EVENT = 600;
function eventRow({ step, kind, message, data, rank }: EventView): readonly Child[] {
  const more = data === "" ? null : el("div", { class: "muted mono" }, recorded(short(data, MAX_EVENT)));
  return [
    `${step}${rank === 0 ? "" : ` (rank ${rank})`}`,
    el("code", {}, recorded(short(kind, 120))),
    [recorded(short(message, MAX_EVENT)), more],
  ];
}

export const short = (text: string, limit: number): string =>
  text.length > limit
    ? `${text.slice(0, text.charCodeAt(limit - 1) >>> 10 === 0x36 ? limit - 1 : limit)}…`
    : text;

function configuration({ config }: RunReport): Child {
  if (config.length === 0) return null;
  return section(
    "Configuration",
    config.map(({ title, rows, dropped }) => {
      const left = dropped + Math.max(0, rows.length - MAX_ROWS);
      return [
        el("h4", {}, title),
        el(
          "table",
          { class: "config" },
          el("colgroup", {}, el("col", { class: "path" }), el("col", {})),
          el(
            "thead",
            {},
            el("tr", {}, el("th", { scope: "col" }, "key"), el("th", { scope: "col" }, "value")),
          ),
          el(
            "tbody",
            {},
            rows
              .slice(0, MAX_ROWS)
              .map(({ path, value, type }) =>
                el(
                  "tr",
                  {},
                  el("td", {}, recorded(short(path, 300))),
                  el(
                    "td",
                    {},
                    value === ""
                      ? el("span", { class: "muted" }, type === "string" ? "empty text" : type)
                      : recorded(short(value, 800)),
                  ),
                ),
              ),
          ),
        ),
        left > 0 ? el("p", { class: "cut" }, `${plural(left, "more value")} left out.`) : null,
      ];
    }),
  );
}

function recording({ warnings }: RunReport): Child {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, MAX_WARNINGS);
  return el(
    "section",
    { id: "recording" },
    el("h2", {}, "About the recording"),
    table(
      [{ title: "file" }, { title: "what was noticed" }, { title: "what to do" }],
      shown.map(({ file, message, remedy, count: n }) => [
        recorded(file === "" ? "–" : file),
        [recorded(message), n > 1 ? el("span", { class: "muted" }, ` × ${count(n)}`) : null],
        recorded(remedy),
      ]),
    ),
    warnings.length > shown.length
      ? el("p", { class: "cut" }, `${plural(warnings.length - shown.length, "more warning")} left out.`)
      : null,
  );
}
