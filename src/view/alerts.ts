/** News of a run that is being recorded: what nobody was told of yet, and how it is told. One rule and one wording for terminal and editor. */
import { visibleLabel } from "./visible.ts";

export interface Kind {
  readonly signature: string;
  readonly severity: string;
}

/** A finding is new when its signature was not told with this severity before. */
export class Told {
  readonly #kinds: Set<string>;

  /** @param kinds what was told earlier, as `kinds` has it */
  constructor(kinds: Iterable<string> = []) {
    this.#kinds = new Set(kinds);
  }

  get kinds(): readonly string[] {
    return [...this.#kinds];
  }

  /** Those that are new, which they are once. Two of one kind that come together are both new. */
  take<T extends Kind>(findings: readonly T[]): T[] {
    const fresh = findings.filter((finding) => !this.#kinds.has(kindOf(finding)));
    for (const finding of fresh) this.#kinds.add(kindOf(finding));
    return fresh;
  }
}

const kindOf = ({ signature, severity }: Kind): string => `${signature} ${severity}`;

export interface Alert extends Kind {
  /** The run's name. */
  readonly run: string;
  /** "" when it has none. */
  readonly firstStep: string;
  readonly words: string;
}

/** Characters of a name, and of what is said. */
const LIMITS = { run: 200, words: 4000 };

/** One line, as rlprobe words it; what is hidden in names is written out. */
export function alertText({ run, severity, signature, firstStep, words }: Alert): string {
  const since = firstStep === "" ? "" : ` (onset ~step ${firstStep})`;
  const name = visibleLabel(run, LIMITS.run);
  return `[${name}] ${severity.toUpperCase()} ${signature}${since}: ${visibleLabel(words, LIMITS.words)}`;
}
