import { describe, expect, it } from "vitest";
import type { ConfigCell, MetricGap, PairView } from "../../../src/protocol/compare.ts";
import { Asked } from "../../../webview/compare/asked.ts";
import { rulerLayout, rulerTicks } from "../../../webview/compare/ruler-layout.ts";
import { CompareStore, changed, INITIAL, restore } from "../../../webview/compare/state.ts";
import {
  atWords,
  cellWords,
  chosen,
  configCounts,
  configRows,
  differenceWords,
  factWords,
  inOrder,
  leadParts,
  listed,
  recordWords,
  shortPlace,
  standingWords,
} from "../../../webview/compare/words.ts";

describe("the ruler", () => {
  const mark = (at: number, width = 100) => ({ at, width });
  const spans = (marks: readonly { at: number; width: number }[], width: number, rows: number) =>
    rulerLayout(marks, width, rows).map(({ row, leftward }, i) => {
      const { at, width: wide } = marks[i] ?? { at: 0, width: 0 };
      return { row, span: leftward ? [at - wide, at] : [at, at + wide] };
    });

  it("puts labels that would run into each other on rows of their own", () => {
    expect(rulerLayout([mark(0), mark(150), mark(10), mark(20)], 400, 4).map(({ row }) => row)).toEqual([
      0, 0, 1, 2,
    ]);
  });

  it("never puts one label over another, nor one outside, whatever the marks", () => {
    let seed = 7;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let turn = 0; turn < 200; turn++) {
      const marks = Array.from({ length: 12 }, () => mark(Math.floor(next() * 800), 40 + next() * 200));
      const placed = spans(marks, 800, 4).filter(({ row }) => row !== null);
      for (const [i, one] of placed.entries()) {
        expect(one.span[0]).toBeGreaterThanOrEqual(0);
        for (const other of placed.slice(i + 1)) {
          if (other.row !== one.row) continue;
          const apart =
            (one.span[1] ?? 0) < (other.span[0] ?? 0) || (other.span[1] ?? 0) < (one.span[0] ?? 0);
          expect(apart, JSON.stringify([one, other])).toBe(true);
        }
      }
    }
  });

  it("turns a label at the right end to the left, and leaves one out that has no row", () => {
    expect(rulerLayout([mark(380)], 400, 1)).toEqual([{ row: 0, leftward: true }]);
    expect(rulerLayout([mark(10), mark(12)], 400, 1)[1]?.row).toBeNull();
  });

  it("has whole ticks, evenly apart, so many as there is room for", () => {
    expect(rulerTicks(1, 250, 12)).toEqual([50, 100, 150, 200, 250]);
    expect(rulerTicks(0, 3, 10)).toEqual([0, 1, 2, 3]);
    expect(rulerTicks(5, 5, 10)).toEqual([]);
    expect(rulerTicks(0, 1e6, 4)).toEqual([0, 500_000, 1_000_000]);
  });
});

const gap = (metric: string, more: Partial<MetricGap> = {}): MetricGap => ({
  ...{ metric, title: metric, unit: "", ours: false, n: 100, divergence: null, gapEarly: 0, noise: 1 },
  ...{ gapLate: 0, zLate: 0, higherLate: "a", early: [1, 25], late: [75, 100], separation: null },
  ...more,
});
const at = (step: number) => ({ step, text: String(step), x: step });
const pairOf = (metrics: MetricGap[], more: Partial<PairView> = {}): PairView => ({
  ...{ other: 1, align: "step", commonSteps: 250, compared: 14, comparedOurs: 0, metrics },
  first: metrics.find(({ divergence, ours }) => divergence && !ours)?.metric ?? null,
  ...{ skipped: [], suggestion: null, problems: [] },
  ...more,
});
const text = (pair: PairView): string =>
  leadParts(pair)
    .map((part) => part.text)
    .join("");

