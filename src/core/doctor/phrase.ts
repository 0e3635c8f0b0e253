/** Sentences as data: what the core found is said in English here, and in any language by whoever shows it. */

/** The English sentence with a place for each argument: "Entropy fell from {0} to {1} nats." It is a literal: `scripts/l10n.mjs` collects them. */
export interface Phrase {
  readonly message: string;
  readonly args: readonly (string | number | Phrase)[];
}

export const phrase = (message: string, ...args: Phrase["args"]): Phrase => ({ message, args });

export function english({ message, args }: Phrase): string {
  // What stands for a place can hold braces itself: it is not looked at again.
  return message.replace(/\{(\d+)\}/g, (all, at: string) => {
    const arg = args[Number(at)];
    return typeof arg === "object" ? english(arg) : String(arg ?? all);
  });
}
