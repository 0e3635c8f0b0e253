/** `inspect` for people. */
import type { Column, RunModel } from "../core/run/model.ts";
import { RunAxes } from "../view/axes.ts";
import { warningViews } from "../view/problems.ts";
import { recordsView } from "../view/records.ts";
import { columnSums, stepAt } from "./columns.ts";
import type { Context } from "./context.ts";
import { figure, oneLine, shorten, table } from "./terminal.ts";

export interface InspectOptions {
  /** Rows as they lie in the files; otherwise sorted by step, rows of one step merged. */
  readonly asRecorded: boolean;
}

/** Events shown: the first and the last of them. */
const EVENTS = 10;
const NAME = 48;

/** Every text of the recording passes through `oneLine`. */
export async function inspectText(
  context: Context,
  model: RunModel,
  { asRecorded }: InspectOptions,
): Promise<string> {
  const blocks = [
    await headText(context, model, asRecorded),
    await columnsText(context, model, asRecorded),
    eventsText(context, model),
    recordsText(context, model),
    warningsText(context, model),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

async function headText({ style, nowMs }: Context, model: RunModel, asRecorded: boolean): Promise<string> {
  const { manifest } = model;
  // As the editor says it: with the pace of the steps, and where they stop.
  const { state, stateReason } = await new RunAxes(model).view(nowMs);
  const { total, byRank } = await model.samples.counts();
  const ranks = [...byRank].filter(([, n]) => n > 0).map(([rank, n]) => `${n} of rank ${rank}`);
  const rows: [string, string][] = [
    ["run", style.bold(oneLine(manifest?.run_id ?? model.label))],
    ["algorithm", oneLine(manifest?.algorithm ?? "")],
    ["model", oneLine(manifest?.model_name ?? "")],
    ["created", oneLine(manifest?.created_at ?? "")],
    ["state", `${state}: ${stateReason}`],
    ["steps", model.hasRecording ? await stepsText(model, asRecorded) : ""],
    ["samples", total === 0 ? "" : `${total}${ranks.length > 1 ? ` (${ranks.join(", ")})` : ""}`],
    ["ranks", model.ranks.length > 1 ? model.ranks.map(({ rank }) => rank).join(", ") : ""],
    ["notes", oneLine(manifest?.notes ?? "")],
  ];
  return rows
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${style.dim(key.padEnd(9))}  ${shorten(value, 400)}`)
    .join("\n");
}

async function stepsText(model: RunModel, asRecorded: boolean): Promise<string> {
  const axis = await model.steps.axis(asRecorded ? "recorded" : "merged");
  const recorded = await model.steps.axis("recorded");
  if (axis.rows === 0) return "none";
  const merged = axis.rows === recorded.rows ? "" : `; ${recorded.rows} rows recorded`;
  return `${axis.rows} (${stepAt(axis, 0)} to ${stepAt(axis, axis.rows - 1)}${merged})`;
}

async function columnsText({ style }: Context, model: RunModel, asRecorded: boolean): Promise<string> {
  const summaries = await columnSums(model, asRecorded ? "recorded" : "merged");
  if (summaries.length === 0) return "";
  const rows = summaries.map(({ name, present, column }) => {
    const { mean, min, max, last } = figuresOf(column);
    return [shorten(oneLine(name), NAME), String(present), ...[mean, min, max, last].map(figure)];
  });
  const titles = ["present", "mean", "min", "max", "last"];
  return table(
    [{ title: "column" }, ...titles.map((title) => ({ title, align: "right" as const }))],
    rows,
    style,
  );
}

/** Over finite values; `last` is the last that was written, finite or not. */
function figuresOf({ values, valid }: Column) {
  let min: number | null = null;
  let max: number | null = null;
  let last: number | null = null;
  let mean = 0;
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (valid?.[i] === 0) continue;
    const value = values[i] ?? Number.NaN;
    last = value;
    if (!Number.isFinite(value)) continue;
    n++;
    mean += (value - mean) / n;
    if (min === null || value < min) min = value;
    if (max === null || value > max) max = value;
  }
  return { mean: n === 0 ? null : mean, min, max, last };
}

function eventsText({ style, columns }: Context, model: RunModel): string {
  const { events, eventsDropped } = model;
  if (events.length === 0) return "";
  const head = events.length > EVENTS ? events.slice(0, EVENTS / 2) : events;
  const tail = events.length > EVENTS ? events.slice(-EVENTS / 2) : [];
  const cells = (event: (typeof events)[number]) => [
    timeText(event.timestamp),
    shorten(oneLine(event.kind), NAME),
    event.step === null ? "-" : String(event.step),
    String(event.rank),
    oneLine(event.message.slice(0, 2000)),
  ];
  const total = events.length + eventsDropped;
  const gap = tail.length ? [["…", `${total - EVENTS} more`, "", "", ""]] : [];
  const text = table(
    [
      { title: "time (UTC)" },
      { title: `events (${total})` },
      { title: "step", align: "right" },
      { title: "rank", align: "right" },
      { title: "message" },
    ],
    [...head.map(cells), ...gap, ...tail.map(cells)],
    style,
  );
  const [titles = "", ...rows] = text.split("\n");
  return [titles, ...rows.map((row) => shorten(row, columns))].join("\n");
}

export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "-" : date.toISOString().replace("T", " ").slice(0, 19);
}

function recordsText({ style }: Context, model: RunModel): string {
  const { attempts, metrics } = recordsView(model);
  const blocks: string[] = [];
  if (attempts.length) {
    const rows = attempts.map(({ attempt, file, hash, manifest }) => [
      String(attempt),
      oneLine(file),
      hash === "match" ? "matches" : hash,
      manifest === "match" ? "same" : manifest,
    ]);
    const titles = ["attempt", "witness", "config_hash", "manifest's configuration"];
    blocks.push(
      table(
        titles.map((title) => ({ title })),
        rows,
        style,
      ),
    );
  }
  if (metrics.length) {
    const rows = metrics.map(({ benchmark, metric, horizon, n, mean, sd }) => [
      shorten(oneLine(benchmark), NAME),
      shorten(oneLine(metric), NAME),
      shorten(oneLine(horizon), NAME),
      String(n),
      figure(mean),
      n > 1 ? figure(sd) : "-",
    ]);
    const titles = ["benchmark", "metric", "horizon", "seeds", "mean", "sd"];
    blocks.push(
      table(
        titles.map((title, i) => (i > 2 ? { title, align: "right" } : { title })),
        rows,
        style,
      ),
    );
  }
  return blocks.join("\n\n");
}

export function warningsText({ style }: Context, model: RunModel): string {
  return warningViews(model.warnings())
    .map(({ file, message, count, level, code }) => {
      const label = level === "warning" ? style.yellow(code) : style.dim(code);
      const times = count > 1 ? ` ×${count}` : "";
      return `${label}${times}  ${file === "" ? "" : `${oneLine(file)}: `}${oneLine(message)}`;
    })
    .join("\n");
}
