/** What the compare editor says, and what it lists in which order: without a page, so that it can be tested without one. */

import type {
  Alignment,
  CompareConfigRow,
  CompareConfigSection,
  CompareMetric,
  CompareOverview,
  ComparePlace,
  ConfigCell,
  MetricGap,
  PairView,
  RecordCell,
  RecordDifference,
} from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { SeriesView, XAxis } from "../../src/protocol/run.ts";
import { placeWords } from "../charts/summary.ts";
import { stepText, valueWords } from "../panels/words.ts";
import { formatCount, formatDuration, formatNumber, plural } from "../text/numbers.ts";

/** How the chart's x axis is written for an alignment. */
export const axisOf = (align: Alignment): XAxis => (align === "time" ? "relative" : "step");

export const ALIGNMENTS: readonly { readonly value: Alignment; readonly label: string }[] = [
  { value: "step", label: t("Align: step") },
  { value: "relative", label: t("Align: relative step") },
  { value: "time", label: t("Align: time") },
];

/** "step 76", "step 76 (75 after the first)", "step 76 (2 m 05 s in)". */
export function atWords({ text, x }: ComparePlace, align: Alignment): string {
  const step = t("step {0}", stepText(text));
  if (align === "step") return step;
  return align === "time"
    ? t("{0} ({1} in)", step, formatDuration(x))
    : t("{0} ({1} after the first)", step, formatCount(x));
}

/** A place without its step, as short as a label wants it: "76", "2 m 05 s". */
export const shortPlace = ({ text, x }: ComparePlace, align: Alignment): string =>
  align === "time" ? formatDuration(x) : align === "relative" ? `+${formatCount(x)}` : stepText(text);

export type Standing = "parts" | "separates" | "tracks" | "unknown";

export const standingOf = (gap: MetricGap | null): Standing =>
  gap?.divergence ? "parts" : gap?.separation ? "separates" : gap ? "tracks" : "unknown";

/** "parts at 76", "separates near 63", "tracks". */
export function standingWords(gap: MetricGap | null, align: Alignment): string {
  if (gap?.divergence) return t("parts at {0}", shortPlace(gap.divergence, align));
  if (gap?.separation) return t("separates near {0}", shortPlace(gap.separation.at, align));
  return gap ? t("tracks") : "";
}

export interface Part {
  readonly text: string;
  readonly strong?: boolean;
}

const strong = (text: string): Part => ({ text, strong: true });

/** A sentence whose placeholders stand out. @param words with its placeholders in it */
const withStrong = (words: string, ...parts: readonly (string | Part)[]): Part[] =>
  words.split(/\{(\d+)\}/).flatMap((piece, i) => {
    if (i % 2 === 0) return piece === "" ? [] : [{ text: piece }];
    const part = parts[Number(piece)] ?? "";
    return [typeof part === "string" ? strong(part) : part];
  });

function divergeWords(parted: number, compared: number): string {
  const metrics = plural(compared, "metric");
  return parted === 1
    ? t("{0} of {1} diverges", formatCount(parted), metrics)
    : t("{0} of {1} diverge", formatCount(parted), metrics);
}

/** Common rows, and values in both, that it takes to compare a metric. */
const LEAST = 30;

/** The sentence above everything: where the runs part. Texts of the recording are parts of their own. */
export function leadParts(pair: PairView): Part[] {
  const { metrics, first, compared, comparedOurs, align } = pair;
  if (compared + comparedOurs === 0) return [{ text: nothingWords(pair) }];
  const parted = metrics.filter(({ divergence, ours }) => divergence && !ours);
  const lead = metrics.find(({ metric }) => metric === first);
  const noise = t("the noise between the runs is taken from the first quarter.");
  if (lead?.divergence)
    return [
      ...withStrong(t("The runs part at {0}, first in {1}."), atWords(lead.divergence, align), lead.title),
      { text: ` ${divergeWords(parted.length, compared)}; ${noise}` },
    ];
  const none =
    compared > 0
      ? t("None of {0} diverges; {1}", plural(compared, "metric"), noise)
      : t("All that these runs share is compared by Flight Deck only; {0}", noise);
  const own = ownParts(metrics, align);
  if (own.length === 0) return [{ text: `${t("The runs track each other.")} ` }, { text: none }];
  return [{ text: `${none} ` }, ...own];
}

/** What only Flight Deck finds: metrics that rlprobe does not compare, then separations. */
function ownParts(metrics: readonly MetricGap[], align: Alignment): Part[] {
  const found = inOrder(metrics).filter(({ divergence, separation }) => divergence ?? separation);
  const [earliest] = found;
  const place = earliest?.divergence ?? earliest?.separation?.at;
  if (!earliest || !place) return [];
  const [title, at, more] = [earliest.title, atWords(place, align), found.length - 1];
  if (earliest.divergence)
    return more > 0
      ? withStrong(
          t("Of those that only Flight Deck compares {0} parts at {1}, and {2} more."),
          ...[title, at, { text: formatCount(more) }],
        )
      : withStrong(t("Of those that only Flight Deck compares {0} parts at {1}."), title, at);
  return more > 0
    ? withStrong(
        t("By Flight Deck's own measure {0} separates near {1}, and {2} more."),
        ...[title, at, { text: formatCount(more) }],
      )
    : withStrong(t("By Flight Deck's own measure {0} separates near {1}."), title, at);
}

