/** What is kept of watched runs with the workspace: what was told of each, and which are muted. */
import type { Memory } from "../commands/recents.ts";

const TOLD_KEY = "flightDeck.live.told";
const MUTED_KEY = "flightDeck.live.muted";
/** Runs of which it is remembered what was told. */
const MAX_TOLD = 200;
const MAX_MUTED = 500;

type ToldOfRun = readonly [dir: string, kinds: readonly string[]];

/** What was stored may be damaged, which counts as nothing. */
export class LiveMemory {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Kinds of findings, as `Told` has them. */
  told(dir: string): readonly string[] {
    return this.#told().find(([other]) => other === dir)?.[1] ?? [];
  }

  remember(dir: string, kinds: readonly string[]): void {
    const others = this.#told().filter(([other]) => other !== dir);
    void this.#memory.update(TOLD_KEY, [...others, [dir, kinds]].slice(-MAX_TOLD));
  }

  isMuted(dir: string): boolean {
    return this.#muted().includes(dir);
  }

  setMuted(dir: string, isMuted: boolean): void {
    if (this.isMuted(dir) === isMuted) return;
    const others = this.#muted().filter((other) => other !== dir);
    void this.#memory.update(MUTED_KEY, (isMuted ? [...others, dir] : others).slice(-MAX_MUTED));
  }

  #told(): ToldOfRun[] {
    const stored: unknown = this.#memory.get(TOLD_KEY);
    if (!Array.isArray(stored)) return [];
    return stored.filter(
      (entry): entry is ToldOfRun =>
        Array.isArray(entry) && typeof entry[0] === "string" && isTexts(entry[1]),
    );
  }

  #muted(): readonly string[] {
    const stored: unknown = this.#memory.get(MUTED_KEY);
    return isTexts(stored) ? stored : [];
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
