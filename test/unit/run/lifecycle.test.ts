import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/core/format/event.ts";
import { type LifecycleInput, lifecycle } from "../../../src/core/run/lifecycle.ts";

const NOW = 1_800_000_000_000;
const SECONDS = 1000;

const event = (kind: string, more: Partial<RunEvent> = {}): RunEvent => ({
  timestamp: NOW / 1000 - 5000,
  kind,
  step: null,
  rank: 0,
  message: "",
  data: {},
  ...more,
});

function state(input: Partial<LifecycleInput>): string {
  const { state: name, reason } = lifecycle({
    events: [],
    layout: "parts",
    lastWriteMs: NOW - 10 * SECONDS,
    medianStepSeconds: 2,
    nowMs: NOW,
    ...input,
  });
  return `${name}: ${reason}`;
}

const begin = event("train_begin", { step: 0 });
const end = event("train_end", { step: 250 });
const checkpoint = event("checkpoint", { step: 50 });
const halt = event("auto_halt");
const crash = event("crash", { message: "ZeroDivisionError: division by zero" });
const sigterm = event("crash", { message: "signal 15" });
const sigint = event("crash", { message: "signal 2" });
const resumed = event("recorder_resumed");
const ctrlC = event("crash", { message: "KeyboardInterrupt: " });

describe("a run that was closed by an event", () => {
  const cases: [string, RunEvent[], string][] = [
    ["ends", [begin, checkpoint, end], "finished: train-end"],
    ["saves after its end", [begin, end, checkpoint], "finished: train-end"],
    ["crashes", [begin, checkpoint, crash], "crashed: crash"],
    ["crashes and is resumed", [begin, crash, begin], "running: resumed"],
    ["crashes, is resumed and ends", [begin, crash, begin, checkpoint, end], "finished: train-end"],
    ["crashes and goes on without a train_begin", [begin, crash, checkpoint], "running: resumed"],
    ["ends and is trained again", [begin, end, begin], "running: resumed"],
    ["is halted, saves and ends in order", [begin, halt, checkpoint, end], "halted: auto-halt"],
    ["crashes after its end", [begin, end, crash], "crashed: crash-after-end"],
    ["is told to stop after its end", [begin, end, sigterm], "finished: train-end"],
    ["is told to stop", [begin, sigterm], "killed: signal"],
    ["is stopped by hand", [begin, ctrlC], "halted: interrupted"],
    ["is stopped by hand under Node", [begin, sigint], "halted: interrupted"],
    ["is stopped by hand after its end", [begin, end, sigint], "finished: train-end"],
    ["crashes and is continued by our recorder", [begin, crash, resumed], "running: resumed"],
    ["catches its crash and ends", [begin, crash, end], "crashed: crash"],
    ["loses another rank", [begin, event("crash", { rank: 2 })], "crashed: crash-other-rank"],
    ["ends though another rank crashed", [begin, event("crash", { rank: 2 }), end], "finished: train-end"],
    ["has another rank that ended", [begin, event("train_end", { rank: 1 })], "running: writing"],
  ];
  it.each(cases)("%s", (_name, events, expected) => {
    expect(state({ events })).toBe(expected);
  });

  it("is not fooled by the text of an event inside another's data", () => {
    const quoting = event("eval", {
      message: '{"kind":"train_end"}',
      data: { kind: "train_end", text: '"kind":"crash"' },
    });
    expect(state({ events: [begin, quoting] })).toBe("running: writing");
  });

  it("says which signal, step and rank", () => {
    const facts = (events: RunEvent[]) =>
      lifecycle({ events, layout: "parts", lastWriteMs: NOW, medianStepSeconds: null, nowMs: NOW }).facts;
    expect(facts([sigterm])).toEqual({ signal: 15 });
    expect(facts([event("train_end", { step: 2n ** 60n })])).toEqual({ step: "1152921504606846976" });
    expect(facts([event("crash", { rank: 3 })])).toEqual({ rank: 3 });
  });
});

