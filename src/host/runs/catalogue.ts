/**
 * The runs of a workspace as a list that fills and follows by itself: found first, then read one by one, then diagnosed. What was
 * read counts until other files lie in a run's folder. It does one thing at a time, and nothing before somebody has looked.
 */

import nodePath from "node:path";
import type { VerdictView } from "../../protocol/diagnosis.ts";
import { t } from "../../protocol/l10n.ts";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import { type FindingLine, type FoundRuns, isLive, type RunSummary } from "../../protocol/runs.ts";
import type { Problem } from "../../protocol/wire.ts";
import type { ListedRun } from "../../view/listed-run.ts";
import { Listeners } from "../listeners.ts";

export interface DiagnosisLine {
  readonly findings: readonly FindingLine[];
  readonly verdict: VerdictView;
}

export interface CatalogueParts {
  /** Folders that are searched, absolute. */
  roots(): readonly string[];
  /** @throws ProblemError, "aborted" after `signal` */
  find(root: string, signal: AbortSignal): Promise<FoundRuns>;
  /** Another text when other files of the run lie there. Never rejects. */
  digest(dir: string): Promise<string>;
  /** @param digest of the files, taken before @throws ProblemError */
  read(dir: string, isLoose: boolean, signal: AbortSignal, digest: string): Promise<RunSummary>;
  /** @param digest of the files when they were read @throws ProblemError */
  diagnose(dir: string, signal: AbortSignal, digest: string): Promise<DiagnosisLine>;
  /** Something went wrong that is no problem of a run. */
  onError(what: string, error: unknown): void;
  /** Milliseconds, never going back. */
  now(): number;
}

/** Milliseconds. */
export interface Pace {
  /** Between two searches, and two looks at runs that may go on. */
  readonly poll: number;
  /** While nobody looks. */
  readonly hidden: number;
  /** Between two looks at a run that has ended. */
  readonly ended: number;
  /** Between two diagnoses of a run that goes on. */
  readonly diagnosis: number;
  /** For events, which come in bursts. */
  readonly burst: number;
}
export const PACE: Pace = { poll: 10_000, hidden: 60_000, ended: 60_000, diagnosis: 30_000, burst: 400 };
/** A search or a diagnosis takes this part of the time at most. */
const SHARE = 20;

interface Entry {
  run: ListedRun;
  digest: string;
  /** Its files were changed, or may have been. */
  isDue: boolean;
  lookedAt: number;
  readAt: number;
  diagnosedAt: number;
  diagnosisTook: number;
  needsDiagnosis: boolean;
  /** It was there when the list was first filled: what was wrong with it then is no news. */
  readonly isOld: boolean;
}

export class RunCatalogue {
  readonly #parts: CatalogueParts;
  readonly #pace: Pace;
  readonly #entries = new Map<string, Entry>();
  readonly #onChanged = new Listeners<ReadonlySet<string> | null>();
  readonly #onNews = new Listeners<{ run: ListedRun; finding: FindingLine }>();
  readonly #first: string[] = [];
  #isSearchDue = true;
  /** Somebody wants to see that there is a search. */
  #isAsked = false;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #searchTook = 0;
  #hasSearched = false;
  #search: AbortController | null = null;
  #cuts: FoundRuns["cuts"] = [];
  #isVisible = false;
  #wasVisible = false;
  #isOver = false;
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #abort = new AbortController();
  #searched: { promise: Promise<void>; done: () => void };

  constructor(parts: CatalogueParts, pace: Pace = PACE) {
    this.#parts = parts;
    this.#pace = pace;
    this.#searched = deferred();
  }

