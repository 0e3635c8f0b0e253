/** `flight-deck show RUN --step N`: the metrics and the captured samples around a step. */
import type { Sample } from "../core/format/sample.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import { best } from "../core/samples/order.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { EVERYTHING } from "../core/samples/types.ts";
import { stepAt, stepsWords } from "./columns.ts";
import { type Context, DONE, NOTHING_FOUND, open } from "./context.ts";
import { type Json, type JsonRecord, strictJson } from "./json.ts";
import { readRows, sampleJson, samplesOf, sampleText } from "./sampleText.ts";
import { figure, table } from "./terminal.ts";

export interface ShowOptions {
  readonly step: number;
  /** Steps before and after that are shown too. */
  readonly window: number;
  readonly maxSamples: number;
  /** Whole texts instead of their beginnings. */
  readonly full: boolean;
  readonly asRecorded: boolean;
  readonly json: boolean;
  /** Look into the cache of the samples' index, and write to it. */
  readonly cache: boolean;
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

/** @returns {@link NOTHING_FOUND} where neither a row nor a sample lies around the step */
export async function show(context: Context, folder: string, options: ShowOptions): Promise<number> {
  const model = await open(context, folder);
  const from = options.step - options.window;
  const to = options.step + options.window;
  const rows = await stepRows(model, from, to, options.asRecorded);
  const store = samplesOf(context, model, folder, options.cache);
  const { rows: chosen, total } = await bestRows(store, from, to, options.maxSamples);
  const samples = await readRows(store, chosen);
  if (options.json) {
    const { step, window } = options;
    context.out(
      strictJson({ step, window, steps: rows, n_samples: total, samples: samples.map(sampleJson) }),
    );
  } else if (rows.length + total > 0) {
    context.out(`${stepsText(context, rows, options)}\n\n${samplesText(context, samples, total, options)}`);
  }
  // What lies beside a step is an answer; that it is not the step itself has to be said.
  if (rows.every((row) => Number(row["step"]) !== options.step))
    context.err(`flight-deck: the run has no step ${options.step}; ${await stepsWords(model)}`);
  return rows.length + total > 0 ? DONE : NOTHING_FOUND;
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

/** Rows of the window, highest reward first as rlprobe shows them: NaN and none last, ties in reading order. */
async function bestRows(store: SampleStore, from: number, to: number, count: number) {
  const index = await store.all();
  const { values, has } = index.keys("reward_total");
  const rows = await store.matching({ ...EVERYTHING, steps: [from, to] });
  const rewards = new Float64Array(index.rows);
  for (const row of rows) {
    const reward = has(row) ? (values[row] as number) : Number.NaN;
    rewards[row] = Number.isNaN(reward) ? Number.NEGATIVE_INFINITY : reward;
  }
  return best(rows, { values: rewards, has: () => true }, true, Math.min(count, rows.length));
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
