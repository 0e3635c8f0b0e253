/**
 * What a list knew of runs that have ended, from one window to the next: one file in the extension's own storage. It counts for as
 * long as the files of a run are what they were by name, size and time. Whatever goes wrong here costs time, not answers.
 */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { replaceFile } from "../../core/io/cacheFolder.ts";
import { isWithin } from "../../core/io/within.ts";
import { VerdictView } from "../../protocol/diagnosis.ts";
import { FindingLine, type RunState, RunSummary } from "../../protocol/runs.ts";
import type { DiagnosisLine } from "./catalogue.ts";

/** What a run was diagnosed with. */
export interface Basis {
  /** Text of the doctor.toml; `null` for the defaults. */
  readonly text: string | null;
  readonly extra: boolean;
}

const KeptDiagnosis = z.object({
  text: z.nullable(z.string()),
  extra: z.boolean(),
  findings: z.array(FindingLine),
  verdict: VerdictView,
});
const KeptRun = z.object({
  dir: z.string(),
  digest: z.string(),
  summary: RunSummary,
  diagnosis: z.nullable(KeptDiagnosis),
});
type KeptRun = z.infer<typeof KeptRun>;
const KeptFile = z.object({ version: z.string(), runs: z.array(z.unknown()) });

export interface KeptLimits {
  readonly runs: number;
  readonly bytes: number;
}
const LIMITS: KeptLimits = { runs: 2000, bytes: 8 << 20 };
/** Longer ones are not compared. */
const MAX_TEXT = 4000;
/** Milliseconds after a change until it is written. */
const SOON = 2000;

/** How these stand does not depend on the clock, nor do the words for it. */
const SETTLED: ReadonlySet<RunState> = new Set(["finished", "crashed", "halted"]);

export class KeptRuns {
  readonly #file: string | null;
  readonly #version: string;
  readonly #limits: KeptLimits;
  /** In the order of last use; `null` until it is needed. */
  #runs: Map<string, KeptRun> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param file absolute; `null` for nowhere
   * @param version of the extension: another one may read a run otherwise
   */
  constructor(file: string | null, version: string, limits = LIMITS) {
    this.#file = file;
    this.#version = version;
    this.#limits = limits;
  }

  summary(dir: string, digest: string): RunSummary | null {
    return this.#get(dir, digest)?.summary ?? null;
  }

  diagnosis(dir: string, digest: string, { text, extra }: Basis): DiagnosisLine | null {
    const { diagnosis = null } = this.#get(dir, digest) ?? {};
    return diagnosis && diagnosis.text === text && diagnosis.extra === extra ? diagnosis : null;
  }

  keepSummary(dir: string, digest: string, summary: RunSummary): void {
    const isSettled = SETTLED.has(summary.state) && digest !== "";
    if (isSettled) this.#put({ dir, digest, summary, diagnosis: null });
    else if (this.#all().delete(dir)) this.#soon();
  }

  keepDiagnosis(dir: string, digest: string, { text, extra }: Basis, line: DiagnosisLine): void {
    const known = this.#get(dir, digest);
    if (!known || (text?.length ?? 0) > MAX_TEXT) return;
    const { verdict } = line;
    this.#put({ ...known, diagnosis: { text, extra, findings: [...line.findings], verdict } });
  }

  /** Writes what is not written yet. */
  dispose(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#write();
  }

  #get(dir: string, digest: string): KeptRun | null {
    const known = this.#all().get(dir);
    if (known?.digest !== digest) return null;
    this.#all().delete(dir);
    this.#all().set(dir, known);
    return known;
  }

  #put(run: KeptRun): void {
    // Nothing is ever written into a run.
    if (this.#file === null || isWithin(run.dir, this.#file)) return;
    this.#all().delete(run.dir);
    this.#all().set(run.dir, run);
    this.#soon();
  }

  #soon(): void {
    if (this.#file === null) return;
    this.#timer ??= setTimeout(() => this.#write(), SOON);
    this.#timer.unref();
  }

  #all(): Map<string, KeptRun> {
    this.#runs ??= new Map(this.#load().map((run) => [run.dir, run]));
    return this.#runs;
  }

  #load(): KeptRun[] {
    if (this.#file === null) return [];
    try {
      const file = z.parse(KeptFile, JSON.parse(readFileSync(this.#file, "utf8")));
      if (file.version !== this.#version) return [];
      return file.runs.slice(-this.#limits.runs).flatMap((run) => {
        const parsed = z.safeParse(KeptRun, run);
        return parsed.success && SETTLED.has(parsed.data.summary.state) ? [parsed.data] : [];
      });
    } catch {
      return [];
    }
  }

  #write(): void {
    this.#timer = undefined;
    if (this.#file !== null) replaceFile(this.#file, [Buffer.from(this.#text(), "utf8")]);
  }

  /** Those used last, as many as there is room for. */
  #text(): string {
    const lines: string[] = [];
    let room = this.#limits.bytes;
    for (const run of [...this.#all().values()].slice(-this.#limits.runs).reverse()) {
      const line = JSON.stringify(run);
      room -= Buffer.byteLength(line) + 1;
      if (room < 0) break;
      lines.push(line);
    }
    return `{"version":${JSON.stringify(this.#version)},"runs":[\n${lines.reverse().join(",\n")}\n]}\n`;
  }
}
