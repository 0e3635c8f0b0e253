import { describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import type { RunMemory } from "../../../src/core/reader/memory.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { createClient, createServer, ProblemError } from "../../../src/protocol/rpc.ts";
import { workerContract } from "../../../src/protocol/worker.ts";
import { problemOfError } from "../../../src/view/problems.ts";
import { type HowToOpen, workerHandlers } from "../../../src/worker/runs.ts";
import { cloneChannel } from "../protocol/channels.ts";
import { column, fakeModel, NOW } from "../view/model.ts";

function start(open: (dir: string, how: HowToOpen) => Promise<RunModel>) {
  const { near, far, close } = cloneChannel();
  const failures: string[] = [];
  let warmed = 0;
  const rehearsals: (() => boolean)[] = [];
  const later: Promise<void>[] = [];
  const refused: string[] = [];
  const handlers = workerHandlers({
    open,
    find: async () => ({ runs: [], folders: 0, cuts: [] }),
    label: (dir) => dir.split("/").at(-1) ?? "",
    cache: () => null,
    later: (work) => later.push(work()),
    async rehearse(isWanted) {
      rehearsals.push(isWanted);
    },
    warm: () => warmed++,
    now: () => NOW,
    onError: (where) => failures.push(where),
    onRefused: (method, reason) => refused.push(`${method} ${reason}`),
    answer: (work) => work(),
  });
  createServer(workerContract, handlers, far, { toProblem: problemOfError });
  const client = createClient(workerContract, near);
  const call = (run: number, method: string, params: unknown) => client.call("call", { run, method, params });
  return { client, call, close, failures, refused, rehearsals, later, warmed: () => warmed };
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof ProblemError ? error.problem.code : error),
  );
const model = () =>
  Promise.resolve(fakeModel({ columns: { step: column([1, 2]), loss: column([3, 4]) }, label: "x" }));
const chart = { id: "loss", metrics: ["loss"], x: "step", range: null, width: 10 };

describe("workerHandlers", () => {
  it("opens runs, answers questions about each and closes them", async () => {
    const { client, call, close, warmed, refused } = start(model);
    const first = await client.call("open", { dir: "/a/x", loose: false });
    const second = await client.call("open", { dir: "/a/y", loose: false });
    expect([first, second]).toEqual([
      { state: "run", run: 1 },
      { state: "run", run: 2 },
    ]);
    expect(warmed()).toBe(0);
    const view = (await call(2, "chart.series", chart)) as { series: { y: Float64Array }[] };
    expect([...(view.series[0]?.y ?? [])]).toEqual([3, 4]);
    expect(warmed()).toBe(1);
    await client.call("close", { run: 2 });
    expect(await code(call(2, "run.overview", {}))).toBe("closed");
    expect(await code(call(1, "run.overview", {}))).toBe("ok");
    for (const name of ["constructor", "__proto__", "run.none"])
      expect(await code(call(1, name, {}))).toBe("bad-request");
    expect(await code(call(1, "chart.series", { id: 5 }))).toBe("bad-request");
    expect(refused).toEqual([
      "run.overview closed",
      ...["constructor", "__proto__", "run.none", "chart.series"].map((name) => `${name} bad-request`),
    ]);
    close();
  });

  it("reads ahead of a page what it asks first, and not again when the folder is opened again", async () => {
    const reads: string[] = [];
    const { client, close, later } = start(() =>
      Promise.resolve(
        fakeModel({
          columns: { step: column([1, 2]), kl_mean: column([3, 4]), reward_mean: column([5, 6]) },
          onRead: (names) => reads.push(...names),
        }),
      ),
    );
    await client.call("open", { dir: "/a", loose: false });
    expect(later).toHaveLength(0);
    await client.call("open", { dir: "/a", loose: false, ahead: true });
    await Promise.all(later);
    expect(reads).toEqual(expect.arrayContaining(["reward_mean", "kl_mean"]));
    await client.call("open", { dir: "/a", loose: false, after: 2, ahead: true });
    expect(later).toHaveLength(1);
    close();
  });

  it("goes through a small run once while nobody waits, and stops when a run is opened", async () => {
    const { client, close, rehearsals } = start(model);
    await client.call("warm", {});
    await client.call("warm", {});
    expect(rehearsals.map((isWanted) => isWanted())).toEqual([false]);
    await client.call("open", { dir: "/a", loose: false });
    expect(rehearsals.map((isWanted) => isWanted())).toEqual([true]);
    close();
  });

  it("does not begin to rehearse once a run is open", async () => {
    const { client, close, rehearsals } = start(model);
    await client.call("open", { dir: "/a", loose: false });
    await client.call("warm", {});
    expect(rehearsals).toEqual([]);
    close();
  });

  it("hands on what an opening knows to the next one of the same folder", async () => {
    const memories: RunMemory[] = [];
    const { client, close } = start((_dir, { memory }) => {
      memories.push(memory);
      return model();
    });
    await client.call("open", { dir: "/a", loose: false });
    await client.call("open", { dir: "/a", loose: false, after: 1 });
    await client.call("close", { run: 1 });
    await client.call("open", { dir: "/a", loose: false, after: 1 });
    await client.call("open", { dir: "/b", loose: false });
    expect(memories[1]).toBe(memories[0]);
    expect(memories[2]).not.toBe(memories[0]);
    expect(memories[3]).not.toBe(memories[0]);
    close();
  });

  it("answers the same question again: what was moved to the host was not the model's", async () => {
    const { client, call, close } = start(model);
    await client.call("open", { dir: "/a", loose: false });
    const first = await call(1, "chart.series", chart);
    expect(await call(1, "chart.series", chart)).toEqual(first);
    close();
  });

  it("tells an empty folder from a refused run, and whether loose step files lie there", async () => {
    const { client, close, failures } = start(async (dir, { loose }) => {
      if (dir === "/none") throw new FlightDeckError("not-a-run", "manifest.json", { loose: "no" });
      if (dir === "/loose" && !loose)
        throw new FlightDeckError("not-a-run", "manifest.json", { loose: "yes" });
      if (dir === "/new")
        throw new FlightDeckError("newer-schema", "manifest.json", { found: "2", supported: "1" });
      if (dir === "/bug") throw new TypeError("x is undefined");
      return model();
    });
    const open = (dir: string, loose = false) => client.call("open", { dir, loose });
    expect(await open("/none")).toMatchObject({ state: "empty", label: "none", loose: false });
    expect(await open("/loose")).toMatchObject({
      state: "empty",
      loose: true,
      problem: { code: "not-a-run" },
    });
    expect(await open("/loose", true)).toEqual({ state: "run", run: 1 });
    expect(await open("/new")).toMatchObject({ state: "refused", problem: { code: "newer-schema" } });
    expect(failures).toEqual([]);
    const bug = await open("/bug");
    expect(bug).toMatchObject({ state: "refused", problem: { code: "internal" } });
    expect(JSON.stringify(bug)).not.toContain("undefined");
    expect(failures).toEqual(["open"]);
    close();
  });

  it("asks a run nothing that the contract does not know", async () => {
    const { client, call, close } = start(model);
    await client.call("open", { dir: "/a", loose: false });
    for (const method of ["run.delete", "constructor", "__proto__"]) {
      expect(await code(call(1, method, {}))).toBe("bad-request");
    }
    expect(await code(call(1, "chart.series", { ...chart, width: 1e9 }))).toBe("bad-request");
    expect(await code(call(9, "run.overview", {}))).toBe("closed");
    close();
  });
});
