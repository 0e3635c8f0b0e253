/**
 * Notices that other files lie in a run's folder: from the events of a file watcher, and by glancing at it now and then,
 * since network mounts send no events. What counts is what lies there, not that something was said about it.
 */
import { glance, type Looking, look, type Seen } from "./look.ts";

export interface WatchParts {
  readonly looking: Looking;
  /** Calls back when something happens to what lies in a folder, not below it. Returns how to stop. */
  watch(folder: string, onEvent: () => void): () => void;
  /** Settles when whoever shows the run has taken note. Never rejects. */
  onChanged(): Promise<void>;
}

/** Milliseconds: events come in bursts. */
const BURST = 300;
const POLL_FIRST = 5000;
const POLL_LAST = 30_000;
/** While the run is being recorded: a recorder writes every few seconds. */
const LIVE_FIRST = 1000;
const LIVE_LAST = 5000;
const POLL_FACTOR = 1.5;
/** A run that takes long to open is opened less often: this many times the last opening lies in between. */
const REST = 4;
/** Folders that are watched for events; the others are glanced at. */
const MAX_WATCHED = 24;

/** Nothing is noticed while nobody looks at the run; what happened meanwhile is noticed when somebody does. */
export class RunWatch {
  readonly #parts: WatchParts;
  readonly #watched = new Map<string, () => void>();
  /** What whoever shows the run knows. */
  #seen: Promise<Seen>;
  #isVisible = false;
  #isLive = false;
  #isOver = false;
  #isBusy = false;
  #turning: Promise<void> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();
  /** Changes that were told of. */
  #told = 0;
  /** Something was said about the folder since it was last looked at. */
  #isDue = false;
  #notBefore = 0;
  #interval = POLL_FIRST;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#seen = this.#learn();
  }

  /** Settles once it knows what lies there: what is read before that can be older than what is known, and stay so. Never rejects. */
  get ready(): Promise<void> {
    return this.#seen.then(() => {});
  }

  set visible(isVisible: boolean) {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    this.#interval = this.#first;
    this.#plan(0);
  }

  /** The run goes on, as far as is known: it is looked at more often. */
  set live(isLive: boolean) {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    this.#interval = this.#first;
    this.#plan(this.#interval);
  }

  get #first(): number {
    return this.#isLive ? LIVE_FIRST : POLL_FIRST;
  }

  /**
   * Looks at everything now: something that was read does not fit what is known.
   * @returns whether other files lie there, of which whoever shows the run has taken note by then
   */
  async check(): Promise<boolean> {
    const before = this.#told;
    const checking = this.#checking.then(() => this.#check());
    this.#checking = checking;
    await checking;
    return this.#told !== before;
  }

  async #check(): Promise<void> {
    await this.#turning;
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#isDue = true;
    this.#turning = this.#turn();
    await this.#turning;
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
  }

  async #learn(): Promise<Seen> {
    const seen = await look(this.#parts.looking);
    this.#follow(seen);
    return seen;
  }

  #event(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#plan(BURST);
  }

  #plan(wait: number): void {
    if (this.#isBusy || this.#isOver) return;
    clearTimeout(this.#timer);
    if (!this.#isVisible) return;
    const rest = this.#notBefore - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#turning = this.#turn();
      },
      Math.max(wait, rest),
    );
  }

  async #turn(): Promise<void> {
    this.#isBusy = true;
    const before = await this.#seen;
    if (this.#isDue || (await glance(this.#parts.looking, before)) !== before.glance) {
      this.#isDue = false;
      this.#seen = this.#learn();
      if ((await this.#seen).digest !== before.digest) await this.#tell();
    }
    this.#isBusy = false;
    this.#plan(this.#isDue ? BURST : this.#interval);
    this.#interval = Math.min(this.#isLive ? LIVE_LAST : POLL_LAST, this.#interval * POLL_FACTOR);
  }

  async #tell(): Promise<void> {
    if (this.#isOver) return;
    const begun = performance.now();
    this.#told++;
    await this.#parts.onChanged();
    const now = performance.now();
    this.#notBefore = now + REST * (now - begun);
    this.#interval = this.#first;
  }

  /** Folders come and go: those that are there are watched. */
  #follow({ folders }: Seen): void {
    if (this.#isOver) return;
    const wanted = new Set(folders.slice(0, MAX_WATCHED));
    for (const [folder, stop] of this.#watched) {
      if (wanted.has(folder)) continue;
      stop();
      this.#watched.delete(folder);
    }
    for (const folder of wanted) {
      if (this.#watched.has(folder)) continue;
      const stop = this.#parts.watch(folder, () => this.#event());
      this.#watched.set(folder, stop);
    }
  }
}
