/**
 * The language of the runs filter: `algorithm:grpo trainer_config.lr>=1e-5 finding:KL_BLOWUP -state:running "free words"`. All terms
 * must hold; a minus turns one round; a comma offers another value.
 */

import { nearest } from "../core/doctor/nearest.ts";
import { matchesWildcard } from "../core/runs/wildcard.ts";
import { t } from "../protocol/l10n.ts";
import { RunState } from "../protocol/runs.ts";
import type { ListedRun } from "./listed-run.ts";
import { ALL_SIGNATURES } from "./signature-page.ts";

export type Operator = ":" | "=" | "!=" | ">" | ">=" | "<" | "<=";

export interface Term {
  readonly not: boolean;
  /** `null` for a free word. */
  readonly key: string | null;
  readonly operator: Operator;
  /** One of them has to fit. */
  readonly values: readonly string[];
}

export interface QueryProblem {
  /** Characters of the text, from inclusive, to exclusive. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface ParsedQuery {
  readonly terms: readonly Term[];
  readonly problems: readonly QueryProblem[];
}

export interface QueryKey {
  readonly name: string;
  readonly doc: string;
  readonly kind: "text" | "choice" | "number" | "date";
  /** All that a choice can be. */
  readonly values?: readonly string[];
}

const SIGNATURE_IDS = ALL_SIGNATURES.map(({ id }) => id);

export const QUERY_KEYS: readonly QueryKey[] = [
  { name: "name", kind: "text", doc: "the folder's name" },
  { name: "path", kind: "text", doc: "the folder's path in the workspace" },
  { name: "run", kind: "text", doc: "the run id" },
  { name: "algorithm", kind: "text", doc: "grpo, ppo, …" },
  { name: "model", kind: "text", doc: "the model's name" },
  { name: "notes", kind: "text", doc: "notes in the manifest" },
  { name: "state", kind: "choice", doc: "how the run stands", values: RunState.options },
  {
    name: "finding",
    kind: "choice",
    doc: "a signature that fired",
    values: ["any", "none", ...SIGNATURE_IDS],
  },
  { name: "severity", kind: "choice", doc: "of its findings", values: ["critical", "warn", "info"] },
  { name: "steps", kind: "number", doc: "steps recorded" },
  { name: "reward", kind: "number", doc: "the last reward_mean" },
  { name: "warnings", kind: "number", doc: "about the recording" },
  { name: "ranks", kind: "number", doc: "how many" },
  { name: "attempts", kind: "number", doc: "how many" },
  { name: "world_size", kind: "number", doc: "as the manifest says" },
  { name: "created", kind: "date", doc: "when it began: created>=2026-01-31" },
];
const KEY_BY_NAME: ReadonlyMap<string, QueryKey> = new Map(QUERY_KEYS.map((key) => [key.name, key]));

/** Before the name of a value in the manifest. */
export const CONFIG_PREFIXES = ["trainer_config.", "environment.", "extra."];
const isConfig = (key: string): boolean => CONFIG_PREFIXES.some((prefix) => key.startsWith(prefix));

interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
}

interface Token {
  readonly from: number;
  readonly to: number;
  readonly not: boolean;
  readonly key: Piece | null;
  readonly operator: Operator;
  readonly value: Piece;
  /** A quote that was never closed. */
  readonly isOpen: boolean;
}

/** With a backslash before a quote or a backslash inside. */
const QUOTED = /^"((?:\\["\\]|[^"])*?)("|$)/s;
const OPERATOR = /^(?:!=|>=|<=|[:=<>])/;

/** Never fails; what makes no sense is in the problems of {@link parseQuery}. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const piece = (stop: RegExp): Piece & { isOpen: boolean } => {
    const from = at;
    if (text[at] === '"') {
      const [whole = "", inner = "", end = ""] = QUOTED.exec(text.slice(at)) ?? [];
      at += whole.length;
      return { text: inner.replace(/\\(["\\])/g, "$1"), from, to: at, quoted: true, isOpen: end === "" };
    }
    while (at < text.length && !stop.test(text.slice(at, at + 2))) at++;
    return { text: text.slice(from, at), from, to: at, quoted: false, isOpen: false };
  };
  for (;;) {
    while (at < text.length && /\s/.test(text[at] ?? "")) at++;
    if (at >= text.length) return tokens;
    const from = at;
    const not = text[at] === "-" && /\S/.test(text[at + 1] ?? " ");
    if (not) at++;
    const first = piece(/^(?:\s|!=|[:=<>])/);
    const operator = OPERATOR.exec(text.slice(at, at + 2))?.[0] as Operator | undefined;
    if (operator === undefined) {
      tokens.push({ from, to: at, not, key: null, operator: ":", value: first, isOpen: first.isOpen });
      continue;
    }
    at += operator.length;
    const value = piece(/^\s/);
    tokens.push({ from, to: at, not, key: first, operator, value, isOpen: first.isOpen || value.isOpen });
  }
}

/**
 * @param configKeys dotted names that some run has; a name that none has is a problem. Without any, all are taken.
 */
