/** Queries for samples as somebody types them: `step:100..200 reward<0.2 truncated sort:-advantage "the answer is"`. */
import { nearest } from "../core/doctor/nearest.ts";
import { t } from "../protocol/l10n.ts";
import type { SampleFilter, SampleOrder } from "../protocol/samples.ts";

export interface SampleQueryText {
  readonly filter: SampleFilter;
  readonly order: SampleOrder;
  /** Looked for in prompts and completions; "" for none. */
  readonly text: string;
  readonly matchCase: boolean;
}

export type ParsedQuery =
  | { readonly query: SampleQueryText }
  /** What cannot be understood, in one sentence. */
  | { readonly fault: string };

const EXAMPLE = 'step:100..200 reward<0.2 truncated sort:-advantage "the answer is"';
/** In English. */
export const QUERY_HELP = `For example: ${EXAMPLE}`;
export const queryHelp = (): string => t("For example: {0}", EXAMPLE);

export const NO_FILTER: SampleFilter = {
  steps: null,
  rank: null,
  reason: null,
  truncated: null,
  group: null,
  prompt: null,
  reward: null,
  length: null,
  rows: null,
};

const SORTS: Readonly<Record<string, SampleOrder["by"]>> = {
  reward: "reward_total",
  advantage: "advantage",
  kl: "kl_contribution",
  length: "completion_len",
  logprob: "logprob_mean",
  step: "step",
  row: "row",
};
const SORT_WORDS: Readonly<Record<string, () => string>> = {
  reward_total: () => t("reward"),
  advantage: () => t("advantage"),
  kl_contribution: () => t("KL contribution"),
  completion_len: () => t("length"),
  logprob_mean: () => t("mean logprob"),
  step: () => t("step"),
};

