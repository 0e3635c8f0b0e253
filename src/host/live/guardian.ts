/**
 * Looks after runs that are being recorded: those that somebody asked for, and those that an editor shows while they go on. Says
 * how they stand, and tells of findings that nobody was told of yet, once. It reads no more than what is new, and where an editor
 * follows the files of a run it lets it do so.
 */
import nodePath from "node:path";
import type { FindingView } from "../../protocol/diagnosis.ts";
import { isLive, type RunSummary } from "../../protocol/runs.ts";
import { Told } from "../../view/alerts.ts";
import type { WatchedRun } from "../../view/live-status.ts";
import type { Memory } from "../commands/recents.ts";
import { Listeners } from "../listeners.ts";
import type { Lease, Leased } from "../worker/pool.ts";
import { LiveMemory } from "./memory.ts";
import { Throttle } from "./throttle.ts";

/** Follows the files of a run while it is `visible`. */
export interface Follower {
  /** Settles once it knows what lies there: what was read before can be older. Never rejects. */
  readonly ready: Promise<void>;
  visible: boolean;
  live: boolean;
  dispose(): void;
}

export interface GuardParts {
  acquire(dir: string): Promise<Leased>;
  /** Lets a run be tried again that could not be read. */
  forgive(dir: string): void;
  /** Worst first. @throws ProblemError */
  diagnose(dir: string): Promise<readonly FindingView[]>;
  follow(dir: string, onChanged: () => Promise<void>): Follower;
  /** Other files lie in a run's folder now; comes back as `runChanged` and `rethink`. */
  changed(dir: string): void;
  /** Whether runs are watched that nobody asked for. */
  isAutomatic(dir: string): boolean;
  readonly memory: Memory;
  log(text: string): void;
}

export interface News {
  readonly dir: string;
  readonly label: string;
  /** Worst first. */
  readonly findings: readonly FindingView[];
}

/** The run was going on, and is not any more. */
export interface Ended {
  readonly dir: string;
  readonly label: string;
  readonly summary: RunSummary;
}

interface Vigil {
  readonly dir: string;
  readonly told: Told;
  /** Somebody asked for it. */
  isAsked: boolean;
  summary: RunSummary | null;
  hasNews: boolean;
  grownAt: number;
  /** It has changed since it was diagnosed, or was not diagnosed yet. */
  owesDiagnosis: boolean;
  /** The watch begins: nobody will say that it is time. */
  isNew: boolean;
  /** What an editor showed when the watch began is no news. */
  isSilent: boolean;
  /** Keeps the run open where no editor does. */
  lease: Lease | null;
  follower: Follower | null;
  /** One thing at a time. */
  turn: Promise<void>;
}

export interface Showing {
  readonly isVisible: boolean;
  /** It is the editor in front. */
  readonly isActive: boolean;
}

/** Milliseconds between two looks at the clock: a run that says nothing any more is another after a while. */
const CLOCK = 15_000;
const LOOKS = { least: 1000, share: 4 };

