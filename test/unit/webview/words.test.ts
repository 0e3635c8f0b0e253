import { describe, expect, it } from "vitest";
import type { ChartView, EventView, Overview, SeriesView } from "../../../src/protocol/run.ts";
import { heatWords } from "../../../webview/charts/heat.ts";
import {
  chartSummary,
  heatmapSummary,
  oddities,
  outsideWords,
  placeWords,
} from "../../../webview/charts/summary.ts";
import {
  clockWords,
  eventStep,
  filterRows,
  headerFacts,
  heldWords,
  matches,
  notSaid,
  rangeOf,
  rangeWords,
  readoutTime,
  stepText,
  unreadSteps,
  valueWords,
  warningsLabel,
} from "../../../webview/panels/words.ts";
import { formatZoned } from "../../../webview/text/numbers.ts";

const none = new Float64Array(0);
const series = (more: Partial<SeriesView> = {}): SeriesView => ({
  metric: "kl_mean",
  ...{ x: none, y: none, dotsX: none, dotsY: none, markX: none, markKind: new Uint8Array(0) },
  ...{ finite: 10, missing: 0, nan: 0, posInf: 0, negInf: 0 },
  ...{ last: 0.103, lastX: 250, min: 0.01, minX: 3, max: 3.4, maxX: 155 },
  ...more,
});
const view = (all: SeriesView[], more: Partial<ChartView> = {}): ChartView => ({
  id: "kl_mean",
  series: all,
  xDomain: [1, 250],
  yFull: [0.01, 3.4],
  yRobust: [0.01, 0.2],
  outside: 2,
  problems: [],
  ...more,
});

describe("a chart in words", () => {
  it("says range, last, lowest, highest, gaps and what is no number", () => {
    const words = chartSummary("KL to reference", ["KL"], view([series({ missing: 4, nan: 3 })]), "step");
    expect(words).toBe(
      "KL to reference, step 1 to step 250. last 0.103, lowest 0.01 at step 3, highest 3.4 at step 155, 4 rows without a value, 3 NaN. 2 points outside the usual range",
    );
  });

  it("names each of several series", () => {
    const words = chartSummary(
      "Components",
      ["format", "length"],
      view([series(), series({ finite: 0, last: null, min: null, max: null })], { outside: 0 }),
      "step",
    );
    expect(words).toContain("format: last 0.103");
    expect(words).toContain("length: no values");
  });

  it("says that it is loading, and what a heat map holds", () => {
    expect(chartSummary("KL", [], null, "step")).toBe("KL, loading");
    expect(heatmapSummary("KL by position", null, "step")).toBe("KL by position, loading");
    const heat = {
      ...{ id: "k", columns: 4, buckets: 3, problems: [] },
      cells: Float64Array.of(1, 2, 3, Number.NaN, -0.5, 4, Number.NaN, Number.NaN, Number.NaN, 0, 0, 0),
      ...{ xDomain: [1, 9] as [number, number], valueDomain: [-0.5, 4] as [number, number] },
    };
    expect(heatmapSummary("KL by position", heat, "step")).toBe(
      "KL by position, step 1 to step 9. 3 positions, lowest −0.5 at position 1, step 4, highest 4 at position 2, step 4, 1 of 4 columns without a value",
    );
    const none = { ...heat, columns: 0, buckets: 0, cells: new Float64Array(0), valueDomain: null };
    expect(heatmapSummary("KL by position", none, "step")).toBe(
      "KL by position, step 1 to step 9. no values",
    );
  });

  it("says what is under the crosshair of a heat map", () => {
    const heat = {
      ...{ id: "k", columns: 2, buckets: 3, problems: [] },
      cells: Float64Array.of(1, 2, Number.NaN, 0.25, 8, 4),
      ...{ xDomain: [10, 20] as [number, number], valueDomain: [0.25, 8] as [number, number] },
    };
    expect(heatWords(heat, 10, null)).toBe("1 to 2, most at 1");
    expect(heatWords(heat, 14.9, 2)).toBe("position 2: no value");
    expect(heatWords(heat, 15, 0)).toBe("position 0: 0.25");
    expect(heatWords(heat, 20, 1)).toBe("position 1: 8");
    expect(heatWords(heat, 21, 1)).toBe("");
    expect(heatWords({ ...heat, xDomain: [7, 7], columns: 1 }, 7, null)).toBe("1 to 2, most at 1");
    expect(heatWords({ ...heat, cells: new Float64Array(6).fill(Number.NaN) }, 12, null)).toBe("no value");
    expect(heatWords({ ...heat, columns: 0, cells: new Float64Array(0) }, 12, null)).toBe("");
  });

  it("counts and explains what a line cannot show", () => {
    expect(oddities({ nan: 1200, posInf: 1, negInf: 0 }).map(({ text }) => text)).toEqual([
      "1,200 NaN",
      "1 +Inf",
    ]);
    expect(oddities({ nan: 0, posInf: 0, negInf: 0 })).toEqual([]);
  });

  it("says on which side points lie outside", () => {
    expect(outsideWords(view([series()]))).toBe("2 outside ↑");
    expect(outsideWords(view([series({ min: -5 })]))).toBe("2 outside ↕");
    expect(outsideWords(view([series({ min: -5, max: 0.1 })]))).toBe("2 outside ↓");
  });

  it("places a step, a moment and a duration", () => {
    expect(placeWords(1204, "step")).toBe("step 1,204");
    expect(placeWords(-60, "step")).toBe("step −60");
    expect(placeWords(2 ** 53 + 2, "step")).toBe("step 9,007,199,254,740,994");
    expect(placeWords(2 ** 60, "step")).toBe("step 1,152,921,504,606,846,976");
    expect(placeWords(3.5, "step")).toBe("step 3.5");
    expect(placeWords(1e300, "step")).toBe("step 1e300");
    expect(placeWords(7500, "relative")).toBe("2 h 05 m in");
    expect(placeWords(0, "time")).toMatch(/^\d\d:\d\d:\d\d$/);
  });
});

