import { describe, expect, it, vi } from "vitest";
import { pageContract, pageNotices } from "../../../src/protocol/page.ts";
import { createServer, type Handlers, ProblemError } from "../../../src/protocol/rpc.ts";
import { connect } from "../../../webview/client.ts";
import { line } from "../../../webview/dev/line.ts";
import { Ready } from "../../../webview/ready.ts";
import { Session } from "../../../webview/session.ts";
import { INITIAL, Store, type ViewState } from "../../../webview/state.ts";

const overview = {
  ...{ label: "run", runId: "run", hasRecording: true, hasRecords: false, algorithm: "grpo", model: "" },
  ...{ createdAt: null, worldSize: 1, ranks: [0], rowCount: 100, shardCount: 0, eventCount: 0 },
  ...{ state: "finished" as const, stateReason: "", warnings: [], groups: [] },
};
const axis = {
  ...{ steps: 100, rows: 100, first: 1, last: 100, firstText: "1", lastText: "100" },
  ...{ hasTime: true, timeFirst: 1000, timeLast: 1198, warnings: [] },
};
const lost = () => {
  throw new ProblemError({ code: "worker-lost", message: "The reader was lost.", file: "", remedy: "" });
};

function setup(more: Partial<Handlers<typeof pageContract>> = {}, stored: Partial<ViewState> = {}) {
  const asked: string[] = [];
  const { page, host } = line();
  const handlers = {
    "page.open": () => ({ state: "run" as const }),
    "page.retry": () => ({ state: "run" as const }),
    "page.openLoose": () => ({ state: "run" as const }),
    "page.report": () => ({}),
    "page.pinned": () => ({}),
    "run.overview": () => overview,
    "run.axis": () => axis,
    "run.warnings": () => [],
    "chart.at": ({ x, at }: { x: string; at: number }) => {
      const step = x === "step" ? Math.round(at) : x === "time" ? (at - 1000) / 2 + 1 : at / 2 + 1;
      return { step, stepText: String(step), x: at, time: 1000 + (step - 1) * 2, values: [] };
    },
    ...more,
  } as unknown as Handlers<typeof pageContract>;
  const watched = new Proxy(handlers, {
    get: (all, method) => {
      asked.push(String(method));
      return Reflect.get(all, method);
    },
  });
  const server = createServer(pageContract, watched, host, { notices: pageNotices });
  const root = { dataset: {} } as unknown as HTMLElement;
  const memory = { getState: () => ({ ...INITIAL, ...stored }), setState: () => {} };
  const session = new Session(
    connect(page),
    new Store(memory),
    new Ready(root, (then) => setImmediate(then)),
  );
  return { session, server, asked, root };
}