/** Why no metric at all is compared. */
function nothingWords({ commonSteps, align }: PairView): string {
  const isTime = align === "time";
  if (commonSteps === 0)
    return isTime
      ? t("No rows of the runs meet in time, so no metric is compared.")
      : t("The runs have no step in common, so no metric is compared.");
  const rows = isTime
    ? commonSteps === 1
      ? t("{0} row meets in time", commonSteps)
      : t("{0} rows meet in time", formatCount(commonSteps))
    : commonSteps === 1
      ? t("{0} step is in both runs", commonSteps)
      : t("{0} steps are in both runs", formatCount(commonSteps));
  return commonSteps < LEAST
    ? t("{0}, too few to compare their metrics.", rows)
    : t("{0}, but no metric has {1} values in both.", rows, LEAST);
}

/** "250 common steps · 14 metrics compared", "… compared (+2 ours)". */
export function factWords({ commonSteps, compared, comparedOurs, align }: PairView): string {
  const metrics = plural(compared, "metric");
  const rows = plural(commonSteps, align === "time" ? "common row" : "common step");
  return comparedOurs > 0
    ? t("{0} · {1} compared (+{2} ours)", rows, metrics, formatCount(comparedOurs))
    : t("{0} · {1} compared", rows, metrics);
}

/** How an alignment that would do is offered. */
export const suggestionWords = (align: Alignment): string =>
  ({
    step: t("Align by step"),
    relative: t("Align by relative step"),
    time: t("Align by time since the start"),
  })[align];

/** A metric of the page with what the pair says of it. */
export interface Listed {
  readonly metric: CompareMetric;
  readonly gap: MetricGap | null;
  /** Why the pair says nothing: "only in A"; "" when it does. */
  readonly skipped: string;
}

const SKIPPED = {
  "only-a": t("only in the baseline"),
  "only-b": t("not in the baseline"),
  "too-few": t("too few common values"),
} as const;

/** rlprobe's divergences, then those of metrics that only we compare, then what separates, then the rest; each as it stood. */
export function inOrder(metrics: readonly MetricGap[]): MetricGap[] {
  const rank = ({ divergence, separation, ours }: MetricGap): number => {
    if (divergence) return ours ? 1 : 0;
    return separation ? 2 : 3;
  };
  return metrics.toSorted((a, b) => rank(a) - rank(b));
}

/** Every shared metric, those that part first; what the pair does not compare stands last. */
export function listed(overview: CompareOverview, pair: PairView | null): Listed[] {
  const all = new Map<string, CompareMetric>();
  for (const { metrics } of overview.groups)
    for (const metric of metrics) if (!all.has(metric.metric)) all.set(metric.metric, metric);
  const list: Listed[] = [];
  for (const gap of inOrder(pair?.metrics ?? [])) {
    const metric = all.get(gap.metric) ?? {
      metric: gap.metric,
      title: gap.title,
      unit: gap.unit,
      ours: gap.ours,
      runs: [0, pair?.other ?? 1],
    };
    all.delete(gap.metric);
    list.push({ metric, gap, skipped: "" });
  }
  const why = new Map((pair?.skipped ?? []).map(({ metric, reason }) => [metric, SKIPPED[reason]]));
  for (const metric of all.values()) list.push({ metric, gap: null, skipped: why.get(metric.metric) ?? "" });
  return list;
}

export interface Chosen {
  readonly shown: readonly Listed[];
  /** Left out until somebody asks for all. */
  readonly more: number;
  /** All that are left out were compared, and track. */
  readonly track: boolean;
}

/** What is drawn: all that part, and of those that track as many as fill two rows. */
export function chosen(
  list: readonly Listed[],
  state: {
    readonly onlyDiverged: boolean;
    readonly all: boolean;
    readonly metricFilter: string;
  },
  columns: number,
): Chosen {
  const words = state.metricFilter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = list.filter(({ metric: { metric, title } }) =>
    words.every((word) => `${title} ${metric}`.toLowerCase().includes(word)),
  );
  const parted = found.filter(({ gap }) => gap?.divergence || gap?.separation);
  if (state.onlyDiverged) return { shown: parted, more: 0, track: true };
  if (state.all || words.length > 0) return { shown: found, more: 0, track: true };
  const least = Math.max(2, Math.ceil(parted.length / columns)) * columns;
  const left = found.slice(least);
  return { shown: found.slice(0, least), more: left.length, track: left.every(({ gap }) => gap !== null) };
}