describe("times", () => {
  const local = (day: number, hour: number, minute = 0) =>
    new Date(2025, 10, day, hour, minute).getTime() / 1000;
  const axis = (timeFirst: number, timeLast: number) => ({
    ...{ steps: 9, rows: 9, first: 1, last: 9, firstText: "1", lastText: "9", hasTime: true, warnings: [] },
    ...{ timeFirst, timeLast },
  });
  const long = axis(local(27, 10, 11), local(29, 8, 39));
  const short = axis(local(27, 10, 11), local(27, 23, 59));

  it("have their day where a run goes over more than one", () => {
    expect(clockWords(local(28, 7), long)).toBe("Nov 28 07:00:00");
    expect(clockWords(local(27, 11), short)).toBe("11:00:00");
    expect(clockWords(local(27, 11), null)).toBe("11:00:00");
    const over = ({ timeFirst, timeLast }: typeof long) =>
      chartSummary(
        "KL",
        ["KL"],
        view([series({ minX: timeFirst })], { xDomain: [timeFirst, timeLast] }),
        "time",
      );
    expect(over(long)).toContain("KL, Nov 27 10:11:00 to Nov 29 08:39:00");
    expect(over(long)).toContain("lowest 0.01 at Nov 27 10:11:00");
    expect(over(short)).toContain("KL, 10:11:00 to 23:59:00");
  });

  it("are relative in the readout when the axis is", () => {
    expect(readoutTime(local(27, 12, 16), "relative", long)).toBe("2 h 05 m in");
    expect(readoutTime(local(28, 12, 16), "step", long)).toBe("Nov 28 12:16:00");
    expect(readoutTime(local(27, 12, 16), "time", short)).toBe("12:16:00");
  });

  it("say their zone", () => {
    expect(formatZoned(local(27, 10, 11))).toMatch(/^2025-11-27 10:11:00 \(local time, UTC[+−]\d\d:\d\d\)$/);
  });
});

describe("the header", () => {
  const overview = (more: Partial<Overview> = {}): Overview => ({
    label: "run",
    runId: "run",
    hasRecording: true,
    hasRecords: false,
    algorithm: "grpo",
    model: "tiny-qwen2-word",
    createdAt: null,
    worldSize: 1,
    ranks: [0],
    rowCount: 260,
    shardCount: 1,
    eventCount: 0,
    state: "finished",
    stateReason: "",
    warnings: [],
    groups: [],
    ...more,
  });
  const axis = {
    ...{ steps: 250, rows: 260, first: 1, last: 250, firstText: "1", lastText: "250" },
    ...{ hasTime: true, timeFirst: 1000, timeLast: 1094, warnings: [] },
  };

  it("says what is known so far, and nothing else", () => {
    expect(headerFacts(overview(), null, null)).toEqual(["grpo", "tiny-qwen2-word", "260 steps"]);
    const counts = { samples: 2008, byRank: [], warnings: [] };
    expect(headerFacts(overview({ ranks: [0, 1] }), axis, counts)).toEqual([
      "grpo",
      "tiny-qwen2-word",
      "250 steps",
      "1 m 34 s",
      "2,008 samples",
      "2 ranks",
    ]);
    expect(headerFacts(overview({ algorithm: "", model: "", hasRecording: false }), null, null)).toEqual([]);
  });

  it("names the run's id where the folder goes by another name", () => {
    expect(headerFacts(overview({ runId: "run-7" }), null, null)[0]).toBe("run-7");
  });

  it("knows which warnings say that steps could not be read", () => {
    const warning = (code: string, file: string, level: "info" | "warning" = "warning") => ({
      ...{ code, file, level, message: "m", remedy: "r", count: 1 },
    });
    const unread = (...all: ReturnType<typeof warning>[]) => unreadSteps(all)?.code ?? null;
    expect(unread(warning("steps-unreadable", "steps.parquet"))).toBe("steps-unreadable");
    expect(unread(warning("part-unreadable", "steps/part-00001.parquet"))).toBe("part-unreadable");
    expect(unread(warning("not-a-regular-file", "steps.parquet"))).toBe("not-a-regular-file");
    expect(unread(warning("permission-denied", "rank-1/steps"))).toBe("permission-denied");
    expect(unread(warning("permission-denied", "samples/steps"), warning("bom", "manifest.json"))).toBeNull();
    expect(unread(warning("part-gap", "steps"), warning("part-incomplete", "steps/a", "info"))).toBeNull();
  });

  it("says once what is wrong with them", () => {
    const warning = (message: string) => ({
      ...{ code: "record-shape", file: "metrics.json", level: "warning" as const },
      ...{ message, remedy: "", count: 1 },
    });
    const [a, b] = [warning("a"), warning("b")];
    expect(notSaid([a, b], [{ ...a }])).toEqual([b]);
    expect(notSaid([a], [])).toEqual([a]);
    expect(heldWords(200_000, 1_000_000)).toBe("200,000 of 1,000,000 held");
    expect(heldWords(7, 7)).toBe("");
  });

  it("counts warnings and notes", () => {
    expect(warningsLabel([{ level: "warning" }, { level: "info" }])).toBe("1 warning · 1 note");
    expect(warningsLabel([{ level: "info" }, { level: "info" }])).toBe("2 notes");
  });
});

