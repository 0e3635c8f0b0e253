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

/** A sentence that somebody else made, with what stands for its placeholders: the core words what it found by these. */
export interface Phrase {
  readonly message: string;
  readonly args: readonly (string | number | Phrase)[];
}

/** What is used of Node's `AsyncLocalStorage`; a page and the host in a browser have none, and need none. */
export interface Aside {
  run<R>(isAside: true, work: () => R): R;
  getStore(): true | undefined;
}

let known: ReadonlyMap<string, string> | undefined;
let aside: Aside | undefined;

/** From now on in this language; `undefined` is English. Before anything is worded: modules keep words. */
export function speak(bundle: Bundle | undefined): void {
  known = bundle && new Map(Object.entries(bundle));
}

/** Whether nothing but English is spoken here. */
export const isEnglish = (): boolean => known === undefined;

/** Where work can be done in English beside work in another language. */
export function asideBy(storage: Aside): void {
  aside = storage;
}

/** Does work in English, with all that it waits for: what leaves VS Code is read by programs and by other people. */
export function inEnglish<R>(work: () => R): R {
  return known && aside ? aside.run(true, work) : work();
}

/** Whether it is such work, where there is another language. */
export function isInEnglish(): boolean {
  return known !== undefined && aside?.getStore() === true;
}

/** `t("{0} of {1} held", held, all)` or `t("{name} is gone", { name })`. The first argument is a literal: `scripts/l10n.mjs` collects them. */
export function t(message: string, ...args: Part[]): string;
export function t(message: string, args: Readonly<Record<string, Part>>): string;
export function t(message: Message): string;
export function t(first: string | Message, ...rest: (Part | Readonly<Record<string, Part>>)[]): string {
  if (typeof first !== "string") {
    const { message, args = [], comment } = first;
    return filled(translated(`${message}/${comment}`) ?? message, args);
  }
  const [named] = rest;
  return filled(translated(first) ?? first, typeof named === "object" ? named : (rest as Part[]));
}

/** Says what is kept as data: a word or sentence of one of our tables, or a phrase. Never what was recorded. */
export function said(what: string | Phrase): string {
  if (typeof what === "string") return translated(what) ?? what;
  const args = what.args.map((arg) => (typeof arg === "object" ? said(arg) : arg));
  return filled(translated(what.message) ?? what.message, args);
}

const translated = (key: string): string | undefined => (isInEnglish() ? undefined : known?.get(key));

function filled(sentence: string, args: Required<Message>["args"]): string {
  const parts = new Map(Object.entries(args));
  if (parts.size === 0) return sentence;
  // What stands for a placeholder can hold braces itself: it is not looked at again.
  return sentence.replace(/\{([^{}]+)\}/g, (all, name: string) => String(parts.get(name) ?? all));
}