const quiet = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("an open run", () => {
  it("is there with the first answer; nothing waits for what it does not need", async () => {
    const { session, root } = setup({ "run.axis": () => new Promise(() => {}) });
    await session.start();
    expect(session.phase.state).toBe("run");
    expect(session.overview?.algorithm).toBe("grpo");
    expect(session.axis).toBeNull();
    expect(root.dataset["ready"]).toBe("false");
  });

  it("whose first answer fails says so, and can be tried again", async () => {
    let fails = true;
    const { session } = setup({ "run.overview": () => (fails ? lost() : overview) });
    await session.start();
    expect(session.phase).toMatchObject({ state: "failed", problem: { code: "worker-lost" } });
    fails = false;
    await session.retry();
    expect(session.phase.state).toBe("run");
  });

  it("comes back when the worker is replaced while it was being opened", async () => {
    let fail: (error: unknown) => void = () => {};
    let times = 0;
    const { session, server } = setup({
      "run.overview": () => (times++ === 0 ? new Promise((_, reject) => (fail = reject)) : overview),
    });
    const opening = session.start();
    await quiet();
    server.notify("reopened", { reason: "lost" });
    await quiet();
    expect(session.phase.state).toBe("run");
    fail(new ProblemError({ code: "worker-lost", message: "lost", file: "", remedy: "" }));
    await opening;
    expect(session.phase.state).toBe("run");
  });

  it("that was refused stays refused when the worker is replaced", async () => {
    const problem = { code: "x", message: "m", file: "", remedy: "" };
    const { session, server, asked } = setup({
      "page.open": () => ({ state: "refused", label: "r", problem }),
    });
    await session.start();
    await quiet();
    asked.splice(0);
    server.notify("reopened", { reason: "lost" });
    await quiet();
    expect(session.phase.state).toBe("refused");
    expect(asked).toEqual([]);
  });

  it("that was refused and is tried again asks anew", async () => {
    const problem = { code: "x", message: "m", file: "", remedy: "" };
    let isRefused = true;
    const { session } = setup({
      "page.open": () => ({ state: "refused", label: "r", problem }),
      "run.overview": () => (isRefused ? lost() : overview),
      "run.axis": () => (isRefused ? lost() : axis),
    });
    await session.start();
    expect(session.phase.state).toBe("refused");
    isRefused = false;
    await session.retry();
    await quiet();
    expect(session.phase.state).toBe("run");
    expect(session.axis?.steps).toBe(100);
  });

  it("is zoomed within its bounds", async () => {
    const { session } = setup();
    await session.start();
    await quiet();
    session.zoom([-50, 20.4]);
    expect(session.store.state.range).toEqual([1, 20]);
    session.zoom([30, 30]);
    expect(session.store.state.range).toEqual([29, 31]);
    session.zoom([0, 500]);
    expect(session.store.state.range).toBeNull();
  });

  it("keeps its part in steps whatever stands on x; a stretch of time is turned into steps", async () => {
    const { session } = setup({}, { range: [11, 21] });
    await session.start();
    await quiet();
    await session.changeAxis("time");
    expect(session.store.state).toMatchObject({ x: "time", range: [11, 21] });
    await session.zoomX([1040, 1060]);
    expect(session.store.state).toMatchObject({ x: "time", range: [21, 31] });
    await session.changeAxis("relative");
    await session.zoomX([20, 40]);
    expect(session.store.state).toMatchObject({ x: "relative", range: [11, 21] });
  });

  it("that cannot tell times stays where it is", async () => {
    const { session } = setup({ "chart.at": lost }, { range: [11, 21], x: "time" });
    await session.start();
    await session.zoomX([1040, 1060]);
    expect(session.store.state.range).toEqual([11, 21]);
  });

  it("points out a step on every axis, moves along when it lies outside, and lets go of it when asked twice", async () => {
    const { session } = setup({}, { range: [11, 21] });
    await session.start();
    await quiet();
    await session.pick(15);
    expect(session.cursor.place).toMatchObject({ x: 15, pin: 15 });
    await session.changeAxis("time");
    expect(session.cursor.place).toMatchObject({ x: 1028, pin: 1028 });
    session.cursor.move(1030);
    session.cursor.move(null);
    expect(session.cursor.place.x).toBe(1028);
    await session.pick(99);
    expect(session.store.state).toMatchObject({ pin: 99, range: [90, 100] });
    await session.pickX(1196);
    expect(session.store.state.pin).toBeNull();
    expect(session.cursor.place).toMatchObject({ x: null, pin: null });
  });

  it("tells which step it points out, once, also the one that comes back with it", async () => {
    const told: (number | null)[] = [];
    const pinned = ({ step }: { step: number | null }) => {
      told.push(step);
      return {};
    };
    const { session } = setup({ "page.pinned": pinned }, { pin: 7 });
    await session.start();
    await quiet();
    await session.pick(15);
    await session.changeAxis("time");
    await session.pick(null);
    await quiet();
    expect(told).toEqual([7, 15, null]);
  });

  it("whose files have changed is asked for again, quietly; a refused one is opened again", async () => {
    const { session, server, asked } = setup({}, { range: [11, 21] });
    await session.start();
    await quiet();
    const before = session.epoch;
    asked.splice(0);
    const phases: string[] = [];
    session.subscribe(() => phases.push(session.phase.state));
    server.notify("changed", { state: "run" });
    await quiet();
    expect(session.epoch).toBe(before + 1);
    expect(asked).toEqual(expect.arrayContaining(["run.overview", "run.axis"]));
    expect(asked).not.toContain("page.open");
    expect(new Set(phases)).toEqual(new Set(["run"]));
    expect(session.store.state.range).toEqual([11, 21]);
    server.notify("changed", { state: "refused" });
    await quiet();
    expect(asked).toContain("page.open");
  });

  it("that grows takes nothing back meanwhile, and asks for findings when the host says so", async () => {
    const reasons: string[] = [];
    const live = { state: "running" as const, stateReason: "a row comes every 90 s" };
    const { session, server, asked, root } = setup({
      // The first answer knows the pace of nothing.
      "run.overview": () => ({ ...overview, state: "stalled" as const, stateReason: "quiet" }),
      "run.axis": async () => {
        await quiet();
        return { ...axis, ...live };
      },
    });
    await session.start();
    await quiet();
    session.subscribe(() => reasons.push(session.overview?.stateReason ?? ""));
    await expect.poll(() => root.dataset["ready"]).toBe("true");
    for (const list of [asked, reasons]) list.splice(0);
    server.notify("changed", { state: "run" });
    await expect.poll(() => reasons).toContain(live.stateReason);
    expect(asked).toContain("run.axis");
    expect(new Set(reasons)).toEqual(new Set([live.stateReason]));
    expect(session.overview?.state).toBe("running");
    await expect.poll(() => root.dataset["ready"]).toBe("true");
    expect(asked).not.toContain("page.diagnose");
    server.notify("diagnosis", { reason: "grown" });
    await expect.poll(() => asked).toContain("page.diagnose");
  });

  it("that says nothing any more is looked at again by the clock, while it may go on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let state: "running" | "killed" = "running";
    const { session, asked } = setup({ "run.overview": () => ({ ...overview, state, stateReason: state }) });
    try {
      await session.start();
      state = "killed";
      asked.splice(0);
      await vi.advanceTimersByTimeAsync(16_000);
      expect([session.overview?.state, session.overview?.stateReason]).toEqual(["killed", "killed"]);
      asked.splice(0);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked).not.toContain("run.overview");
    } finally {
      vi.useRealTimers();
    }
  });

  it("in whose folder another run lies now says so, and shows all of that; one that was started again does too", async () => {
    let now = overview;
    const { session, server } = setup({ "run.overview": () => now }, { range: [11, 21], pin: 12 });
    await session.start();
    await quiet();
    now = { ...overview, createdAt: 5 as never };
    server.notify("changed", { state: "run" });
    await expect.poll(() => session.notice).toBe("The recorder was started again in this folder.");
    expect(session.store.state.range).toEqual([11, 21]);
    session.hideNotice();
    now = { ...now, runId: "other\u202e" };
    server.notify("changed", { state: "run" });
    await expect
      .poll(() => session.notice)
      .toMatch(/^Another run lies in this folder now: other.+ Until now it was run\.$/);
    expect(session.notice).not.toContain("\u202e");
    expect([session.store.state.range, session.store.state.pin]).toEqual([null, null]);
  });

  it("whose reader was ended says so until it is tried again", async () => {
    const { session, server } = setup();
    await session.start();
    const problem = { code: "worker-refused", message: "m", file: "steps.parquet", remedy: "r" };
    server.notify("stopped", { problem });
    await quiet();
    expect(session.stopped).toEqual(problem);
    await session.retry();
    expect(session.stopped).toBeNull();
  });

  it("shows a step in the charts, around it, with the crosshair on it", async () => {
    const { session } = setup({}, { tab: "events", x: "relative" });
    await session.start();
    await quiet();
    await session.showStep(51);
    expect(session.store.state.tab).toBe("charts");
    const [from = 0, to = 0] = session.store.state.range ?? [];
    expect(from).toBeLessThan(51);
    expect(to).toBeGreaterThan(51);
    expect(session.cursor.place.x).toBe(100);
  });
});

