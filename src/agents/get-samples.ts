/** Captured completions: those that a query finds, or one that is cited, whole. */
import path from "node:path";
import * as z from "zod/mini";
import type { SampleDetail } from "../protocol/samples.ts";
import { orderWords, parseQuery, QUERY_HELP, type SampleQueryText } from "../view/sample-query.ts";
import { head } from "../view/text.ts";
import { MAX_ANSWER, type Part, paged, parseCursor } from "./answer.ts";
import { ToolFault } from "./fault.ts";
import { brief, compactJson, figures, type Json, type JsonRecord, notFinite, stepJson } from "./json.ts";
import { folderAt } from "./places.ts";
import { notesOf, runHead } from "./run-head.ts";
import { CursorText, PathText } from "./schema.ts";
import { type AgentRun, type AgentSource, withRun } from "./source.ts";
import { citation, parseCitation } from "./untrusted.ts";

export const GetSamplesInput = z.strictObject({
  run: PathText,
  query: z.optional(
    z
      .string()
      .check(
        z.maxLength(2000),
        z.describe(
          'Which and in what order, as in: step:100..200 reward<0.2 truncated:yes rank:0 group:ID prompt:ID length>512 sort:-advantage "text in prompt or completion". sort is reward, advantage, kl, length, logprob, step or component:NAME; a minus before it puts the largest first. Default: all, as recorded.',
        ),
      ),
  ),
  cite: z.optional(
    z
      .string()
      .check(
        z.maxLength(1500),
        z.describe(
          "A citation run/step/rank/sample_id from an earlier answer: that sample alone, its whole text a page at a time. Not together with query.",
        ),
      ),
  ),
  limit: z.optional(z.int().check(z.gte(1), z.lte(20), z.describe("Samples a page (default 5)."))),
  text: z.optional(
    z
      .int()
      .check(
        z.gte(0),
        z.lte(4000),
        z.describe("Characters of each prompt and each completion (default 600); 0 for figures alone."),
      ),
  ),
  cursor: z.optional(CursorText),
});
export type GetSamplesInput = z.infer<typeof GetSamplesInput>;

const BIAS =
  "Samples are what the recorder kept of each step (by default the two best, the two worst and four others): not the population. Do not average them.";

export async function getSamples(
  source: AgentSource,
  input: GetSamplesInput,
  signal: AbortSignal,
): Promise<string> {
  const { cursor: given, ...asked } = input;
  const cursor = parseCursor(given, asked);
  const dir = await folderAt(input.run, source.places);
  return withRun(source, dir, signal, async (run) => {
    const base = { asked, cursor, head: runHead(source, run) };
    if (input.cite !== undefined) {
      if (input.query !== undefined)
        throw new ToolFault(
          "bad-input",
          "cite and query cannot be given together.",
          "Leave one of them out.",
        );
      return paged({
        ...base,
        ...(await citedParts(run, input.cite, cursor?.at ?? 0, signal)),
        notes: notesOf(run),
      });
    }
    const query = queryOf(input.query ?? "");
    await whenIndexed(run, signal);
    const { part, notes } = await samplesPart(run, query, input, signal);
    return paged({
      ...base,
      once: { order: orderOf(query) },
      parts: [part],
      notes: [...notesOf(run), ...notes, BIAS],
    });
  });
}

function queryOf(text: string): SampleQueryText {
  const parsed = parseQuery(text);
  if ("query" in parsed) return parsed.query;
  throw new ToolFault("bad-query", `query: ${parsed.fault}`, QUERY_HELP);
}

/** A component's name is the caller's own word here. */
const orderOf = ({ order }: SampleQueryText): string =>
  order.by.startsWith("component:")
    ? `a reward component, ${order.descending ? "largest" : "smallest"} first`
    : orderWords(order);

/** A list of a growing index would be another on the next page. */
async function whenIndexed(run: AgentRun, signal: AbortSignal): Promise<void> {
  for (let seen = -1; ; ) {
    const { done, read } = await run.call("samples.state", { seen }, signal);
    if (done) return;
    seen = read;
  }
}

