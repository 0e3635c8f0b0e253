import { describe, expect, it } from "vitest";
import type { SampleIndexState, SampleList, SampleListRow } from "../../../src/protocol/samples.ts";
import { allColumns, columnsFor, leastWidth, nextOrder } from "../../../webview/samples/columns.ts";
import { excerpt, hitsIn } from "../../../webview/samples/highlight.ts";
import { movedRow, nameOf } from "../../../webview/samples/moves.ts";
import { linePath, nearestStep, placesOf, stretchOf } from "../../../webview/samples/prompt-line.ts";
import { SampleRows } from "../../../webview/samples/rows.ts";
import { Search } from "../../../webview/samples/search.ts";
import { changeSamples, INITIAL_SAMPLES } from "../../../webview/samples/state.ts";
import * as windowing from "../../../webview/samples/windowing.ts";
import * as words from "../../../webview/samples/words.ts";
import { INITIAL, reduce, restore } from "../../../webview/state.ts";

const list = (more: Partial<windowing.Geometry> = {}): windowing.Geometry => ({
  ...{ rows: 1000, row: 24, seen: 480, open: null },
  ...more,
});

describe("which rows are seen", () => {
  it("are those of the height, and some around", () => {
    expect(windowing.drawnRows(list(), 0, 8)).toEqual([0, 29]);
    expect(windowing.drawnRows(list(), 2400, 8)).toEqual([92, 129]);
    expect(windowing.drawnRows(list(), windowing.reach(list()), 8)).toEqual([972, 1000]);
    expect(windowing.drawnRows(list({ rows: 3 }), 0, 8)).toEqual([0, 3]);
    expect(windowing.drawnRows(list({ rows: 0 }), 0, 8)).toEqual([0, 0]);
  });

  it("stand below what is folded out above them", () => {
    const open = list({ open: { place: 10, height: 300 } });
    expect(windowing.topOf(open, 10)).toBe(240);
    expect(windowing.topOf(open, 11)).toBe(24 * 11 + 300);
    expect(windowing.placeAt(open, 24 * 11 - 1)).toBe(10);
    expect(windowing.placeAt(open, 24 * 11 + 299)).toBe(10);
    expect(windowing.placeAt(open, 24 * 11 + 300)).toBe(11);
    expect(windowing.fullHeight(open)).toBe(24_300);
    for (const place of [0, 9, 10, 11, 500, 999])
      expect(windowing.placeAt(open, windowing.topOf(open, place))).toBe(place);
  });

  it("come into view by the shortest way", () => {
    expect(windowing.revealed(list(), 240, 12)).toBe(240);
    expect(windowing.revealed(list(), 240, 3)).toBe(72);
    expect(windowing.revealed(list(), 0, 20)).toBe(24);
    expect(windowing.revealed(list(), 0, 999)).toBe(windowing.reach(list()));
    const at = (place: number, height: number) => list({ open: { place, height } });
    const bottom = (place: number) => place * 24 + 24 - list().seen;
    expect(windowing.unfolded(at(30, 300), bottom(30), 160)).toBe(bottom(30) + 160);
    expect(windowing.unfolded(at(30, 90), bottom(30), 160)).toBe(bottom(30) + 90);
    expect(windowing.unfolded(at(30, 300), bottom(30) + 200, 160)).toBe(bottom(30) + 200);
    expect(windowing.unfolded(at(30, 300), bottom(30), 9999)).toBe(bottom(30) + 300);
    expect(windowing.unfolded(at(30, 9999), bottom(30), 9999)).toBe(30 * 24);
  });

  it("are asked for by whole pages", () => {
    expect(windowing.pagesOf(0, 1, 100)).toEqual([0]);
    expect(windowing.pagesOf(95, 205, 100)).toEqual([0, 1, 2]);
    expect(windowing.pagesOf(100, 200, 100)).toEqual([1]);
    expect(windowing.pagesOf(5, 5, 100)).toEqual([]);
  });
});

