/**
 * Words in the language that VS Code is shown in. The English sentence is the key, as for `vscode.l10n.t`, which the host's own files use: this is the
 * same for what runs in the worker, in the page and on the command line too. Nobody has to set it up for English. Decision 20.
 */

/** What stands for a placeholder. */
export type Part = string | number | boolean;

/** Sentences by their English; one with a comment has it behind a slash. */
export type Bundle = Readonly<Record<string, string>>;

/** A sentence that needs a word for its translator: what a placeholder stands for, which meaning is meant. */
export interface Message {
  readonly message: string;
  readonly args?: readonly Part[] | Readonly<Record<string, Part>>;
  readonly comment: string;
}

let known: ReadonlyMap<string, string> | undefined;

/** From now on in this language; `undefined` is English. Before anything is worded: modules keep words. */
export function speak(bundle: Bundle | undefined): void {
  known = bundle && new Map(Object.entries(bundle));
}

/** `t("{0} of {1} held", held, all)` or `t("{name} is gone", { name })`. The first argument is a literal: `scripts/l10n.mjs` collects them. */
export function t(message: string, ...args: Part[]): string;
export function t(message: string, args: Readonly<Record<string, Part>>): string;
export function t(message: Message): string;
export function t(first: string | Message, ...rest: (Part | Readonly<Record<string, Part>>)[]): string {
  if (typeof first !== "string") {
    const { message, args = [], comment } = first;
    return filled(known?.get(`${message}/${comment}`) ?? message, args);
  }
  const [named] = rest;
  return filled(known?.get(first) ?? first, typeof named === "object" ? named : (rest as Part[]));
}

function filled(sentence: string, args: Required<Message>["args"]): string {
  const parts = new Map(Object.entries(args));
  if (parts.size === 0) return sentence;
  // What stands for a placeholder can hold braces itself: it is not looked at again.
  return sentence.replace(/\{([^{}]+)\}/g, (all, name: string) => String(parts.get(name) ?? all));
}
