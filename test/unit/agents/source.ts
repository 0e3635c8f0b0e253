/** Recorded runs as agents ask for them, and the answers as data. */
import path from "node:path";
import { LocalRuns } from "../../../src/agents/local.ts";
import type { AgentSource } from "../../../src/agents/source.ts";
import { answerTool } from "../../../src/agents/tools.ts";
import { LEFT_OUT } from "../../../src/cli/ls.ts";
import "../helpers/parquet.ts";

export const ORACLE = path.resolve(import.meta.dirname, "../../fixtures/oracle");

export function sourceOver(...roots: readonly string[]): AgentSource {
  return new LocalRuns({
    places: { roots: () => roots, isConfined: true },
    exclude: LEFT_OUT,
    thresholds: { file: null, text: null, extra: true },
    cache: () => null,
    warm: () => {},
    now: () => 1_800_000_000_000,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is data of many shapes
export type Answer = any;

export async function ask(source: AgentSource, name: string, input: object): Promise<string> {
  const { text, isError } = await answerTool(
    `flightdeck_${name}`,
    source,
    input,
    new AbortController().signal,
  );
  if (isError) throw new Error(text);
  return text;
}

export async function answer(source: AgentSource, name: string, input: object): Promise<Answer> {
  return JSON.parse(await ask(source, name, input));
}

/** The fault that a call ends in. */
export async function fault(source: AgentSource, name: string, input: object): Promise<Answer> {
  const errors: unknown[] = [];
  const { text, isError } = await answerTool(
    `flightdeck_${name}`,
    source,
    input,
    new AbortController().signal,
    (error) => errors.push(error),
  );
  if (!isError) throw new Error(`no fault: ${text.slice(0, 200)}`);
  if (errors.length > 0) throw errors[0];
  return JSON.parse(text);
}

/** The pages of one part to its end, and all of its rows. */
export async function allPages(
  source: AgentSource,
  name: string,
  input: object,
  part: string,
): Promise<{ readonly pages: number; readonly rows: Answer[] }> {
  const rows: Answer[] = [];
  for (let pages = 1, cursor: string | undefined; ; pages++) {
    const page = await answer(source, name, cursor === undefined ? input : { ...input, cursor });
    const own = name === "list_runs" ? page : page[part];
    rows.push(...(name === "list_runs" ? own.runs : own.rows));
    if (own.next_cursor === undefined) return { pages, rows };
    cursor = own.next_cursor;
  }
}

/** Every text of an answer with the keys that lead to it. */
export function* texts(
  value: unknown,
  keys: readonly string[] = [],
): Generator<{ keys: readonly string[]; text: string }> {
  if (typeof value === "string") yield { keys, text: value };
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) yield { keys: [...keys, "(key)"], text: key };
      yield* texts(item, [...keys, key]);
    }
}
