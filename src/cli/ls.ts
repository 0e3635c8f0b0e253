/** `flight-deck ls [ROOT]`: all runs below a folder. One that cannot be read is listed with the reason; it stops nothing. */
import path from "node:path";
import { diagnose } from "../core/doctor/engine.ts";
import { loadDoctorRun } from "../core/doctor/load.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type { Finding } from "../core/doctor/types.ts";
import type { Manifest } from "../core/format/manifest.ts";
import { MANIFEST_FILE } from "../core/format/names.ts";
import { initParquet, nodeSource, openRun, type RunModel } from "../core/index.ts";
import { type FoundRun, findRuns } from "../core/runs/find.ts";
import { excluder } from "../core/runs/wildcard.ts";
import type { VerdictView } from "../protocol/diagnosis.ts";
import type { FindingLine } from "../protocol/runs.ts";
import type { Problem } from "../protocol/wire.ts";
import { RunAxes } from "../view/axes.ts";
import { SEVERITY_WORDS, signatureOf, verdictOf } from "../view/findings.ts";
import type { ListedRun } from "../view/listed-run.ts";
import { problemOfError } from "../view/problems.ts";
import { matchesQuery, type ParsedQuery, parseQuery } from "../view/run-query.ts";
import { configKeysOf } from "../view/run-query-completion.ts";
import { manifestWarning, runSummary } from "../view/run-summary.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, NOTHING_FOUND } from "./context.ts";
import { type JsonRecord, strictJson } from "./json.ts";
import { figure, oneLine, shorten, table } from "./terminal.ts";

const NAME = 48;
/** Where nobody keeps runs; hidden folders too. */
export const LEFT_OUT = [".*", "node_modules", "site-packages", "__pycache__", "venv", "env", "checkpoint-*"];

export interface LsOptions {
  readonly findings: boolean;
  readonly filter: string | null;
  readonly json: boolean;
}

interface Listed extends ListedRun {
  /** As a person can type it again. */
  readonly typed: string;
  readonly manifest: Manifest | null;
  /** What is wrong with the manifest, "" for nothing: the run goes by its folder's name then. */
  readonly manifestProblem: string;
}

/** @throws FlightDeckError when ROOT itself cannot be listed; UsageError for a filter that makes no sense */
export async function ls(context: Context, root: string, options: LsOptions): Promise<number> {
  if (options.filter !== null) checkFilter(parseQuery(options.filter), options);
  const { runs: found, odd } = await findRuns(nodeSource(root), {
    exclude: excluder(LEFT_OUT),
    // As rlprobe does: directly below ROOT a manifest's name is enough.
    trustedDepth: 1,
  });
  initParquet(context.wasm());
  const all: Listed[] = [];
  for (const run of found) all.push(await listed(context.nowMs, root, run, options));
  for (const name of odd) {
    const unreachable = await oddRun(root, name);
    if (unreachable) all.push(unreachable);
  }
  all.sort((a, b) => (a.typed < b.typed ? -1 : a.typed > b.typed ? 1 : 0));
  const runs = filtered(all, options);
  if (options.json) context.out(strictJson(runs.map((run) => json(run, options))));
  else if (runs.length) context.out(text(context, runs, options));
  if (runs.length) return DONE;
  const fitting = all.length > 0 ? "that the filter lets through " : "";
  context.err(`flight-deck: no runs ${fitting}found under ${oneLine(root)}`);
  return NOTHING_FOUND;
}

function filtered(all: readonly Listed[], options: LsOptions): readonly Listed[] {
  if (options.filter === null) return all;
  const query = parseQuery(options.filter, configKeysOf(all));
  checkFilter(query, options);
  return all.filter((run) => matchesQuery(query.terms, run));
}

function checkFilter({ terms, problems }: ParsedQuery, { findings }: LsOptions): void {
  const [problem] = problems;
  if (problem) throw new UsageError(`--filter, character ${problem.from + 1}: ${problem.message}`);
  const needy = terms.find(({ key }) => key === "finding" || key === "severity");
  if (needy && !findings)
    throw new UsageError(`--filter ${needy.key} needs findings: leave --no-findings out`);
}

const UNKNOWN = { findings: null, verdict: null };
const NOTHING = { ...UNKNOWN, summary: null, manifest: null, manifestProblem: "" };

async function listed(
  nowMs: number,
  root: string,
  { path: inRoot, kind }: FoundRun,
  { findings }: LsOptions,
): Promise<Listed> {
  const typed = inRoot === "" ? root : path.join(root, inRoot);
  const dir = path.resolve(typed);
  const run = { dir, label: path.basename(dir), path: inRoot, kind, typed };
  try {
    const model = await openRun(nodeSource(dir), { loose: kind === "loose" });
    const summary = await runSummary(model, new RunAxes(model), nowMs);
    const looked = findings && kind !== "records" ? await diagnosisOf(model) : UNKNOWN;
    return {
      ...run,
      summary,
      ...looked,
      problem: null,
      manifest: model.manifest,
      manifestProblem: manifestProblem(model),
    };
  } catch (error) {
    return { ...run, ...NOTHING, problem: problemOfError(error) };
  }
}

