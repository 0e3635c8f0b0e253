import { afterEach, describe, expect, test } from "vitest";
import { type CatalogueParts, type DiagnosisLine, RunCatalogue } from "../../../src/host/runs/catalogue.ts";
import { ProblemError, problemOf } from "../../../src/protocol/rpc.ts";
import type { FoundRuns, RunSummary } from "../../../src/protocol/runs.ts";
import { findingOf, summaryOf } from "./run-lists.ts";

const PACE = { poll: 15, hidden: 15, ended: 15, diagnosis: 15, burst: 1 };
const CLEAR = { state: "clear", words: "No findings" } as const;

/** A workspace that is changed by hand, and what was asked of it. */
class Folder {
  readonly runs = new Map<
    string,
    { version: number; summary: Partial<RunSummary>; findings: DiagnosisLine["findings"] }
  >();
  readonly asked: string[] = [];
  readonly errors: unknown[] = [];
  cuts: FoundRuns["cuts"] = [];
  refused = "";
  hold: Promise<void> | null = null;

  set(path: string, summary: Partial<RunSummary> = {}, findings: DiagnosisLine["findings"] = []): void {
    const version = (this.runs.get(path)?.version ?? 0) + 1;
    this.runs.set(path, { version, summary, findings });
  }

  count = (what: string): number => this.asked.filter((one) => one === what).length;

  parts(): CatalogueParts {
    const at = (dir: string) => {
      const run = this.runs.get(dir.slice(3));
      if (!run || dir === this.refused) throw new ProblemError(problemOf("not-found", "There is nothing."));
      return run;
    };
    return {
      roots: () => ["/w"],
      find: async (root, signal) => {
        this.asked.push(`find ${root}`);
        await this.hold;
        const cuts = signal.aborted ? ["cancelled" as const] : this.cuts;
        return {
          runs: [...this.runs.keys()].map((path) => ({ path, kind: "recording" as const })),
          folders: 1,
          cuts,
        };
      },
      digest: async (dir) => {
        this.asked.push(`digest ${dir}`);
        return String(this.runs.get(dir.slice(3))?.version ?? "");
      },
      read: async (dir) => {
        this.asked.push(`read ${dir}`);
        return summaryOf(at(dir).summary);
      },
      diagnose: async (dir) => {
        this.asked.push(`diagnose ${dir}`);
        return { findings: at(dir).findings, verdict: CLEAR };
      },
      onError: (_, error) => this.errors.push(error),
      now: () => performance.now(),
    };
  }
}

let catalogue: RunCatalogue;
function follow(folder: Folder): RunCatalogue {
  catalogue = new RunCatalogue(folder.parts(), PACE);
  return catalogue;
}
afterEach(() => catalogue.dispose());
const done = (dir: string) => () => catalogue.get(dir)?.findings ?? null;