describe("warnings found while columns are read", () => {
  const found = { code: "non-finite", file: "steps.parquet", message: "m", remedy: "", count: 2 };

  it("are asked for once after many answers, and again after later ones", async () => {
    let warnings: object[] = [];
    const { session, asked } = setup({ "run.warnings": () => warnings as never });
    await session.start();
    await quiet();
    warnings = [{ ...found, level: "info" }];
    const questions = () => asked.filter((method) => method === "run.warnings").length;
    for (let i = 0; i < 20; i++) session.columnsRead();
    await expect.poll(() => session.warnings).toEqual(warnings);
    expect(questions()).toBe(1);
    warnings = [{ ...found, level: "info", count: 3 }];
    session.columnsRead();
    await expect.poll(() => session.warnings).toEqual(warnings);
    expect(questions()).toBe(2);
  });

  it("are asked for again when one question is still under way, and nobody is told what has not changed", async () => {
    let answer: (warnings: never[]) => void = () => {};
    const { session, asked } = setup({ "run.warnings": () => new Promise((resolve) => (answer = resolve)) });
    await session.start();
    await quiet();
    let told = 0;
    session.subscribe(() => told++);
    const done = session.refreshWarnings();
    void session.refreshWarnings();
    void session.refreshWarnings();
    await quiet();
    answer([]);
    await quiet();
    answer([]);
    await done;
    expect(asked.filter((method) => method === "run.warnings")).toHaveLength(2);
    expect(told).toBe(0);
  });
});

describe("the crosshair", () => {
  it("asks one question at a time, and the last place is always asked for", async () => {
    const places: number[] = [];
    let running = 0;
    let most = 0;
    const { session } = setup({
      "chart.at": async ({ at, metrics }) => {
        places.push(at);
        most = Math.max(most, ++running);
        await quiet();
        running--;
        return { step: at, stepText: String(at), x: at, time: null, values: metrics.map(() => at / 10) };
      },
    });
    await session.start();
    const seen: (number | null | undefined)[] = [];
    session.cursor.listen({
      metrics: () => ["__proto__"],
      moved: () => {},
      exact: (_, values) => seen.push(values.get("__proto__")),
    });
    for (let x = 1; x <= 20; x++) session.cursor.move(x);
    await expect.poll(() => seen.at(-1)).toBe(2);
    expect(most).toBe(1);
    expect(places).toEqual([1, 20]);
  });

  it("that is gone gets no late answer", async () => {
    const { session } = setup();
    await session.start();
    const seen: unknown[] = [];
    session.cursor.listen({ metrics: () => [], moved: () => {}, exact: (at) => seen.push(at) });
    session.cursor.move(7);
    session.cursor.move(null);
    await quiet();
    expect(seen).toEqual([]);
  });
});
