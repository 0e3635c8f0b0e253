/** Runs below a folder, a page at a time: those of a page are read, and no others. */
import path from "node:path";
import * as z from "zod/mini";
import type { RunKind } from "../core/runs/signs.ts";
import type { VerdictView } from "../protocol/diagnosis.ts";
import { ProblemError } from "../protocol/rpc.ts";
import type { FindingLine, FoundRuns, RunSummary } from "../protocol/runs.ts";
import type { ListedRun } from "../view/listed-run.ts";
import { problemOfError } from "../view/problems.ts";
import { matchesQuery, parseQuery, type Term } from "../view/run-query.ts";
import { findingLines } from "../view/run-summary.ts";
import { type Cursor, cursorText, finished, MAX_ANSWER, parseCursor } from "./answer.ts";
import { faultJson, ToolFault } from "./fault.ts";
import { brief, compactJson, type Json, type JsonRecord, stepJson } from "./json.ts";
import { folderAt, pathText } from "./places.ts";
import { CursorText } from "./schema.ts";
import { type AgentSource, withRun } from "./source.ts";

export const ListRunsInput = z.strictObject({
  root: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(4096),
        z.describe("Folder to search, absolute or relative to the first root. Default: all roots."),
      ),
  ),
  filter: z.optional(
    z
      .string()
      .check(
        z.maxLength(1000),
        z.describe(
          "Only runs that fit. Terms, all must hold: algorithm:grpo trainer_config.lr>=1e-5 finding:KL_BLOWUP severity:critical state:crashed steps>100 reward>0.5 created>=2026-01-31, a minus before a term negates it, a bare word is looked for in names.",
        ),
      ),
  ),
  findings: z.optional(
    z.boolean().check(z.describe("Diagnose each run and name its findings (default true). false is faster.")),
  ),
  limit: z.optional(z.int().check(z.gte(1), z.lte(50), z.describe("Runs a page (default 20)."))),
  cursor: z.optional(CursorText),
});
export type ListRunsInput = z.infer<typeof ListRunsInput>;

/** Runs that one call reads at most, and milliseconds after which it begins no other: what is left is on the next page. */
const MAX_READ = 200;
const MAX_TIME = 20_000;
const ROOM = MAX_ANSWER - 1500;

interface Place {
  readonly root: string;
  /** "/" between its parts, "" for the root itself. */
  readonly inRoot: string;
  readonly dir: string;
  readonly kind: RunKind;
}

export async function listRuns(
  source: AgentSource,
  input: ListRunsInput,
  signal: AbortSignal,
): Promise<string> {
  const { cursor: given, ...asked } = input;
  const cursor = parseCursor(given, asked);
  const withFindings = input.findings !== false;
  const terms = termsOf(input.filter ?? "", withFindings);
  const { places, notes } = await found(source, input.root, signal);
  const page = await pageOf(
    source,
    places,
    { terms, withFindings, limit: input.limit ?? 20, at: cursor?.at ?? 0 },
    signal,
  );
  const next: Cursor = { part: "runs", at: page.next, mark: places.length };
  if (cursor && cursor.mark !== places.length)
    notes.push("Runs have come or gone since the first page: begin anew without cursor where that matters.");
  if (page.next < places.length && page.rows.length < (input.limit ?? 20))
    notes.push("The page ended early, after as much as one call reads: go on with next_cursor.");
  return finished(
    {
      found: places.length,
      looked_at: page.next,
      runs: page.rows,
      ...(page.next < places.length ? { next_cursor: cursorText(next, asked) } : {}),
    },
    notes,
  );
}

function termsOf(filter: string, withFindings: boolean): readonly Term[] {
  const { terms, problems } = parseQuery(filter);
  const [problem] = problems;
  if (problem)
    throw new ToolFault(
      "bad-filter",
      `filter, character ${problem.from + 1}: ${problem.message}`,
      "Correct the filter; quote text that is no key:value.",
    );
  const needy = terms.some(({ key }) => key === "finding" || key === "severity");
  if (needy && !withFindings)
    throw new ToolFault(
      "bad-filter",
      "filter asks for findings, and findings is false.",
      "Leave findings out.",
    );
  return terms;
}