describe("a list of runs", () => {
  test("does nothing before somebody looks; then finds, reads and diagnoses", async () => {
    const folder = new Folder();
    folder.set("a");
    folder.set("b", {}, [findingOf("KL_BLOWUP")]);
    const list = follow(folder);
    list.touched("/w/a/manifest.json");
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(folder.asked).toEqual([]);
    list.visible = true;
    await expect.poll(done("/w/b")).toHaveLength(1);
    expect(folder.asked.slice(0, 7)).toEqual([
      "find /w",
      "digest /w/a",
      "read /w/a",
      "digest /w/b",
      "read /w/b",
      "diagnose /w/a",
      "diagnose /w/b",
    ]);
    expect(list.list().map(({ label }) => label)).toEqual(["a", "b"]);
  });

  test("reads again what has changed, and nothing else", async () => {
    const folder = new Folder();
    folder.set("a", { steps: 1 });
    folder.set("b");
    const list = follow(folder);
    list.visible = true;
    await expect.poll(done("/w/a")).toEqual([]);
    await expect.poll(() => folder.count("digest /w/b")).toBeGreaterThan(2);
    expect(folder.count("read /w/a")).toBe(1);
    folder.set("a", { steps: 2 });
    await expect.poll(() => list.get("/w/a")?.summary?.steps).toBe(2);
    await expect.poll(() => folder.count("diagnose /w/a")).toBe(2);
    expect([folder.count("read /w/b"), folder.count("diagnose /w/b")]).toEqual([1, 1]);
  });

  test("notices runs that come and go without being told", async () => {
    const folder = new Folder();
    folder.set("a");
    const list = follow(folder);
    list.visible = true;
    await expect.poll(() => list.list().length).toBe(1);
    folder.set("later");
    await expect.poll(() => list.get("/w/later")?.summary?.steps).toBe(1234);
    folder.runs.delete("a");
    await expect.poll(() => list.get("/w/a")).toBeUndefined();
  });

  test("keeps what an incomplete search did not find", async () => {
    const folder = new Folder();
    folder.set("a");
    const list = follow(folder);
    list.visible = true;
    await expect.poll(() => list.list().length).toBe(1);
    folder.runs.clear();
    folder.cuts = ["time"];
    await expect.poll(() => list.cuts).toEqual(["time"]);
    expect(list.list().length).toBe(1);
  });

  test("shows why a run cannot be read, and reads it when it can be", async () => {
    const folder = new Folder();
    folder.set("a");
    folder.refused = "/w/a";
    const list = follow(folder);
    list.visible = true;
    await expect.poll(() => list.get("/w/a")?.problem?.code).toBe("not-found");
    folder.refused = "";
    folder.set("a");
    await expect.poll(() => list.get("/w/a")?.summary?.steps).toBe(1234);
    expect(list.get("/w/a")?.problem).toBeNull();
    expect(folder.errors).toEqual([]);
  });

  test("a running run is read again though nothing changes: silence alone makes it stalled", async () => {
    const folder = new Folder();
    folder.set("a", { state: "running" });
    follow(folder).visible = true;
    await expect.poll(() => folder.count("read /w/a")).toBeGreaterThan(2);
  });

  test("is diagnosed again where other thresholds count", async () => {
    const folder = new Folder();
    folder.set("a");
    folder.set("b");
    const list = follow(folder);
    list.visible = true;
    await expect.poll(done("/w/b")).toEqual([]);
    list.rethink((dir) => dir === "/w/a");
    await expect.poll(() => folder.count("diagnose /w/a")).toBe(2);
    expect(folder.count("diagnose /w/b")).toBe(1);
  });

  test("looks at once when a folder came, but not with each of many", async () => {
    const folder = new Folder();
    let now = 0;
    catalogue = new RunCatalogue({ ...folder.parts(), now: () => now }, { ...PACE, poll: 60_000 });
    const list = catalogue;
    list.visible = true;
    await list.searched();
    const searches = () => folder.count("find /w");
    expect(searches()).toBe(1);
    folder.set("new");
    now += PACE.burst;
    list.folderTouched();
    await expect.poll(() => list.get("/w/new")).toBeDefined();
    expect(searches()).toBe(2);
    // The clock stands still: a search was just made.
    for (let i = 0; i < 10; i++) list.folderTouched();
    now += PACE.burst;
    list.folderTouched();
    await expect.poll(searches).toBe(3);
  });

  test("takes what somebody else has read and diagnosed, and does not do it once more", async () => {
    const folder = new Folder();
    let now = 0;
    folder.set("a", { state: "running" }, [findingOf("KL_BLOWUP")]);
    catalogue = new RunCatalogue({ ...folder.parts(), now: () => now }, PACE);
    const list = catalogue;
    list.visible = true;
    await expect.poll(done("/w/a")).toHaveLength(1);
    const news: string[] = [];
    list.onNews(({ finding }) => news.push(finding.signature));
    /** Its files change, and the list sees that. */
    const change = async (): Promise<void> => {
      folder.set("a", { state: "running" });
      const reads = folder.count("read /w/a");
      list.touched("/w/a/steps/part-00001.parquet");
      await expect.poll(() => folder.count("read /w/a")).toBeGreaterThan(reads);
    };
    const before = folder.count("diagnose /w/a");
    const line = { findings: [findingOf("KL_BLOWUP"), findingOf("FD_SPIKE")], verdict: CLEAR };
    for (let i = 0; i < 5; i++) {
      // Somebody diagnoses it, each time before the list would.
      now += PACE.diagnosis * 10;
      list.learned("/w/a", summaryOf({ state: "running", lastStep: String(i) }));
      list.learnedFindings("/w/a", line);
      await change();
    }
    expect(folder.count("diagnose /w/a")).toBe(before);
    expect(list.get("/w/a")?.findings).toEqual(line.findings);
    expect(news).toEqual(["FD_SPIKE"]);
    // Nobody does any more: then the list does.
    now += PACE.diagnosis * 10;
    await expect.poll(() => folder.count("diagnose /w/a")).toBeGreaterThan(before);
    list.learned("/w/unknown", summaryOf());
    list.learnedFindings("/w/unknown", line);
    expect(list.list()).toHaveLength(1);
  });

  test("a search can be stopped; the list says that it is not complete", async () => {
    const folder = new Folder();
    folder.set("a");
    let release = (): void => {};
    folder.hold = new Promise((resolve) => {
      release = resolve;
    });
    const list = follow(folder);
    list.visible = true;
    await expect.poll(() => list.isSearching).toBe(true);
    list.stopSearch();
    folder.hold = null;
    release();
    await list.searched();
    expect(list.cuts).toEqual(["cancelled"]);
  });
});

describe("news", () => {
  const newsOf = (list: RunCatalogue): string[] => {
    const news: string[] = [];
    list.onNews(({ run, finding }) => news.push(`${run.label} ${finding.signature}`));
    return news;
  };

  test("what was wrong from the beginning is none; what comes later is, once, when it is critical", async () => {
    const folder = new Folder();
    folder.set("old", {}, [findingOf("KL_BLOWUP")]);
    const list = follow(folder);
    const news = newsOf(list);
    list.visible = true;
    await expect.poll(done("/w/old")).toHaveLength(1);
    expect(news).toEqual([]);
    folder.set("old", {}, [
      findingOf("KL_BLOWUP"),
      findingOf("ENTROPY_COLLAPSE"),
      findingOf("THROUGHPUT_ROT", "warn"),
    ]);
    await expect.poll(() => news).toEqual(["old ENTROPY_COLLAPSE"]);
    folder.set("old", { steps: 7 }, [findingOf("ENTROPY_COLLAPSE"), findingOf("KL_BLOWUP")]);
    await expect.poll(() => folder.count("diagnose /w/old")).toBe(3);
    expect(news).toEqual(["old ENTROPY_COLLAPSE"]);
  });

  test("a run that appears brings its own, hidden or not", async () => {
    const folder = new Folder();
    const list = follow(folder);
    const news = newsOf(list);
    list.visible = true;
    await list.searched();
    list.visible = false;
    folder.set("new", {}, [findingOf("GRAD_PATHOLOGY")]);
    await expect.poll(() => news).toEqual(["new GRAD_PATHOLOGY"]);
  });
});