describe("what is said of a pair", () => {
  it("names the first divergence and how many there are", () => {
    const pair = pairOf([
      gap("kl", { divergence: at(76), title: "KL" }),
      gap("reward", { divergence: at(140) }),
    ]);
    expect(text(pair)).toBe(
      "The runs part at step 76, first in KL. 2 of 14 metrics diverge; the noise between the runs is taken from the first quarter.",
    );
    expect(leadParts(pair).filter(({ strong }) => strong)).toHaveLength(2);
  });

  it("counts our own metrics apart, and never names one as the first of rlprobe's", () => {
    const pair = pairOf(
      [gap("extra.x", { divergence: at(3), ours: true }), gap("kl", { divergence: at(9) })],
      {
        comparedOurs: 2,
      },
    );
    expect(text(pair)).toContain("part at step 9, first in kl. 1 of 14 metrics diverges");
    expect(factWords(pair)).toBe("250 common steps · 14 metrics compared (+2 ours)");
  });

  it("tells a separation as our own measure's, and what tracks as tracking", () => {
    const separation = { at: at(63), before: 0, after: 1, score: 11 };
    expect(text(pairOf([gap("entropy", { separation }), gap("loss")]))).toMatch(
      /^None of 14 metrics diverges; .* By Flight Deck's own measure entropy separates near step 63\.$/,
    );
    expect(text(pairOf([gap("loss")]))).toMatch(/^The runs track each other\. None of 14/);
    expect(standingWords(gap("entropy", { separation }), "step")).toBe("separates near 63");
    expect(standingWords(gap("x"), "step")).toBe("tracks");
  });

  it("never says that runs track where what only we compare parts", () => {
    const x = gap("extra.x", { divergence: at(121), ours: true });
    expect(text(pairOf([x], { comparedOurs: 3 }))).toMatch(
      /^None of 14 metrics diverges; .* Of those that only Flight Deck compares extra\.x parts at step 121\.$/,
    );
    const separation = { at: at(63), before: 0, after: 1, score: 11 };
    expect(text(pairOf([gap("entropy", { separation }), x]))).toMatch(
      /extra\.x parts at step 121, and 1 more\.$/,
    );
    expect(text(pairOf([x], { compared: 0, comparedOurs: 3 }))).not.toContain("None of 0");
  });

  it("says why no metric is compared: no common step, or steps without values", () => {
    expect(text(pairOf([], { compared: 0, commonSteps: 0 }))).toBe(
      "The runs have no step in common, so no metric is compared.",
    );
    expect(text(pairOf([], { compared: 0, commonSteps: 200 }))).toBe(
      "200 steps are in both runs, but no metric has 30 values in both.",
    );
    expect(text(pairOf([], { compared: 0, commonSteps: 20, align: "time" }))).toBe(
      "20 rows meet in time, too few to compare their metrics.",
    );
  });

  it("says when too few rows meet", () => {
    expect(text(pairOf([], { compared: 0, commonSteps: 1 }))).toBe(
      "1 step is in both runs, too few to compare their metrics.",
    );
  });

  it("writes places as their alignment wants", () => {
    const place = { step: 76, text: "76", x: 125 };
    expect(atWords(place, "step")).toBe("step 76");
    expect(atWords(place, "time")).toBe("step 76 (2 m 05 s in)");
    expect(atWords(place, "relative")).toBe("step 76 (125 after the first)");
    expect(shortPlace({ ...place, text: "12345678901234567890" }, "step")).toBe("12,345,678,901,234,567,890");
  });
});

describe("metrics", () => {
  it("of rlprobe's that part stand before our own at the same step, and before what only separates", () => {
    const separation = { at: at(3), before: 0, after: 1, score: 11 };
    const all = [
      gap("extra.x", { divergence: at(76), ours: true }),
      gap("kl", { divergence: at(76) }),
      gap("entropy", { separation }),
      gap("loss"),
      gap("reward", { divergence: at(140) }),
    ];
    expect(inOrder(all).map(({ metric }) => metric)).toEqual(["kl", "reward", "extra.x", "entropy", "loss"]);
  });

  const metric = (name: string) => ({ metric: name, title: name, unit: "", ours: false, runs: [0, 1] });
  const names = ["a", "b", "__proto__", "c", "d", "e", "f", "g", "h"];
  const overview = { runs: [], groups: [{ id: "g", title: "G", metrics: names.map(metric) }] };
  const pair = pairOf([gap("c", { divergence: at(5) }), gap("a"), gap("b")], {
    skipped: [{ metric: "d", title: "d", reason: "too-few", n: 3 }],
  });
  const name = ({ metric }: { metric: { metric: string } }) => metric.metric;

  it("are listed as the pair orders them, the others behind, whatever they are called", () => {
    const list = listed(overview, pair);
    expect(list.map(name)).toEqual(["c", "a", "b", "__proto__", "d", "e", "f", "g", "h"]);
    expect(list.find((one) => name(one) === "d")?.skipped).toBe("too few common values");
  });

  it("fill two rows at first; a filter, and asking for all, leave none out", () => {
    const list = listed(overview, pair);
    const state = { onlyDiverged: false, all: false, metricFilter: "" };
    expect(chosen(list, state, 3)).toMatchObject({ more: 3, track: list.slice(-3).every(({ gap }) => gap) });
    expect(chosen(listed(overview, null), state, 3).track).toBe(false);
    expect(chosen(list, { ...state, all: true }, 3).shown).toHaveLength(9);
    expect(chosen(list, { ...state, onlyDiverged: true }, 3).shown.map(name)).toEqual(["c"]);
    expect(chosen(list, { ...state, metricFilter: "PROTO" }, 3).shown.map(name)).toEqual(["__proto__"]);
  });
});

