import { describe, expect, it } from "vitest";
import { DEFAULT_PREFS } from "../../../src/protocol/prefs.ts";
import type { ChartGroup } from "../../../src/protocol/run.ts";
import { arrange, moved } from "../../../webview/arrange.ts";
import { columnsFor, layout, type Share } from "../../../webview/layout.ts";

const chart = (id: string, series = 1) => ({
  ...{ id, title: id, unit: "", kind: "lines" as const },
  series: Array.from({ length: series }, (_, i) => ({ metric: `${id}.${i}`, label: String(i) })),
});
const group = (id: string, count: number, wide = 0): ChartGroup => ({
  id,
  title: id.toUpperCase(),
  charts: Array.from({ length: count }, (_, i) => chart(`${id}${i}`, i < wide ? 5 : 1)),
});
const open = () => true;

/** Rows as the style sheet makes them: each share takes its part until the row is full. */
function rows(shares: readonly Share[]): number[] {
  const lengths: number[] = [];
  let filled = 1;
  for (const { units, of } of shares) {
    if (filled > 1 - 1e-9) {
      lengths.push(0);
      filled = 0;
    }
    filled += units / of;
    expect(filled).toBeLessThanOrEqual(1 + 1e-9);
    lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 1;
  }
  expect(filled).toBeCloseTo(1);
  return lengths;
}

describe("layout", () => {
  it("has as many columns as fit, fewer of large charts", () => {
    expect([200, 269, 560, 970, 5000].map((width) => columnsFor(width, "m"))).toEqual([1, 1, 2, 3, 6]);
    expect([970, 5000].map((width) => columnsFor(width, "s"))).toEqual([4, 6]);
    expect(columnsFor(970, "l")).toBe(2);
  });

  it("leaves no holes, however many charts, groups and columns there are", () => {
    for (let columns = 1; columns <= 6; columns++) {
      for (let seed = 0; seed < 60; seed++) {
        const groups = [1, 2, 3].map((n) => group(`g${n}`, 1 + ((seed * n * 7) % 13), (seed * n) % 3));
        const places = layout(groups, columns, open);
        rows(places.map(({ share }) => share));
        places.forEach(({ charts, share }) => {
          rows(charts);
          for (const { of } of charts) expect(of).toBeLessThanOrEqual(columns);
          expect(share.of).toBeLessThanOrEqual(columns);
        });
      }
    }
  });

  it("spreads charts evenly over the rows of their group", () => {
    const of = (count: number, columns: number) =>
      rows(layout([group("a", count)], columns, open)[0]?.charts ?? []);
    expect(of(3, 2)).toEqual([2, 1]);
    expect(of(4, 3)).toEqual([2, 2]);
    expect(of(5, 3)).toEqual([3, 2]);
    expect(of(7, 3)).toEqual([3, 2, 2]);
    expect(of(5, 4)).toEqual([3, 2]);
  });

  it("lets small groups share a row; a folded one takes a row of its own", () => {
    const groups = [group("a", 1), group("b", 2), group("c", 1)];
    const share = (isOpen: (one: ChartGroup) => boolean) =>
      layout(groups, 3, isOpen).map(({ share: { units, of } }) => `${units}/${of}`);
    expect(share(open)).toEqual(["1/3", "2/3", "1/1"]);
    expect(share(({ id }) => id !== "b")).toEqual(["1/1", "3/3", "1/1"]);
  });
});

describe("arrange", () => {
  const groups = [group("a", 4), group("b", 2)];
  const shown = (more: Partial<typeof DEFAULT_PREFS>, filter = "", showHidden = false) =>
    arrange(groups, { ...DEFAULT_PREFS, ...more }, filter, showHidden);
  const ids = (...args: Parameters<typeof shown>) =>
    shown(...args).groups.map(({ title, charts }) => `${title}: ${charts.map(({ id }) => id).join(" ")}`);

  it("is the recording's own without preferences", () => {
    expect(ids({})).toEqual(["A: a0 a1 a2 a3", "B: b0 b1"]);
    expect(shown({})).toMatchObject({ shown: 6, all: 6, hidden: 0 });
  });

  it("puts pinned charts on top in their order, once each", () => {
    expect(ids({ pinned: ["b1", "a2", "gone"] })).toEqual(["Pinned: b1 a2", "A: a0 a1 a3", "B: b0"]);
  });

  it("leaves hidden charts out, or lists them apart", () => {
    const hidden = ["a0", "b0", "b1"];
    expect(ids({ hidden })).toEqual(["A: a1 a2 a3"]);
    expect(shown({ hidden })).toMatchObject({ shown: 3, all: 3, hidden: 3 });
    expect(ids({ hidden }, "", true)).toEqual(["A: a1 a2 a3", "Hidden: a0 b0 b1"]);
    expect(ids({ hidden, pinned: ["a0"] })).toEqual(["A: a1 a2 a3"]);
  });

  it("keeps an order of some charts, and the others' places", () => {
    expect(ids({ order: ["a3", "a0"] })).toEqual(["A: a3 a1 a2 a0", "B: b0 b1"]);
    expect(ids({ order: ["a3", "a0"] }, "a0")).toEqual(["A: a0"]);
  });

  it("finds in pinned charts too", () => {
    expect(ids({ pinned: ["b1"] }, "b1")).toEqual(["Pinned: b1"]);
    expect(shown({}, "b")).toMatchObject({ shown: 2, all: 6 });
  });

  it("moves a chart within its group, and no further than its ends", () => {
    const [a] = shown({}).groups;
    if (!a) throw new Error("no group");
    expect(moved(a, DEFAULT_PREFS, "a0", 2)).toEqual({ order: ["a1", "a2", "a0", "a3"] });
    expect(moved(a, DEFAULT_PREFS, "a3", 99)).toEqual({});
    expect(moved(a, { ...DEFAULT_PREFS, order: ["b1", "b0"] }, "a1", 0)).toEqual({
      order: ["b1", "b0", "a1", "a0", "a2", "a3"],
    });
    const prefs = { ...DEFAULT_PREFS, pinned: ["b1", "a2", "gone"] };
    const [pins] = arrange(groups, prefs, "", false).groups;
    if (!pins) throw new Error("nothing pinned");
    expect(moved(pins, prefs, "a2", 0)).toEqual({ pinned: ["a2", "b1", "gone"] });
  });
});
