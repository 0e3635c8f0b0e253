/** What can be written next in the runs filter. */
import { said } from "../protocol/l10n.ts";
import type { ListedRun } from "./listed-run.ts";
import { CONFIG_PREFIXES, inQuery, QUERY_KEYS, tokensOf, valuesOf } from "./run-query.ts";

export interface QueryCompletion {
  readonly label: string;
  readonly detail: string;
  /** The whole text once it is taken. */
  readonly text: string;
}

const MAX = 60;
const MAX_VALUE = 60;

/** Dotted names of configuration values that some run has. */
export function configKeysOf(runs: readonly ListedRun[]): string[] {
  const keys = new Set<string>();
  for (const { summary } of runs)
    for (const [key] of summary?.config ?? [])
      if (CONFIG_PREFIXES.some((p) => key.startsWith(p))) keys.add(key);
  return [...keys].sort();
}

/** Completions of the last term of the text. */
export function queryCompletions(text: string, runs: readonly ListedRun[]): QueryCompletion[] {
  const last = /\s$/.test(text) ? undefined : tokensOf(text).at(-1);
  const before = last ? text.slice(0, last.from) + (last.not ? "-" : "") : text;
  if (last?.key) return valueCompletions(`${before}${inQuery(last.key.text)}${last.operator}`, last, runs);
  return keyCompletions(before, last?.value.text ?? "", runs);
}

function keyCompletions(before: string, begun: string, runs: readonly ListedRun[]): QueryCompletion[] {
  const known = QUERY_KEYS.map(({ name, doc, kind }) => ({
    label: name,
    detail: said(doc),
    text: `${before}${name}${kind === "number" || kind === "date" ? ">=" : ":"}`,
  }));
  const config = configKeysOf(runs).map((key) => ({
    label: key,
    detail: "",
    text: `${before}${inQuery(key)}=`,
  }));
  const offered = narrowed([...known, ...config], begun);
  // Of a thousand runs with hundreds of keys only what is shown.
  const examples = examplesOf(
    new Set(offered.filter(({ detail }) => detail === "").map(({ label }) => label)),
    runs,
  );
  return offered.map((one) =>
    one.detail === "" ? { ...one, detail: [...(examples.get(one.label) ?? [])].sort().join(", ") } : one,
  );
}

const MAX_EXAMPLES = 4;

/** A few values of each configuration key. */
function examplesOf(keys: ReadonlySet<string>, runs: readonly ListedRun[]): ReadonlyMap<string, Set<string>> {
  const examples = new Map([...keys].map((key) => [key, new Set<string>()]));
  for (const { summary } of runs)
    for (const [key, value] of summary?.config ?? []) {
      const found = examples.get(key);
      if (found && found.size < MAX_EXAMPLES && value !== "") found.add(value);
    }
  return examples;
}

function valueCompletions(
  before: string,
  {
    key,
    value,
  }: { readonly key: { readonly text: string } | null; readonly value: { readonly text: string } },
  runs: readonly ListedRun[],
): QueryCompletion[] {
  const name = key?.text ?? "";
  const known = QUERY_KEYS.find((k) => k.name === name);
  if (known?.kind === "number" || known?.kind === "date") return [];
  const counts = countsOf(name, runs);
  const values = known?.values ?? [...counts.keys()].sort();
  const comma = value.text.lastIndexOf(",") + 1;
  const kept = value.text.slice(0, comma);
  const all = values.map((v) => ({
    label: v,
    detail: detailOf(counts.get(v) ?? 0),
    text: `${before}${kept}${inQuery(v)}`,
  }));
  return narrowed(all, value.text.slice(comma));
}

function detailOf(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 run" : `${count} runs`;
}

/** What begins like it, then what has it inside. */
function narrowed(all: readonly QueryCompletion[], begun: string): QueryCompletion[] {
  const wanted = begun.toLowerCase();
  const place = ({ label }: QueryCompletion): number => label.toLowerCase().indexOf(wanted);
  const fitting = all.filter((one) => place(one) >= 0);
  return [...fitting.filter((one) => place(one) === 0), ...fitting.filter((one) => place(one) > 0)].slice(
    0,
    MAX,
  );
}

function countsOf(key: string, runs: readonly ListedRun[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const run of runs)
    for (const value of new Set(valuesOf(key, run) ?? []))
      if (value !== "" && value.length <= MAX_VALUE) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