/** A word, or `key:value`, with double quotes around what has spaces; a backslash before a quote inside. */
const TERM = /([a-z]+)(:|<=|>=|<|>|=)("(?:\\.|[^"\\])*"|\S*)|"(?:\\.|[^"\\])*"|\S+/giy;

type Draft = { -readonly [K in keyof SampleFilter]: SampleFilter[K] };

export function parseQuery(typed: string): ParsedQuery {
  const filter: Draft = { ...NO_FILTER };
  const words: string[] = [];
  const more: { order: SampleOrder; matchCase: boolean } = {
    order: { by: "row", descending: false },
    matchCase: false,
  };
  TERM.lastIndex = 0;
  for (let rest = typed.trim(); rest !== ""; ) {
    TERM.lastIndex = 0;
    const match = TERM.exec(rest);
    if (!match) break;
    const [term, key, sign = ":", value = ""] = match;
    const fault =
      key === undefined ? take(term, filter, words) : set(filter, more, key.toLowerCase(), sign, value);
    if (fault === null) {
      const mistaken = misnamed(term);
      if (mistaken !== null) return { fault: mistaken };
      words.push(unquoted(term));
    } else if (fault !== "") return { fault };
    rest = rest.slice(term.length).trimStart();
  }
  const text = words.join(" ");
  if (text.length > 1000) return { fault: t("The text to look for is longer than 1,000 characters.") };
  return { query: { filter, text, ...more } };
}

/** A word without a value. @returns `null` when it is text to look for */
function take(term: string, filter: Draft, words: readonly string[]): string | null {
  if (term.toLowerCase() !== "truncated" || words.length > 0) return null;
  filter.truncated = true;
  return "";
}

/** @returns "" when it was understood, `null` when it is text to look for, else what is wrong */
function set(
  filter: Draft,
  more: { order: SampleOrder; matchCase: boolean },
  key: string,
  sign: string,
  quoted: string,
): string | null {
  const value = unquoted(quoted);
  const isEqual = sign === ":" || sign === "=";
  switch (key) {
    case "step":
    case "reward":
    case "length": {
      const range = rangeOf(sign, value);
      if (!range)
        return t("“{0}” needs a number, or a range such as {1}:1..5.", `${key}${sign}${value}`, key);
      filter[key === "step" ? "steps" : key] = range;
      return "";
    }
    case "rank":
      if (!isEqual || !/^-?\d{1,9}$/.test(value)) return t("“rank” needs a number, as in rank:0.");
      filter.rank = Number(value);
      return "";
    case "reason":
    case "group":
      if (!isEqual) return null;
      filter[key] = value;
      return "";
    case "prompt":
      if (!isEqual) return null;
      filter.prompt = { by: "id", key: value };
      return "";
    case "truncated":
    case "case":
      if (!/^(yes|no)$/i.test(value)) return t("“{0}” needs yes or no.", key);
      if (key === "case") more.matchCase = /yes/i.test(value);
      else filter.truncated = /yes/i.test(value);
      return "";
    case "sort":
      return sort(more, value);
    default:
      return null;
  }
}

const KEYS = ["step", "reward", "length", "rank", "reason", "group", "prompt", "truncated", "case", "sort"];
const NUMBER = /^[-−+]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** What is a value rather than the rest of an address ("//…"), of code ("::b", "f(x)") or of a sentence (""). */
const VALUE = /^("(?:\\.|[^"\\])*"|[-−+*\w.]+)$/su;

/** @returns what is wrong with a word that reads as a filter and is none; `null` for text */
function misnamed(term: string): string | null {
  const [, typed, sign = "", value = ""] = /^([a-z][\w.]*)(:|<=|>=|<|>|=)(.+)$/is.exec(term) ?? [];
  if (typed === undefined || !(sign === ":" ? VALUE : NUMBER).test(value)) return null;
  const key = typed.toLowerCase();
  if (KEYS.includes(key)) return t("“{0}” is text and has no order.", key);
  const near = nearest(key, KEYS);
  // "x=5" is what an answer says more often than what a filter is.
  if (sign === "=" && (near === null || key.length < 4)) return null;
  const shown = typed.slice(0, 60);
  return near === null
    ? t("There is no key “{0}”; quote it to look for it as text.", shown)
    : t("There is no key “{0}”; did you mean “{1}”?", shown, near);
}

function sort(more: { order: SampleOrder }, value: string): string {
  const descending = value.startsWith("-");
  const name = value.replace(/^[-+]/, "");
  const component = name.startsWith("component:") ? name.slice("component:".length) : "";
  const by = component !== "" ? (`component:${component}` as const) : ownValue(SORTS, name.toLowerCase());
  if (by === undefined)
    return t(
      "Samples are sorted by {0} or component:NAME; “{1}” is none of them.",
      Object.keys(SORTS).join(", "),
      name,
    );
  more.order = { by, descending };
  return "";
}

function rangeOf(sign: string, value: string): [number, number] | null {
  const [, from = "", dots, to = ""] = /^([^.]*(?:\.(?!\.)[^.]*)?)(\.\.)?(.*)$/.exec(value) ?? [];
  if (dots !== undefined) {
    if (sign !== ":" && sign !== "=") return null;
    const low = from === "" ? Number.NEGATIVE_INFINITY : numberOf(from);
    const high = to === "" ? Number.POSITIVE_INFINITY : numberOf(to);
    return low === null || high === null || (from === "" && to === "") ? null : [low, high];
  }
  const n = numberOf(value);
  if (n === null) return null;
  if (sign === "<") return [Number.NEGATIVE_INFINITY, beside(n, -1)];
  if (sign === "<=") return [Number.NEGATIVE_INFINITY, n];
  if (sign === ">") return [beside(n, 1), Number.POSITIVE_INFINITY];
  if (sign === ">=") return [n, Number.POSITIVE_INFINITY];
  return [n, n];
}

function numberOf(text: string): number | null {
  const n = Number(text.replace("−", "-"));
  return text.trim() === "" || !Number.isFinite(n) ? null : n;
}

/** The next number that a computer knows, upward or downward. */
function beside(n: number, direction: 1 | -1): number {
  if (n === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const value = new Float64Array(bits.buffer);
  value[0] = n;
  bits[0] = (bits[0] ?? 0n) + BigInt(n > 0 ? direction : -direction);
  return value[0] ?? n;
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) && text.length > 1 ? text.slice(1, -1).replace(/\\(.)/gs, "$1") : text;
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** "reward, largest first"; "as they were read". */
export function orderWords({ by, descending }: SampleOrder): string {
  if (by === "row") return descending ? t("as they were read, last first") : t("as they were read");
  const name = by.startsWith("component:")
    ? by.slice("component:".length)
    : (ownValue(SORT_WORDS, by)?.() ?? by);
  return descending ? t("{0}, largest first", name) : t("{0}, smallest first", name);
}