/** Milliseconds after which a search for a text is not gone on with. */
const MAX_SEARCH = 20_000;
const MAX_HITS = 100_000;
const NO_VALUE =
  "No sample that fits has a value to sort by: call again with sort:reward or sort:step, or without sort.";

async function samplesPart(
  run: AgentRun,
  { filter, order, text, matchCase }: SampleQueryText,
  { limit = 5, text: chars = 600 }: GetSamplesInput,
  signal: AbortSignal,
): Promise<{ readonly part: Part; readonly notes: readonly string[] }> {
  const search = text === "" ? null : await searched(run, { filter, text, matchCase }, signal);
  const wanted = search ? { ...filter, rows: search.rows } : filter;
  const ask = (offset: number, count: number) =>
    run.call("samples.list", { filter: wanted, order, texts: false, offset, limit: count }, signal);
  const { total, without } = await ask(0, 1);
  const part: Part = {
    name: "samples",
    total,
    limit,
    room: MAX_ANSWER,
    ...(without > 0 ? { head: { without_a_value_to_sort_by: without } } : {}),
    rows: async (offset, count) => {
      const { rows } = await ask(offset, count);
      const out: Json[] = [];
      for (const { row } of rows) {
        const detail = await run.call("samples.detail", { row, text: chars }, signal);
        out.push(detail ? bounded(run, detail, chars) : { error: "This sample could not be read." });
      }
      return out;
    },
  };
  return { part, notes: [...(search?.notes ?? []), ...(total === 0 && without > 0 ? [NO_VALUE] : [])] };
}

async function searched(
  run: AgentRun,
  query: Pick<SampleQueryText, "filter" | "text" | "matchCase">,
  signal: AbortSignal,
): Promise<{ readonly rows: Uint32Array<ArrayBuffer>; readonly notes: readonly string[] }> {
  const until = performance.now() + MAX_SEARCH;
  const found: number[] = [];
  for (let after = 0; ; ) {
    const limit = MAX_HITS - found.length;
    const {
      rows,
      next,
      searched: done,
      of,
    } = await run.call("samples.search", { ...query, after, limit }, signal);
    for (const row of rows) found.push(row);
    if (next === null) return { rows: new Uint32Array(found), notes: [] };
    if (found.length >= MAX_HITS || performance.now() > until)
      return {
        rows: new Uint32Array(found),
        notes: [
          `The text was looked for in ${done} of ${of} samples: narrow the query with step:FROM..TO to be sure.`,
        ],
      };
    after = next;
  }
}

const MAX_COMPONENTS = 32;

/** Escapes can make a text much longer than its characters: it is cut until the sample has a place in an answer. */
function bounded(run: AgentRun, detail: SampleDetail, chars: number): JsonRecord {
  for (let count = chars; ; count = Math.floor(count / 2)) {
    const row = sampleJson(run, detail, head(detail.prompt, count), head(detail.completion, count));
    if (count === 0 || compactJson(row).length <= MAX_ANSWER - 4000) return row;
  }
}

function sampleJson(run: AgentRun, sample: SampleDetail, prompt: string, completion: string): JsonRecord {
  const { step, rank, id, place, components } = sample;
  return {
    cite: citation(path.basename(run.dir), step, rank, id),
    step: stepJson(step),
    rank,
    ...figures({
      reward: sample.reward,
      advantage: sample.advantage,
      kl: sample.kl,
      logprob_mean: sample.logprob,
      completion_tokens: sample.length,
    }),
    ...(sample.truncated === null ? {} : { truncated: sample.truncated }),
    ...(place
      ? { group: { size: place.size, place: place.rank, ...figures({ mean: place.mean, sd: place.sd }) } }
      : {}),
    prompt_chars: sample.promptLength,
    completion_chars: sample.completionLength,
    ...(prompt.length < sample.promptLength || completion.length < sample.completionLength
      ? { is_cut: true }
      : {}),
    untrusted: {
      sample_id: id,
      ...(sample.group === "" ? {} : { group_id: brief(sample.group, 200) }),
      ...(sample.promptId === "" ? {} : { prompt_id: brief(sample.promptId, 200) }),
      ...(sample.reason === "" ? {} : { capture_reason: brief(sample.reason, 100) }),
      ...(components.length === 0
        ? {}
        : {
            reward_components: components
              .slice(0, MAX_COMPONENTS)
              .map(({ name, value }) => componentJson(name, value)),
          }),
      ...(components.length > MAX_COMPONENTS
        ? { reward_components_left_out: components.length - MAX_COMPONENTS }
        : {}),
      ...(prompt === "" ? {} : { prompt }),
      ...(completion === "" ? {} : { completion }),
    },
  };
}

