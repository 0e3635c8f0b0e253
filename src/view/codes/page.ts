/** What is said about one code beyond its sentence and its remedy (`../words.ts`). Markdown within the texts. */
export interface CodePage {
  /** What it means for what is shown. */
  readonly means: string;
  /** What brings it about, the most frequent first. */
  readonly causes: readonly string[];
  /** What Flight Deck does about it. */
  readonly does: string;
  /** What can be done beyond the remedy. */
  readonly more: readonly string[];
  /** What it looks like: a command with its answer, or a piece of a file. */
  readonly example?: string;
}

/** @param more what can be done beyond the remedy */
export function page(
  means: string,
  causes: readonly string[],
  does: string,
  more: readonly string[] = [],
  example?: string,
): CodePage {
  return { means, causes, does, more, ...(example === undefined ? {} : { example }) };
}