/** Where nothing could be looked at, it is not known whether there are any findings. */
async function diagnosisOf(model: RunModel): Promise<Pick<Listed, "findings" | "verdict">> {
  const run = await loadDoctorRun(model, "merged", SIGNATURES);
  const diagnosis = diagnose(run, {}, SIGNATURES);
  const verdict = verdictOf(diagnosis, model);
  return { findings: verdict.state === "none" ? null : diagnosis.findings.map(line), verdict };
}

function manifestProblem(model: RunModel): string {
  const warning = manifestWarning(model);
  return warning ? `${warning.file}: ${warning.message}` : "";
}

function line({ signature, severity, firstStep, words }: Finding): FindingLine {
  const title = signatureOf(signature)?.title ?? signature;
  return { id: signature, signature, title, severity, firstStep: String(firstStep ?? ""), words };
}

/** A folder whose name is no UTF-8: no path in text leads there. */
async function oddRun(root: string, inRoot: string): Promise<Listed | null> {
  const typed = path.join(root, inRoot);
  const source = nodeSource(typed);
  if (source.nameIsUtf8 !== false || (await source.stat(MANIFEST_FILE)) === null) return null;
  const message = "The folder's name is not UTF-8, so it cannot be opened; rename it.";
  const problem: Problem = { code: "name-not-utf8", file: "", message, remedy: "" };
  return {
    dir: path.resolve(typed),
    label: path.basename(typed),
    path: inRoot,
    kind: "recording",
    typed,
    ...NOTHING,
    problem,
  };
}

/** `null` stands for what is not known: the run cannot be read, or nothing could be looked at. */
function json(run: Listed, options: LsOptions): JsonRecord {
  const { summary, findings, problem, manifest } = run;
  return {
    path: run.typed,
    run_id: manifest?.run_id ?? run.label,
    kind: run.kind,
    algorithm: manifest?.algorithm ?? "",
    model_name: manifest?.model_name ?? null,
    created_at: manifest?.created_at ?? "",
    n_steps: summary?.steps ?? null,
    last_step: stepJson(summary?.lastStep ?? ""),
    last_reward: summary?.lastReward ?? null,
    state: summary?.state ?? "unreadable",
    state_reason: summary?.stateReason ?? null,
    ...(options.findings ? { findings: findings?.map(findingJson) ?? null } : {}),
    warnings: summary?.warnings ?? 0,
    error: problem && { code: problem.code, file: problem.file, message: problem.message },
  };
}

function findingJson({ signature, severity, firstStep }: FindingLine): JsonRecord {
  return { signature_id: signature, severity, first_step: stepJson(firstStep) };
}

/** With all its digits. */
function stepJson(step: string): number | bigint | null {
  if (step === "") return null;
  return /^-?\d+$/.test(step) ? BigInt(step) : Number(step);
}

function text({ style, isTerminal }: Context, runs: readonly Listed[], options: LsOptions): string {
  // Whoever reads it by a program needs the path that it can open.
  const cell = (words: string, limit = NAME): string =>
    isTerminal ? shorten(oneLine(words), limit) : oneLine(words);
  const rows = runs.map((run) => {
    const { summary } = run;
    return [
      cell(run.typed),
      cell(summary?.runId ?? run.label),
      cell(summary?.algorithm ?? ""),
      figure(summary?.steps),
      figure(summary?.lastReward),
      cell(run.manifest?.created_at ?? "", 32),
      stateText(run),
      ...(options.findings ? [findingsText(run, style)] : []),
    ];
  });
  return table(
    [
      { title: "path" },
      { title: "run_id" },
      { title: "algorithm" },
      { title: "steps", align: "right" },
      { title: "reward", align: "right" },
      { title: "created_at" },
      { title: "state" },
      ...(options.findings ? [{ title: "findings" }] : []),
    ],
    rows,
    style,
  );
}

function stateText({ summary, problem, manifestProblem }: Listed): string {
  if (problem)
    return `${problem.code}: ${problem.file === "" ? "" : `${oneLine(problem.file)}: `}${oneLine(problem.message)}`;
  const warnings = summary?.warnings ?? 0;
  const counted = warnings === 0 ? "" : `, ${warnings} warning${warnings === 1 ? "" : "s"}`;
  return `${summary?.state ?? ""}${counted}${manifestProblem === "" ? "" : `: ${oneLine(manifestProblem)}`}`;
}

/** Colours come last in a row: a table measures what it prints. */
function findingsText({ findings, verdict }: Listed, style: Context["style"]): string {
  const [worst] = findings ?? [];
  if (!findings || !worst) return verdict ? verdictText(verdict) : "";
  const all = findings.map(
    ({ signature, severity }) => `${signature} (${SEVERITY_WORDS[severity] ?? severity})`,
  );
  const words = all.join(", ");
  return worst.severity === "critical"
    ? style.red(words)
    : worst.severity === "warn"
      ? style.yellow(words)
      : words;
}

/** Only an all-clear is "none". */
function verdictText({ state, words }: VerdictView): string {
  return state === "clear" ? "none" : words.charAt(0).toLowerCase() + words.slice(1);
}
