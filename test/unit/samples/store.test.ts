/** How the index grows, what it reads, what it remembers, and when what was kept is used. */
import { describe, expect, it } from "vitest";
import type { Sample } from "../../../src/core/format/sample.ts";
import { openRun } from "../../../src/core/index.ts";
import type { CacheFile } from "../../../src/core/io/cacheFile.ts";
import { findSample } from "../../../src/core/samples/find.ts";
import type { SampleIndex } from "../../../src/core/samples/sampleIndex.ts";
import { Search } from "../../../src/core/samples/search.ts";
import { SampleStore } from "../../../src/core/samples/store.ts";
import { EVERYTHING, NUMBERS } from "../../../src/core/samples/types.ts";
import { SampleRows } from "../../../src/view/sampleRows.ts";
import { int64, parquet, text } from "../helpers/parquet.ts";
import { counting, manifest, range, source } from "../helpers/runs.ts";
import { type FakeShard, fakeSamples } from "./fake.ts";

const SIGNAL = new AbortController().signal;

const shardOf = (shard: number, rows: number, more: Partial<Sample> = {}): FakeShard => ({
  samples: range(0, rows).map((row) => ({
    ...{ step: shard, sample_id: `${shard}_${row}`, group_id: `g${row % 2}`, prompt_id: `p${row}` },
    ...{ reward_total: shard * 100 + row, capture_reason: "random", truncated: row === 0 },
    ...{ prompt_text: `prompt ${row}`, completion_text: `answer ${shard} ${row}`, ...more },
  })),
});
const shardsOf = (count: number, rows = 3): FakeShard[] => range(0, count).map((i) => shardOf(i, rows));

/** A cache in memory; what was written can be looked at and spoilt. */
function memoryCache(): CacheFile & { bytes: Uint8Array<ArrayBuffer> | null; writes: number } {
  return {
    bytes: null,
    writes: 0,
    open() {
      const { bytes } = this;
      if (!bytes) return null;
      return {
        size: bytes.length,
        read: (start, length) => bytes.slice(start, start + length),
        close() {},
      };
    },
    write(parts) {
      this.bytes = Uint8Array.from([...parts].flatMap((part) => [...part]));
      this.writes++;
    },
  };
}

/** Everything that an index says. */
function said(index: SampleIndex) {
  return range(0, index.rows).map((row) => ({
    numbers: NUMBERS.map((name) => index.number(name, row)),
    texts: (["group_id", "prompt_id", "capture_reason"] as const).map((name) => index.text(name, row)),
    ...{ step: index.stepText(row), id: index.id(row), rank: index.rank(row) },
    ...{ truncated: index.truncated(row), place: index.placeOf(row) },
  }));
}

async function indexed(shards: readonly FakeShard[], cache: CacheFile | null = null) {
  const samples = fakeSamples(shards);
  const store = new SampleStore({ samples }, { cache });
  const index = await store.all();
  const read = samples.asked.flatMap(({ shards: own }) => own);
  return { store, index, read, said: said(index) };
}

describe("a growing index", () => {
  it("can be asked before all shards are read, and says when there is more", async () => {
    let open = (): void => {};
    let gates = 0;
    const samples = fakeSamples(
      range(0, 3).map((i) => ({ ...shardOf(i, 2), stamp: { size: 8 << 20, mtimeMs: 1 } })),
      () => (gates++ === 0 ? Promise.resolve() : new Promise((resolve) => (open = resolve))),
    );
    const store = new SampleStore({ samples });
    expect((await store.some()).rows).toBe(2);
    expect(store.done).toBe(false);
    expect(
      (await store.page(EVERYTHING, { by: "reward_total", descending: true }, { offset: 0, limit: 9 })).total,
    ).toBe(2);
    const grown = store.grown();
    open();
    await grown;
    expect(store.index.rows).toBe(4);
    open();
    expect((await store.all()).rows).toBe(6);
    expect(
      (await store.page(EVERYTHING, { by: "reward_total", descending: true }, { offset: 0, limit: 9 })).total,
    ).toBe(6);
  });

  it("stops waiting, not reading, when the one who asked is gone", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const store = new SampleStore({ samples: fakeSamples(shardsOf(2), () => gate) });
    const control = new AbortController();
    const waiting = store.all(control.signal);
    control.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    open();
    expect((await store.all()).rows).toBe(6);
  });

  it("ends when the run is closed", async () => {
    const closed = new AbortController();
    closed.abort(new Error("closed"));
    const samples = fakeSamples(shardsOf(2));
    await expect(new SampleStore({ samples }, { closed: closed.signal }).all()).rejects.toThrow("closed");
    expect(samples.asked).toEqual([]);
  });
});