export class Guardian {
  readonly #parts: GuardParts;
  readonly #memory: LiveMemory;
  readonly #vigils = new Map<string, Vigil>();
  /** Editors by folder. */
  readonly #editors = new Map<object, { readonly dir: string; showing: Showing }>();
  readonly #looks = new Throttle((dir) => this.#soon(dir, (vigil) => this.#look(vigil)), LOOKS);
  readonly #onChanged = new Listeners<string>();
  readonly #onNews = new Listeners<News>();
  readonly #onEnded = new Listeners<Ended>();
  #clock: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#memory = new LiveMemory(parts.memory);
  }

  /** Told of each folder whose run stands otherwise now. */
  onChanged(listener: (dir: string) => void): () => void {
    return this.#onChanged.add(listener);
  }

  /** Told of findings that are new, in one go for each diagnosis; not of a run that is muted. */
  onNews(listener: (news: News) => void): () => void {
    return this.#onNews.add(listener);
  }

  /** Told when a run ends that somebody asked for. */
  onEnded(listener: (ended: Ended) => void): () => void {
    return this.#onEnded.add(listener);
  }

  /** What is watched now: a run that an editor shows only while it goes on. */
  watched(): readonly WatchedRun[] {
    return [...this.#vigils.values()]
      .filter((vigil) => this.#isWatched(vigil))
      .map((vigil) => this.#view(vigil));
  }

  /** How the run of an open editor stands; `null` when nobody looks after it. */
  get(dir: string): WatchedRun | null {
    const vigil = this.#vigils.get(dir);
    return vigil ? this.#view(vigil) : null;
  }

  isAsked(dir: string): boolean {
    return this.#vigils.get(dir)?.isAsked === true;
  }

  /** Somebody wants to be told of this run, whether it has begun or not. What was muted is not any more. */
  watch(dir: string): void {
    this.#memory.setMuted(dir, false);
    const vigil = this.#vigil(dir);
    vigil.isAsked = true;
    vigil.isSilent = false;
    vigil.owesDiagnosis = true;
    vigil.isNew = true;
    this.#arrange(vigil);
    this.#onChanged.tell(dir);
    this.#looks.ask(dir);
  }

  /** Until its editor is opened anew, nothing is said of it. */
  stop(dir: string): void {
    const vigil = this.#vigils.get(dir);
    if (!vigil) return;
    this.#end(vigil);
    this.#onChanged.tell(dir);
  }

  mute(dir: string): void {
    this.#memory.setMuted(dir, true);
    const vigil = this.#vigils.get(dir);
    if (vigil) vigil.hasNews = false;
    this.#onChanged.tell(dir);
  }

  /** Somebody looks at the run. */
  seen(dir: string): void {
    const vigil = this.#vigils.get(dir);
    if (!vigil?.hasNews) return;
    vigil.hasNews = false;
    this.#onChanged.tell(dir);
  }

  /** @param editor unlike any other */
  shows(editor: object, dir: string, showing: Showing): void {
    const known = this.#editors.get(editor);
    this.#editors.set(editor, { dir, showing });
    if (known?.dir !== dir && this.#parts.isAutomatic(dir)) {
      const isNew = !this.#vigils.has(dir);
      const vigil = this.#vigil(dir);
      if (isNew) vigil.isSilent = vigil.told.kinds.length === 0;
      this.#looks.ask(dir);
    }
    const vigil = this.#vigils.get(dir);
    if (vigil) this.#arrange(vigil);
    if (showing.isActive) this.seen(dir);
  }

  closed(editor: object): void {
    const known = this.#editors.get(editor);
    this.#editors.delete(editor);
    const vigil = known && this.#vigils.get(known.dir);
    if (!vigil) return;
    if (vigil.isAsked || this.#showings(vigil.dir).length > 0) this.#arrange(vigil);
    else {
      this.#end(vigil);
      this.#onChanged.tell(vigil.dir);
    }
  }

  /** Other files lie there, and whoever shows the run knows. */
  runChanged(dir: string): void {
    const vigil = this.#vigils.get(dir);
    if (!vigil) return;
    vigil.owesDiagnosis ||= this.#isWatched(vigil);
    this.#looks.ask(dir);
  }

  /** It is time to diagnose these runs again. */
  rethink(concerns: (dir: string) => boolean): void {
    for (const dir of this.#vigils.keys())
      if (concerns(dir)) this.#soon(dir, (vigil) => this.#diagnose(vigil));
  }

  dispose(): void {
    this.#isOver = true;
    clearInterval(this.#clock);
    for (const vigil of [...this.#vigils.values()]) this.#end(vigil);
    this.#looks.dispose();
    for (const listeners of [this.#onChanged, this.#onNews, this.#onEnded]) listeners.clear();
  }

  #vigil(dir: string): Vigil {
    let vigil = this.#vigils.get(dir);
    if (!vigil) {
      vigil = {
        ...{
          dir,
          isAsked: false,
          summary: null,
          hasNews: false,
          grownAt: 0,
          owesDiagnosis: true,
          isNew: true,
        },
        ...{ isSilent: false, lease: null, follower: null, turn: Promise.resolve() },
        told: new Told(this.#memory.told(dir)),
      };
      this.#vigils.set(dir, vigil);
      this.#clock ??= setInterval(() => this.#lookAtClock(), CLOCK).unref();
    }
    return vigil;
  }

  #end(vigil: Vigil): void {
    this.#vigils.delete(vigil.dir);
    vigil.follower?.dispose();
    vigil.lease?.release();
    vigil.lease = null;
    if (this.#vigils.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  #isWatched({ isAsked, summary }: Vigil): boolean {
    return isAsked || (summary !== null && isLive(summary.state));
  }

  #view({ dir, summary, hasNews, grownAt }: Vigil): WatchedRun {
    const label = nodePath.basename(dir) || dir;
    return { dir, label, summary, hasNews, isMuted: this.#memory.isMuted(dir), grownAt };
  }

  #showings(dir: string): Showing[] {
    return [...this.#editors.values()].filter((editor) => editor.dir === dir).map(({ showing }) => showing);
  }

  /** Files are followed here where no editor does: it does while it can be seen. */
  #arrange(vigil: Vigil): void {
    const isFollowed = this.#showings(vigil.dir).some(({ isVisible }) => isVisible);
    const isWanted = this.#isWatched(vigil) && !isFollowed;
    if (isWanted && !vigil.follower) {
      const follower = this.#parts.follow(vigil.dir, () => this.#changedUnseen(vigil));
      vigil.follower = follower;
      void this.#inTurn(vigil, () => follower.ready);
      // What came since the editor looked last is not seen by who begins to look now.
      if (vigil.summary) void this.#changedUnseen(vigil);
    }
    if (!vigil.follower) return;
    vigil.follower.live = vigil.summary === null || isLive(vigil.summary.state);
    vigil.follower.visible = isWanted;
  }

  /** Settles when the run has been opened again. */
  async #changedUnseen(vigil: Vigil): Promise<void> {
    this.#parts.forgive(vigil.dir);
    await this.#inTurn(vigil, async () => {
      const leased = vigil.lease
        ? { state: "run" as const, lease: vigil.lease }
        : await this.#parts.acquire(vigil.dir);
      if (leased.state !== "run") return;
      try {
        const { state } = await leased.lease.run.reload();
        if (state !== "run") this.#letGo(vigil);
      } finally {
        if (leased.lease !== vigil.lease) leased.lease.release();
      }
    });
    if (this.#vigils.get(vigil.dir) === vigil) this.#parts.changed(vigil.dir);
  }

  #letGo(vigil: Vigil): void {
    vigil.lease?.release();
    vigil.lease = null;
  }

  #soon(dir: string, work: (vigil: Vigil) => Promise<void>): void {
    const vigil = this.#vigils.get(dir);
    if (vigil) void this.#inTurn(vigil, () => work(vigil));
  }

  /** Never rejects. */
  #inTurn(vigil: Vigil, work: () => Promise<void>): Promise<void> {
    vigil.turn = vigil.turn.then(async () => {
      if (this.#isOver || this.#vigils.get(vigil.dir) !== vigil) return;
      try {
        await work();
      } catch (error) {
        this.#parts.log(`${vigil.dir}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    return vigil.turn;
  }

  async #look(vigil: Vigil): Promise<void> {
    const begun = performance.now();
    const before = vigil.summary;
    const now = await this.#summary(vigil);
    this.#looks.took(vigil.dir, performance.now() - begun);
    if (this.#vigils.get(vigil.dir) !== vigil) return;
    const wasWatched = this.#isWatched(vigil);
    if (now?.lastStep !== before?.lastStep) vigil.grownAt = performance.now();
    vigil.summary = now;
    this.#arrange(vigil);
    if (JSON.stringify(now) !== JSON.stringify(before)) this.#onChanged.tell(vigil.dir);
    if (now && this.#isWatched(vigil) && (vigil.isNew || !wasWatched)) {
      vigil.isNew = false;
      vigil.owesDiagnosis = true;
      await this.#diagnose(vigil);
    }
    if (now && before && isLive(before.state) && !isLive(now.state) && now.state !== "unknown")
      await this.#ended(vigil, now);
  }

  async #summary(vigil: Vigil): Promise<RunSummary | null> {
    const leased = vigil.lease ? null : await this.#parts.acquire(vigil.dir);
    if (leased && leased.state !== "run") return null;
    const lease = leased?.lease ?? vigil.lease;
    if (!lease) return null;
    let isKept = false;
    try {
      const summary = await lease.run.call("run.summary", {});
      // With an editor, it is the one that keeps the run open and opens it again.
      isKept =
        vigil.isAsked && this.#showings(vigil.dir).length === 0 && this.#vigils.get(vigil.dir) === vigil;
      return summary;
    } finally {
      if (isKept) vigil.lease = lease;
      else {
        lease.release();
        vigil.lease = null;
      }
    }
  }

  async #diagnose(vigil: Vigil): Promise<void> {
    if (!vigil.owesDiagnosis || vigil.summary === null) return;
    vigil.owesDiagnosis = false;
    const findings = await this.#parts.diagnose(vigil.dir);
    if (this.#vigils.get(vigil.dir) !== vigil) return;
    const fresh = vigil.told.take(findings);
    const isSilent = vigil.isSilent;
    vigil.isSilent = false;
    if (fresh.length === 0) return;
    this.#memory.remember(vigil.dir, vigil.told.kinds);
    if (isSilent || this.#memory.isMuted(vigil.dir)) return;
    const isLookedAt = this.#showings(vigil.dir).some(({ isActive }) => isActive);
    vigil.hasNews ||= !isLookedAt && fresh.some(({ severity }) => severity === "critical");
    this.#onNews.tell({ dir: vigil.dir, label: this.#view(vigil).label, findings: fresh });
    this.#onChanged.tell(vigil.dir);
  }

  /** What comes with its last rows is told before it is let go. */
  async #ended(vigil: Vigil, summary: RunSummary): Promise<void> {
    await this.#diagnose(vigil);
    if (!vigil.isAsked) return;
    this.#onEnded.tell({ dir: vigil.dir, label: this.#view(vigil).label, summary });
    // By the clock alone nobody can tell whether it goes on.
    if (summary.state === "killed") return;
    vigil.isAsked = false;
    this.#letGo(vigil);
    if (this.#showings(vigil.dir).length === 0) this.#end(vigil);
    else this.#arrange(vigil);
    this.#onChanged.tell(vigil.dir);
  }

  #lookAtClock(): void {
    for (const vigil of this.#vigils.values()) if (this.#isWatched(vigil)) this.#looks.ask(vigil.dir);
  }
}
