/** `flight-deck watch RUN`: follows a run that is being recorded and says what is new. rlprobe's flags, rules and exit codes. */
import path from "node:path";
import { diagnoseRun } from "../core/doctor/index.ts";
import type { Finding } from "../core/doctor/types.ts";
import { EVENTS_FILE, MANIFEST_FILE, PARTS_DIR, STEPS_FILE } from "../core/format/names.ts";
import { FlightDeckError, nodeSource, type RunModel, type RunSource } from "../core/index.ts";
import { alertText, Told } from "../view/alerts.ts";
import { explanationOf, findingsJson, SEVERITY_WORDS, signatureOf } from "../view/findings.ts";
import { postText } from "../view/webhook.ts";
import { type Context, DONE, open } from "./context.ts";
import { type Json, strictJson } from "./json.ts";
import { rest } from "./rest.ts";
import { oneLine } from "./terminal.ts";
import { webhookUrl } from "./webhook.ts";

/** A critical finding. */
const CRITICAL = 1;
/** Rows that it takes before anything is looked for. */
const MIN_ROWS = 30;

export interface WatchOptions {
  /** Seconds between two looks. */
  readonly poll: number;
  /** Looks; 0 for as many as it takes. */
  readonly maxTicks: number;
  readonly webhook: string | null;
  readonly json: boolean;
}

/** @throws UsageError for another address than http(s); FlightDeckError when the run is one that cannot be read */
export async function watch(context: Context, folder: string, options: WatchOptions): Promise<number> {
  const hook = options.webhook === null ? null : webhookUrl(options.webhook);
  const watched = new Watched(context, folder);
  const stop = new AbortController();
  const forget = context.onInterrupt?.(() => stop.abort()) ?? (() => {});
  context.err(`watching ${oneLine(folder)} (every ${options.poll} s, Ctrl+C stops)`);
  let hasCritical = false;
  try {
    for (let tick = 1; ; tick++) {
      for (const found of await watched.tick()) {
        hasCritical ||= found.finding.severity === "critical";
        context.out(options.json ? jsonLine(folder, found) : text(context, found.finding));
        if (hook) await alert(context, hook, folder, found.finding);
      }
      if (watched.isOver) context.err("the run has ended");
      if (watched.isOver || (options.maxTicks > 0 && tick >= options.maxTicks)) break;
      if (!(await rest(options.poll * 1000, stop.signal))) {
        context.err("stopped");
        break;
      }
    }
  } finally {
    forget();
  }
  return hasCritical ? CRITICAL : DONE;
}

interface Found {
  readonly finding: Finding;
  readonly json: Json;
}

/** A run as it grows. What was said of it once is not said again. */
class Watched {
  readonly #context: Context;
  readonly #folder: string;
  readonly #source: RunSource;
  readonly #told = new Told();
  #stamp = "";
  #isOver = false;

  constructor(context: Context, folder: string) {
    this.#context = context;
    this.#folder = folder;
    this.#source = nodeSource(folder);
  }

  /** As rlprobe has it: closed in order, or an end or a crash was recorded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Findings whose signature and severity are new. A run that has not begun has none. */
  async tick(): Promise<Found[]> {
    const stamp = await stampOf(this.#source);
    if (stamp === null || stamp === this.#stamp) return [];
    const model = await this.#open();
    if (!model) return [];
    this.#stamp = stamp;
    const found = (await model.steps.axis("recorded")).rows < MIN_ROWS ? [] : await this.#new(model);
    this.#isOver =
      model.layout === "compacted" ||
      model.layout === "both" ||
      model.events.some(({ kind, rank }) => rank === 0 && (kind === "train_end" || kind === "crash"));
    return found;
  }

  /** `null` when it went away meanwhile. */
  async #open(): Promise<RunModel | null> {
    try {
      return await open(this.#context, this.#folder);
    } catch (error) {
      const isGone =
        error instanceof FlightDeckError && (error.code === "not-found" || error.code === "not-a-run");
      if (isGone) return null;
      throw error;
    }
  }

  async #new(model: RunModel): Promise<Found[]> {
    const diagnosis = await diagnoseRun(model, { order: "recorded" });
    const json = findingsJson(diagnosis) as unknown as readonly Json[];
    const fresh = new Set(this.#told.take(diagnosis.findings));
    return diagnosis.findings.flatMap((finding, i): Found[] =>
      fresh.has(finding) ? [{ finding, json: json[i] ?? null }] : [],
    );
  }
}

/** Another text when something was written; `null` before the run has begun. @throws FlightDeckError when it is no folder */
async function stampOf(source: RunSource): Promise<string | null> {
  const stat = async (file: string): Promise<string> => {
    const found = await source.stat(file);
    return found ? `${file} ${found.kind} ${found.size} ${found.mtimeMs}` : "";
  };
  const folder = await source.stat("");
  if (folder && folder.kind !== "directory") throw new FlightDeckError("not-a-directory", "");
  const manifest = await stat(MANIFEST_FILE);
  if (manifest === "") return null;
  const parts = (await source.stat(PARTS_DIR))?.kind === "directory" ? await source.list(PARTS_DIR) : [];
  const names = parts.map(({ name }) => name).sort();
  const newest = names.at(-1);
  return [
    manifest,
    await stat(STEPS_FILE),
    await stat(EVENTS_FILE),
    ...names,
    newest === undefined ? "" : await stat(`${PARTS_DIR}/${newest}`),
  ].join("\n");
}

const since = ({ firstStep }: Finding): string => (firstStep === null ? "" : ` (onset ~step ${firstStep})`);

function text({ style }: Context, finding: Finding): string {
  const { signature, severity, confidence, words } = finding;
  const paint = severity === "critical" ? style.red : severity === "warn" ? style.yellow : style.dim;
  const title = signatureOf(signature)?.title ?? signature;
  const facts = `${signature} · ${SEVERITY_WORDS[severity] ?? severity} · ${Math.round(confidence * 100)}%${since(finding)}`;
  return `${paint("●")} ${style.bold(title)}  ${style.dim(facts)}\n  ${oneLine(words)}`;
}

/** One line a finding, so that a program can read it as it comes. Text holds no line end: those of the layout go. */
function jsonLine(folder: string, { json }: Found): string {
  return strictJson({ run: folder, ...(json as object) }).replace(/\n\s*/g, "");
}

async function alert(context: Context, hook: URL, folder: string, finding: Finding): Promise<void> {
  const { signature, severity, firstStep } = finding;
  const run = path.basename(path.resolve(folder));
  const words = explanationOf(finding);
  const failed = await postText(
    hook,
    alertText({ run, signature, severity, firstStep: firstStep === null ? "" : String(firstStep), words }),
  );
  if (failed !== null) context.err(`flight-deck: the webhook was not told: ${failed}`);
}