describe("a list that is longer than a browser can scroll", () => {
  const long = list({ rows: 800_000 });

  it("has a stand-in that browsers lay out exactly", () => {
    expect(windowing.fullHeight(long)).toBe(19_200_000);
    expect(windowing.standIn(long)).toBe(8_000_000);
    expect(windowing.standIn(list())).toBe(24_000);
  });

  it("moves by as much as a wheel says, and by shares under the scroll bar", () => {
    expect(windowing.scrolled(long, 1_000_000, 400_000, 400_120)).toBe(1_000_120);
    expect(windowing.scrolled(long, 1_000_000, 400_000, 399_900)).toBe(999_900);
    const most = windowing.standIn(long) - long.seen;
    expect(windowing.scrolled(long, 1_000_000, 400_000, most)).toBe(windowing.reach(long));
    expect(windowing.scrolled(long, 1_000_000, 400_000, 0)).toBe(0);
    expect(windowing.scrolled(long, 0, 0, most / 2)).toBeCloseTo(windowing.reach(long) / 2, 3);
  });

  it("is at an end of its stand-in only at its own", () => {
    expect(windowing.standInTop(long, 0)).toBe(0);
    expect(windowing.standInTop(long, 1)).toBe(1);
    const most = windowing.standIn(long) - long.seen;
    expect(windowing.standInTop(long, windowing.reach(long))).toBe(most);
    expect(windowing.standInTop(long, windowing.reach(long) - 1)).toBe(most - 1);
  });

  it("that is short enough is its own stand-in", () => {
    expect(windowing.standInTop(list(), 777)).toBe(777);
    expect(windowing.scrolled(list(), 0, 0, 777)).toBe(777);
    expect(windowing.scrolled(list(), 0, 0, 99_999)).toBe(windowing.reach(list()));
  });
});

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const row = (at: number): SampleListRow => ({ row: at }) as SampleListRow;

describe("the rows of a list", () => {
  const make = () => {
    const asked: number[] = [];
    const texts: (readonly number[])[] = [];
    const rows = new SampleRows({
      list: async (offset, limit, signal): Promise<SampleList> => {
        asked.push(offset);
        await Promise.resolve();
        signal.throwIfAborted();
        const page = Array.from({ length: Math.min(limit, 250 - offset) }, (_, i) => row(offset + i));
        return { total: 250, without: 0, offset, rows: page, indexed: 250 };
      },
      rows: async (wanted, signal) => {
        texts.push(wanted);
        await Promise.resolve();
        signal.throwIfAborted();
        return wanted.filter((at) => at !== 7).map((at) => ({ ...row(at), completion: `text ${at}` }));
      },
    });
    return { asked, texts, rows };
  };

  it("are asked for once, a page at a time", async () => {
    const { asked, rows } = make();
    await rows.need(90, 110);
    await rows.need(95, 120);
    expect(asked).toEqual([0, 100]);
    expect([rows.at(99)?.row, rows.at(100)?.row, rows.at(200)]).toEqual([99, 100, undefined]);
    expect(rows.has(0, 200)).toBe(true);
    expect(rows.has(0, 201)).toBe(false);
    await rows.need(200, 400);
    expect(rows.has(200, 400)).toBe(true);
  });

  it("are there before their texts, which come a few at a time", async () => {
    const { texts, rows } = make();
    await rows.need(0, 20);
    const pending = () => range(0, 20).filter((at) => rows.isPending(rows.at(at) ?? row(-1)));
    expect(pending()).toEqual(range(0, 20));
    const came: number[] = [];
    await rows.needTexts(range(2, 18), () => came.push(pending().length));
    expect(texts).toEqual([range(2, 14), range(14, 18)]);
    expect(came).toEqual([8, 4]);
    expect(rows.at(17)?.completion).toBe("text 17");
    // What cannot be had is not asked for again.
    expect(rows.at(7)?.completion).toBeUndefined();
    await rows.needTexts(range(2, 18), () => {});
    expect(texts.length).toBe(2);
  });

  it("whose texts nobody waits for any more are not read", async () => {
    const { texts, rows } = make();
    await rows.need(0, 200);
    const first = rows.needTexts(range(0, 40), () => {});
    const near = rows.needTexts(range(8, 48), () => {});
    const far = rows.needTexts(range(150, 160), () => {});
    await expect(first).rejects.toThrow();
    await Promise.all([near, far]);
    expect(texts).toEqual([range(0, 12), range(150, 160)]);
    expect([rows.at(0), rows.at(155)].map((one) => one && rows.isPending(one))).toEqual([true, false]);
  });

  it("that nobody waits for any more are taken back", async () => {
    const { rows } = make();
    const first = rows.need(0, 1);
    const second = rows.need(200, 201);
    await expect(first).rejects.toThrow();
    await second;
    expect([rows.has(0, 1), rows.has(200, 201)]).toEqual([false, true]);
  });
});