export function parseQuery(text: string, configKeys: readonly string[] = []): ParsedQuery {
  const terms: Term[] = [];
  const problems: QueryProblem[] = [];
  for (const token of tokensOf(text)) {
    const problem = problemIn(token, configKeys);
    if (problem) problems.push(problem);
    else terms.push(termOf(token));
  }
  return { terms, problems };
}

function termOf({ not, key, operator, value }: Token): Term {
  const several = !value.quoted && key !== null && (operator === ":" || operator === "=");
  const values = several ? value.text.split(",").filter((v) => v !== "") : [value.text];
  return { not, key: key?.text ?? null, operator, values };
}

function problemIn(token: Token, configKeys: readonly string[]): QueryProblem | null {
  const { key, operator, value, isOpen } = token;
  if (isOpen) return { from: token.from, to: token.to, message: t("A quote is not closed.") };
  if (!key) return null;
  if (key.text === "")
    return { from: token.from, to: token.to, message: t("A key is missing before “{0}”.", operator) };
  const known = KEY_BY_NAME.get(key.text);
  if (!known && !isConfig(key.text))
    return { from: key.from, to: key.to, message: unknownKey(key.text, configKeys) };
  if (!known && configKeys.length > 0 && !configKeys.includes(key.text)) {
    return { from: key.from, to: key.to, message: noRunHas(key.text, configKeys) };
  }
  const at = { from: value.from, to: value.to };
  const values = termOf(token).values;
  if (values.length === 0 || values[0] === "")
    return {
      from: token.from,
      to: token.to,
      message: t("“{0}” lacks a value.", `${short(key.text)}${operator}`),
    };
  const isOrder = /[<>]/.test(operator);
  for (const text of values) {
    if (known?.kind === "choice") {
      if (isOrder) return { ...at, message: t("“{0}” has no order; write “{0}:”.", known.name) };
      const choices = known.values ?? [];
      if (!choices.some((choice) => same(choice, text)) && !text.includes("*"))
        return { ...at, message: noSuch(known.name, text, choices) };
    } else if (known?.kind === "number" || (isOrder && known?.kind !== "date")) {
      if (known?.kind === "text") return { ...at, message: t("“{0}” is text and has no order.", known.name) };
      if (numberOf(text) === null) return { ...at, message: t("“{0}” is no number.", short(text)) };
    } else if (known?.kind === "date" && Number.isNaN(Date.parse(text)))
      return { ...at, message: t("“{0}” is no date; write it as 2026-01-31.", short(text)) };
  }
  return null;
}

function unknownKey(key: string, configKeys: readonly string[]): string {
  const own = configKeys.find((name) => name.slice(name.indexOf(".") + 1) === key);
  if (own !== undefined) return t("There is no key “{0}”; did you mean “{1}”?", short(key), own);
  const names = [...KEY_BY_NAME.keys(), ...CONFIG_PREFIXES.map((p) => p.slice(0, -1))];
  const near = nearest(key, names);
  return near === null
    ? t("There is no key “{0}”; quote it to look for it as text.", short(key))
    : t("There is no key “{0}”; the nearest is “{1}”.", short(key), near);
}

function noRunHas(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === null
    ? t("No run has “{0}”.", short(key))
    : t("No run has “{0}”; the nearest is “{1}”.", short(key), near);
}

