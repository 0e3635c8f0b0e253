/** Run records: what each attempt really ran, and the results by benchmark. */

import type { MetricRow, RunRecords, Witness } from "../core/format/records.ts";
import { matches } from "../core/records/witness.ts";
import type { RunModel } from "../core/run/model.ts";
import type { RecordsView } from "../protocol/run.ts";
import { flatRows } from "./config.ts";
import { warningViews } from "./problems.ts";
import { cut } from "./text.ts";

type AttemptView = RecordsView["attempts"][number];
type MetricView = RecordsView["metrics"][number];

const MAX_FIELDS = 500;
const MAX_NAME = 200;
const MAX_SEEDS = 20;
const MAX_METRICS = 5000;

/** Warnings that are about the records' own files. */
const RECORD_FILE = /^(observed\.attempt.*\.json|metrics\.json)$/;

export function recordsView(model: RunModel): RecordsView {
  const { records } = model;
  return {
    attempts: records.witnesses.map((witness) => attemptView(witness, records)),
    metrics: metricViews(records.metrics),
    warnings: warningViews(model.warnings().filter(({ file }) => RECORD_FILE.test(file))),
  };
}

function attemptView(witness: Witness, { manifestConfigHash }: RunRecords): AttemptView {
  const { statedHash, computedHash } = witness;
  const { rows, dropped } = flatRows(witness.fields, MAX_FIELDS);
  const fields = rows.map(({ path, value }) => ({ key: path, value }));
  if (dropped > 0) fields.push({ key: "…", value: `${dropped.toLocaleString("en-US")} more` });
  return {
    file: witness.file,
    attempt: witness.attempt,
    statedHash: cut(statedHash ?? "", MAX_NAME),
    computedHash: computedHash ?? "",
    hash: compare(statedHash, computedHash, "mismatch"),
    manifest: compare(manifestConfigHash, computedHash, "differs"),
    fields,
  };
}

function compare<D extends string>(
  a: string | null,
  b: string | null,
  different: D,
): "match" | "unknown" | D {
  if (a === null || b === null) return "unknown";
  return matches(a, b) ? "match" : different;
}

/** Rows of one benchmark, metric and horizon are repeats over seeds. */
function metricViews(rows: readonly MetricRow[]): MetricView[] {
  const groups = new Map<string, MetricRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.benchmark, row.metric, typeof row.horizon, String(row.horizon)]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].slice(0, MAX_METRICS).map(metricView);
}

function metricView(rows: readonly MetricRow[]): MetricView {
  const [first] = rows;
  const values = rows.map(({ value }) => value);
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value / n, 0);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    benchmark: cut(first?.benchmark ?? "", MAX_NAME),
    metric: cut(first?.metric ?? "", MAX_NAME),
    horizon: cut(textOf(first?.horizon ?? null), MAX_NAME),
    n,
    seeds: seedsText(rows),
    mean,
    sd: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
}

function seedsText(rows: readonly MetricRow[]): string {
  const seeds = [...new Set(rows.map(({ seed }) => textOf(seed)))].filter((seed) => seed !== "");
  const shown = seeds.slice(0, MAX_SEEDS).map((seed) => cut(seed, 40));
  const more = seeds.length - shown.length;
  return more > 0 ? `${shown.join(", ")}, … (${more} more)` : shown.join(", ");
}

const textOf = (value: string | number | bigint | null): string => (value === null ? "" : String(value));
