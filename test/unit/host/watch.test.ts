import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RunWatch } from "../../../src/host/editor/watch.ts";
import { Folder } from "./folder.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Time passes, and all that comes due happens. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function start(folder: Folder, onChanged: () => Promise<void> = async () => {}) {
  const watched = new Map<string, () => void>();
  let changes = 0;
  const watch = new RunWatch({
    looking: folder,
    watch(path, onEvent) {
      watched.set(path, onEvent);
      return () => watched.delete(path);
    },
    async onChanged() {
      changes++;
      await onChanged();
    },
  });
  return { watch, watched, changes: () => changes, event: (path = "") => watched.get(path)?.() };
}

const run = () => new Folder("manifest.json", "events.jsonl", "steps/part-00000.parquet");

describe("RunWatch", () => {
  it("tells of a change once its events are over, once", async () => {
    const folder = run();
    const { watch, event, changes } = start(folder);
    watch.visible = true;
    await pass(10);
    folder.write("steps/part-00000.parquet");
    for (let i = 0; i < 20; i++) event("steps");
    await pass(200);
    expect(changes()).toBe(0);
    await pass(200);
    expect(changes()).toBe(1);
    await pass(120_000);
    expect(changes()).toBe(1);
  });

  it("tells nothing when events say something and nothing is different", async () => {
    const folder = run();
    const { watch, event, changes } = start(folder);
    watch.visible = true;
    for (let i = 0; i < 50; i++) {
      folder.write(`note-${i}.txt`);
      event();
      await pass(1000);
    }
    expect(changes()).toBe(0);
  });

  it("notices without events what a network mount does not tell, within seconds at first", async () => {
    const folder = run();
    const { watch, changes } = start(folder);
    watch.visible = true;
    await pass(10);
    folder.write("events.jsonl", 20);
    await pass(6000);
    expect(changes()).toBe(1);
    // Quiet for long: half a minute at most.
    await pass(600_000);
    folder.write("steps.parquet");
    for (let seconds = 0; changes() < 2 && seconds < 31; seconds++) await pass(1000);
    expect(changes()).toBe(2);
    // And quick again.
    folder.write("events.jsonl", 30);
    await pass(6000);
    expect(changes()).toBe(3);
  });

  it("looks less and less often while nothing happens, and at a few places only", async () => {
    const folder = run();
    const { watch } = start(folder);
    watch.visible = true;
    await pass(100);
    folder.looked.length = 0;
    await pass(600_000);
    const glances = folder.looked.filter((path) => path === "manifest.json").length;
    expect(glances).toBeGreaterThanOrEqual(18);
    expect(glances).toBeLessThan(26);
  });

  it("does not look while nobody sees the run, and at once when somebody does", async () => {
    const folder = run();
    const { watch, event, changes } = start(folder);
    await pass(10);
    folder.looked.length = 0;
    folder.write("steps/part-00000.parquet");
    event("steps");
    await pass(120_000);
    expect(folder.looked).toEqual([]);
    watch.visible = true;
    await pass(10);
    expect(changes()).toBe(1);
    watch.visible = false;
    folder.write("manifest.json");
    await pass(120_000);
    expect(changes()).toBe(1);
    watch.visible = true;
    await pass(10);
    expect(changes()).toBe(2);
  });

  it("looks at a run that goes on every second or two, less often while nothing comes, and without any events", async () => {
    const folder = run();
    const { watch, changes } = start(folder);
    watch.visible = true;
    watch.live = true;
    await pass(100);
    for (let i = 1; i <= 20; i++) {
      folder.write(`steps/part-${String(i).padStart(5, "0")}.parquet`);
      await pass(2600);
      expect(changes()).toBe(i);
    }
    await pass(60_000);
    folder.looked.length = 0;
    await pass(60_000);
    const glances = folder.looked.filter((path) => path === "manifest.json").length;
    expect(glances).toBeGreaterThanOrEqual(11);
    expect(glances).toBeLessThan(15);
    // Not any more: at ease again.
    watch.live = false;
    await pass(120_000);
    folder.looked.length = 0;
    await pass(60_000);
    expect(folder.looked.filter((path) => path === "manifest.json").length).toBeLessThan(4);
  });

  it("tells of changes ten times a second at most, however often something is written", async () => {
    const folder = run();
    const { watch, event, changes } = start(folder);
    watch.visible = true;
    watch.live = true;
    await pass(10);
    for (let i = 0; i < 1000; i++) {
      folder.write("events.jsonl", i);
      event();
      await pass(5);
    }
    expect(changes()).toBeGreaterThan(5);
    expect(changes()).toBeLessThanOrEqual(50);
  });

  it("looks at once when somebody finds that something does not fit, and says whether that is so", async () => {
    const folder = run();
    const { watch, changes } = start(folder, () => new Promise((resolve) => setTimeout(resolve, 50)));
    watch.visible = true;
    await pass(10);
    expect(await watch.check()).toBe(false);
    folder.remove("steps/part-00000.parquet");
    folder.write("steps.parquet");
    const checked = watch.check();
    await pass(60);
    expect([await checked, changes()]).toEqual([true, 1]);
    // One at work is waited for.
    folder.write("events.jsonl", 5);
    const both = Promise.all([watch.check(), watch.check()]);
    await pass(200);
    expect([(await both)[0], changes()]).toEqual([true, 2]);
    watch.dispose();
    expect(await watch.check()).toBe(false);
  });

  it("misses nothing that comes while it looks, and that nothing else tells of", async () => {
    const places = ["", "events.jsonl", "manifest.json", "steps", "steps/part-00000.parquet"];
    for (const place of places)
      for (const file of ["steps/part-00001.parquet", "events.jsonl"]) {
        const folder = run();
        const { watch, event, changes } = start(folder);
        watch.visible = true;
        await pass(10);
        // Something is said of the folder, and nothing has changed; what does, does so right after that place was looked at.
        const stamp = folder.stamp.bind(folder);
        let isWritten = false;
        folder.stamp = async (path) => {
          const found = await stamp(path);
          if (path === place && !isWritten) {
            isWritten = true;
            folder.write(file, 20);
          }
          return found;
        };
        event();
        await pass(10_000);
        expect([place, file, isWritten, changes()]).toEqual([place, file, true, 1]);
        watch.dispose();
      }
  });

  it("watches the folders that are there, as they come and go", async () => {
    const folder = run();
    const { watch, watched, event } = start(folder);
    watch.visible = true;
    await pass(10);
    expect([...watched.keys()]).toEqual(["", "steps"]);
    folder.write("rank-001/samples/shard-00000.parquet");
    folder.remove("steps/part-00000.parquet");
    event();
    await pass(1000);
    expect([...watched.keys()]).toEqual(["", "rank-001", "rank-001/samples"]);
  });

  it("opens a run that takes long the less often, and misses nothing meanwhile", async () => {
    const folder = run();
    const times: number[] = [];
    const { watch, event } = start(folder, async () => {
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 2000));
    });
    watch.visible = true;
    await pass(10);
    for (let i = 0; i < 100; i++) {
      folder.write("events.jsonl", i);
      event();
      await pass(500);
    }
    await pass(20_000);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(10_000);
    expect(times.length).toBeGreaterThan(4);
    // The last of it was seen too.
    expect(times.at(-1)).toBeGreaterThan(49_000);
  });

  it("ends with its document", async () => {
    const folder = run();
    const { watch, watched, event, changes } = start(folder);
    watch.visible = true;
    await pass(10);
    folder.write("events.jsonl");
    event();
    watch.dispose();
    folder.looked.length = 0;
    await pass(120_000);
    expect([watched.size, changes(), folder.looked.length]).toEqual([0, 0, 0]);
    watch.visible = false;
    watch.visible = true;
    await pass(120_000);
    expect(folder.looked).toEqual([]);
  });

  it("is not undone by a document that closes while it looks", async () => {
    const folder = run();
    const { watch, watched } = start(folder);
    watch.dispose();
    await pass(1000);
    expect(watched.size).toBe(0);
  });
});