function componentJson(name: string, value: number): Json {
  const mark = notFinite(value);
  return mark === null ? [brief(name, 80), value] : [brief(name, 80), null, mark];
}

/** Characters of a piece; of one that is mostly escapes, six for each at worst. */
const PIECE = 10_000;
const ODD_PIECE = 2_000;
/** Pieces of a page, at most. */
const PIECES = 4;

async function citedParts(
  run: AgentRun,
  cite: string,
  cursorAt: number,
  signal: AbortSignal,
): Promise<{ readonly once: JsonRecord; readonly parts: readonly Part[] }> {
  const cited = parseCitation(cite);
  if (!cited)
    throw new ToolFault(
      "bad-citation",
      "This is no citation of a sample.",
      "Pass a cite of flightdeck_get_samples or flightdeck_diagnose_run unchanged: run/step/rank/sample_id.",
    );
  const { row, count } = await run.call("samples.find", cited, signal);
  const detail = row === null ? null : await run.call("samples.detail", { row, text: MAX_TEXT }, signal);
  if (!detail)
    throw new ToolFault(
      "no-such-sample",
      "The run has no such sample.",
      "Look for it with query, as in step:FROM..TO.",
    );
  const { prompt, completion } = detail;
  const part: Part = {
    name: "text",
    total: prompt.length + completion.length,
    limit: PIECES,
    room: MAX_ANSWER,
    head: { counted_in: "characters" },
    rows: (offset, limit) => pieces({ prompt, completion }, offset, limit).map(pieceJson),
    sizeOf: (rows) =>
      pieces({ prompt, completion }, cursorAt, rows.length).reduce((n, { text }) => n + text.length, 0),
  };
  const once = {
    sample: {
      ...sampleJson(run, detail, "", ""),
      is_cut: undefined,
      ...(count > 1 ? { samples_of_this_name: count } : {}),
    },
  };
  return { once, parts: [part] };
}

/** Longest texts that are read for a citation. */
const MAX_TEXT = 4 * 2 ** 20;

interface Piece {
  readonly name: "prompt" | "completion";
  readonly from: number;
  readonly text: string;
}

/** The texts one after another in pieces: whoever puts them together has them whole. @param offset characters before the first */
function pieces(texts: Readonly<Record<Piece["name"], string>>, offset: number, limit: number): Piece[] {
  const out: Piece[] = [];
  let skipped = offset;
  for (const name of ["prompt", "completion"] as const) {
    const text = texts[name];
    let from = Math.min(skipped, text.length);
    skipped -= from;
    while (from < text.length && out.length < limit) {
      const piece = pieceOf(text, from);
      out.push({ name, from, text: piece });
      from += piece.length;
    }
  }
  return out;
}

const pieceJson = ({ name, from, text }: Piece): JsonRecord => ({
  [`${name}_from`]: from,
  [`${name}_to`]: from + text.length,
  untrusted: { [name]: text },
});

function pieceOf(text: string, from: number): string {
  const piece = head(text.slice(from, from + PIECE), PIECE - 1);
  return compactJson(piece).length <= PIECE * 1.3
    ? piece
    : head(text.slice(from, from + ODD_PIECE), ODD_PIECE - 1);
}