describe("a run whose recorder was closed", () => {
  it("finished when nobody logs a beginning or an end", () => {
    expect(state({ layout: "compacted" })).toBe("finished: closed");
    expect(state({ layout: "compacted", lastWriteMs: NOW - 1e9 })).toBe("finished: closed");
  });
  it("was stopped when it began and never ended", () => {
    expect(state({ layout: "compacted", events: [begin] })).toBe("halted: closed-without-end");
  });
  it("is open again after a resume, even before the first new part", () => {
    expect(state({ layout: "compacted", events: [begin, end, begin] })).toBe("running: resumed");
    // Our recorder takes steps.parquet apart before it says so: there again, it was closed.
    expect(state({ layout: "compacted", events: [begin, end, resumed, begin] })).toBe(
      "halted: closed-without-end",
    );
    expect(state({ layout: "compacted", events: [end, resumed, end, begin] })).toBe("running: resumed");
  });
});

describe("a run that is open", () => {
  const ago = (seconds: number) => NOW - seconds * SECONDS;
  const cases: [string, Partial<LifecycleInput>, string][] = [
    ["writes", { lastWriteMs: ago(10) }, "running: writing"],
    ["pauses to evaluate", { lastWriteMs: ago(100) }, "running: writing"],
    ["is slow by nature", { lastWriteMs: ago(1000), medianStepSeconds: 300 }, "running: writing"],
    ["falls quiet", { lastWriteMs: ago(300) }, "stalled: quiet"],
    ["falls silent", { lastWriteMs: ago(7200) }, "killed: silent"],
    ["is slow and quiet", { lastWriteMs: ago(7200), medianStepSeconds: 300 }, "stalled: quiet"],
    ["has no pace yet", { lastWriteMs: ago(300), medianStepSeconds: null }, "stalled: quiet"],
    ["has a pace that is no number", { medianStepSeconds: Number.NaN }, "running: writing"],
    [
      "died before its first step",
      { layout: "none", events: [begin], lastWriteMs: ago(7200) },
      "killed: silent-before-first-step",
    ],
    ["has just begun", { layout: "none", events: [begin] }, "running: writing"],
    ["died while compacting", { layout: "both", lastWriteMs: ago(7200) }, "killed: silent"],
    ["has no file times", { lastWriteMs: null }, "unknown: no-times"],
    ["has files from the future", { lastWriteMs: ago(-3600) }, "unknown: clock-ahead"],
    ["has a clock a little ahead", { lastWriteMs: ago(-30) }, "running: writing"],
    ["holds nothing", { layout: "none" }, "unknown: nothing-recorded"],
    ["is a fresh copy", { lastStepTime: NOW / 1000 - 86_400 }, "unknown: copied"],
    ["is an old copy", { lastStepTime: NOW / 1000 - 86_400, lastWriteMs: ago(7200) }, "killed: silent"],
    [
      "is a copy that is silent for half an hour",
      { lastStepTime: NOW / 1000 - 86_400, lastWriteMs: ago(1800) },
      "killed: silent",
    ],
    ["lives", { lastStepTime: NOW / 1000 - 20 }, "running: writing"],
    [
      "is slower than an hour a step",
      { lastStepTime: NOW / 1000 - 7200, medianStepSeconds: 7200 },
      "running: writing",
    ],
  ];
  it.each(cases)("%s", (_name, input, expected) => {
    expect(state(input)).toBe(expected);
  });
});