async function found(
  source: AgentSource,
  root: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly places: readonly Place[]; readonly notes: string[] }> {
  const roots = root === undefined ? source.places.roots() : [await folderAt(root, source.places)];
  if (roots.length === 0)
    throw new ToolFault("no-roots", "No folder is open.", "Ask the user to open a folder, or pass root.");
  const byDir = new Map<string, Place>();
  const notes: string[] = [];
  for (const each of roots) {
    const { runs, cuts } = await source.find(each, signal);
    notes.push(...cuts.map((cut) => CUTS[cut]));
    for (const { path: inRoot, kind } of runs) {
      const dir = inRoot === "" ? each : path.join(each, ...inRoot.split("/"));
      if (!byDir.has(dir)) byDir.set(dir, { root: each, inRoot, dir, kind });
    }
  }
  const places = [...byDir.values()].sort((a, b) => (a.dir < b.dir ? -1 : a.dir > b.dir ? 1 : 0));
  return { places, notes: [...new Set(notes)] };
}

const CUTS: Readonly<Record<FoundRuns["cuts"][number], string>> = {
  folders: "Not all folders were searched, there are too many: pass a root further down.",
  entries: "Not all folders were searched, they hold too many files: pass a root further down.",
  depth: "Folders nested deeper than the search goes were left out: pass a root further down.",
  time: "The search took too long and was ended: pass a root further down.",
  runs: "There are more runs than a search finds: pass a root further down.",
  cancelled: "The search was cancelled: call again.",
};

interface Asked {
  readonly terms: readonly Term[];
  readonly withFindings: boolean;
  readonly limit: number;
  readonly at: number;
}

async function pageOf(
  source: AgentSource,
  places: readonly Place[],
  { terms, withFindings, limit, at }: Asked,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly Json[]; readonly next: number }> {
  const until = performance.now() + MAX_TIME;
  const rows: Json[] = [];
  let size = 0;
  let next = at;
  while (next < places.length && rows.length < limit && next - at < MAX_READ) {
    if (next > at && performance.now() > until) break;
    signal.throwIfAborted();
    const place = places[next] as Place;
    const { run, fault } = await listed(source, place, withFindings, signal);
    if (matchesQuery(terms, run)) {
      const row = rowJson(source, run, fault, withFindings);
      size += compactJson(row).length + 1;
      if (rows.length > 0 && size > ROOM) break;
      rows.push(row);
    }
    next++;
  }
  return { rows, next };
}

interface Listed {
  readonly run: ListedRun;
  /** Why it cannot be read. */
  readonly fault: ReturnType<typeof faultJson> | null;
}

async function listed(
  source: AgentSource,
  place: Place,
  withFindings: boolean,
  signal: AbortSignal,
): Promise<Listed> {
  const { dir, inRoot, kind } = place;
  const base = { dir, label: path.basename(dir), path: inRoot, kind };
  try {
    return await withRun(source, dir, signal, async (run) => {
      const summary: RunSummary = await run.call("run.summary", {}, signal);
      let findings: FindingLine[] | null = null;
      let verdict: VerdictView | null = null;
      if (withFindings && kind !== "records") {
        const { text, extra } = await source.thresholds(dir);
        const diagnosis = await run.call("run.diagnose", { config: text, extra, known: false }, signal);
        verdict = diagnosis.verdict;
        findings = verdict.state === "none" ? null : findingLines(diagnosis.findings);
      }
      return { run: { ...base, summary, findings, verdict, problem: null }, fault: null };
    });
  } catch (error) {
    signal.throwIfAborted();
    const problem = error instanceof ProblemError ? error.problem : problemOfError(error);
    return {
      run: { ...base, summary: null, findings: null, verdict: null, problem },
      fault: faultJson(error),
    };
  }
}

function rowJson(
  { places }: AgentSource,
  run: ListedRun,
  fault: Listed["fault"],
  withFindings: boolean,
): JsonRecord {
  const { summary, findings, verdict, kind } = run;
  const own = { path: pathText(run.dir, places) };
  if (!summary) {
    return {
      kind,
      state: "unreadable",
      error: fault?.error ?? null,
      untrusted: { ...own, ...fault?.untrusted },
    };
  }
  return {
    kind,
    state: summary.state,
    n_steps: summary.steps,
    last_step: stepJson(summary.lastStep),
    last_reward: summary.lastReward,
    created_at: dateText(summary.createdAt),
    ...(withFindings
      ? {
          findings:
            findings?.map(({ signature, severity, firstStep }) => ({
              signature_id: signature,
              severity,
              first_step: stepJson(firstStep),
            })) ?? null,
          ...(verdict?.state === "none" ? { verdict: verdict.words } : {}),
        }
      : {}),
    warnings: summary.warnings,
    untrusted: {
      ...own,
      run_id: brief(summary.runId, 200),
      algorithm: brief(summary.algorithm, 100),
      model_name: brief(summary.model, 200),
    },
  };
}

function dateText(ms: number | null): string | null {
  if (ms === null || Math.abs(ms) > 8.64e15) return null;
  return new Date(ms).toISOString();
}
