/**
 * What the index of samples costs, in a process of its own: `samples STORY RUN WASM CACHE`, STORY "cold" (no cache, which is written)
 * or "kept" (from the cache). Prints one line of JSON.
 */
import fs from "node:fs";
import { decoderMemory, initParquet, nodeSource, openRun } from "../../src/core/index.ts";
import { cacheFileFor } from "../../src/core/io/cacheFolder.ts";
import { SampleStore } from "../../src/core/samples/store.ts";
import { EVERYTHING } from "../../src/core/samples/types.ts";
import { MAX_SAMPLE_ROWS, type SamplesContract } from "../../src/protocol/samples.ts";
import type { Params } from "../../src/protocol/wire.ts";
import { sampleAnswers } from "../../src/view/sampleAnswers.ts";
import { peakMb } from "./process-memory.ts";
import type { Answer } from "./stories.ts";

const figures: Record<string, number> = {};
const NEVER = { signal: new AbortController().signal };
/** Rows on a screen, and what is prepared beside them. */
const SCREEN = 60;
const FAR = 300_000;

async function timed<T>(name: string, call: () => Promise<T> | T): Promise<T> {
  const before = process.cpuUsage();
  const from = performance.now();
  const result = await call();
  figures[name] = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  figures[`${name} cpu`] = (user + system) / 1000;
  return result;
}

async function main(): Promise<void> {
  const [story = "", folder = "", wasm = "", cache = ""] = process.argv.slice(2);
  if (story === "cold") fs.rmSync(cache, { recursive: true, force: true });
  await timed("load", () => initParquet(fs.readFileSync(wasm)));
  const run = await timed("open", () => openRun(nodeSource(folder)));
  const store = new SampleStore(run, { cache: cacheFileFor(cache, folder) });
  const ask = sampleAnswers(run, store, () => performance.now());
  type List = Params<SamplesContract, "samples.list">;
  const page: List = {
    filter: EVERYTHING as List["filter"],
    order: { by: "row", descending: false },
    ...{ offset: 0, limit: SCREEN },
  };
  const list = (more: Partial<List>) => ask["samples.list"]({ ...page, ...more }, NEVER);
  await timed("index", async () => {
    await timed("first rows", () => list({}));
    await store.all();
  });
  figures["memory index"] = peakMb();
  await timed("best 200", () =>
    store.page(EVERYTHING, { by: "advantage", descending: true }, { offset: 0, limit: 200 }),
  );
  await timed("sort", () => store.ordered(EVERYTHING, { by: "reward_total", descending: true }));
  await timed("filter", () => store.matching({ ...EVERYTHING, reward: [0, 1], truncated: false }));
  await timed("screenful", () => list({ offset: FAR }));
  await timed("next screenful", () => list({ offset: FAR + SCREEN }));
  await timed("screenful sorted", () =>
    list({ order: { by: "reward_total", descending: true }, offset: FAR }),
  );
  await timed("one completion", () => ask["samples.detail"]({ row: 123_456, text: 20_000 }, NEVER));
  await timed("groups", () =>
    ask["samples.groups"]({ filter: page.filter, flat: false, offset: 0, limit: 20 }, NEVER),
  );
  await timed("prompts", () => ask["samples.prompts"]({ filter: page.filter, offset: 0, limit: 20 }, NEVER));
  await timed("find", () => ask["samples.find"]({ rank: null, step: null, id: "no such" }, NEVER));
  await timed("search", async () => {
    for (let after: number | null = 0; after !== null; ) {
      const query: Params<SamplesContract, "samples.search"> = {
        filter: page.filter,
        text: "no such text",
        matchCase: false,
        after,
        limit: MAX_SAMPLE_ROWS,
      };
      after = (await ask["samples.search"](query, NEVER)).next;
    }
  });
  figures["memory"] = peakMb();
  figures["decoder"] = decoderMemory() / 2 ** 20;
  process.stdout.write(`${JSON.stringify({ figures } satisfies Answer)}\n`);
}

void main();
