/** Mutants read in processes that may die, hang or grow: whichever mutant does it is named. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { build } from "esbuild";
import type { Accident, ChildData, Outcome } from "./child.ts";

/** Of processor time for all that can be asked of one mutant, and of its process's memory. */
export const LIMITS = { cpuMs: 5000, memoryMb: 512 } as const;
/** Without an answer for so long a process is taken for hung: its own client waits half of that. */
const HANG_MS = 120_000;
/** Mutants of one process: its memory is measured at its peak. */
const PER_PROCESS = 500;

export interface FuzzOptions {
  /** Of this repository. */
  readonly root: string;
  readonly wasm: string;
  readonly seed: number;
  readonly numbers: readonly number[];
  /** Processes at a time. */
  readonly jobs: number;
  readonly accidents?: Readonly<Record<number, Accident>>;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface FuzzResult {
  readonly outcomes: readonly Outcome[];
  /** Those with a fault, faults of time and memory among them. */
  readonly faulty: readonly Outcome[];
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-fuzz-"));
  try {
    const bundles = await bundle(options.root, folder);
    const rest = [...options.numbers];
    const outcomes: Outcome[] = [];
    const work = async (job: number): Promise<void> => {
      const process = new FuzzProcess(bundles.child, {
        ...{ script: bundles.worker, wasm: options.wasm, seed: options.seed },
        ...(options.accidents ? { accidents: options.accidents } : {}),
        fixtures: path.join(options.root, "test/fixtures"),
        root: path.join(folder, `runs ${job}`),
      });
      for (let n = rest.shift(); n !== undefined; n = rest.shift()) {
        const outcome = judge(await process.read(n));
        outcomes.push(outcome);
        options.onOutcome?.(outcome);
        if (outcomes.length % PER_PROCESS === 0 || outcome.peakMb > LIMITS.memoryMb) process.stop();
      }
      process.stop();
    };
    await Promise.all(Array.from({ length: options.jobs }, (_, job) => work(job)));
    return { outcomes, faulty: outcomes.filter(({ faults }) => faults.length > 0) };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function judge(outcome: Outcome): Outcome {
  const faults = [...outcome.faults];
  if (outcome.cpuMs > LIMITS.cpuMs) faults.push(`took ${outcome.cpuMs} ms of processor time`);
  if (outcome.peakMb > LIMITS.memoryMb) faults.push(`took ${outcome.peakMb} MB`);
  return { ...outcome, faults };
}

async function bundle(root: string, folder: string): Promise<{ child: string; worker: string }> {
  await build({
    absWorkingDir: root,
    entryPoints: { child: "test/reliability/fuzz/child.ts", worker: "src/worker/main.ts" },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "error",
  });
  return { child: path.join(folder, "child.cjs"), worker: path.join(folder, "worker.cjs") };
}

/** One reading process; a mutant that hangs or ends it is followed by another process. */
class FuzzProcess {
  private child: ChildProcess | null = null;
  private answer: ((line: string) => void) | null = null;
  private readonly script: string;
  private readonly data: ChildData;

  constructor(script: string, data: ChildData) {
    this.script = script;
    this.data = data;
  }

  async read(n: number): Promise<Outcome> {
    const start = performance.now();
    this.child ??= this.start();
    const answer = new Promise<string>((resolve) => {
      this.answer = resolve;
    });
    this.child.stdin?.write(`${n}\n`);
    const timer = setTimeout(() => {
      this.answer?.("hang");
      this.stop();
    }, HANG_MS);
    const line = await answer;
    clearTimeout(timer);
    if (line.startsWith("{")) return JSON.parse(line) as Outcome;
    return { ...UNKNOWN, n, faults: [line], ms: Math.round(performance.now() - start) };
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  private start(): ChildProcess {
    const args = ["--max-old-space-size=1024", this.script, JSON.stringify(this.data)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk: unknown) => {
      errors = `${errors}${chunk}`.slice(0, 600);
    });
    readline.createInterface({ input: child.stdout }).on("line", (line) => this.answer?.(line));
    child.on("exit", (code, signal) => {
      if (this.child !== child) return;
      this.child = null;
      this.answer?.(`the process ended (${code ?? signal}) ${errors}`);
    });
    return child;
  }
}

const UNKNOWN: Outcome = {
  ...{ n: -1, base: "", what: [], refused: "", codes: [], faults: [] },
  ...{ ms: 0, cpuMs: 0, peakMb: 0, threadMb: 0, decoderMb: 0, isBroken: false },
};

/** What happened, in lines. */
export function report({ outcomes, faulty }: FuzzResult): string {
  const times = outcomes.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const most = (of: (outcome: Outcome) => number): Outcome =>
    outcomes.reduce((a, b) => (of(b) > of(a) ? b : a), UNKNOWN);
  const slowest = most(({ cpuMs }) => cpuMs);
  const largest = most(({ peakMb }) => peakMb);
  const count = (holds: (outcome: Outcome) => boolean): number => outcomes.filter(holds).length;
  return [
    `${outcomes.length} mutants: ${count(({ refused }) => refused !== "")} refused, ${count(({ codes }) => codes.length > 0)} read with a word, ${count(({ refused, codes }) => refused === "" && codes.length === 0)} without`,
    `processor time: median ${times[times.length >> 1] ?? 0} ms, longest ${slowest.cpuMs} ms (${slowest.n})`,
    `memory: process ${largest.peakMb} MB (${largest.n}), thread ${most(({ threadMb }) => threadMb).threadMb} MB, decoder ${most(({ decoderMb }) => decoderMb).decoderMb} MB`,
    `threads replaced after the decoder broke off: ${count(({ isBroken }) => isBroken)}`,
    `faults: ${faulty.length}`,
    ...faulty.map(
      ({ n, base, what, faults }) => `  ${n} ${base}: ${what.join("; ")}\n    ${faults.join("\n    ")}`,
    ),
  ].join("\n");
}
