/** Work about folders that go on changing: the first change is answered at once, and none goes unanswered. */

export interface Rest {
  /** Milliseconds between two pieces of work about one folder, at least. */
  readonly least: number;
  /** What took long is done less often: this many times what it took lies in between. */
  readonly share: number;
}

interface Entry {
  notBefore: number;
  timer: NodeJS.Timeout | undefined;
}

/** Folders that are remembered; those that rest longest are forgotten first. */
const MAX_KNOWN = 200;

export class Throttle {
  readonly #work: (dir: string) => void;
  readonly #rest: Rest;
  readonly #known = new Map<string, Entry>();
  #isOver = false;

  constructor(work: (dir: string) => void, rest: Rest) {
    this.#work = work;
    this.#rest = rest;
  }

  /** Something has changed: the work is done now, or once its rest is over. */
  ask(dir: string): void {
    const entry = this.#entry(dir);
    if (this.#isOver || entry.timer !== undefined) return;
    const wait = entry.notBefore - performance.now();
    if (wait > 0) {
      entry.timer = setTimeout(() => {
        entry.timer = undefined;
        this.ask(dir);
      }, wait);
      entry.timer.unref();
      return;
    }
    entry.notBefore = performance.now() + this.#rest.least;
    this.#work(dir);
  }

  /** A piece of the work about a folder is done, and took this many milliseconds. */
  took(dir: string, ms: number): void {
    const entry = this.#entry(dir);
    const { least, share } = this.#rest;
    entry.notBefore = Math.max(entry.notBefore, performance.now() + Math.max(least, share * ms));
  }

  dispose(): void {
    this.#isOver = true;
    for (const { timer } of this.#known.values()) clearTimeout(timer);
    this.#known.clear();
  }

  #entry(dir: string): Entry {
    const entry = this.#known.get(dir) ?? { notBefore: 0, timer: undefined };
    this.#known.delete(dir);
    this.#known.set(dir, entry);
    for (const [other, { timer }] of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break;
      if (timer === undefined) this.#known.delete(other);
    }
    return entry;
  }
}
