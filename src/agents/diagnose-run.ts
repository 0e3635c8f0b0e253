/** The doctor's answer about one run: findings with where to look, what passed, what could not be looked at. */
import path from "node:path";
import * as z from "zod/mini";
import type { DiagnosisView, FindingView, SampleQuery, SampleSort } from "../protocol/diagnosis.ts";
import type { AxisView, EventView, Overview, WarningView } from "../protocol/run.ts";
import { signatureOf } from "../view/findings.ts";
import { eventTone } from "../view/timeline.ts";
import { type Part, paged, parseCursor } from "./answer.ts";
import { brief, figures, type Json, type JsonRecord, stepJson } from "./json.ts";
import { folderAt } from "./places.ts";
import { notesOf, runHead } from "./run-head.ts";
import { CursorText, PathText } from "./schema.ts";
import { type AgentRun, type AgentSource, type Thresholds, withRun } from "./source.ts";
import { citation, isFormatMetric, metricJson } from "./untrusted.ts";

export const DiagnoseRunInput = z.strictObject({
  run: PathText,
  config: z.optional(
    z
      .boolean()
      .check(z.describe("Also the values of the configuration that the run recorded (default false).")),
  ),
  events: z.optional(
    z
      .enum(["bad", "all", "none"])
      .check(
        z.describe(
          "Which events: crashes, NaN, halts, drops and warnings (bad, the default), all, or none. Last first.",
        ),
      ),
  ),
  cursor: z.optional(CursorText),
});
export type DiagnoseRunInput = z.infer<typeof DiagnoseRunInput>;

const EVENTS_PAGE = 1000;
const MAX_EVENTS = 20_000;
const MAX_WARNINGS = 12;
const CITED = 3;

export async function diagnoseRun(
  source: AgentSource,
  input: DiagnoseRunInput,
  signal: AbortSignal,
): Promise<string> {
  const { cursor: given, ...asked } = input;
  const cursor = parseCursor(given, asked);
  const dir = await folderAt(input.run, source.places);
  return withRun(source, dir, signal, async (run) => {
    const thresholds = await source.thresholds(dir);
    const { text: config, extra } = thresholds;
    const view = await run.call("run.diagnose", { config, extra, known: true }, signal);
    const parts = [
      findingsPart(run, view, signal),
      ...(input.events === "none" ? [] : [await eventsPart(run, input.events ?? "bad", signal)]),
      ...(input.config ? [await configPart(run, signal)] : []),
    ];
    const once = cursor ? {} : await overviewJson(run, view, thresholds, signal);
    return paged({ asked, cursor, head: runHead(source, run), once, parts, notes: notesOf(run) });
  });
}

async function overviewJson(
  run: AgentRun,
  view: DiagnosisView,
  thresholds: Thresholds,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const overview: Overview = await run.call("run.overview", {}, signal);
  const axis: AxisView = await run.call("run.axis", {}, signal);
  const { steps, verdict, passed, skipped, unreadCount, configProblems } = view;
  return {
    recording: {
      state: axis.state ?? overview.state,
      state_reason: axis.stateReason ?? overview.stateReason,
      n_steps: axis.steps,
      first_step: stepJson(axis.firstText),
      last_step: stepJson(axis.lastText),
      ranks: overview.ranks.length,
      sample_files: overview.shardCount,
      events: overview.eventCount,
      untrusted: {
        run_id: brief(overview.runId, 200),
        algorithm: brief(overview.algorithm, 100),
        model_name: brief(overview.model, 200),
      },
      warnings: warningsJson(axis.warnings),
    },
    verdict: {
      state: verdict.state,
      ...(verdict.words === "" ? {} : { words: verdict.words }),
      steps_looked_at: steps,
      files_not_read: unreadCount,
    },
    thresholds: thresholdsJson(thresholds, configProblems.length),
    passed: passed.map(({ signature, ratio }) => ({
      signature_id: signature,
      ...figures({ share_of_limit: ratio }),
    })),
    skipped: skipped.map(({ signature, words }) => ({ signature_id: signature, why: words })),
  };
}

function thresholdsJson({ file }: Thresholds, problems: number): JsonRecord {
  if (file === null) return { from: "defaults" };
  return { from: "doctor.toml", ...(problems > 0 ? { lines_not_used: problems } : {}), untrusted: { file } };
}

/** A warning's message can name columns and quote what was found. */
function warningsJson(warnings: readonly WarningView[]): JsonRecord {
  const real = warnings.filter(({ level }) => level === "warning");
  return {
    total: real.length,
    rows: real.slice(0, MAX_WARNINGS).map(({ code, count, file, message, remedy }) => ({
      code,
      count,
      remedy,
      untrusted: { file: brief(file, 300), message: brief(message, 400) },
    })),
  };
}

function findingsPart(run: AgentRun, view: DiagnosisView, signal: AbortSignal): Part {
  return {
    name: "findings",
    total: view.findings.length,
    limit: 10,
    room: 11_000,
    rows: async (offset, limit) => {
      const rows: Json[] = [];
      for (const finding of view.findings.slice(offset, offset + limit))
        rows.push(await findingJson(run, finding, signal));
      return rows;
    },
  };
}

