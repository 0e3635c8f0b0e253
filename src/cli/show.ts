/** `flight-deck show RUN --step N`: the metrics and the captured samples around a step. */
import type { Sample } from "../core/format/sample.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import { stepAt } from "./columns.ts";
import { type Context, DONE, open } from "./context.ts";
import { type Json, type JsonRecord, strictJson } from "./json.ts";
import { figure, lines, oneLine, shorten, table } from "./terminal.ts";

export interface ShowOptions {
  readonly step: number;
  /** Steps before and after that are shown too. */
  readonly window: number;
  readonly maxSamples: number;
  /** Whole texts instead of their beginnings. */
  readonly full: boolean;
  readonly asRecorded: boolean;
  readonly json: boolean;
}

/** Metrics in the table; all of them are in the JSON. */
const METRICS = [
  "reward_mean",
  "reward_std",
  "kl_mean",
  "entropy_mean",
  "clip_fraction",
  "completion_len_mean",
  "truncation_rate",
];
/** Samples of a window that are looked at to find the best. */
const SAMPLES = 20_000;
/** Characters of a text that are shown without `--full`. */
const EXCERPT = 240;

export async function show(context: Context, folder: string, options: ShowOptions): Promise<number> {
  const model = await open(context, folder);
  const from = options.step - options.window;
  const to = options.step + options.window;
  const rows = await stepRows(model, from, to, options.asRecorded);
  const all = byReward(await model.samples.inSteps(from, to, SAMPLES));
  const samples = all.slice(0, options.maxSamples);
  if (options.json) {
    const { step, window } = options;
    context.out(
      strictJson({ step, window, steps: rows, n_samples: all.length, samples: samples.map(sampleJson) }),
    );
  } else {
    context.out(
      `${stepsText(context, rows, options)}\n\n${samplesText(context, samples, all.length, options)}`,
    );
  }
  return DONE;
}

/** Rows of the window: step and every metric that has a value there. */
async function stepRows(
  model: RunModel,
  from: number,
  to: number,
  asRecorded: boolean,
): Promise<JsonRecord[]> {
  const order = asRecorded ? "recorded" : "merged";
  const axis = await model.steps.axis(order);
  const inWindow: number[] = [];
  for (let row = 0; row < axis.rows; row++) {
    const step = axis.step.values[row] ?? Number.NaN;
    if (step >= from && step <= to) inWindow.push(row);
  }
  const names = model.steps.columns
    .filter(({ kind, name }) => kind === "scalar" && name !== "step")
    .map(({ name }) => name);
  const columns = inWindow.length ? await model.steps.read(names, order) : [];
  return inWindow.map((row) => {
    const out = Object.setPrototypeOf({}, null) as { [key: string]: Json };
    out["step"] = stepAt(axis, row);
    names.forEach((name, i) => {
      const value = valueAt(columns[i], row);
      if (value !== null) out[name] = value;
    });
    return out;
  });
}

function valueAt(column: Column | undefined, row: number): number | bigint | null {
  if (!column || column.valid?.[row] === 0) return null;
  return column.exact?.[row] ?? column.values[row] ?? null;
}

/** Highest reward first, as rlprobe shows them; NaN and none last, ties in reading order. */
function byReward(samples: readonly Sample[]): Sample[] {
  const key = ({ reward_total: reward }: Sample) =>
    reward === null || Number.isNaN(reward) ? Number.NEGATIVE_INFINITY : reward;
  return [...samples].sort((a, b) => (key(a) === key(b) ? 0 : key(b) - key(a)));
}

function sampleJson(sample: Sample): JsonRecord {
  const { file: _file, row: _row, ...fields } = sample;
  return fields;
}

function stepsText({ style }: Context, rows: readonly JsonRecord[], options: ShowOptions): string {
  const { step, window } = options;
  if (rows.length === 0) return `no rows in steps ${step - window} to ${step + window}`;
  const shown = METRICS.filter((name) => rows.some((row) => row[name] !== undefined));
  return table(
    ["step", ...shown].map((title) => ({ title, align: "right" as const })),
    rows.map((row) => {
      const cells = ["step", ...shown].map((name) => figure(row[name] as number | bigint | undefined));
      return Number(row["step"]) === step ? cells.map(style.bold) : cells;
    }),
    style,
  );
}

function samplesText(
  context: Context,
  samples: readonly Sample[],
  total: number,
  options: ShowOptions,
): string {
  if (total === 0) return "no samples were captured here";
  const head = `${total} samples, the ${samples.length} of highest reward:`;
  return [head, ...samples.map((sample) => sampleText(context, sample, options.full))].join("\n\n");
}

function sampleText({ style, columns }: Context, sample: Sample, full: boolean): string {
  const facts = [
    `step ${sample.step}`,
    oneLine(sample.sample_id),
    `rank ${sample.rank}`,
    `reward ${figure(sample.reward_total)}`,
    `advantage ${figure(sample.advantage)}`,
    `length ${figure(sample.completion_len)}`,
    oneLine(sample.capture_reason ?? "-"),
  ];
  const components = Object.entries(sample.reward_components).map(
    ([name, value]) => `${shorten(oneLine(name), 48)} ${figure(value)}`,
  );
  const body = (title: string, text: string | null) => {
    if (text === null) return [];
    if (full) return [style.dim(title), lines(text).replace(/^/gm, "  ")];
    return [shorten(`  ${oneLine(text.slice(0, EXCERPT))}${text.length > EXCERPT ? "…" : ""}`, columns)];
  };
  return [
    style.bold(facts.join("  ")),
    ...(components.length ? [`  ${components.join("  ")}`] : []),
    ...(full ? body("prompt", sample.prompt_text) : []),
    ...body("completion", sample.completion_text),
  ].join("\n");
}
