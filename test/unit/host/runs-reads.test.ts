/** How the list of runs reads: what was kept, what somebody watches, what stays open. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DiagnosisLine } from "../../../src/host/runs/catalogue.ts";
import { KeptRuns } from "../../../src/host/runs/kept.ts";
import { type ReadParts, RunReads } from "../../../src/host/runs/reads.ts";
import type { WorkerRun } from "../../../src/host/worker/client.ts";
import type { RunSummary } from "../../../src/protocol/runs.ts";
import { findingOf, summaryOf } from "./run-lists.ts";

const NEVER = new AbortController().signal;
const CLEAR = { state: "clear", words: "No findings" } as const;
const LINE: DiagnosisLine = { findings: [findingOf("KL_BLOWUP")], verdict: CLEAR };

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-kept-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const file = () => path.join(folder, "storage/runs.json");

/** Runs, and what was asked of them. */
class Disk {
  readonly asked: string[] = [];
  readonly summaries = new Map<string, Partial<RunSummary>>();
  readonly watched = new Map<string, RunSummary>();
  diagnosed: DiagnosisLine | null = null;
  text: string | null = null;
  /** Runs whose folder is refused when it is opened again. */
  readonly gone = new Set<string>();

  reads(kept = new KeptRuns(null, "1")): RunReads {
    const parts: ReadParts = {
      fresh: async (dir) => {
        this.asked.push(`open ${dir}`);
        return {
          state: "run",
          lease: { run: this.#run(dir), release: () => this.asked.push(`close ${dir}`) },
        };
      },
      basis: async () => ({ text: this.text, extra: true }),
      watched: (dir) => this.watched.get(dir) ?? null,
      diagnosed: () => this.diagnosed,
      kept,
    };
    return new RunReads(parts);
  }

  #run(dir: string): WorkerRun {
    const run = {
      reload: async () => {
        this.asked.push(`reload ${dir}`);
        return this.gone.has(dir) ? { state: "refused" } : { state: "run" };
      },
      call: async (method: string) => {
        this.asked.push(`${method} ${dir}`);
        if (method === "run.summary") return summaryOf(this.summaries.get(dir));
        return { findings: [{ ...findingOf("KL_BLOWUP"), firstStepText: "12" }], verdict: CLEAR };
      },
    };
    return run as unknown as WorkerRun;
  }

  take = (): string[] => this.asked.splice(0);
}

describe("runs that have ended", () => {
  test("are not read again in the next window, as long as their files are the same", async () => {
    const disk = new Disk();
    const first = disk.reads(new KeptRuns(file(), "1"));
    const summary = await first.read("/w/a", false, "d1", NEVER);
    expect(await first.diagnose("/w/a", "d1", NEVER)).toEqual(LINE);
    first.dispose();
    expect(disk.take()).toEqual([
      ...["open /w/a", "run.summary /w/a", "close /w/a"],
      ...["open /w/a", "run.diagnose /w/a", "close /w/a"],
    ]);

    const second = disk.reads(new KeptRuns(file(), "1"));
    expect(await second.read("/w/a", false, "d1", NEVER)).toEqual(summary);
    expect(await second.diagnose("/w/a", "d1", NEVER)).toMatchObject(LINE);
    expect(disk.take()).toEqual([]);

    await second.read("/w/a", false, "d2", NEVER);
    await second.diagnose("/w/a", "d2", NEVER);
    expect(disk.take()).toContain("run.diagnose /w/a");
  });

  test("are diagnosed again with other thresholds, and all anew by another version", async () => {
    const disk = new Disk();
    const first = disk.reads(new KeptRuns(file(), "1"));
    await first.read("/w/a", false, "d1", NEVER);
    await first.diagnose("/w/a", "d1", NEVER);
    first.dispose();
    disk.take();

    const second = disk.reads(new KeptRuns(file(), "1"));
    disk.text = "[KL_BLOWUP]\nratio = 2\n";
    await second.diagnose("/w/a", "d1", NEVER);
    expect(disk.take()).toContain("run.diagnose /w/a");
    second.dispose();
    const third = disk.reads(new KeptRuns(file(), "2"));
    await third.read("/w/a", false, "d1", NEVER);
    expect(disk.take()).toContain("run.summary /w/a");
  });

  test("are kept in bounds, and nowhere inside of a run", async () => {
    const disk = new Disk();
    const first = disk.reads(new KeptRuns(file(), "1", { runs: 3, bytes: 1 << 20 }));
    for (const name of ["a", "b", "c", "d"]) await first.read(`/w/${name}`, false, "d1", NEVER);
    await first.read(folder, false, "d1", NEVER);
    first.dispose();
    expect(JSON.parse(fs.readFileSync(file(), "utf8")).runs.map(({ dir }: { dir: string }) => dir)).toEqual([
      ...["/w/b", "/w/c", "/w/d"],
    ]);
    const small = disk.reads(new KeptRuns(file(), "1", { runs: 3, bytes: 900 }));
    await small.read("/w/e", false, "d1", NEVER);
    small.dispose();
    expect(fs.statSync(file()).size).toBeLessThan(1000);
  });

  test("are read where nothing can be kept, or what was kept is damaged", async () => {
    const disk = new Disk();
    fs.mkdirSync(path.dirname(file()));
    for (const damaged of ["", "{", "null", '{"version":"1","runs":[{"dir":"/w/a","digest":"d1"},7]}']) {
      fs.writeFileSync(file(), damaged);
      const reads = disk.reads(new KeptRuns(file(), "1"));
      await reads.read("/w/a", false, "d1", NEVER);
      expect(disk.take()).toContain("run.summary /w/a");
      reads.dispose();
    }
    fs.writeFileSync(path.join(folder, "plain"), "");
    const nowhere = disk.reads(new KeptRuns(path.join(folder, "plain/runs.json"), "1"));
    await nowhere.read("/w/a", false, "d1", NEVER);
    nowhere.dispose();
  });

  test("that were killed, or go on, are not kept: their words tell the time", async () => {
    const disk = new Disk();
    for (const state of ["killed", "running", "stalled", "unknown"] as const)
      disk.summaries.set(`/w/${state}`, { state });
    const first = disk.reads(new KeptRuns(file(), "1"));
    for (const dir of disk.summaries.keys()) await first.read(dir, false, "d1", NEVER);
    first.dispose();
    disk.take();
    const second = disk.reads(new KeptRuns(file(), "1"));
    for (const dir of disk.summaries.keys()) await second.read(dir, false, "d1", NEVER);
    expect(disk.take().filter((one) => one.startsWith("run.summary"))).toHaveLength(4);
  });
});