async function findingJson(run: AgentRun, finding: FindingView, signal: AbortSignal): Promise<JsonRecord> {
  const { signature, title, severity, confidence, ours, what, tries, words, evidence, drawings, samples } =
    finding;
  // A name that the recording chose can stand in the sentence and among the figures.
  const subject = finding.id.slice(signature.length).trim();
  const isOwn =
    (subject === "" || isFormatMetric(subject) || signatureOf(subject) !== null) &&
    drawings.every(({ metric }) => isFormatMetric(metric));
  const shown = {
    words,
    evidence: evidence
      .slice(0, 8)
      .map(({ figures: pairs }) => pairs.slice(0, 12).map(({ label, value }) => `${label}: ${value}`)),
  };
  return {
    signature_id: signature,
    title,
    severity,
    ...(ours ? { check: "Flight Deck's own" } : {}),
    first_step: stepJson(finding.firstStepText),
    knowable_from_step: stepJson(finding.knownStepText),
    ...figures({ confidence }),
    ...(isOwn ? shown : {}),
    what,
    try: tries,
    metrics: drawings.map(({ metric, threshold, early, late }) => ({
      ...metricJson(metric),
      ...figures({ threshold }),
      ...(early ? { early_steps: early } : {}),
      ...(late ? { late_steps: late } : {}),
    })),
    samples: await samplesJson(run, samples, signal),
    ...(isOwn ? {} : { untrusted: shown }),
  };
}

/** Words of the language that flightdeck_get_samples understands. */
const SORT_WORDS: Readonly<Record<SampleSort | "step", string>> = {
  reward_total: "reward",
  advantage: "advantage",
  kl_contribution: "kl",
  completion_len: "length",
  logprob_mean: "logprob",
  step: "step",
};

async function samplesJson(run: AgentRun, query: SampleQuery, signal: AbortSignal): Promise<JsonRecord> {
  const { from, to, sort: wanted, descending, why } = query;
  const { rows, sort } = await run.call(
    "samples.query",
    { from, to, sort: wanted, descending, k: CITED },
    signal,
  );
  return {
    query: `step:${from}..${to} sort:${sort !== "step" && descending ? "-" : ""}${SORT_WORDS[sort]}`,
    // What they were meant to show cannot be said of others.
    ...(sort === wanted ? { why } : { not_recorded: SORT_WORDS[wanted] }),
    cites: rows.map(({ step, rank, id }) => citation(path.basename(run.dir), step, rank, id)),
  };
}

/** Last first: what ended a run is what one looks for. */
async function eventsPart(run: AgentRun, which: "bad" | "all", signal: AbortSignal): Promise<Part> {
  const ask = (offset: number, limit: number) =>
    run.call("events.page", { offset, limit, kind: null, range: null }, signal);
  const { total, kinds } = await ask(0, 1);
  const events: EventView[] = [];
  for (let end = total; end > 0 && events.length < MAX_EVENTS; end -= EVENTS_PAGE) {
    const from = Math.max(0, end - EVENTS_PAGE);
    const { rows } = await ask(from, end - from);
    for (const event of rows.reverse()) {
      const tone = eventTone(event.kind);
      if (which === "all" || tone === "bad" || tone === "warn") events.push(event);
    }
  }
  return {
    name: "events",
    total: events.length,
    limit: 20,
    room: 3000,
    head: {
      recorded: total,
      ...(total > MAX_EVENTS ? { looked_at_last: MAX_EVENTS } : {}),
      untrusted: { kinds: kinds.slice(0, 20).map(({ kind, count }) => [brief(kind, 80), count]) },
    },
    rows: (offset, limit) => events.slice(offset, offset + limit).map((event) => eventJson(run, event)),
  };
}

function eventJson(run: AgentRun, { step, rank, time, kind, message, data }: EventView): JsonRecord {
  return {
    ...(step === "" ? {} : { cite: citation(path.basename(run.dir), step), step: stepJson(step) }),
    rank,
    time,
    untrusted: {
      kind: brief(kind, 80),
      message: brief(message, 500),
      ...(data === "" ? {} : { data: brief(data, 300) }),
    },
  };
}

async function configPart(run: AgentRun, signal: AbortSignal): Promise<Part> {
  const sections = await run.call("run.config", {}, signal);
  const rows = sections.flatMap(({ title, rows: own }) =>
    own.map(({ path: key, value }) => ({
      section: title,
      untrusted: [brief(key, 200), brief(value, 200)],
    })),
  );
  const dropped = sections.reduce((sum, section) => sum + section.dropped, 0);
  return {
    name: "config",
    total: rows.length,
    limit: 200,
    room: 4000,
    ...(dropped > 0 ? { head: { left_out: dropped } } : {}),
    rows: (offset, limit) => rows.slice(offset, offset + limit),
  };
}