const INDEX: SampleIndexState = {
  ...{ shards: 2, read: 2, rows: 10, done: true, steps: [1, 5], ranks: [0, 1] },
  folders: [
    { rank: null, first: 0 },
    { rank: 1, first: 6 },
  ],
  reasons: [{ reason: "top_k", count: 4 }],
  components: ["__proto__", "format"],
  present: ["reward_total", "advantage", "kl_contribution", "completion_len", "group_id", "rank"],
  problems: [],
};
const choice = { shown: [], hidden: [], by: "step" } as const;

describe("a row when the ranks' samples grow", () => {
  const before = [
    { rank: null, first: 0 },
    { rank: 1, first: 100 },
    { rank: 3, first: 250 },
  ];
  const now = (folders: typeof before, rows: number, done = true) => ({ folders, rows, done });

  it("stays on its sample", () => {
    const grown = now(
      [
        { rank: null, first: 0 },
        { rank: 1, first: 120 },
        { rank: 2, first: 290 },
        { rank: 3, first: 300 },
      ],
      400,
    );
    const moved = [0, 99, 100, 249, 250, 260].map((row) => movedRow(row, before, grown));
    expect(moved).toEqual([0, 99, 120, 269, 300, 310]);
    for (const row of [0, 99, 100, 249, 250])
      expect(nameOf(grown.folders, movedRow(row, before, grown) ?? -1)).toBe(nameOf(before, row));
    expect(nameOf(before, 99)).not.toBe(nameOf(before, 199));
  });

  it("is gone when it is not there any more, which is not known before all is read", () => {
    const fewer = (done: boolean) =>
      now(
        [
          { rank: null, first: 0 },
          { rank: 1, first: 50 },
        ],
        120,
        done,
      );
    expect([60, 200, 260].map((row) => movedRow(row, before, fewer(true)))).toEqual([null, null, null]);
    // Rows of a folder that another one follows are all known.
    expect([60, 200, 260].map((row) => movedRow(row, before, fewer(false)))).toEqual([
      null,
      undefined,
      undefined,
    ]);
    expect(movedRow(120, before, fewer(false))).toBe(70);
  });
});

describe("the columns", () => {
  it("are those that hold something", () => {
    expect(allColumns(INDEX).map(({ id }) => id)).toEqual([
      ...["step", "rank", "reward", "advantage", "kl", "length", "group", "component:__proto__"],
      "component:format",
    ]);
    expect(allColumns({ ...INDEX, ranks: [3] }).map(({ id }) => id)).not.toContain("rank");
  });

  it("give way to the completions, but not those that were chosen or are sorted by", () => {
    const ids = (width: number, more = {}) =>
      columnsFor(INDEX, { ...choice, ...more }, width).map(({ id }) => id);
    expect(ids(1200)).toEqual(["step", "rank", "reward", "advantage", "kl", "length", "group"]);
    expect(ids(560)).toEqual(["step", "reward", "length"]);
    expect(ids(560, { by: "advantage" })).toContain("advantage");
    expect(ids(560, { shown: ["group"] })).toContain("group");
    expect(ids(1200, { hidden: ["kl"] })).not.toContain("kl");
    expect(ids(1200, { by: "component:__proto__" })).toContain("component:__proto__");
    expect(leastWidth(columnsFor(INDEX, choice, 640))).toBeLessThanOrEqual(640);
  });

  it("sort from the highest down first, steps from the first up", () => {
    const [step, , reward] = allColumns(INDEX);
    if (!step || !reward) throw new Error("no columns");
    const byStep = { by: "step", descending: false } as const;
    expect(nextOrder(reward, byStep)).toEqual({ by: "reward_total", descending: true });
    expect(nextOrder(reward, { by: "reward_total", descending: true })?.descending).toBe(false);
    expect(nextOrder(step, byStep)?.descending).toBe(true);
    expect(nextOrder(step, { by: "advantage", descending: true })).toEqual(byStep);
  });
});

