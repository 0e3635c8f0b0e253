import { describe, expect, it } from "vitest";
import { type Place, RunSession } from "../../../src/host/editor/session.ts";
import type { Opened, RunWorker, WorkerRun } from "../../../src/host/worker/client.ts";
import { RunPool } from "../../../src/host/worker/pool.ts";
import { ProblemError, problemOf } from "../../../src/protocol/rpc.ts";
import type { Problem } from "../../../src/protocol/wire.ts";

const NEVER = new AbortController().signal;
const NOT_A_RUN = problemOf("not-a-run", "No run.");

/** A worker that opens what it is told to, and remembers what was closed. */
function fakeWorker(answers: Record<string, () => Promise<Opened>> = {}) {
  const opened: string[] = [];
  const closed: string[] = [];
  const forgiven: string[] = [];
  const lose: ((reason: string) => void)[] = [];
  const stop: ((problem: Problem) => void)[] = [];
  const run = (dir: string): WorkerRun =>
    ({
      dir,
      call: async (method: string) => `${dir}:${method}`,
      onReopened: (listener: (reason: string) => void) => {
        lose.push(listener);
        return () => lose.splice(lose.indexOf(listener), 1);
      },
      onStopped: (listener: (problem: Problem) => void) => {
        stop.push(listener);
        return () => stop.splice(stop.indexOf(listener), 1);
      },
      reload: async () => {
        opened.push(`${dir} again`);
        return answers[`${dir} again`]?.() ?? { state: "run", run: 2 };
      },
      close: () => closed.push(dir),
    }) as unknown as WorkerRun;
  const worker = {
    open: async (dir: string, loose: boolean): Promise<Opened> => {
      opened.push(loose ? `${dir} loose` : dir);
      return answers[dir]?.() ?? { state: "run", run: run(dir) };
    },
    forgive: (dir: string) => forgiven.push(dir),
  } as unknown as RunWorker;
  return { pool: new RunPool(worker), opened, closed, forgiven, lose, stop };
}

function session(pool: RunPool, place: Place | (() => Promise<Place>) = { dir: "/run", label: "run" }) {
  const seen: string[] = [];
  const made = new RunSession({
    locate: typeof place === "function" ? place : async () => place,
    pool: () => pool,
    onOpened: (dir) => seen.push(`opened ${dir}`),
    onRefused: (where, problem) => seen.push(`refused ${where} ${problem.code}`),
  });
  return { session: made, seen };
}

describe("RunPool", () => {
  it("opens a folder once for all who show it and closes it after the last", async () => {
    const { pool, opened, closed } = fakeWorker();
    const leases = await Promise.all([pool.acquire("/a", false), pool.acquire("/a", false)]);
    expect(opened).toEqual(["/a"]);
    const [first, second] = leases.map((leased) => (leased.state === "run" ? leased.lease : expect.fail()));
    first?.release();
    first?.release();
    await Promise.resolve();
    expect(closed).toEqual([]);
    second?.release();
    await Promise.resolve();
    expect(closed).toEqual(["/a"]);
    await pool.acquire("/a", false);
    expect(opened).toEqual(["/a", "/a"]);
  });

  it("keeps loose and ordinary openings apart, and looks again at what was refused", async () => {
    const { pool, opened } = fakeWorker({
      "/x": async () => ({ state: "empty", label: "x", problem: NOT_A_RUN, loose: true }),
    });
    expect((await pool.acquire("/x", false)).state).toBe("empty");
    expect((await pool.acquire("/x", false)).state).toBe("empty");
    await pool.acquire("/y", true);
    expect(opened).toEqual(["/x", "/x", "/y loose"]);
  });
});

