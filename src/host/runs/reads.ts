/**
 * How a list reads its runs: what was kept counts as long as nothing has changed, what somebody watches is not read a second time, and
 * a run that goes on stays open, so that only what is new of it is read.
 */
import type { DiagnosisView } from "../../protocol/diagnosis.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import { isLive, type RunSummary } from "../../protocol/runs.ts";
import { findingLines } from "../../view/run-summary.ts";
import type { Lease, Leased } from "../worker/pool.ts";
import type { DiagnosisLine } from "./catalogue.ts";
import type { Basis, KeptRuns } from "./kept.ts";

export interface ReadParts {
  /** A handle of one's own. @throws ProblemError */
  fresh(dir: string, isLoose: boolean): Promise<Leased>;
  /** @throws ProblemError */
  basis(dir: string): Promise<Basis>;
  /** How a run stands that is watched while it goes on; `null` for others. */
  watched(dir: string): RunSummary | null;
  /** What a run was last diagnosed with that is watched; `null` when it was not yet. */
  diagnosed(dir: string): DiagnosisLine | null;
  readonly kept: KeptRuns;
}

/** Runs that stay open while they go on. */
const MAX_OPEN = 8;

export class RunReads {
  readonly #parts: ReadParts;
  /** In the order of last use. */
  readonly #open = new Map<string, Lease>();
  #isOver = false;

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  /** @param digest of the files, taken before @throws ProblemError */
  async read(dir: string, isLoose: boolean, digest: string, signal: AbortSignal): Promise<RunSummary> {
    const { kept } = this.#parts;
    const known = this.#watched(dir) ?? kept.summary(dir, digest);
    if (known) {
      this.#close(dir);
      return known;
    }
    const summary = await this.#using(dir, isLoose, true, (lease) =>
      lease.run.call("run.summary", {}, signal),
    );
    kept.keepSummary(dir, digest, summary);
    if (!isLive(summary.state)) this.#close(dir);
    return summary;
  }

  /** @param digest of the files when they were read @throws ProblemError */
  async diagnose(dir: string, digest: string, signal: AbortSignal): Promise<DiagnosisLine> {
    const { kept } = this.#parts;
    const shared = this.#watched(dir) && this.#parts.diagnosed(dir);
    if (shared) return shared;
    const basis = await this.#parts.basis(dir);
    const known = kept.diagnosis(dir, digest, basis);
    if (known) return known;
    const wasOpen = this.#open.has(dir);
    const line = await this.#using(dir, false, false, async (lease) => {
      const asked = { config: basis.text, extra: basis.extra, known: false };
      return lineOf(await lease.run.call("run.diagnose", asked, signal));
    });
    if (!wasOpen) this.#close(dir);
    kept.keepDiagnosis(dir, digest, basis, line);
    return line;
  }

  dispose(): void {
    this.#isOver = true;
    for (const dir of [...this.#open.keys()]) this.#close(dir);
    this.#parts.kept.dispose();
  }

  #watched(dir: string): RunSummary | null {
    const summary = this.#parts.watched(dir);
    return summary && isLive(summary.state) ? summary : null;
  }

  /** The run stays open. @param isNow whether files may have changed since it was read */
  async #using<T>(
    dir: string,
    isLoose: boolean,
    isNow: boolean,
    ask: (lease: Lease) => Promise<T>,
  ): Promise<T> {
    const lease = await this.#lease(dir, isLoose, isNow);
    this.#open.delete(dir);
    try {
      const answer = await ask(lease);
      this.#keep(dir, lease);
      return answer;
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  async #lease(dir: string, isLoose: boolean, isNow: boolean): Promise<Lease> {
    const open = this.#open.get(dir);
    if (open && !isNow) return open;
    if (open) {
      const again = await open.run.reload().catch(() => null);
      if (again?.state === "run") return open;
      this.#close(dir);
    }
    const leased = await this.#parts.fresh(dir, isLoose);
    if (leased.state !== "run") throw new ProblemError(leased.problem);
    return leased.lease;
  }

  #keep(dir: string, lease: Lease): void {
    this.#open.set(dir, lease);
    for (const oldest of this.#open.keys())
      if (this.#isOver || this.#open.size > MAX_OPEN) this.#close(oldest);
  }

  #close(dir: string): void {
    this.#open.get(dir)?.release();
    this.#open.delete(dir);
  }
}

/** What a list says of a diagnosis. */
export const lineOf = ({ findings, verdict }: DiagnosisView): DiagnosisLine => ({
  findings: findingLines(findings),
  verdict,
});
