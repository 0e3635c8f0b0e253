/** `flight-deck record` in this process: a recorder that takes everything down, and an input that is given chunk by chunk. */
import { describe, expect, test } from "vitest";
import type { Context, StopSignal } from "../../../src/cli/context.ts";
import { run } from "../../../src/cli/run.ts";
import { styleFor } from "../../../src/cli/terminal.ts";
import type { Recorder } from "../../../src/recorder/index.ts";
import type { RecorderOptions, RecorderProblem } from "../../../src/recorder/types.ts";

interface Fake {
  readonly calls: unknown[][];
  readonly options: RecorderOptions[];
  readonly err: string[];
  readonly out: string[];
  ended: number;
  signal(name: StopSignal): void;
  code: Promise<number>;
}

interface Input {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly isTerminal?: boolean;
  /** Asked each time the disk is waited for. */
  readonly flush?: () => Promise<void>;
  readonly args?: readonly string[];
  readonly problem?: RecorderProblem;
  readonly dropped?: number;
}

function record({ chunks, isTerminal = false, flush, args = [], problem, dropped = 0 }: Input): Fake {
  let heard = (_: StopSignal): void => {};
  const calls: unknown[][] = [];
  const options: RecorderOptions[] = [];
  const [err, out]: [string[], string[]] = [[], []];
  const recorder = {
    logStep: (...call: unknown[]) => calls.push(["step", ...call]),
    logSamples: (...call: unknown[]) => calls.push(["samples", ...call]),
    logEvent: (...call: unknown[]) => calls.push(["event", ...call]),
    flush: async () => {
      calls.push(["flush"]);
      await flush?.();
    },
    close: async () => {
      calls.push(["close"]);
    },
    problem: problem ?? null,
    dropped,
  };
  const fake: Fake = {
    calls,
    options,
    err,
    out,
    ended: 0,
    signal: (name) => heard(name),
    code: Promise.resolve(0),
  };
  const context: Context = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    style: styleFor(false),
    columns: 100,
    nowMs: 0,
    wasm: () => new Uint8Array(),
    recording: {
      input: {
        isTerminal: () => isTerminal,
        chunks: () => chunks,
        end: () => {
          fake.ended++;
        },
      },
      newRecorder: (_, given) => {
        options.push(given);
        return recorder as unknown as Recorder;
      },
      onSignals: (_, listener) => {
        heard = listener;
        return () => {};
      },
    },
  };
  fake.code = run(["record", "/nowhere/that/is/written", ...args], context, "0.0.0");
  return fake;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const step = (n: number): string => `{"type":"step","step":${n},"loss":1}\n`;
async function* given(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield bytes(chunk);
}
const kinds = ({ calls }: Fake): unknown[] => calls.map(([kind]) => kind);

describe("record", () => {
  test("hands over what comes in, in order, and closes", async () => {
    const fake = record({ chunks: given('{"type":"run","run_id":"r"}\n', step(0), step(1).trim()) });
    expect(await fake.code).toBe(0);
    expect(kinds(fake)).toEqual(["step", "step", "close"]);
    expect(fake.options).toEqual([
      {
        runId: "r",
        captureEnv: false,
        trainerConfig: {},
        flushIntervalSeconds: 5,
        queueSize: 8192,
        exitHandlers: false,
        resume: false,
      },
    ]);
    expect(fake.ended).toBe(1);
  });

  test("has its folder's name where no other is given", async () => {
    const fake = record({ chunks: given(step(0)), args: ["--resume", "--flush-interval", "2"] });
    expect(await fake.code).toBe(0);
    expect(fake.options).toMatchObject([{ runId: "written", resume: true, flushIntervalSeconds: 2 }]);
  });

  test("reads nothing while the disk is waited for", async () => {
    let pulled = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; pulled < 5000; pulled++) yield bytes(step(pulled));
    }
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fake = record({ chunks: endless(), flush: () => waiting });
    await expect.poll(() => kinds(fake).includes("flush")).toBe(true);
    expect([pulled, fake.calls.length]).toEqual([4095, 4097]);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(pulled).toBe(4095);
    release();
    expect(await fake.code).toBe(0);
    expect(kinds(fake).filter((kind) => kind === "step").length).toBe(5000);
  });

  test("waits for the disk after 16 MB, too", async () => {
    const long = `{"type":"event","kind":"x","message":"${"m".repeat(9e6)}"}\n`;
    const fake = record({ chunks: given(long, long, long) });
    expect(await fake.code).toBe(0);
    expect(kinds(fake)).toEqual(["event", "event", "flush", "event", "close"]);
  });

  test("of an input that fails keeps what came before, and says so", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes(step(0));
      throw Object.assign(new Error("read EIO"), { code: "EIO" });
    }
    const fake = record({ chunks: broken() });
    expect(await fake.code).toBe(2);
    expect(kinds(fake)).toEqual(["step", "event", "close"]);
    expect(fake.err[0]).toBe("flight-deck: standard input cannot be read any further (EIO)");
  });

  test("says what could not be written, and that something is lost", async () => {
    const problem = { code: "no-space", file: "steps/part-00000.parquet", count: 3 } as const;
    const fake = record({ chunks: given(step(0)), problem, dropped: 7, args: ["--json"] });
    expect(await fake.code).toBe(2);
    expect(fake.err).toEqual([
      "flight-deck: /nowhere/that/is/written/steps/part-00000.parquet: there is no space left on the disk",
      "flight-deck: 7 records could not be kept: not everything is there",
      "flight-deck: what came in: 1 step, 0 events",
    ]);
    expect(JSON.parse(fake.out.join())).toEqual({
      folder: "/nowhere/that/is/written",
      written: true,
      steps: 1,
      samples: 0,
      events: 0,
      bad: 0,
      dropped: 7,
    });
  });

  test("from a terminal tells how to end it, and Ctrl+C ends it at once", async () => {
    const never = new Promise<IteratorResult<Uint8Array>>(() => {});
    const chunks = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
    const fake = record({ chunks, isTerminal: true });
    await expect.poll(() => fake.err).toEqual(["reading lines of JSON; Ctrl+D ends the recording"]);
    fake.signal("SIGHUP");
    fake.signal("SIGINT");
    expect(await fake.code).toBe(0);
    expect(fake.err.at(-1)).toBe(
      "flight-deck: nothing came in that can be recorded, and nothing was written",
    );
  });
});