describe("what is read", () => {
  const big = (from: number): Uint8Array =>
    parquet({
      step: int64(range(from, from + 50)),
      sample_id: text(range(from, from + 50).map((i) => `s${i}`)),
      prompt_text: text(range(0, 50).map((i) => `${i}`)),
      completion_text: text(range(0, 50).map((i) => noise(i, 4_000))),
    });
  /** Text that does not compress. */
  const noise = (seed: number, length: number): string => {
    let state = seed + 1;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return String.fromCharCode(33 + ((state >>> 16) % 90));
    }).join("");
  };

  it("an index reads no text, a screenful the text of its own shards", async () => {
    const files = Object.fromEntries(range(0, 3).map((i) => [`samples/shard-0000${i}.parquet`, big(i * 50)]));
    const { source: counted, counts } = counting(source({ "manifest.json": manifest(), ...files }));
    const run = await openRun(counted);
    const store = new SampleStore(run);
    counts.reset();
    await store.all();
    for (const path of Object.keys(files)) expect(counts.byPath.get(path)).toBeLessThan(40_000);
    counts.reset();
    const rows = await new SampleRows(store).rows([60, 55, 99]);
    expect(rows.map(({ id }) => id)).toEqual(["s60", "s55", "s99"]);
    expect(rows[0]?.completion).toBe(noise(10, 4_000).slice(0, 400));
    const read = [...counts.byPath].filter(([, bytes]) => bytes > 50_000).map(([path]) => path);
    expect(read).toEqual(["samples/shard-00001.parquet"]);
  });

  it("an order is made once, and scrolling through it reads only the rows that are shown", async () => {
    const samples = fakeSamples(shardsOf(20, 50));
    const store = new SampleStore({ samples });
    const order = { by: "reward_total", descending: true };
    const first = await store.ordered(EVERYTHING, order);
    expect(await store.ordered({ ...EVERYTHING }, { ...order })).toBe(first);
    samples.asked.length = 0;
    const { rows } = await store.page(EVERYTHING, order, { offset: 500, limit: 5 });
    await new SampleRows(store).rows(rows);
    expect(samples.asked).toEqual([{ shards: [9], numbers: [], texts: ["prompt_text", "completion_text"] }]);
  });
});

describe("a search", () => {
  const query = { filter: EVERYTHING, text: "ANSWER 1", matchCase: false, after: 0, limit: 1000 };
  const all = async (store: SampleStore, more: object, budget: number): Promise<number[]> => {
    const rows: number[] = [];
    const search = new Search(store, { now: () => 0, budget });
    for (let after: number | null = 0; after !== null; ) {
      const found = await search.find({ ...query, ...more, after }, SIGNAL);
      rows.push(...found.rows);
      expect(found.searched).toBeLessThanOrEqual(found.of);
      after = found.next;
    }
    return rows;
  };

  it("finds the same whatever the pieces", async () => {
    const { store, index } = await indexed(shardsOf(25, 400));
    const expected = range(0, index.rows).filter((row) => /^1/.test(index.id(row)));
    expect(await all(store, {}, 1)).toEqual(expected);
    expect(await all(store, { limit: 7 }, 0)).toEqual(expected);
    expect(await all(store, { matchCase: true }, 0)).toEqual([]);
  });

  it("knows where a text ends and the next one begins", async () => {
    const texts = ["ab", "ba", "", "abba", "İab"];
    const shards = [{ samples: texts.map((completion_text) => ({ completion_text })) }];
    for (const [wanted, rows] of [
      ["bb", [3]],
      ["AB", [0, 3, 4]],
      ["ba", [1, 3]],
    ] as const) {
      const plain = [{ samples: texts.slice(0, 4).map((completion_text) => ({ completion_text })) }];
      expect(await all((await indexed(plain)).store, { text: wanted }, 1)).toEqual(rows.filter((r) => r < 4));
      expect(await all((await indexed(shards)).store, { text: wanted }, 1)).toEqual(rows);
    }
  });

  it("can be stopped", async () => {
    const { store } = await indexed(shardsOf(3));
    const control = new AbortController();
    control.abort(new Error("stop"));
    const search = new Search(store, { now: () => 0, budget: 1 });
    await expect(search.find(query, control.signal)).rejects.toThrow("stop");
  });
});