describe("RunSession", () => {
  it("opens once, however often it is asked, and passes questions on", async () => {
    const { pool, opened } = fakeWorker();
    const { session: one, seen } = session(pool);
    expect(await Promise.all([one.open(), one.open()])).toEqual([{ state: "run" }, { state: "run" }]);
    expect(await one.call("run.overview", {}, NEVER)).toBe("/run:run.overview");
    expect(opened).toEqual(["/run"]);
    expect(seen).toEqual(["opened /run"]);
    expect(one.dir).toBe("/run");
  });

  it("never rejects: whatever goes wrong is a state with words", async () => {
    const failing = async (): Promise<never> => {
      throw new ProblemError(problemOf("worker-failing", "Failing."));
    };
    const bug = async (): Promise<never> => {
      throw new TypeError("x is undefined");
    };
    const { pool } = fakeWorker({ "/fail": failing, "/bug": bug });
    const state = async (place: Place | (() => Promise<Place>)) => session(pool, place).session.open();
    expect(await state({ label: "v", problem: problemOf("not-local", "No.") })).toMatchObject({
      state: "refused",
      label: "v",
      problem: { code: "not-local" },
    });
    expect(await state({ dir: "/fail", label: "f" })).toMatchObject({ problem: { code: "worker-failing" } });
    const wrong = [await state({ dir: "/bug", label: "b" }), await state(bug)];
    for (const one of wrong) {
      expect(one).toMatchObject({ state: "refused", problem: { code: "internal" } });
      expect(JSON.stringify(one)).not.toContain("undefined");
    }
  });

  it("answers questions about a refused run with the reason", async () => {
    const { pool } = fakeWorker({
      "/run": async () => ({ state: "refused", label: "run", problem: NOT_A_RUN }),
    });
    const { session: one, seen } = session(pool);
    await expect(one.call("run.overview", {}, NEVER)).rejects.toMatchObject({ problem: NOT_A_RUN });
    expect(seen).toEqual(["refused /run not-a-run"]);
  });

  it("looks again on retry, and opens loose step files when it is told to", async () => {
    let isThere = false;
    const { pool, opened, forgiven } = fakeWorker({
      "/late": async () =>
        isThere
          ? { state: "refused", label: "late", problem: NOT_A_RUN }
          : { state: "empty", label: "late", problem: NOT_A_RUN, loose: true },
    });
    const { session: one } = session(pool, { dir: "/late", label: "late" });
    expect((await one.open()).state).toBe("empty");
    isThere = true;
    expect((await one.retry()).state).toBe("refused");
    expect((await one.openLoose()).state).toBe("refused");
    expect(opened).toEqual(["/late", "/late", "/late loose"]);
    expect(forgiven).toEqual(["/late", "/late"]);
  });

  it("opens a run anew on retry and tells its pages to ask again", async () => {
    const { pool, opened, closed } = fakeWorker();
    const { session: one } = session(pool);
    const told: string[] = [];
    one.onReopened((reason) => told.push(reason));
    await one.open();
    await one.retry();
    expect(opened).toEqual(["/run", "/run"]);
    expect(closed).toEqual(["/run"]);
    expect(told).toHaveLength(1);
  });

  it("passes on that the worker was replaced, until it is disposed", async () => {
    const { pool, lose, stop, closed } = fakeWorker();
    const { session: one } = session(pool);
    const told: string[] = [];
    one.onReopened((reason) => told.push(reason));
    one.onStopped(({ code }) => told.push(code));
    await one.open();
    for (const listener of [...lose]) listener("hung");
    for (const listener of [...stop]) listener(problemOf("worker-stopped", "Stopped."));
    expect(told).toEqual(["hung", "worker-stopped"]);
    one.dispose();
    await Promise.resolve();
    expect([...lose, ...stop]).toEqual([]);
    expect(closed).toEqual(["/run"]);
  });

  it("closes a run that opens after the document was closed", async () => {
    const { pool, closed } = fakeWorker();
    const { session: one, seen } = session(pool);
    const opening = one.open();
    one.dispose();
    await opening;
    await Promise.resolve();
    expect(closed).toEqual(["/run"]);
    expect(seen).toEqual([]);
    await expect(one.call("run.overview", {}, NEVER)).rejects.toMatchObject({ problem: { code: "aborted" } });
  });

  it("opens a run again whose files have changed, and tells its pages once", async () => {
    const { pool, opened, closed, forgiven } = fakeWorker();
    const { session: one } = session(pool);
    const told: string[] = [];
    one.onChanged((state) => told.push(state));
    one.onReopened(() => told.push("reopened"));
    await one.open();
    await one.refresh();
    expect(told).toEqual(["run"]);
    expect(opened).toEqual(["/run", "/run again"]);
    expect(closed).toEqual([]);
    // What a thread died of may be repaired now.
    expect(forgiven).toEqual(["/run"]);
  });

  it("says so when there is no run any more, and when there is one again, each once", async () => {
    const empty = async (): Promise<Opened> => ({
      state: "empty",
      label: "run",
      problem: NOT_A_RUN,
      loose: false,
    });
    const answers: Record<string, () => Promise<Opened>> = { "/run again": empty };
    const { pool, closed } = fakeWorker(answers);
    const { session: one, seen } = session(pool);
    const told: string[] = [];
    one.onChanged((state) => told.push(state));
    await one.open();
    answers["/run"] = empty;
    await one.refresh();
    await Promise.resolve();
    expect([told, closed]).toEqual([["empty"], ["/run"]]);
    expect((await one.open()).state).toBe("empty");
    await expect(one.call("run.overview", {}, NEVER)).rejects.toMatchObject({ problem: NOT_A_RUN });
    // Other files, the same refusal: nothing to say.
    await one.refresh();
    expect(told).toEqual(["empty"]);
    delete answers["/run"];
    await one.refresh();
    expect(told).toEqual(["empty", "run"]);
    expect(await one.call("run.overview", {}, NEVER)).toBe("/run:run.overview");
    expect(seen).toEqual(["opened /run", "refused /run not-a-run", "refused /run not-a-run", "opened /run"]);
  });

  it("leaves it to the loss of the worker to tell when it is lost while it opens again", async () => {
    const { pool } = fakeWorker({
      "/run again": async () => {
        throw new ProblemError(problemOf("worker-lost", "Lost."));
      },
    });
    const { session: one } = session(pool);
    const told: string[] = [];
    one.onChanged((state) => told.push(state));
    await one.open();
    await one.refresh();
    expect(told).toEqual([]);
    expect((await one.open()).state).toBe("run");
  });

  it("refreshes nothing after it was closed", async () => {
    const { pool, opened } = fakeWorker();
    const { session: one } = session(pool);
    await one.open();
    one.dispose();
    await one.refresh();
    expect(opened).toEqual(["/run"]);
  });
});
