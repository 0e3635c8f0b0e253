/** `flight-deck export RUN`: metrics by step as CSV or JSON, piece by piece. */
import path from "node:path";
import type { RunModel } from "../core/index.ts";
import { matchesWildcard } from "../core/runs/wildcard.ts";
import { csvName } from "../protocol/csv.ts";
import { inPieces } from "../view/pieces.ts";
import { runViews } from "../view/run.ts";
import { UsageError } from "./args.ts";
import { stepsWords } from "./columns.ts";
import { type Context, DONE, NOTHING_FOUND, open } from "./context.ts";
import { expectReadable } from "./doctor.ts";
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

const NEVER = { signal: new AbortController().signal };

/**
 * @returns {@link NOTHING_FOUND} where there is no row: no file is written then, and standard output has the head alone
 * @throws UsageError; FlightDeckError as opening does
 */
export async function exportSeries(
  context: Context,
  folder: string,
  options: ExportOptions,
): Promise<number> {
  const format = formatOf(options);
  const { from, to } = options;
  if (from !== null && to !== null && from > to) throw new UsageError(`--from ${from} is after --to ${to}`);
  const out = options.out === "-" ? null : options.out;
  if (out !== null) checkOut(out, [folder], options.force);
  const model = await open(context, folder);
  await expectReadable(model);
  const metrics = metricsOf(model, options.metrics);
  const isEmpty = await hasNoRow(model, options);
  if (isEmpty) context.err(`flight-deck: nothing to export; ${await stepsWords(model)}`);
  if (isEmpty && out !== null) return NOTHING_FOUND;
  if (out === null) {
    for await (const piece of pieces(context, model, metrics, format, options))
      context.out(piece.replace(/\n$/, ""));
    return isEmpty ? NOTHING_FOUND : DONE;
  }
  const all: string[] = [];
  for await (const piece of pieces(context, model, metrics, format, options)) all.push(piece);
  const bytes = writeOut(out, all, options.force);
  context.out(oneLine(`${out} (${Math.ceil(bytes / 1024)} KB)`));
  return DONE;
}

async function hasNoRow(model: RunModel, { from, to }: ExportOptions): Promise<boolean> {
  const { step, rows } = await model.steps.axis("merged");
  for (let row = 0; row < rows; row++) {
    const at = Number(step.values[row] ?? Number.NaN);
    if (!(at < (from ?? at) || at > (to ?? at))) return false;
  }
  return true;
}

type Format = "csv" | "json";

function formatOf({ format, out, json }: ExportOptions): Format {
  const ending = out === null ? "" : path.extname(out).slice(1).toLowerCase();
  const named = format ?? (json ? "json" : ending === "json" ? "json" : "csv");
  if (named === "csv" || named === "json") return named;
  throw new UsageError("--format: there are csv, json");
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
  const view = views[format === "csv" ? "chart.csv" : "chart.json"];
  let isFirst = true;
  for await (const { text } of inPieces((offset, limit) =>
    view({ metrics: [...metrics], steps, offset, limit }, NEVER),
  )) {
    yield isFirst && format === "csv" ? shownHeader(text, metrics) : text;
    isFirst = false;
  }
}

/** Names are the recording's, and this can land on a terminal. */
function shownHeader(text: string, metrics: readonly string[]): string {
  const head = ["step", "timestamp", ...metrics].map(csvName).join(",");
  return `${oneLine(head)}${text.slice(head.length)}`;
}