describe("filters", () => {
  const chart = (id: string, title: string) => ({
    id,
    title,
    unit: "",
    kind: "lines" as const,
    series: [{ metric: id, label: title }],
  });
  const charts = [
    chart("kl_mean", "KL to reference"),
    chart("kl_max", "Highest KL"),
    chart("__proto__", "__proto__"),
  ];

  it("find charts by any word of title or metric", () => {
    const ids = (filter: string) => charts.filter((one) => matches(one, filter)).map(({ id }) => id);
    expect(ids("")).toEqual(["kl_mean", "kl_max", "__proto__"]);
    expect(ids("KL mean")).toEqual(["kl_mean"]);
    expect(ids("  proto ")).toEqual(["__proto__"]);
    expect(ids("nothing")).toEqual([]);
  });

  it("find configuration by path and value", () => {
    const row = (path: string, value: string) => ({ path, parts: [path], value, type: "string" as const });
    const rows = [row("optimizer.lr", "1e-06"), row("seed", "42")];
    expect(filterRows(rows, "LR 1e")).toEqual([rows[0]]);
    expect(filterRows(rows, "")).toEqual(rows);
  });

  it("quote text that could be taken for something else", () => {
    const words = (value: string, type: "string" | "number" = "string") => valueWords({ value, type });
    expect(words("cosine")).toBe("cosine");
    expect(words("")).toBe('""');
    expect(words("1.0")).toBe('"1.0"');
    expect(words("3.11.9")).toBe("3.11.9");
    expect(words("True")).toBe('"True"');
    expect(words(" padded")).toBe('" padded"');
    expect(words("1e-06", "number")).toBe("1e-06");
  });
});

describe("the zoom and events", () => {
  it("say what part of the run is shown", () => {
    expect(rangeWords([130, 215], "250")).toBe("steps 130–215 of 250");
    expect(rangeWords([2 ** 53, 2 ** 53 + 2048], "")).toBe(
      "steps 9,007,199,254,740,992–9,007,199,254,743,040",
    );
    expect(rangeWords([12_000, 21_500], "")).toBe("steps 12,000–21,500");
    const axis = { steps: 9, rows: 9, first: 1, last: 9, firstText: "1", lastText: "25000", hasTime: false };
    expect(rangeOf([118, 133], { ...axis, timeFirst: null, timeLast: null, warnings: [] })).toBe(
      "steps 118–133 of 25,000",
    );
    const fromZero = { ...axis, first: 0, firstText: "0", lastText: "499" };
    expect(rangeOf([473, 499], { ...fromZero, timeFirst: null, timeLast: null, warnings: [] })).toBe(
      "steps 473–499 of 0–499",
    );
    expect(rangeOf([118, 133], null)).toBe("steps 118–133 of …");
  });

  it("groups digits the same everywhere, however many there are", () => {
    const texts = ["0", "250", "4136", "99999", "9007199254740993", "-4136", "soon", "1e5"];
    const grouped = ["0", "250", "4,136", "99,999", "9,007,199,254,740,993", "−4,136", "soon", "1e5"];
    expect(texts.map(stepText)).toEqual(grouped);
    expect(rangeWords([4136, 99_999], stepText("99999"))).toBe("steps 4,136–99,999 of 99,999");
  });

  it("lead to a step only when there is one", () => {
    const event = (step: string) => ({ step }) as EventView;
    expect(eventStep(event("0"))).toBe(0);
    expect(eventStep(event("-3"))).toBe(-3);
    expect(eventStep(event(""))).toBeNull();
    expect(eventStep(event(" "))).toBeNull();
    expect(eventStep(event("soon"))).toBeNull();
    expect(eventStep(event("Infinity"))).toBeNull();
  });
});