describe("bins", () => {
  const edges = [0, 0.5, 1, 1.5, 2];

  it("hold their lower edge and not their upper, but for the last", () => {
    expect(words.binRange(edges, 1, 1)).toEqual([0.5, words.nextBelow(1)]);
    expect(words.binRange(edges, 2, 1)).toEqual([0.5, words.nextBelow(1.5)]);
    expect(words.binRange(edges, 3, 3)).toEqual([1.5, 2]);
    for (const [from, to] of [
      [0, 0],
      [1, 2],
      [3, 3],
      [0, 3],
    ] as const)
      expect(words.binsWithin(edges, words.binRange(edges, from, to))).toEqual([from, to]);
    expect(words.binsWithin(edges, [3, 4])).toBeNull();
  });

  it("end at the number right below", () => {
    expect(words.nextBelow(1)).toBe(1 - Number.EPSILON / 2);
    expect(words.nextBelow(0)).toBe(-Number.MIN_VALUE);
    expect(words.nextBelow(-1)).toBe(-1 - Number.EPSILON);
    expect(words.nextBelow(Number.MIN_VALUE)).toBe(0);
  });

  it("are told of in a sentence, and lengths in bands", () => {
    const counts = Float64Array.from([1, 7, 0, 2]);
    const told = words.histogramWords({ edges: Float64Array.from(edges), counts, missing: 3 });
    expect(told).toBe(
      "Rewards of 10 samples from 0 to 2; most, 7, from 0.5 to 1, 3 without a finite reward.",
    );
    const bands = words.lengthBands({
      ...{ columns: 4, rows: 2, x: [0, 40], y: [0, 2], missing: 0 },
      cells: Float64Array.from([4, 0, 0, 0, 4, 0, 0, 1]),
    });
    expect(bands).toEqual([
      { from: 0, to: 10, count: 8, reward: 1 },
      { from: 10, to: 20, count: 0, reward: null },
      { from: 20, to: 30, count: 0, reward: null },
      { from: 30, to: 40, count: 1, reward: 1.5 },
    ]);
  });
});