describe("runs that go on", () => {
  test("stay open, so that only what is new is read, until they end", async () => {
    const disk = new Disk();
    const reads = disk.reads();
    disk.summaries.set("/w/a", { state: "running" });
    await reads.read("/w/a", false, "d1", NEVER);
    await reads.diagnose("/w/a", "d1", NEVER);
    await reads.read("/w/a", false, "d2", NEVER);
    expect(disk.take()).toEqual([
      ...["open /w/a", "run.summary /w/a", "run.diagnose /w/a", "reload /w/a", "run.summary /w/a"],
    ]);
    disk.summaries.set("/w/a", { state: "finished" });
    await reads.read("/w/a", false, "d3", NEVER);
    expect(disk.take()).toEqual(["reload /w/a", "run.summary /w/a", "close /w/a"]);
  });

  test("are few that stay open, and none afterwards; one that is refused is opened anew", async () => {
    const disk = new Disk();
    const reads = disk.reads();
    const dirs = Array.from({ length: 10 }, (_, i) => `/w/${i}`);
    for (const dir of dirs) disk.summaries.set(dir, { state: "running" });
    for (const dir of dirs) await reads.read(dir, false, "d1", NEVER);
    expect(disk.take().filter((one) => one.startsWith("close"))).toEqual(["close /w/0", "close /w/1"]);
    disk.gone.add("/w/9");
    await reads.read("/w/9", false, "d2", NEVER);
    expect(disk.take()).toEqual(["reload /w/9", "close /w/9", "open /w/9", "run.summary /w/9"]);
    reads.dispose();
    expect(disk.take()).toHaveLength(8);
  });

  test("are not read and diagnosed a second time when somebody watches them", async () => {
    const disk = new Disk();
    const reads = disk.reads();
    const running = summaryOf({ state: "running", lastStep: "77" });
    disk.watched.set("/w/a", running);
    expect(await reads.read("/w/a", false, "d1", NEVER)).toBe(running);
    expect(disk.take()).toEqual([]);
    // Nobody has diagnosed it yet.
    await reads.diagnose("/w/a", "d1", NEVER);
    expect(disk.take()).toContain("run.diagnose /w/a");
    disk.diagnosed = LINE;
    expect(await reads.diagnose("/w/a", "d1", NEVER)).toBe(LINE);
    expect(disk.take()).toEqual([]);
    // The last word on a run that has ended is the list's own.
    disk.watched.set("/w/a", summaryOf({ state: "finished" }));
    await reads.read("/w/a", false, "d2", NEVER);
    await reads.diagnose("/w/a", "d2", NEVER);
    expect(disk.take().filter((one) => one.startsWith("run."))).toEqual([
      ...["run.summary /w/a", "run.diagnose /w/a"],
    ]);
  });
});
