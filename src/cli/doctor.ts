/** `flight-deck doctor RUN`: rlprobe's fourteen signatures, its flags, JSON and exit codes; what passed and what was skipped. */
import fs from "node:fs";
import { CHECKS } from "../core/doctor/checks/index.ts";
import { parseConfig } from "../core/doctor/config.ts";
import type { DoctorConfig } from "../core/doctor/engine.ts";
import { diagnoseRun, type RunDiagnosis } from "../core/doctor/index.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type { Finding } from "../core/doctor/types.ts";
import type { RowOrder, RunModel } from "../core/run/model.ts";
import type { WarningView } from "../protocol/run.ts";
import {
  findingsJson,
  outcomeLines,
  SEVERITY_WORDS,
  signatureOf,
  unreadForDoctor,
  verdictOf,
} from "../view/findings.ts";
import { warningView, warningViews } from "../view/problems.ts";
import { unreadSteps } from "../view/unread.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, open } from "./context.ts";
import { type Json, strictJson } from "./json.ts";
import { oneLine } from "./terminal.ts";

/** A critical finding. */
const CRITICAL = 1;

export interface DoctorOptions {
  /** A doctor.toml; null for the defaults. */
  readonly config: string | null;
  /** With the checks of ours. */
  readonly extra: boolean;
  readonly asRecorded: boolean;
  readonly json: boolean;
}

/** @throws UsageError when the configuration cannot be read or used; FlightDeckError as opening does */
export async function doctor(context: Context, folder: string, options: DoctorOptions): Promise<number> {
  const config = options.config === null ? {} : readConfig(options.config);
  const model = await open(context, folder);
  if (!model.hasRecording)
    throw new UsageError("the folder holds run records only: there are no steps to diagnose");
  await expectReadable(model);
  const { asRecorded, extra } = options;
  const order = asRecorded ? "recorded" : "merged";
  // What rlprobe prints has no place for it, and whoever reads that waits for nothing else.
  const detectable = extra || !options.json;
  const diagnosis = await diagnoseRun(model, { order, config, extra, detectable });
  if (options.json) {
    context.out(strictJson(findingsJson(diagnosis) as unknown as Json));
    sayUnread(context, folder, model);
    sayVerdict(context, folder, diagnosis, model);
  } else context.out(`${doctorText(context, diagnosis, model, extra)}${warningsText(context, model)}`);
  return diagnosis.findings.some((f) => f.severity === "critical") ? CRITICAL : DONE;
}

/**
 * A run whose steps cannot be read would look as if it had none: healthy, equal, empty.
 * @throws UnreadableFileError naming the file
 */
export async function expectReadable(model: RunModel, order: RowOrder = "merged"): Promise<void> {
  const { rows } = await model.steps.axis(order);
  const [fault] = rows === 0 ? unreadSteps(model.warnings()) : [];
  if (fault) throw new UnreadableFileError(warningView(fault));
}

/** @internal */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
  readonly view: WarningView;
  constructor(view: WarningView) {
    super(view.code);
    this.view = view;
  }
}

function readConfig(file: string): DoctorConfig {
  return parseConfig(configText(file), [...SIGNATURES, ...CHECKS]).config;
}

/** A doctor.toml that can be used. @throws UsageError */
export function configText(file: string): string {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
  const { problems } = parseConfig(text, [...SIGNATURES, ...CHECKS]);
  const [first] = problems;
  if (first) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    throw new UsageError(`${file}${first.line === null ? "" : `:${first.line}`}: ${first.message}${more}`);
  }
  return text;
}

/** The list of findings is rlprobe's and has no place for it: an empty one must not pass for an all-clear. */
function sayUnread(context: Context, folder: string, model: RunModel): void {
  for (const warning of unreadForDoctor(model.warnings())) {
    const { file, message } = warningView(warning);
    context.err(
      oneLine(`flight-deck: ${folder.replace(/\/$/, "")}/${file}: ${message} Diagnosed without it.`),
    );
  }
}

/** The same: rlprobe ends with 0 and an empty list, too, where nothing could be looked at. */
function sayVerdict(context: Context, folder: string, diagnosis: RunDiagnosis, model: RunModel): void {
  const { state, words } = verdictOf(diagnosis, model);
  if (state === "none") context.err(oneLine(`flight-deck: ${folder}: ${words}.`));
}

function doctorText({ style }: Context, diagnosis: RunDiagnosis, model: RunModel, extra: boolean): string {
  const { findings, outcomes, rows } = diagnosis;
  const unread = unreadForDoctor(model.warnings());
  const out: string[] = [];
  for (const finding of findings) out.push(...findingText(finding, diagnosis, style), "");
  const verdict = verdictOf(diagnosis, model);
  if (verdict.state === "clear") out.push(style.green(`${verdict.words} over ${rows} steps.`), "");
  else if (verdict.words !== "") out.push(style.yellow(`${verdict.words}.`), "");
  const of = (state: "passed" | "skipped") => outcomes.filter((o) => o.state === state);
  for (const state of ["passed", "skipped"] as const) {
    if (of(state).length === 0) continue;
    out.push(
      style.dim(`${state} ${of(state).length}`),
      ...outcomeLines(of(state), unread).map((words) => style.dim(`  ${oneLine(words)}`)),
    );
  }
  // The editor looks for them too: without a word its counts are others than these.
  if (!extra)
    out.push(style.dim(`not looked for: the ${CHECKS.length} checks of Flight Deck's own (--extra)`));
  return out.join("\n");
}

/** What is wrong with the recording itself: a diagnosis rests on what could be read. */
function warningsText({ style }: Context, model: RunModel): string {
  const warnings = warningViews(model.warnings()).filter((w) => w.level === "warning");
  if (warnings.length === 0) return "";
  const lines = warnings.map((w) =>
    style.yellow(`  ${oneLine(w.file)}${w.file === "" ? "" : ": "}${oneLine(w.message)}`),
  );
  return `\n\n${style.dim("about the recording")}\n${lines.join("\n")}`;
}

function findingText(finding: Finding, { detectable }: RunDiagnosis, style: Context["style"]): string[] {
  const signature = signatureOf(finding.signature);
  const known = detectable.get(finding) ?? null;
  const paint =
    finding.severity === "critical" ? style.red : finding.severity === "warn" ? style.yellow : style.dim;
  const facts = [
    finding.signature,
    SEVERITY_WORDS[finding.severity] ?? finding.severity,
    finding.firstStep === null ? null : `onset step ${finding.firstStep}`,
    known === null ? null : `seen from step ${known}`,
    `${Math.round(finding.confidence * 100)}%`,
    CHECKS.some(({ id }) => id === finding.signature) ? "Flight Deck's own" : null,
  ].filter((f) => f !== null);
  return [
    `${paint("●")} ${style.bold(signature?.title ?? finding.signature)}  ${style.dim(facts.join(" · "))}`,
    `  ${oneLine(finding.words)}`,
    ...(signature?.pages.tries ?? []).map((t) => style.dim(`  - ${t}`)),
  ];
}