describe("configuration", () => {
  const cell = (value: string, type: ConfigCell["type"], present = true): ConfigCell => ({
    value,
    type,
    present,
  });

  it("tells false, 0, empty text, null, text of the same letters and nothing from each other", () => {
    const words = [
      cell("false", "boolean"),
      cell("false", "string"),
      cell("0", "number"),
      cell("0", "string"),
      cell("", "empty"),
      cell("null", "null"),
      cell("null", "string"),
      cell("", "empty", false),
    ].map(cellWords);
    expect(words).toEqual(["false", '"false"', "0", '"0"', '""', "null", '"null"', "not set"]);
    expect(new Set(words).size).toBe(words.length);
  });

  it("lists what differs and is not ignored, unless asked for more", () => {
    const row = (path: string, differs: boolean, ignored: boolean) => ({
      ...{ path, parts: [path], differs, ignored },
      cells: [cell("1", "number"), cell(differs ? "2" : "1", "number")],
    });
    const rows = [row("lr", true, false), row("run_name", true, true), row("seed", false, false)];
    const section = { id: "run" as const, title: "Run", rows, differing: 1, dropped: 0 };
    const paths = (more: object) =>
      configRows(section, { onlyDifferences: true, showIgnored: false, configFilter: "", ...more }).map(
        ({ path }) => path,
      );
    expect(paths({})).toEqual(["lr"]);
    expect(paths({ showIgnored: true })).toEqual(["lr", "run_name"]);
    expect(paths({ onlyDifferences: false })).toEqual(["lr", "seed"]);
    expect(paths({ configFilter: "2", onlyDifferences: false })).toEqual(["lr"]);
    expect(configCounts([section])).toBe("1 of 3 keys differs · 1 more ignored");
  });
});

describe("results over seeds", () => {
  it("have their spread, and a difference its interval where there is one", () => {
    const more = { min: 0, max: 1, seeds: "" };
    expect(recordWords({ n: 3, mean: 0.41, sd: 0.012, ...more })).toBe("0.41 ± 0.012 (n 3)");
    expect(recordWords({ n: 1, mean: 0.41, sd: Number.NaN, ...more })).toBe("0.41");
    const difference = { value: 0.03, low: -0.01, high: 0.07, df: 4, p: 0.1 };
    expect(differenceWords(difference)).toBe("+0.03 [−0.01, 0.07]");
    expect(differenceWords({ ...difference, low: Number.NaN })).toBe("+0.03, no interval");
  });
});

describe("the page's memory", () => {
  it("begins anew when it is damaged, and lets go of places when the axis is another", () => {
    expect(restore({ ...INITIAL, options: { z: 0, sustain: 5, align: "step" } })).toEqual(INITIAL);
    expect(restore({ v: 2 })).toEqual(INITIAL);
    const zoomed = changed(INITIAL, { range: [1, 9], pin: 4 });
    expect(restore(JSON.parse(JSON.stringify(zoomed)))).toEqual(zoomed);
    const options = { ...zoomed.options, align: "time" as const };
    expect(changed(zoomed, { options })).toMatchObject({ range: null, pin: null });
    expect(changed(zoomed, { options: { ...zoomed.options, z: 9 } }).range).toEqual([1, 9]);
  });

  it("begins the list of prompts anew with another pair", () => {
    const paged = changed(INITIAL, { promptOffset: 20 });
    expect(changed(paged, { other: "file:///b" }).promptOffset).toBe(0);
    expect(changed(paged, { log: true }).promptOffset).toBe(20);
  });

  it("is written when the page goes", () => {
    const written: unknown[] = [];
    const store = new CompareStore({ getState: () => null, setState: (state) => written.push(state) });
    store.change({ large: "kl" });
    store.flush();
    expect(written).toEqual([{ ...INITIAL, large: "kl" }]);
  });
});

describe("a question", () => {
  it("is asked once, taken back by the next, and answers only for the last", async () => {
    const resolves: ((answer: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    let told = 0;
    const asked = new Asked<string>(() => {
      told++;
    });
    const ask = (key: string) =>
      asked.ask(
        key,
        (signal) => {
          signals.push(signal);
          return new Promise((resolve) => resolves.push(resolve));
        },
        () => () => {},
      );
    ask("a");
    ask("a");
    expect(resolves).toHaveLength(1);
    ask("b");
    expect(signals[0]?.aborted).toBe(true);
    resolves[1]?.("new");
    await expect.poll(() => asked.answer).toBe("new");
    resolves[0]?.("old");
    await Promise.resolve();
    expect(asked.answer).toBe("new");
    expect(told).toBe(1);
  });
});