function noSuch(key: string, value: string, known: readonly string[]): string {
  const near = nearest(value, known);
  return near === null
    ? t("There is no {0} “{1}”.", key, short(value))
    : t("There is no {0} “{1}”; the nearest is “{2}”.", key, short(value), near);
}

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function numberOf(text: string): number | null {
  const value = /^[+-]?(\d|\.\d)/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** A term about what is not known yet does not hold, nor does its opposite. */
export function matchesQuery(terms: readonly Term[], run: ListedRun): boolean {
  return terms.every((term) => {
    const holds = termHolds(term, run);
    return holds !== null && holds !== term.not;
  });
}

function termHolds(term: Term, run: ListedRun): boolean | null {
  const { key, operator, values } = term;
  if (key === null) return freeWord(values[0] ?? "", run);
  const found = valuesOf(key, run);
  if (found === null) return null;
  const test = (value: string): boolean =>
    key === "finding" && (same(value, "any") || same(value, "none"))
      ? found.length > 0 === same(value, "any")
      : found.some((own) => compare(own, operator === "!=" ? "=" : operator, value, KEY_BY_NAME.get(key)));
  const holds = values.some(test);
  return operator === "!=" ? !holds : holds;
}

function freeWord(word: string, { label, path, summary }: ListedRun): boolean {
  const texts = [
    label,
    path,
    summary?.runId ?? "",
    summary?.algorithm ?? "",
    summary?.model ?? "",
    summary?.notes ?? "",
  ];
  return texts.some((text) => text.toLowerCase().includes(word.toLowerCase()));
}

/** What a run has under a key, as text; `null` while it is not known. */
export function valuesOf(key: string, run: ListedRun): readonly string[] | null {
  const { summary } = run;
  // Where nothing could be looked at, it is not known whether there are any.
  const findings = run.verdict?.state === "none" ? null : run.findings;
  if (key === "name") return [run.label];
  if (key === "path") return [run.path === "" ? run.label : run.path];
  if (key === "finding") return findings?.map(({ signature }) => signature) ?? null;
  if (key === "severity") return findings?.map(({ severity }) => severity) ?? null;
  if (!summary) return null;
  const numeric = (value: number | null): string[] => (value === null ? [] : [String(value)]);
  switch (key) {
    case "run":
      return [summary.runId];
    case "algorithm":
    case "model":
    case "notes":
    case "state":
      return [summary[key]];
    case "steps":
    case "warnings":
    case "attempts":
      return numeric(summary[key]);
    case "reward":
      return numeric(summary.lastReward);
    case "ranks":
      return numeric(summary.ranks.length);
    case "created":
      return numeric(summary.createdAt);
    default:
      return summary.config.flatMap(([name, value]) => (name === key ? [value] : []));
  }
}

function compare(own: string, operator: Operator, wanted: string, key: QueryKey | undefined): boolean {
  if (key?.kind === "date") return compareDates(Number(own), operator, wanted);
  const [a, b] = [numberOf(own), numberOf(wanted)];
  switch (operator) {
    case ">":
      return a !== null && b !== null && a > b;
    case ">=":
      return a !== null && b !== null && a >= b;
    case "<":
      return a !== null && b !== null && a < b;
    case "<=":
      return a !== null && b !== null && a <= b;
    default:
      if (a !== null && b !== null && key?.kind !== "text") return a === b;
      return compareText(own.toLowerCase(), wanted.toLowerCase(), operator === ":" && key?.kind !== "choice");
  }
}

function compareText(own: string, wanted: string, isPart: boolean): boolean {
  if (wanted.includes("*")) return matchesWildcard(wanted, own);
  return isPart ? own.includes(wanted) : own === wanted;
}

const DAY_MS = 86_400_000;

/** A day is all of it: `created:2026-01-31` holds from midnight to midnight, of UTC as the date is read. */
function compareDates(own: number, operator: Operator, wanted: string): boolean {
  const from = Date.parse(wanted);
  const to = /T|:/.test(wanted) ? from + 1 : from + DAY_MS;
  switch (operator) {
    case ">":
      return own >= to;
    case ">=":
      return own >= from;
    case "<":
      return own < from;
    case "<=":
      return own < to;
    default:
      return own >= from && own < to;
  }
}

/** A key or a value as it is written in a filter. */
export function inQuery(text: string): string {
  const isPlain = text !== "" && !/^-|[\s:=<>!",]/.test(text);
  return isPlain ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The terms as a person would write them; read again they are the same. */
export function queryText(terms: readonly Term[]): string {
  return terms
    .map(({ not, key, operator, values }) => {
      const [first = ""] = values;
      // A comma before it tells a value that begins with a quote from a quoted one.
      const value =
        values.length === 1 ? inQuery(first) : `${first.startsWith('"') ? "," : ""}${values.join(",")}`;
      return `${not ? "-" : ""}${key === null ? value : `${inQuery(key)}${operator}${value}`}`;
    })
    .join(" ");
}