describe("filters", () => {
  it("are chips, and steps chosen here go before those of the timeline", () => {
    const state = {
      ...INITIAL_SAMPLES,
      rank: 1,
      truncated: true,
      search: "a\u202eb",
      steps: [7, 7] as const,
    };
    const own = { ...state, steps: [7, 7] as [number, number] };
    expect(words.chipsOf(own, [1, 9]).map((chip) => chip.words)).toEqual([
      ...["step 7", "rank 1", "cut off", "text “a<U+202E>b”"],
    ]);
    expect(words.chipsOf({ ...own, steps: null }, [1, 9])[0]?.words).toBe("steps 1–9");
    expect(words.filterOf({ ...own, steps: null }, [1, 9], null).steps).toEqual([1, 9]);
    expect(words.filterOf(own, [1, 9], null).steps).toEqual([7, 7]);
    expect(words.without(words.filterOf(own, null, new Uint32Array([3])), "search").rows).toBeNull();
  });

  it("begin at the top when they change, and stay where they are otherwise", () => {
    const anchor = { row: 5, offset: 3, place: 50 };
    const state = { ...INITIAL_SAMPLES, anchor, groupsAt: 20, open: 5 };
    expect(changeSamples(state, { rank: 1 })).toMatchObject({ anchor: null, groupsAt: 0, open: 5 });
    expect(changeSamples(state, { by: "advantage" })).toMatchObject({ anchor: null, groupsAt: 20 });
    expect(changeSamples(state, { open: 6 })).toMatchObject({ anchor, groupsAt: 20 });
    expect(changeSamples(state, { flat: true })).toMatchObject({ groupsAt: 0, anchor });
  });

  it("of steps give way to the timeline's, and what is damaged in them costs nothing else", () => {
    const chosen = reduce(INITIAL, { type: "samples", change: { steps: [3, 3], rank: 2 } });
    expect(reduce(chosen, { type: "zoom", range: [1, 9] }).samples).toMatchObject({ steps: null, rank: 2 });
    expect(restore(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen);
    const { samples: _, ...old } = { ...INITIAL, tab: "events" as const };
    expect(restore(old)).toEqual({ ...INITIAL, tab: "events" });
    expect(restore({ ...INITIAL, tab: "events", samples: { view: "nope" } }).tab).toBe("events");
  });

  it("and what was captured are said in few words", () => {
    const reasons = [
      { reason: "top_k", count: 502 },
      { reason: "bottom_k", count: 502 },
      { reason: "random", count: 1004 },
    ];
    expect(words.biasWords({ reasons })).toBe(
      "Not the population: captured 502 top, 502 bottom, 1,004 random of their steps",
    );
    expect(words.biasWords({ reasons: [{ reason: "all", count: 9 }] })).toBe("");
    expect(words.countWords(1996, 12, "advantage")).toBe("1,996 samples · 12 without advantage left out");
    expect([1, 2, 3, 4, 11, 12, 21, 113].map(words.ordinal)).toEqual([
      ...["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th"],
    ]);
  });
});

describe("what was searched for", () => {
  const needle = (text: string, matchCase = false) => ({ text, matchCase });

  it("is found as it is written, whatever signs are in it", () => {
    expect(hitsIn("a.b a+b (a.b)", needle("a.b"))).toEqual([
      [0, 3],
      [9, 12],
    ]);
    expect(hitsIn("İstanbul ISTANBUL", needle("istanbul"))).toEqual([[9, 17]]);
    expect(hitsIn("Green green", needle("green", true))).toEqual([[6, 11]]);
    expect(hitsIn("x\ud800y [\\d]+", needle("[\\d]+"))).toEqual([[4, 9]]);
    expect(hitsIn("a-b/c", needle("-b/"))).toEqual([[1, 4]]);
    expect(hitsIn("anything", null)).toEqual([]);
  });

  it("is brought into the beginning of a row", () => {
    const text = `${"word ".repeat(30)}needle and more`;
    expect(excerpt(text, needle("needle"), 60)).toBe(`…${text.slice(136, 196)}`);
    expect(excerpt(text, needle("word"), 20)).toBe(text.slice(0, 20));
    expect(excerpt(text, null, 20)).toBe(text.slice(0, 20));
  });

  it("is looked for a piece at a time, until it is stopped, and in what is read later", async () => {
    const asked: number[] = [];
    const query = { text: "x", matchCase: false, filter: words.NO_FILTER };
    let rows = 25;
    const search = new Search(
      query,
      async (_, after) => {
        asked.push(after);
        const next = after + 10 < rows ? after + 10 : null;
        return { rows: Uint32Array.of(after), next, searched: Math.min(rows, after + 10), of: rows };
      },
      () => {},
    );
    search.grown(25);
    await expect.poll(() => search.running).toBe(false);
    expect(asked).toEqual([0, 10, 20]);
    expect([...search.hits]).toEqual([0, 10, 20]);
    search.grown(25);
    expect(search.running).toBe(false);
    rows = 30;
    search.grown(30);
    await expect.poll(() => search.running).toBe(false);
    expect(asked).toEqual([0, 10, 20, 25]);
    search.cancel();
    search.grown(90);
    expect(search.running).toBe(false);
    expect(search.cancelled).toBe(true);
  });
});

describe("a prompt over time", () => {
  const step = (at: number, mean: number | null, min = mean, max = mean) => ({
    ...{ step: at, stepText: String(at), n: 1, mean, min, max, rows: [at] },
  });
  const box = { width: 110, height: 22, pad: 3 };

  it("is a line through its steps that have a reward", () => {
    const time = { text: "", steps: [step(0, 0), step(5, null), step(10, 2, 0, 2)] };
    const places = placesOf(time, box);
    expect(places).toEqual([
      { step: 0, x: 3, y: 19, low: 19, high: 19 },
      { step: 10, x: 107, y: 3, low: 19, high: 3 },
    ]);
    expect(linePath(places)).toBe("M3 19L107 3");
    expect([nearestStep(places, 20), nearestStep(places, 90), nearestStep([], 0)]).toEqual([0, 10, null]);
  });

  it("marks the steps that the list is about, where these are not all", () => {
    const places = placesOf({ text: "", steps: [step(0, 0), step(5, 1), step(10, 2)] }, box);
    expect(stretchOf(places, [0, 7])).toEqual({ x: 0, width: 58 });
    expect(stretchOf(places, [4, 6])).toEqual({ x: 52, width: 6 });
    expect([stretchOf(places, null), stretchOf(places, [0, 10]), stretchOf(places, [11, 20])]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("that does not change is level", () => {
    expect(placesOf({ text: "", steps: [step(4, 1)] }, box)[0]).toMatchObject({ x: 55, y: 11 });
    expect(placesOf({ text: "", steps: [step(4, Number.NaN)] }, box)).toEqual([]);
  });
});