describe("at the limits of the clock", () => {
  const told = (input: Partial<LifecycleInput>) =>
    lifecycle({
      events: [],
      layout: "parts",
      lastWriteMs: NOW,
      medianStepSeconds: null,
      nowMs: NOW,
      ...input,
    });
  const ago = (seconds: number, more: Partial<LifecycleInput> = {}) =>
    told({ lastWriteMs: NOW - seconds * SECONDS, ...more });

  it("quiet after two minutes or ten steps, silent after half an hour or a hundred", () => {
    const reasons = (limits: readonly number[], more = {}) => limits.map((limit) => ago(limit, more).reason);
    expect(reasons([119, 120, 1799, 1800])).toEqual(["writing", "quiet", "quiet", "silent"]);
    for (const medianStepSeconds of [0, -5, 12])
      expect(reasons([119, 120, 1799, 1800], { medianStepSeconds }), String(medianStepSeconds)).toEqual([
        ...["writing", "quiet", "quiet", "silent"],
      ]);
    expect(reasons([599, 600, 5999, 6000], { medianStepSeconds: 60 })).toEqual([
      ...["writing", "quiet", "quiet", "silent"],
    ]);
  });

  it("with how long nothing was written, and the pace where there is one", () => {
    expect(ago(300.4, { medianStepSeconds: 3 }).facts).toEqual({ silentSeconds: 300, stepSeconds: 3 });
    for (const medianStepSeconds of [null, 0, -1])
      expect(ago(300, { medianStepSeconds }).facts).toEqual({ silentSeconds: 300 });
    expect(ago(-100).facts).toEqual({ silentSeconds: 0 });
  });

  it("a file time two minutes ahead is another clock, beyond that it is worth nothing", () => {
    expect(ago(-120).reason).toBe("writing");
    expect(ago(-121)).toEqual({ state: "unknown", reason: "clock-ahead", facts: { aheadSeconds: 121 } });
    for (const lastWriteMs of [null, Number.NaN, Number.POSITIVE_INFINITY])
      expect(told({ lastWriteMs }).reason).toBe("no-times");
    // Nothing at all says more than that there is no time.
    expect(told({ lastWriteMs: null, layout: "none" }).reason).toBe("nothing-recorded");
  });

  it("files more than an hour newer than the newest step are a copy", () => {
    const step = (seconds: number, more = {}) =>
      ago(0, { lastStepTime: NOW / 1000 - seconds, ...more }).reason;
    expect([step(3600), step(3601)]).toEqual(["writing", "copied"]);
    // A hundred slow steps.
    expect([60, 61].map((hundred) => step(100 * hundred, { medianStepSeconds: 60 }))).toEqual([
      "writing",
      "copied",
    ]);
    for (const lastStepTime of [null, undefined, Number.NaN, Number.NEGATIVE_INFINITY])
      expect(ago(0, lastStepTime === undefined ? {} : { lastStepTime }).reason).toBe("writing");
  });
});

describe("what an event says", () => {
  const reason = (events: readonly RunEvent[], layout: LifecycleInput["layout"] = "parts") =>
    lifecycle({ events, layout, lastWriteMs: NOW, medianStepSeconds: null, nowMs: NOW }).reason;
  const message = (text: string) => reason([begin, event("crash", { message: text })]);

  it("a signal is a message that is nothing else, of one or two digits", () => {
    expect(["signal 9", "signal 15", "signal 2"].map(message)).toEqual(["signal", "signal", "interrupted"]);
    expect(["a signal 9", "signal 9 came", "signal 123", "signal "].map(message)).toEqual(
      Array(4).fill("crash"),
    );
  });

  it("a halt does not undo a crash, an end does not undo a halt, a crash after a halt counts", () => {
    expect(reason([begin, crash, halt])).toBe("crash");
    expect(reason([begin, halt, end])).toBe("auto-halt");
    expect(reason([begin, halt, crash])).toBe("crash-after-end");
    expect(reason([begin, halt, sigterm])).toBe("auto-halt");
  });

  it("a closed table without an end was halted where training began in rank 0, else it was closed", () => {
    expect(reason([begin], "compacted")).toBe("closed-without-end");
    expect(reason([], "compacted")).toBe("closed");
    expect(reason([checkpoint], "compacted")).toBe("closed");
    expect(reason([event("train_begin", { rank: 1 })], "compacted")).toBe("closed");
  });

  it("after an end, one that is begun anew has to be closed again, unless our recorder continued it", () => {
    expect(reason([begin, end, begin], "compacted")).toBe("resumed");
    expect(reason([begin, end, resumed], "compacted")).toBe("closed-without-end");
    expect(reason([begin, end, resumed, end, begin], "compacted")).toBe("resumed");
  });
});
