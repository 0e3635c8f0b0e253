/** Filters as the worker takes them and as people read them, and what the tab of samples says. */
import { t } from "../../src/protocol/l10n.ts";
import type {
  GroupPlace,
  GroupView,
  Histogram,
  SampleFilter,
  SampleIndexState,
  SampleListRow,
  SampleOrder,
  Scatter,
} from "../../src/protocol/samples.ts";
import { rangeWords, stepText } from "../panels/words.ts";
import type { XRange } from "../state.ts";
import { formatCount, formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import type { NO_FILTERS, SamplesState } from "./state.ts";

export const NO_FILTER: SampleFilter = {
  ...{ steps: null, rank: null, reason: null, truncated: null, group: null },
  ...{ prompt: null, reward: null, length: null, rows: null },
};

/** @param range steps of the timeline's brush, which count where none were chosen here */
export function filterOf(
  state: SamplesState,
  range: XRange | null,
  rows: SampleFilter["rows"],
): SampleFilter {
  const { rank, reason, truncated, group, prompt, reward, length } = state;
  const steps = state.steps ?? range;
  return {
    steps: steps && [steps[0], steps[1]],
    ...{ rank, reason, truncated, group, reward, length, rows },
    prompt: prompt?.prompt ?? null,
  };
}

type FilterName = keyof typeof NO_FILTERS;

export interface Chip {
  readonly name: FilterName;
  /** "rank 1". */
  readonly words: string;
}

const spanWords = (name: string, [from, to]: XRange): string =>
  `${name} ${formatNumber(from)}–${formatNumber(to)}`;

export const stepsWords = ([from, to]: XRange): string =>
  from === to ? t("step {0}", stepText(String(from))) : rangeWords([from, to], "");

export const reasonName = (reason: string): string =>
  reason === "" ? t("no reason given") : visibleText(reason, 40);

const quoted = (text: string, limit: number): string => `“${visibleText(text, limit)}”`;

/** One for each filter that is on, in a steady order. */
export function chipsOf(state: SamplesState, range: XRange | null): Chip[] {
  const { rank, reason, truncated, group, prompt, reward, length, search } = state;
  const steps = state.steps ?? range;
  const chips: [FilterName, string | null][] = [
    ["steps", steps && stepsWords(steps)],
    ["rank", rank === null ? null : t("rank {0}", rank)],
    ["reason", reason === null ? null : t("captured: {0}", reasonName(reason))],
    ["truncated", truncated === null ? null : truncated ? t("cut off") : t("ended by itself")],
    ["group", group === null ? null : t("group {0}", visibleText(group, 60))],
    ["prompt", prompt && t("prompt {0}", quoted(prompt.text, 40))],
    ["reward", reward && spanWords("reward", reward)],
    ["length", length && spanWords("length", length)],
    ["search", search === "" ? null : t("text {0}", quoted(search, 40))],
  ];
  return chips.flatMap(([name, words]) => (words === null ? [] : [{ name, words }]));
}

/** The filter without one of its parts. */
export function without(filter: SampleFilter, name: FilterName): SampleFilter {
  return { ...filter, [name === "search" ? "rows" : name]: null };
}

/** The largest number below another: ranges hold both their ends, and a bin does not hold its upper edge. */
export function nextBelow(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}

/** Values from bin `from` up to and with bin `to` of ascending edges. */
export function binRange(edges: ArrayLike<number>, from: number, to: number): XRange {
  const [low, high] = from <= to ? [from, to] : [to, from];
  const last = edges.length - 2;
  const top = edges[Math.min(last, high) + 1] ?? 0;
  return [edges[Math.max(0, low)] ?? 0, high >= last ? top : nextBelow(top)];
}

/** The bins that a range touches, first and last; `null` without any. */
export function binsWithin(edges: ArrayLike<number>, [from, to]: XRange): [number, number] | null {
  let found: [number, number] | null = null;
  const last = edges.length - 2;
  for (let bin = 0; bin <= last; bin++) {
    const [low, high] = [edges[bin] ?? 0, edges[bin + 1] ?? 0];
    if (low > to || (bin < last ? high <= from : high < from)) continue;
    found = [found?.[0] ?? bin, bin];
  }
  return found;
}

const TOP = new Set(["top_k", "top"]);
const BOTTOM = new Set(["bottom_k", "bottom"]);

/** What was captured is not what was generated: "", where all of it was or nothing is known. */
export function biasWords({ reasons }: Pick<SampleIndexState, "reasons">): string {
  const count = (is: (reason: string) => boolean): number =>
    reasons.reduce((sum, one) => sum + (is(one.reason) ? one.count : 0), 0);
  const top = count((reason) => TOP.has(reason));
  const bottom = count((reason) => BOTTOM.has(reason));
  const random = count((reason) => reason === "random");
  if (top + bottom === 0) return "";
  const parts = [
    top > 0 ? t("{0} top", formatCount(top)) : "",
    bottom > 0 ? t("{0} bottom", formatCount(bottom)) : "",
    random > 0 ? t("{0} random", formatCount(random)) : "",
  ].filter(Boolean);
  // Narrow panes cut the end off: what matters comes first.
  return t("Not the population: captured {0} of their steps", parts.join(", "));
}

const SORT_NAMES: Readonly<Record<string, string>> = {
  ...{ reward_total: t("reward"), advantage: t("advantage"), kl_contribution: "KL" },
  ...{ completion_len: t("length"), logprob_mean: t("log probability"), step: "step", row: "place" },
};

export const sortName = (by: SampleOrder["by"]): string =>
  SORT_NAMES[by] ?? visibleText(by.replace(/^component:/, ""), 60);

/** "2,008 samples · 12 without advantage are left out". */
export function countWords(total: number, missing: number, by: SampleOrder["by"]): string {
  const left = missing > 0 ? t(" · {0} without {1} left out", formatCount(missing), sortName(by)) : "";
  return `${plural(total, "sample")}${left}`;
}

export const figure = (value: number | null): string => (value === null ? "–" : formatNumber(value));

export const signed = (value: number | null): string =>
  value !== null && value > 0 ? `+${formatNumber(value)}` : figure(value);

/** What names a sample anywhere in a run. */
export const sampleName = ({ rank, step, id }: Pick<SampleListRow, "rank" | "step" | "id">): string =>
  `${rank}:${step}:${id}`;

/** "2nd of 8 in its group · mean 0.52 · sd 0.21". */
export function placeWords({ rank, size, mean, sd }: GroupPlace): string {
  const all = formatCount(size);
  return rank === null
    ? t("one of {0} in its group · mean {1} · sd {2}", all, figure(mean), figure(sd))
    : t("{ordinal} of {all} in its group · mean {mean} · sd {sd}", {
        ...{ ordinal: ordinal(rank), all, mean: figure(mean), sd: figure(sd) },
      });
}

/** "2nd": in other languages than English the four are alike. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const last = tens >= 11 && tens <= 13 ? 0 : n % 10;
  const number = formatCount(n);
  if (last === 1) return t("{0}st", number);
  if (last === 2) return t("{0}nd", number);
  return last === 3 ? t("{0}rd", number) : t("{0}th", number);
}

export const VERDICTS: Readonly<Record<GroupView["verdict"], string>> = {
  varied: "",
  right: t("no variance: all right"),
  wrong: t("no variance: all wrong"),
  equal: t("no variance"),
  unknown: t("rewards not known"),
};

/** How far the index is: "" when all of it is there. */
export function indexWords({ done, read, shards, rows }: SampleIndexState): string {
  if (done) return "";
  return t(
    "{0} samples so far, {1} of {2} read",
    formatCount(rows),
    formatCount(read),
    plural(shards, "file"),
  );
}

export function histogramWords({ edges, counts, missing }: Histogram): string {
  const total = counts.reduce((sum, one) => sum + one, 0);
  if (total === 0) return t("No rewards to show.");
  const peak = counts.indexOf(Math.max(...counts));
  const [from = 0, to = 0] = [edges[peak], edges[peak + 1]];
  const left = missing > 0 ? t(", {0} without a finite reward", formatCount(missing)) : "";
  return t(
    "Rewards of {0} from {1} to {2}; most, {3}, from {4} to {5}{6}.",
    plural(total, "sample"),
    formatNumber(edges[0] ?? 0),
    formatNumber(edges.at(-1) ?? 0),
    formatCount(counts[peak] ?? 0),
    formatNumber(from),
    formatNumber(to),
    left,
  );
}

export interface LengthBand {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean of the middles of their cells; `null` without samples. */
  readonly reward: number | null;
}

/** Rewards by length, in a few bands: the scatter for who cannot see it. */
export function lengthBands({ x, y, columns, rows, cells }: Scatter, bands = 4): LengthBand[] {
  if (!x || !y) return [];
  const width = (x[1] - x[0]) / bands;
  return Array.from({ length: bands }, (_, band) => {
    let [count, sum] = [0, 0];
    const [first, end] = [Math.floor((band * columns) / bands), Math.floor(((band + 1) * columns) / bands)];
    for (let row = 0; row < rows; row++) {
      const reward = y[0] + ((row + 0.5) / rows) * (y[1] - y[0]);
      for (let column = first; column < end; column++) {
        const n = cells[row * columns + column] ?? 0;
        count += n;
        sum += n * reward;
      }
    }
    const from = x[0] + band * width;
    return { from, to: from + width, count, reward: count === 0 ? null : sum / count };
  });
}
