/** A disk that fails at one call, any one, of a whole recording: nobody hears an exception, and nothing is lost that can still be written. */
import { describe, expect, it } from "vitest";
import { MemorySink } from "../../../src/core/io/memory-sink.ts";
import { type RunSink, type SinkCode, SinkError } from "../../../src/core/io/sink.ts";
import { events, NOW, open, stepsByRlprobe, stepsByUs, type Written, writing } from "./writing.ts";

type Failure = readonly [code: SinkCode, system: string];
const FULL: Failure = ["no-space", "ENOSPC"];
const BROKEN: Failure = ["io-error", "EIO"];
const READ_ONLY: Failure = ["permission-denied", "EROFS"];

/** How much of a call that fails is done nevertheless. */
type Done = "nothing" | "half" | "all";

interface Fault {
  readonly failure: Failure;
  readonly done: Done;
  /** The call that fails, … */
  readonly at: number;
  /** … and whether those after it do: none, all until the recording is about to be closed, or all. */
  readonly lasts: "once" | "until closing" | "for ever";
}

/** A folder in memory of which calls fail. */
class Disk {
  calls = 0;
  isClosing = false;
  readonly memory: MemorySink;
  readonly #fault: Fault | null;

  constructor(fault: Fault | null, memory = new MemorySink()) {
    this.#fault = fault;
    this.memory = memory;
  }

  get sink(): RunSink {
    return new Proxy(this.memory, {
      get: (target, name) => {
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== "function") return own;
        return (...args: readonly unknown[]) => {
          const work = (given: readonly unknown[]) => Reflect.apply(own, target, given) as unknown;
          if (!this.#isFailing(this.calls++)) return work(args);
          return this.#fail(String(name), args, work);
        };
      },
    });
  }

  #isFailing(call: number): boolean {
    if (!this.#fault || call < this.#fault.at) return false;
    if (this.#fault.lasts === "once") return call === this.#fault.at;
    return this.#fault.lasts === "for ever" || !this.isClosing;
  }

  #fail(name: string, args: readonly unknown[], work: (args: readonly unknown[]) => unknown): never {
    const { failure, done } = this.#fault ?? { failure: FULL, done: "nothing" };
    const [path, bytes] = args;
    if (done === "all") work(args);
    // Of what is written whole there is no half.
    else if (done === "half" && name === "append" && bytes instanceof Uint8Array)
      work([path, bytes.slice(0, bytes.length * 0.6)]);
    throw new SinkError(failure[0], String(path), failure[1]);
  }
}

/** Rows and events that were logged, by what tells them apart. */
interface Logged {
  readonly steps: number[];
  readonly samples: string[];
  readonly events: string[];
}

const STEPS = 11;

/** Flushes by number and by time, and hands over as the recorder's thread does. */
function record({ writer, clock }: Written, from: number, logged: Logged): void {
  for (let step = from; step < from + STEPS; step++) {
    writer.step(step, { reward_mean: step, ...(step % 4 === 1 ? { late: step } : {}) }, null, NOW);
    logged.steps.push(step);
    if (step % 3 === 0) {
      writer.samples(step, [{ completion_text: "a" }, { completion_text: "b" }], false, NOW);
      logged.samples.push(`${step}_0`, `${step}_1`);
    }
    if (step % 5 === 2) {
      writer.event({ kind: "note", message: `at ${step}` }, NOW);
      logged.events.push(`at ${step}`);
    }
    clock.seconds += 1;
    writer.settle();
  }
}

interface Outcome {
  readonly logged: Logged;
  readonly written: Written;
  readonly calls: number;
}

/** A recording from its beginning to its end, or one that continues a closed one. */
function play(fault: Fault | null, isContinued: boolean): Outcome {
  const logged: Logged = { steps: [], samples: [], events: [] };
  const memory = new MemorySink();
  if (isContinued) {
    const first = writing({ flushSteps: 6 }, memory);
    record(first, 0, logged);
    first.writer.close();
  }
  const disk = new Disk(fault, memory);
  const written = writing({ flushSteps: 6, resume: isContinued }, memory, () => disk.sink);
  record(written, isContinued ? STEPS : 0, logged);
  disk.isClosing = true;
  written.writer.close();
  return { logged, written, calls: disk.calls };
}

