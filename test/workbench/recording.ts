/**
 * A run that is being recorded, step by step as a test says: by the real rlprobe in a process of its own, or where there is none,
 * by files like those it wrote, laid down in the same order.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { INTEGERS } from "../../src/core/reader/kinds.ts";
import { double, int64, parquet } from "../unit/helpers/parquet.ts";
import { manifest, shard } from "../unit/helpers/runs.ts";

const own = path.resolve(import.meta.dirname, "../../.cache/rlprobe/bin/python");
const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"] ?? (existsSync(own) ? own : null);
const script = path.join(import.meta.dirname, "record_live.py");
/** Recordings of rlprobe's own that stand in, by what is wrong with them. */
const recorded = path.resolve(import.meta.dirname, "../fixtures/oracle/synthetic/recordings");

export type Pathology = "kl_blowup" | null;

/** Each call settles when what it says is on the disk. */
export interface Recording {
  steps(count: number): Promise<void>;
  event(kind: string, message: string): Promise<void>;
  /** In order: parts become steps.parquet. */
  close(): Promise<void>;
  /** As the kernel does it: nothing is said and nothing is written any more. */
  kill(): Promise<void>;
}

/** @param from the step it begins at @param length of the run that the values are taken from */
export function record(dir: string, pathology: Pathology, from = 0): Promise<Recording> {
  if (python) return ByRlprobe.start(python, dir, pathology, from);
  console.warn("There is no rlprobe: files like its own stand in.");
  return StandIn.start(dir, pathology, from);
}

class ByRlprobe implements Recording {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #errors = "";

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stderr.on("data", (text) => {
      this.#errors += text;
    });
  }

  static async start(
    interpreter: string,
    dir: string,
    pathology: Pathology,
    from: number,
  ): Promise<ByRlprobe> {
    const args = ["-W", "ignore", script, dir, "--from", String(from)];
    if (pathology) args.push("--pathology", pathology);
    const recording = new ByRlprobe(spawn(interpreter, args, { stdio: "pipe" }));
    await recording.#answer();
    return recording;
  }

  steps = (count: number): Promise<void> => this.#tell(`steps ${count}`);
  event = (kind: string, message: string): Promise<void> => this.#tell(`event ${kind} ${message}`);

  async close(): Promise<void> {
    await this.#tell("close");
    await this.#end(() => this.#child.stdin.end());
  }

  kill = (): Promise<void> => this.#end(() => this.#child.kill("SIGKILL"));

  async #end(how: () => void): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const over = new Promise((resolve) => this.#child.once("exit", resolve));
    how();
    await over;
  }

  async #tell(line: string): Promise<void> {
    this.#child.stdin.write(`${line}\n`);
    await this.#answer();
  }

  async #answer(): Promise<void> {
    const { value } = await this.#lines.next();
    if (value !== "ok") throw new Error(`The recorder says ${String(value)}: ${this.#errors}`);
  }
}

interface Values {
  readonly step: readonly number[];
  readonly metrics: ReadonlyMap<string, readonly number[]>;
}

async function valuesOf(pathology: Pathology): Promise<Values> {
  const model = await openRun(nodeSource(path.join(recorded, pathology ? "kl-blowup" : "healthy-grpo")));
  const names = model.steps.columns.filter(({ kind }) => kind === "scalar").map(({ name }) => name);
  const columns = await model.steps.read(names, "merged");
  const metrics = new Map(names.map((name, i) => [name, [...(columns[i]?.values ?? [])]]));
  for (const name of ["step", "timestamp"]) metrics.delete(name);
  return { step: [...(await model.steps.axis("merged")).step.values], metrics };
}

class StandIn implements Recording {
  readonly #dir: string;
  readonly #values: Values;
  readonly #start: number;
  #at: number;
  #files = 0;

  private constructor(dir: string, values: Values, from: number) {
    this.#dir = dir;
    this.#values = values;
    this.#start = from;
    this.#at = from;
  }

  static async start(dir: string, pathology: Pathology, from: number): Promise<StandIn> {
    const recording = new StandIn(dir, await valuesOf(pathology), from);
    await mkdir(path.join(dir, "samples"), { recursive: true });
    await writeFile(
      path.join(dir, "manifest.json"),
      manifest({ run_id: "live-run", created_at: new Date().toISOString() }),
    );
    return recording;
  }

  async steps(count: number): Promise<void> {
    const from = this.#at;
    this.#at += count;
    const name = String(this.#files++).padStart(5, "0");
    await mkdir(path.join(this.#dir, "steps"), { recursive: true });
    await writeFile(path.join(this.#dir, "steps", `part-${name}.parquet`), this.#rows(from, this.#at));
    await writeFile(path.join(this.#dir, "samples", `shard-${name}.parquet`), shard(from, this.#at));
  }

  event(kind: string, message: string): Promise<void> {
    const event = { timestamp: Date.now() / 1000, kind, step: this.#at, rank: 0, message, data: {} };
    return appendFile(path.join(this.#dir, "events.jsonl"), `${JSON.stringify(event)}\n`);
  }

  async close(): Promise<void> {
    await writeFile(path.join(this.#dir, "steps.parquet"), this.#rows(this.#start, this.#at));
    await rm(path.join(this.#dir, "steps"), { recursive: true });
  }

  async kill(): Promise<void> {}

  #rows(from: number, to: number): Uint8Array {
    const { step, metrics } = this.#values;
    const now = Date.now() / 1000;
    const columns = [...metrics].map(
      ([name, values]) => [name, (INTEGERS.has(name) ? int64 : double)(values.slice(from, to))] as const,
    );
    return parquet(
      new Map([
        ["step", int64(step.slice(from, to))],
        ["timestamp", double(step.slice(from, to).map((_, i) => now - to + from + i))],
        ...columns,
      ]),
    );
  }
}

/** Sets the times of all files of a run back: what the clock would make of it later, it makes of it now. */
export async function age(dir: string, seconds: number): Promise<void> {
  for (const name of await readdir(dir, { recursive: true })) {
    const file = path.join(dir, name);
    const { mtimeMs } = await stat(file);
    await utimes(file, mtimeMs / 1000 - seconds, mtimeMs / 1000 - seconds);
  }
}
