/**
 * Opens runs, asks what an editor asks, watches their folders, and closes everything, again and again, through the real thread.
 * Arguments: thread, decoder, folder for the index of samples, rounds, runs. One line of JSON: what the process held after each round.
 */
import fs from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lookingAt } from "../../src/host/disk.ts";
import { RunWatch } from "../../src/host/editor/watch.ts";
import { DEFAULT_COMPARE } from "../../src/protocol/compare.ts";
import { type Hosted, host, opened, peakMb } from "./hosted.ts";

export interface Held {
  /** Files and sockets that the process has open. */
  readonly files: number;
  /** What keeps Node's loop busy, by kind, sorted. */
  readonly resources: readonly string[];
  readonly watchers: number;
  readonly threads: number;
  /** Threads of the system, those of the worker among them. */
  readonly tasks: number;
  /** The host's heap after a collection, KB. */
  readonly heapKb: number;
  /** What the thread says that it holds, heap and arrays, KB, and the decoder of it. */
  readonly threadKb: number;
  readonly rssMb: number;
}

export interface LeaksAnswer {
  readonly rounds: readonly Held[];
  readonly log: readonly string[];
  readonly spawned: number;
  /** Watchers that were made, all in all. */
  readonly watched: number;
  readonly peakMb: number;
  /** After the worker's end. */
  readonly end: Held;
}

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;
let watchers = 0;
let watched = 0;

/** As VS Code's own: files of one folder. */
function watch(dir: string, folder: string, onEvent: () => void): () => void {
  const watcher = fs.watch(`${dir}/${folder}`, onEvent);
  watchers++;
  watched++;
  return () => {
    watcher.close();
    watchers--;
  };
}

const collector = new BroadcastChannel("collect");

/** The thread's heap after a collection there, KB. */
function collected(): Promise<number> {
  return new Promise((resolve) => {
    collector.onmessage = ({ data }: { data: unknown }) => {
      if (typeof data === "number") resolve(data);
    };
    collector.postMessage("collect");
  });
}

const entries = (folder: string): number => fs.readdirSync(folder).length;

function held(living: number, threadKb: number): Held {
  gc();
  gc();
  return {
    files: entries("/proc/self/fd"),
    resources: process.getActiveResourcesInfo().toSorted(),
    watchers,
    threads: living,
    tasks: entries("/proc/self/task"),
    heapKb: Math.round(process.memoryUsage().heapUsed / 1024),
    threadKb,
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
}

/** What an editor does while it is open. */
async function use({ pool }: Hosted, dir: string): Promise<() => void> {
  const run = new RunWatch({
    looking: lookingAt(dir),
    watch: (folder, onEvent) => watch(dir, folder, onEvent),
    onChanged: async () => {},
  });
  run.visible = true;
  const lease = await opened(pool, dir);
  const ask = lease.run;
  const overview = await ask.call("run.overview", {});
  const charts = overview.groups.flatMap(({ charts: all }) => all.slice(0, 3));
  const wanted = { x: "step", range: null, width: 400 } as const;
  await ask.call("run.axis", {});
  await Promise.all(
    charts.map(({ id, series }) =>
      ask.call("chart.series", { ...wanted, id, metrics: series.map(({ metric }) => metric) }),
    ),
  );
  await ask.call("events.page", { offset: 0, limit: 100, kind: null, range: null });
  await ask.call("run.diagnose", { config: null, extra: true });
  await ask.call("samples.query", { from: 0, to: 50, sort: "reward_total", descending: true, k: 5 });
  // What looking at the folder has found is what it watches: without it there would be nothing to leave behind.
  await run.check();
  return () => {
    run.dispose();
    lease.release();
  };
}

async function round(hosted: Hosted, dirs: readonly string[]): Promise<void> {
  const closing = await Promise.all(dirs.map((dir) => use(hosted, dir)));
  const [first, second] = await Promise.all(dirs.slice(0, 2).map((dir) => opened(hosted.pool, dir)));
  if (first && second) {
    const runs = [first.run, second.run];
    await hosted.pool.compare(runs, "compare.metrics", { other: 1, options: DEFAULT_COMPARE });
    first.release();
    second.release();
  }
  // An editor that is closed before its run is there.
  const early = dirs.map((dir) => opened(hosted.pool, dir));
  for (const close of closing) close();
  for (const lease of await Promise.all(early)) lease.release();
}

async function main(): Promise<void> {
  const [script = "", wasm = "", cache = "", times = "", ...dirs] = process.argv.slice(2);
  const hosted = host(script, wasm, cache);
  const rounds: Held[] = [];
  for (let i = 0; i < Number(times); i++) {
    await round(hosted, dirs);
    rounds.push(held(hosted.living(), await collected()));
  }
  hosted.worker.dispose();
  while (hosted.living() > 0) await new Promise((resolve) => setImmediate(resolve));
  const { lines, spawned } = hosted;
  const more = { log: lines, spawned: spawned(), watched, peakMb: peakMb(), end: held(0, 0) };
  collector.close();
  // What stayed behind would keep the process; the test shall say what it was.
  process.stdout.write(`${JSON.stringify({ rounds, ...more } satisfies LeaksAnswer)}\n`, () =>
    process.exit(),
  );
}

void main();