describe("prompts by their text", () => {
  it("are the same prompt where all characters are the same, and all are read once", async () => {
    const long = "x".repeat(5_000);
    const prompts = ["a", "b", "a", `${long}1`, `${long}2`, `${long}1`, null];
    const samples = fakeSamples([{ samples: prompts.map((prompt_text) => ({ prompt_text, step: 1 })) }]);
    const store = new SampleStore({ samples });
    const rows = (key: string) => store.matching({ ...EVERYTHING, prompt: { by: "text", key } });
    expect([...(await rows("a"))]).toEqual([0, 2]);
    const { promptKey } = await import("../../../src/core/samples/promptTexts.ts");
    expect(promptKey(long).length).toBeLessThan(300);
    expect([...(await rows(promptKey(`${long}1`)))]).toEqual([3, 5]);
    expect([...(await rows(promptKey(`${long}2`)))]).toEqual([4]);
    expect([...(await rows("c"))]).toEqual([]);
    expect(samples.asked.filter(({ texts }) => texts.includes("prompt_text"))).toHaveLength(1);
  });
});

describe("long and odd ids", () => {
  it("are found by their whole text", async () => {
    const ids = ["é", "x".repeat(10_000), `${"x".repeat(9_999)}y`, "plain"];
    const { store } = await indexed([{ samples: ids.map((sample_id) => ({ sample_id })) }]);
    for (const [row, id] of ids.entries())
      expect(await findSample(store, { rank: null, step: null, id })).toEqual({ row, count: 1 });
  });
});

describe("an index that was kept", () => {
  const many = (): FakeShard[] => shardsOf(70);
  const stamped = (shard: FakeShard, mtimeMs: number): FakeShard => ({
    ...shard,
    stamp: { size: 3000, mtimeMs },
  });

  it("gives what reading gives, without reading", async () => {
    const cache = memoryCache();
    const first = await indexed(many(), cache);
    expect([cache.writes, first.read.length]).toEqual([1, 70]);
    const again = await indexed(many(), cache);
    expect(again.read).toEqual([]);
    expect(again.said).toEqual(first.said);
    expect(again.store.componentNames()).toEqual(first.store.componentNames());
    expect(cache.writes).toBe(1);
    expect(await findSample(again.store, { rank: null, step: 3, id: "3_1" })).toEqual({ row: 10, count: 1 });
  });

  it.each<[string, (shards: FakeShard[]) => FakeShard[], number[]]>([
    ["a shard of another size", (all) => all.with(5, shardOf(500, 4)), [5]],
    ["a shard of another time", (all) => all.with(5, stamped(shardOf(500, 4), 2)), [5]],
    ["a shard more", (all) => [...all, shardOf(70, 2)], [70]],
    [
      "a shard less",
      (all) => all.toSpliced(5, 1).map((s, i) => ({ ...s, path: pathAt(i < 5 ? i : i + 1) })),
      [],
    ],
    [
      "a shard in between",
      (all) =>
        all
          .toSpliced(5, 0, { ...shardOf(900, 1), path: "samples/new" })
          .map((s, i) => (i > 5 ? { ...s, path: pathAt(i - 1) } : s)),
      [5],
    ],
    ["all shards new", (all) => all.map((_, i) => stamped(shardOf(i + 1, 2), 9)), range(0, 70)],
  ])("reads anew what has changed: %s", async (_, change, expected) => {
    const cache = memoryCache();
    await indexed(many(), cache);
    const changed = change(many());
    const { read, said: ours } = await indexed(changed, cache);
    expect(read).toEqual(expected);
    expect(ours).toEqual((await indexed(changed)).said);
  });

  it("is not used for a shard of which something was said, nor for steps that do not fit into it", async () => {
    const odd = (): FakeShard[] =>
      many()
        .with(3, { ...shardOf(3, 2), clean: false })
        .with(4, shardOf(4, 2, { step: 2n ** 60n + 1n }))
        .with(5, shardOf(5, 2, { group_id: "g".repeat(5_000) }))
        .with(6, { ...shardOf(6, 2), stamp: null });
    const cache = memoryCache();
    const first = await indexed(odd(), cache);
    const again = await indexed(odd(), cache);
    expect(again.read).toEqual([3, 4, 6]);
    expect(again.said).toEqual(first.said);
    expect(again.index.stepText(12)).toBe(String(2n ** 60n + 1n));
  });

  it("is not kept for a run that is read in no time", async () => {
    const cache = memoryCache();
    await indexed(shardsOf(10), cache);
    expect(cache.writes).toBe(0);
  });

  it("is ignored and written again when it is damaged, wherever", async () => {
    const cache = memoryCache();
    const { said: expected } = await indexed(many(), cache);
    const { bytes } = cache;
    const sound = bytes?.slice() ?? new Uint8Array(0);
    for (let at = 0; at < sound.length; at += 397) {
      cache.bytes = sound.slice();
      cache.bytes[at] = (cache.bytes[at] ?? 0) ^ 0x55;
      expect((await indexed(many(), cache)).said, `byte ${at}`).toEqual(expected);
    }
    for (const length of [0, 5, 16, 100, sound.length - 1]) {
      cache.bytes = sound.slice(0, length);
      const { read, said: ours } = await indexed(many(), cache);
      expect(ours).toEqual(expected);
      if (read.length > 0) expect(cache.bytes).toEqual(sound);
    }
  });

  it("holds no text of prompts or completions", async () => {
    const cache = memoryCache();
    await indexed(many(), cache);
    const all = Buffer.from(cache.bytes ?? []).toString("latin1");
    expect(all).toContain("69_2");
    expect(all).not.toMatch(/prompt \d|answer/);
  });
});