/** A chart for who cannot see it. */
export function overlayWords(
  item: Listed,
  view: { readonly xDomain: readonly [number, number] } | null,
  named: readonly (readonly [name: string, series: SeriesView])[],
  align: Alignment,
): string {
  const { title } = item.metric;
  if (!view) return t("{0}, loading", title);
  const axis = axisOf(align);
  const place = (x: number): string => placeWords(x, axis);
  const standing = item.skipped === "" ? standingLong(item.gap, align) : item.skipped;
  const lines = named.slice(0, 6).map(([name, series]) => {
    if (series.finite === 0) return t("{0}: no values", name);
    const { last, min, minX, max, maxX } = series;
    const extremes =
      min !== null && max !== null && minX !== null && maxX !== null
        ? t(
            ", lowest {0} at {1}, highest {2} at {3}",
            formatNumber(min),
            place(minX),
            formatNumber(max),
            place(maxX),
          )
        : "";
    return t("{0}: last {1}{2}", name, last === null ? "none" : formatNumber(last), extremes);
  });
  const more = named.length > 6 ? [t("and {0}", plural(named.length - 6, "more run"))] : [];
  const range = t("{0} to {1}", place(view.xDomain[0]), place(view.xDomain[1]));
  return [`${title}, ${range}`, standing, ...lines, ...more].filter(Boolean).join(". ");
}

function standingLong(gap: MetricGap | null, align: Alignment): string {
  if (gap?.divergence) return t("parts at {0}", atWords(gap.divergence, align));
  if (gap?.separation)
    return t("separates near {0} by Flight Deck's own measure", atWords(gap.separation.at, align));
  return gap ? t("tracks") : "";
}

/** The figures of a gap, for the large chart: name and value. */
export function gapFigures(gap: MetricGap, z: number, align: Alignment): [string, string][] {
  const unit = gap.unit === "" ? "" : ` ${gap.unit}`;
  const band = `${formatNumber(gap.gapEarly)} ± ${formatNumber(z * gap.noise)}${unit}`;
  const figures: [string, string][] = [
    [t("common values"), formatCount(gap.n)],
    [t("early gap"), t("{0}{1}, noise {2}", formatNumber(gap.gapEarly), unit, formatNumber(gap.noise))],
    [t("band"), band],
    [t("late gap"), t("{0}{1}, {2} noise units", formatNumber(gap.gapLate), unit, formatNumber(gap.zLate))],
    [t("gaps"), t("the other run − the baseline")],
    [t("higher late"), gap.higherLate === "a" ? t("the baseline") : t("the other run")],
  ];
  const { separation } = gap;
  if (separation)
    figures.push([
      t("our measure"),
      t(
        "separates near {0}: gap {1} → {2}, {3} standard errors",
        atWords(separation.at, align),
        formatNumber(separation.before),
        formatNumber(separation.after),
        formatNumber(separation.score),
      ),
    ]);
  return figures;
}

/** A value of the configuration as it is told from all others: text in quotes where it could be taken for something else. */
export function cellWords(cell: ConfigCell): string {
  if (!cell.present) return t("not set");
  if (cell.type === "empty" && cell.value === "") return '""';
  return cell.type === "list" ? cell.value : valueWords({ value: cell.value, type: cell.type });
}

/** Rows of a section that are listed. */
export function configRows(
  { rows }: CompareConfigSection,
  {
    onlyDifferences,
    showIgnored,
    configFilter,
  }: {
    readonly onlyDifferences: boolean;
    readonly showIgnored: boolean;
    readonly configFilter: string;
  },
): CompareConfigRow[] {
  const words = configFilter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ path, cells, differs, ignored }) => {
    if (ignored && !showIgnored) return false;
    if (onlyDifferences && !differs) return false;
    const text = [path, ...cells.map(({ value }) => value)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** "3 of 125 keys differ · 2 ignored". */
export function configCounts(sections: readonly CompareConfigSection[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const differing = sections.reduce((sum, section) => sum + section.differing, 0);
  const ignored = rows.filter((row) => row.ignored && row.differs).length;
  const keys = plural(rows.length, "key");
  const of =
    differing === 1
      ? t("{0} of {1} differs", formatCount(differing), keys)
      : t("{0} of {1} differ", formatCount(differing), keys);
  return ignored > 0 ? t("{0} · {1} more ignored", of, formatCount(ignored)) : of;
}

/** "+0.513", "−0.02", "0". */
export function signed(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

/** "0.512 ± 0.03 (n 3)". */
export function recordWords({ n, mean, sd }: RecordCell): string {
  const spread = Number.isNaN(sd) ? "" : ` ± ${formatNumber(sd)}`;
  return `${formatNumber(mean, 4)}${spread}`.concat(n === 1 ? "" : ` (n ${formatCount(n)})`);
}

/** "+0.02 [−0.01, 0.05]". */
export function differenceWords({ value, low, high }: RecordDifference): string {
  if (Number.isNaN(low) || Number.isNaN(high)) return t("{0}, no interval", signed(value));
  return `${signed(value)} [${formatNumber(low)}, ${formatNumber(high)}]`;
}

/** "a ↔ b", "a ↔ b, c and 3 more". */
export function namesWords(names: readonly string[]): string {
  const [first = "", ...others] = names;
  const some = others.slice(0, 2).join(", ");
  return `${first} ↔ ${some}${others.length > 2 ? t(" and {0} more", others.length - 2) : ""}`;
}