  /** In no particular order. */
  list(): readonly ListedRun[] {
    return [...this.#entries.values()].map(({ run }) => run);
  }

  get(dir: string): ListedRun | undefined {
    return this.#entries.get(dir)?.run;
  }

  get isSearching(): boolean {
    return this.#search !== null;
  }

  /** What kept the last search from looking everywhere. */
  get cuts(): FoundRuns["cuts"] {
    return this.#cuts;
  }

  /** Settles when the first search is over, or the one that was asked for. */
  searched(): Promise<void> {
    return this.#searched.promise;
  }

  /** Told which runs are different now, by folder; `null` when others are there, or the search began or ended. */
  onChanged(listener: (dirs: ReadonlySet<string> | null) => void): () => void {
    return this.#onChanged.add(listener);
  }

  /** Told of each critical finding that came while the list was followed. */
  onNews(listener: (news: { run: ListedRun; finding: FindingLine }) => void): () => void {
    return this.#onNews.add(listener);
  }

  set visible(isVisible: boolean) {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    this.#wasVisible ||= isVisible;
    if (isVisible) this.#plan(0);
  }

  /** Searches again now; runs are looked at again too. */
  refresh(): Promise<void> {
    this.#isSearchDue = true;
    this.#isAsked = true;
    for (const entry of this.#entries.values()) entry.isDue = true;
    this.#searched.done();
    this.#searched = deferred();
    this.#plan(0);
    return this.#searched.promise;
  }

  stopSearch(): void {
    this.#search?.abort();
  }

  /** Something happened to a file. @param path absolute */
  touched(path: string): void {
    const name = nodePath.basename(path);
    if (/^(manifest|metrics|observed\.attempt\d+)\.json$/.test(name) || name === "steps.parquet")
      this.#isSearchDue = true;
    for (let dir = nodePath.dirname(path); ; dir = nodePath.dirname(dir)) {
      const entry = this.#entries.get(dir);
      if (entry) {
        entry.isDue = true;
        break;
      }
      if (dir === nodePath.dirname(dir)) break;
    }
    this.#plan(this.#pace.burst);
  }

  /** Something that may be a folder came or went: of a new one nothing is said about what lies in it. */
  folderTouched(): void {
    const rest = Math.max(this.#pace.burst, this.#searchTook * SHARE);
    if (this.#parts.now() - this.#searchedAt < rest) return;
    this.#isSearchDue = true;
    this.#plan(this.#pace.burst);
  }

  /** Other thresholds count for these runs. */
  rethink(concerns: (dir: string) => boolean): void {
    for (const [dir, entry] of this.#entries) if (concerns(dir)) entry.needsDiagnosis = true;
    this.#plan(this.#pace.burst);
  }

  /** Somebody waits for what is wrong with this run. */
  first(dir: string): void {
    this.#first.push(dir);
    this.#plan(0);
  }

  /** Somebody else who follows a run has read it just now. */
  learned(dir: string, summary: RunSummary): void {
    const entry = this.#entries.get(dir);
    if (!entry) return;
    entry.readAt = this.#parts.now();
    if (JSON.stringify(summary) !== JSON.stringify(entry.run.summary))
      this.#change(entry, { summary, problem: null });
  }

  /** Somebody else who follows a run has diagnosed it just now: it is not done here once more. */
  learnedFindings(dir: string, line: DiagnosisLine): void {
    const entry = this.#entries.get(dir);
    if (!entry || entry.run.summary === null || entry.run.kind !== "recording") return;
    entry.needsDiagnosis = false;
    entry.diagnosedAt = this.#parts.now();
    const { findings, verdict } = entry.run;
    const { findings: now, verdict: words } = line;
    if (JSON.stringify([findings, verdict]) !== JSON.stringify([now, words])) this.#diagnosed(entry, line);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#search?.abort();
    this.#searched.done();
    this.#onChanged.clear();
    this.#onNews.clear();
  }

  #plan(wait: number): void {
    if (this.#isOver || this.#isBusy || !this.#wasVisible) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), wait);
    this.#timer.unref();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (!this.#isOver && (await this.#step()));
    } catch (error) {
      this.#parts.onError("runs", error);
    }
    this.#isBusy = false;
    this.#plan(this.#isVisible ? this.#pace.poll : this.#pace.hidden);
  }

  /** @returns whether there may be more to do */
  async #step(): Promise<boolean> {
    const now = this.#parts.now();
    const rest = Math.max(this.#pace.poll, this.#searchTook * SHARE);
    if (this.#isSearchDue || now - this.#searchedAt >= rest) {
      await this.#searchAll();
      return true;
    }
    const wanted = this.#wanted();
    // Who waits for a diagnosis need not wait until all runs were read.
    const sick = this.#askedFor(now) ?? (wanted ? undefined : this.#toDiagnose(now));
    if (sick) await this.#diagnose(sick);
    else if (wanted) await this.#look(wanted);
    else return false;
    return true;
  }

  async #searchAll(): Promise<void> {
    this.#isSearchDue = false;
    const search = new AbortController();
    this.#search = search;
    const begun = this.#parts.now();
    const isAsked = !this.#hasSearched || this.#isAsked;
    this.#isAsked = false;
    if (isAsked) this.#onChanged.tell(null);
    const found = new Map<string, ListedRun>();
    const cuts = new Set<FoundRuns["cuts"][number]>();
    for (const root of this.#parts.roots()) {
      try {
        const { runs, cuts: own } = await this.#parts.find(root, search.signal);
        for (const cut of own) cuts.add(cut);
        for (const run of runs) {
          const listed = listedRun(root, run);
          if (!found.has(listed.dir)) found.set(listed.dir, listed);
        }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        cuts.add("cancelled");
        if (!isAborted(error)) this.#parts.onError(root, error);
      }
    }
    this.#search = null;
    this.#searchedAt = this.#parts.now();
    this.#searchTook = this.#searchedAt - begun;
    const isOther = this.#take(found, cuts.size === 0) || `${[...cuts]}` !== `${this.#cuts}`;
    this.#cuts = [...cuts];
    this.#hasSearched = true;
    this.#searched.done();
    if (isAsked || isOther) this.#onChanged.tell(null);
  }

  /** @param isAll what was not found is gone @returns whether others are there now */
  #take(found: ReadonlyMap<string, ListedRun>, isAll: boolean): boolean {
    let isOther = false;
    for (const dir of [...this.#entries.keys()])
      if (isAll && !found.has(dir)) isOther = this.#entries.delete(dir);
    for (const [dir, run] of found) {
      if (this.#entries.has(dir)) continue;
      isOther = true;
      this.#entries.set(dir, {
        run,
        digest: "",
        isDue: true,
        lookedAt: 0,
        readAt: 0,
        diagnosedAt: Number.NEGATIVE_INFINITY,
        diagnosisTook: 0,
        needsDiagnosis: true,
        isOld: !this.#hasSearched,
      });
    }
    return isOther;
  }

  /** The next run to look at: those that somebody waits for, that changed, that may have changed. */
  #wanted(): Entry | undefined {
    const now = this.#parts.now();
    const entries = [...this.#entries.values()];
    const mayLook = (entry: Entry): boolean =>
      entry.isDue || now - entry.lookedAt >= (goesOn(entry) ? this.#pace.poll : this.#pace.ended);
    const asked = this.#first.map((dir) => this.#entries.get(dir)).find((entry) => entry?.isDue);
    return asked ?? entries.find(({ isDue }) => isDue) ?? entries.find(mayLook);
  }

  async #look(entry: Entry): Promise<void> {
    const { dir, kind } = entry.run;
    entry.isDue = false;
    const digest = await this.#parts.digest(dir);
    const now = this.#parts.now();
    entry.lookedAt = now;
    const isSame = digest === entry.digest;
    // Silence alone turns a running run into a stalled one.
    if (isSame && !(goesOn(entry) && now - entry.readAt >= this.#pace.ended)) return;
    entry.digest = digest;
    entry.readAt = now;
    entry.needsDiagnosis ||= !isSame;
    const signal = this.#abort.signal;
    let next: Pick<ListedRun, "summary" | "problem">;
    try {
      next = { summary: await this.#parts.read(dir, kind === "loose", signal, digest), problem: null };
    } catch (error) {
      next = { summary: null, problem: this.#problemOf(error, dir) };
    }
    this.#change(entry, { ...next, ...(next.summary ? {} : { findings: null, verdict: null }) });
  }

  #toDiagnose(now: number): Entry | undefined {
    return [...this.#entries.values()].find(
      (entry) =>
        (this.#isVisible || goesOn(entry) || !entry.isOld) &&
        this.#canDiagnose(entry) &&
        now - entry.diagnosedAt >=
          (goesOn(entry) ? Math.max(this.#pace.diagnosis, entry.diagnosisTook * SHARE) : 0),
    );
  }

  #askedFor(now: number): Entry | undefined {
    while (this.#first.length > 0) {
      const asked = this.#entries.get(this.#first[0] ?? "");
      if (asked && (asked.isDue || asked.readAt === 0)) return undefined;
      this.#first.shift();
      if (asked && this.#canDiagnose(asked) && now - asked.diagnosedAt >= this.#pace.burst) return asked;
    }
    return undefined;
  }

  #canDiagnose({ needsDiagnosis, run }: Entry): boolean {
    return needsDiagnosis && run.summary !== null && run.kind === "recording";
  }

  async #diagnose(entry: Entry): Promise<void> {
    const { dir } = entry.run;
    const begun = this.#parts.now();
    entry.needsDiagnosis = false;
    try {
      this.#diagnosed(entry, await this.#parts.diagnose(dir, this.#abort.signal, entry.digest));
    } catch (error) {
      const problem = this.#problemOf(error, dir);
      const verdict = {
        state: "none",
        words: t("Not diagnosed: {0}", problem.message.replace(/\.$/, "")),
      } as const;
      this.#change(entry, { findings: null, verdict });
    }
    entry.diagnosedAt = this.#parts.now();
    entry.diagnosisTook = entry.diagnosedAt - begun;
  }

  #diagnosed(entry: Entry, { findings, verdict }: DiagnosisLine): void {
    const before = entry.run.findings;
    this.#change(entry, { findings, verdict });
    if (before || !entry.isOld || goesOn(entry)) this.#tellNews(entry.run, before ?? []);
  }

  /** Announced once: by signature and severity. */
  #tellNews(run: ListedRun, before: readonly FindingLine[]): void {
    for (const finding of run.findings ?? []) {
      const isKnown = before.some(
        ({ signature, severity }) => signature === finding.signature && severity === finding.severity,
      );
      if (finding.severity === "critical" && !isKnown) this.#onNews.tell({ run, finding });
    }
  }

  #change(entry: Entry, next: Partial<ListedRun>): void {
    if (this.#entries.get(entry.run.dir) !== entry || this.#isOver) return;
    entry.run = { ...entry.run, ...next };
    this.#onChanged.tell(new Set([entry.run.dir]));
  }

  #problemOf(error: unknown, dir: string): Problem {
    if (error instanceof ProblemError) return error.problem;
    this.#parts.onError(dir, error);
    return { code: "internal", message: t("The run could not be read."), file: "", remedy: "" };
  }
}

const goesOn = ({ run }: Entry): boolean => run.summary !== null && isLive(run.summary.state);

function listedRun(root: string, { path, kind }: FoundRuns["runs"][number]): ListedRun {
  const dir = path === "" ? root : nodePath.join(root, ...path.split("/"));
  const label = nodePath.basename(dir) || dir;
  return { dir, label, path, kind, summary: null, findings: null, verdict: null, problem: null };
}

function deferred(): { promise: Promise<void>; done: () => void } {
  let done: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}