interface Read {
  readonly steps: readonly number[];
  readonly samples: readonly string[];
  readonly events: readonly string[];
}

async function readBack(sink: MemorySink): Promise<Read> {
  if (!sink.files.has("manifest.json")) return { steps: [], samples: [], events: [] };
  const run = await open(sink);
  const found = run.warnings().filter(({ level }) => level === "warning");
  expect(found.map(({ code }) => code)).toEqual([]);
  const steps = await stepsByUs(sink);
  expect(stepsByRlprobe(sink)).toEqual(steps);
  return {
    steps,
    samples: (await run.samples.inSteps(0, 1e6, 1e6)).map(({ sample_id }) => sample_id),
    events: run.events.filter(({ kind }) => kind === "note").map(({ message }) => message),
  };
}

const SCENES: [what: string, isContinued: boolean][] = [
  ["a recording", false],
  ["a continued recording", true],
];

const HARMLESS: [what: string, fault: Omit<Fault, "at">][] = [
  ["once, the disk is full", { failure: FULL, done: "nothing", lasts: "once" }],
  ["once, the disk is broken", { failure: BROKEN, done: "nothing", lasts: "once" }],
  ["once, the disk is read-only", { failure: READ_ONLY, done: "nothing", lasts: "once" }],
  ["once, halfway", { failure: FULL, done: "half", lasts: "once" }],
  ["once, after it was done", { failure: BROKEN, done: "all", lasts: "once" }],
  [
    "and all that follow until there is room again",
    { failure: FULL, done: "nothing", lasts: "until closing" },
  ],
];

describe.each(SCENES)("%s of which any one call fails", (_what, isContinued) => {
  const whole = play(null, isContinued);

  it("has calls of every kind, and is whole when none fails", async () => {
    expect(whole.calls).toBeGreaterThan(30);
    expect(await readBack(whole.written.sink)).toEqual(whole.logged);
  });

  it.each(HARMLESS)("%s: nothing is lost, and the writer goes on", async (_how, fault) => {
    for (let at = 0; at < whole.calls; at++) {
      const { written, logged } = play({ ...fault, at }, isContinued);
      const { sink, drops } = written;
      expect([at, await readBack(sink)]).toEqual([at, logged]);
      const others = events(sink).filter(({ kind }) => kind !== "note");
      const said = others.map(({ kind }) => kind).filter((kind) => kind !== "recorder_resumed");
      expect([at, drops.calls, new Set(["recorder_failure", ...said])]).toEqual([
        at,
        0,
        new Set(["recorder_failure"]),
      ]);
    }
  });

  it("and all that follow: what is there is read, what is not is counted", async () => {
    let lost = 0;
    for (let at = 0; at < whole.calls; at++) {
      const failure = [FULL, BROKEN, READ_ONLY][at % 3] ?? FULL;
      const fault: Fault = { failure, done: at % 2 === 0 ? "nothing" : "half", at, lasts: "for ever" };
      const { written, logged } = play(fault, isContinued);
      const found = await readBackTorn(written.sink);
      expect([at, found.steps]).toEqual([at, logged.steps.slice(0, found.steps.length)]);
      expect([at, found.samples]).toEqual([at, logged.samples.slice(0, found.samples.length)]);
      expect([at, found.events]).toEqual([at, logged.events.slice(0, found.events.length)]);
      const rows = (of: Read) => of.steps.length + of.samples.length;
      expect([at, rows(found) + written.drops.calls]).toEqual([at, rows(logged)]);
      if (written.drops.calls > 0) expect(written.writer.problem).toMatchObject({ code: failure[0] });
      lost += written.drops.calls;
    }
    expect(lost).toBeGreaterThan(100);
  });
});

/** The last line of the events may be torn when the disk never took it. */
function readBackTorn(sink: MemorySink): Promise<Read> {
  const bytes = sink.files.get("events.jsonl");
  if (bytes) sink.files.set("events.jsonl", bytes.slice(0, bytes.lastIndexOf(10) + 1));
  return readBack(sink);
}
