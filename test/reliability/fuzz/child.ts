/**
 * Reads mutants as the product does: in its worker thread, through the host's client, which replaces a thread that dies. A
 * process of its own, since what is measured is what a mutant does to its process. The number of a mutant a line on stdin, one
 * JSON line each on stdout.
 */
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { LIMITS, RunWorker, type WorkerRun } from "../../../src/host/worker/client.ts";
import { spawnWorker } from "../../../src/host/worker/spawn.ts";
import type { WorkerThread } from "../../../src/host/worker/thread.ts";
import { ProblemError } from "../../../src/protocol/rpc.ts";
import { codeText } from "../../../src/view/problems.ts";
import { type Base, loadBases } from "./bases.ts";
import { commandFaults } from "./command.ts";
import { Draw } from "./draw.ts";
import { type Change, type Mutant, mutantOf } from "./mutant.ts";
import { type Ask, askAll, askFirst, compareAll } from "./questions.ts";

export interface ChildData {
  /** Of the worker's bundle, and of the decoder. */
  readonly script: string;
  readonly wasm: string;
  readonly fixtures: string;
  /** Where the mutants are laid. */
  readonly root: string;
  readonly seed: number;
  /** What happens at some mutants, to see that it is noticed. */
  readonly accidents?: Readonly<Record<number, Accident>>;
}

export type Accident = "thread dies" | "process dies" | "process grows";

export interface Outcome {
  readonly n: number;
  readonly base: string;
  readonly what: readonly string[];
  /** Code of the refusal; "" when it opened. */
  readonly refused: string;
  /** Codes of what was said of it. */
  readonly codes: readonly string[];
  /** What must not be. */
  readonly faults: readonly string[];
  /** Of wall time and of processor time. */
  readonly ms: number;
  readonly cpuMs: number;
  /** Largest memory of this process so far; of the thread's heap with all that hangs on it, and of the decoder alone. */
  readonly peakMb: number;
  readonly threadMb: number;
  readonly decoderMb: number;
  /** The decoder broke off in the middle of a call: the thread is replaced without a word. */
  readonly isBroken: boolean;
}

/** A warning or a problem. */
interface Said {
  readonly code?: string;
  readonly level?: string;
}

const MB = 2 ** 20;
/** A question without an answer for so long is a hang, however busy the machine. */
const HANG_MS = 60_000;
/** Where an answer holds warnings and problems. */
const WORDS = ["warnings", "problems", "unread"];
/** What no sentence holds: a value that was not there, an object, a place in our code. */
const SLIPS = /\bundefined\b|\[object |\bat \S+:\d+:\d+|\bNaN-NaN\b|Invalid Date/;

const data = JSON.parse(process.argv[2] ?? "") as ChildData;
const wasm = fs.readFileSync(data.wasm);
const bases = loadBases(data.fixtures, wasm);
const byName = new Map(bases.map((base) => [base.name, base]));

class Fuzzer {
  private threads: WorkerThread[] = [];
  private log: string[] = [];
  private readonly laid = new Set<string>();
  private readonly worker = new RunWorker({
    spawn: () => {
      const thread = spawnWorker(data, (text) => this.log.push(`output: ${text}`));
      this.threads.push(thread);
      return thread;
    },
    limits: { ...LIMITS, call: HANG_MS, slow: HANG_MS, lossesPerMinute: 1000 },
    log: (level, message) => this.log.push(`${level}: ${message}`),
  });

  async read(n: number): Promise<Outcome> {
    const accident = data.accidents?.[n];
    if (accident === "process dies") process.kill(process.pid, "SIGKILL");
    if (accident === "process grows") new Uint8Array(600 * MB).fill(1);
    const mutant = mutantOf(bases, data.seed, n);
    const base = byName.get(mutant.base) as Base;
    const dir = this.lay(base);
    const faults: string[] = [];
    const said: Said[] = [];
    this.log = [];
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const refused = await this.readMutant(mutant, dir, faults, said).finally(() =>
      restore(dir, base, mutant.changes),
    );
    const spent = process.cpuUsage(cpu);
    const memory = this.threads.at(-1)?.board?.memory;
    faults.push(...this.log.filter((line) => !isReplacement(line)));
    return {
      ...{ n, base: mutant.base, what: mutant.what, refused, faults },
      codes: [
        ...new Set(said.flatMap(({ code, level }) => (code === undefined || level === "info" ? [] : code))),
      ],
      ms: Math.round(performance.now() - start),
      cpuMs: Math.round((spent.user + spent.system) / 1000),
      peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
      threadMb: Math.round((memory?.total ?? 0) / MB),
      decoderMb: Math.round((memory?.decoder ?? 0) / MB),
      isBroken: memory?.isBroken === true || this.log.some(isReplacement),
    };
  }

  private async readMutant(
    { n, isLive, changes }: Mutant,
    dir: string,
    faults: string[],
    said: Said[],
  ): Promise<string> {
    const draw = new Draw(data.seed ^ 0x5bd1e995, n);
    if (!isLive) apply(dir, changes);
    let opened = await this.worker.open(dir, false);
    if (opened.state === "empty" && opened.loose) opened = await this.worker.open(dir, true);
    if (opened.state !== "run") {
      check("open", opened.problem, faults);
      return opened.problem.code;
    }
    const { run } = opened;
    try {
      const ask = asker(run, faults, said);
      if (isLive) {
        await askFirst(ask);
        apply(dir, changes);
        const again = await run.reload();
        if (again.state !== "run") return again.problem.code;
      }
      if (data.accidents?.[n] === "thread dies") void this.threads.at(-1)?.terminate();
      await askAll(ask, draw);
      if (draw.chance(0.2)) await this.compare(run, draw, faults);
      if (draw.chance(0.15)) faults.push(...(await commandFaults(dir, wasm, draw)));
      return "";
    } catch (error) {
      // What was open is refused once other files lie there: as good an answer as when it is opened.
      if (!(error instanceof ProblemError)) throw error;
      checkProblem("reload", error.problem, faults);
      return error.problem.code;
    } finally {
      run.close();
      this.worker.forgive(dir);
    }
  }

  private async compare(run: WorkerRun, draw: Draw, faults: string[]): Promise<void> {
    const other = await this.worker.open(this.lay(bases[0] as Base, "other"), false);
    if (other.state !== "run") return;
    try {
      await compareAll(this.worker, draw.chance(0.5) ? [run, other.run] : [other.run, run]);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      checkProblem("compare", error.problem, faults);
    } finally {
      other.run.close();
    }
  }

  /** The run as it was recorded, in a folder that is laid once. */
  private lay(base: Base, name = base.name): string {
    const dir = path.join(data.root, name);
    if (!this.laid.has(dir)) for (const [file, bytes] of base.files) put(path.join(dir, file), bytes);
    this.laid.add(dir);
    return dir;
  }
}

const isReplacement = (line: string): boolean => line.startsWith("info: worker replaced");

function put(file: string, bytes: Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, bytes);
}

