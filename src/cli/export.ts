/** `flight-deck export RUN`: metrics by step as CSV or JSON, piece by piece. */
import path from "node:path";
import type { RunModel } from "../core/index.ts";
import { matchesWildcard } from "../core/runs/wildcard.ts";
import { csvName } from "../protocol/csv.ts";
import { warningView } from "../view/problems.ts";
import { runViews } from "../view/run.ts";
import { unreadSteps } from "../view/unread.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, open } from "./context.ts";
import { UnreadableFileError } from "./doctor.ts";
import { checkOut, writeOut } from "./out-file.ts";
import { oneLine } from "./terminal.ts";

export interface ExportOptions {
  /** Names with wildcards, separated by commas; `null` for all. */
  readonly metrics: string | null;
  readonly from: number | null;
  readonly to: number | null;
  /** `null` or "-" for standard output. */
  readonly out: string | null;
  readonly format: string | null;
  readonly force: boolean;
  /** The same as the format. */
  readonly json: boolean;
}

const ROWS_AT_ONCE = 20_000;
const NEVER = { signal: new AbortController().signal };

/** @throws UsageError; FlightDeckError as opening does */
export async function exportSeries(
  context: Context,
  folder: string,
  options: ExportOptions,
): Promise<number> {
  const format = formatOf(options);
  const out = options.out === "-" ? null : options.out;
  if (out !== null) checkOut(out, [folder], options.force);
  const model = await open(context, folder);
  await expectSteps(model);
  const metrics = metricsOf(model, options.metrics);
  if (out === null) {
    for await (const piece of pieces(context, model, metrics, format, options))
      context.out(piece.replace(/\n$/, ""));
    return DONE;
  }
  const all: string[] = [];
  for await (const piece of pieces(context, model, metrics, format, options)) all.push(piece);
  const bytes = writeOut(out, all, options.force);
  context.out(oneLine(`${out} (${Math.ceil(bytes / 1024)} KB)`));
  return DONE;
}

type Format = "csv" | "json";

function formatOf({ format, out, json }: ExportOptions): Format {
  const ending = out === null ? "" : path.extname(out).slice(1).toLowerCase();
  const named = format ?? (json ? "json" : ending === "json" ? "json" : "csv");
  if (named === "csv" || named === "json") return named;
  throw new UsageError("--format: there are csv, json");
}

/** A table without rows would look as if nothing had been recorded. */
async function expectSteps(model: RunModel): Promise<void> {
  const { rows } = await model.steps.axis("merged");
  const [fault] = rows === 0 ? unreadSteps(model.warnings()) : [];
  if (fault) throw new UnreadableFileError(warningView(fault));
}

/** @throws UsageError naming what no column fits */
function metricsOf(model: RunModel, wanted: string | null): readonly string[] {
  const all = model.steps.columns
    .filter(({ name, kind }) => kind === "scalar" && !PLACES.has(name))
    .map(({ name }) => name);
  if (wanted === null) return all;
  const patterns = wanted
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (patterns.length === 0) throw new UsageError("--metrics names none");
  const found = new Set<string>();
  for (const pattern of patterns) {
    const fitting = all.filter((name) => name === pattern || matchesWildcard(pattern, name));
    if (fitting.length === 0) throw new UsageError(`the run has no metric ${pattern}`);
    for (const name of fitting) found.add(name);
  }
  return [...found];
}

/** Columns that every export has by itself. */
const PLACES: ReadonlySet<string> = new Set(["step", "timestamp", "rank"]);

async function* pieces(
  { nowMs }: Context,
  model: RunModel,
  metrics: readonly string[],
  format: Format,
  { from, to }: ExportOptions,
): AsyncGenerator<string> {
  const views = runViews(model, () => nowMs);
  const steps: [number, number] | null =
    from === null && to === null ? null : [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
  for (let offset = 0; ; ) {
    const params = { metrics: [...metrics], steps, offset, limit: ROWS_AT_ONCE };
    const piece = await (format === "csv"
      ? views["chart.csv"](params, NEVER)
      : views["chart.json"](params, NEVER));
    yield format === "csv" && offset === 0 ? shownHeader(piece.text, metrics) : piece.text;
    offset += piece.rows;
    if (piece.rows === 0 || offset >= piece.total) return;
  }
}

/** Names are the recording's, and this can land on a terminal. */
function shownHeader(text: string, metrics: readonly string[]): string {
  const head = ["step", "timestamp", ...metrics].map(csvName).join(",");
  return `${oneLine(head)}${text.slice(head.length)}`;
}