const pathAt = (i: number): string => `samples/shard-${String(i).padStart(5, "0")}.parquet`;

describe("an index that goes on", () => {
  const goneOn = async (before: SampleStore, shards: readonly FakeShard[]) => {
    const samples = fakeSamples(shards);
    const store = new SampleStore({ samples }, { before });
    const index = await store.all();
    return { store, said: said(index), read: samples.asked.flatMap(({ shards: own }) => own) };
  };

  it("reads the new shards only, and says what a new one says", async () => {
    const shards = shardsOf(300);
    const first = await indexed(shards.slice(0, 290));
    const second = await goneOn(first.store, shards);
    expect(second.read).toEqual(range(290, 300));
    expect(second.said).toEqual((await indexed(shards)).said);
    const third = await goneOn(second.store, shards);
    expect(third.read).toEqual([]);
    expect(third.said).toEqual(second.said);
    // Who asks the earlier one is still answered from what it had.
    expect(said(first.index)).toEqual(first.said);
  });

  it("reads the new shards of each rank only, wherever they stand", async () => {
    const shards = (rank: number | null, count: number): FakeShard[] =>
      shardsOf(count).map(({ samples, ...shard }, number) => ({
        ...shard,
        rank,
        path: `${rank === null ? "" : `rank_${rank}/`}${pathAt(number)}`,
        // One whose step is beyond 2^53 is in its place too.
        samples: samples.map((sample, i) => (i === 1 ? { ...sample, step: 2n ** 53n + 1n } : sample)),
      }));
    const some = [...shards(null, 30), ...shards(1, 20)];
    const more = [...shards(null, 33), ...shards(1, 22), ...shards(2, 2)];
    const first = await indexed(some);
    const second = await goneOn(first.store, more);
    expect(second.read.sort((a, b) => a - b)).toEqual([30, 31, 32, 53, 54, 55, 56]);
    expect(second.said).toEqual((await indexed(more)).said);
  });

  it("reads again what is another one, and forgets what is gone", async () => {
    const shards = shardsOf(6);
    const { store } = await indexed(shards);
    const changed = [...shards];
    changed[3] = { ...shardOf(3, 5, { sample_id: "other" }), stamp: { size: 7, mtimeMs: 7 } };
    const again = await goneOn(store, changed);
    expect(again.read).toEqual([3]);
    expect(again.said).toEqual((await indexed(changed)).said);
    const fewer = await goneOn(store, shards.slice(0, 4));
    expect(fewer.said).toEqual((await indexed(shards.slice(0, 4))).said);
  });
});