function apply(dir: string, changes: ReadonlyMap<string, Change>): void {
  for (const [file, change] of changes) {
    const at = path.join(dir, file);
    if (change !== "folder" && change !== null && !isFolder(at)) put(at, change);
    else {
      fs.rmSync(at, { recursive: true, force: true });
      if (change === "folder") fs.mkdirSync(at, { recursive: true });
    }
  }
}

const isFolder = (at: string): boolean => fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

function restore(dir: string, { files }: Base, changes: ReadonlyMap<string, Change>): void {
  for (const file of changes.keys()) {
    const at = path.join(dir, file);
    fs.rmSync(at, { recursive: true, force: true });
    const bytes = files.get(file);
    if (bytes) put(at, bytes);
    else
      for (let above = path.dirname(at); isEmpty(above) && above !== dir; above = path.dirname(above))
        fs.rmdirSync(above);
  }
}

const isEmpty = (dir: string): boolean => fs.readdirSync(dir).length === 0;

/** Answers are checked against the contract by the client; here it is what they say. */
function asker(run: WorkerRun, faults: string[], said: Said[]): Ask {
  return async (method, params) => {
    try {
      const answer = await run.call(method, params);
      const lists = [
        method === "run.warnings" ? answer : [],
        ...WORDS.map((key): unknown => Reflect.get(answer ?? {}, key)),
      ];
      for (const list of lists) if (Array.isArray(list)) said.push(...list);
      check(method, lists, faults);
      return answer;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      said.push(error.problem);
      checkProblem(method, error.problem, faults);
      return null;
    }
  };
}

function checkProblem(where: string, problem: ProblemError["problem"], faults: string[]): void {
  if (problem.code === "internal" || codeText(problem.code, "") === "")
    faults.push(`${where}: ${problem.code}: ${problem.message}`);
  check(where, problem, faults);
}

function check(where: string, words: unknown, faults: string[]): void {
  const text = JSON.stringify(words) ?? "";
  if (SLIPS.test(text) || text.includes(data.root)) faults.push(`${where}: says ${text.slice(0, 300)}`);
}

async function main(): Promise<void> {
  const fuzzer = new Fuzzer();
  for await (const line of readline.createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await fuzzer.read(Number(line)))}\n`);
  process.exit(0);
}

void main();
