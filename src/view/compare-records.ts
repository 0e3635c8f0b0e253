/** metrics.json of several runs side by side: spread over seeds, and the difference from the baseline with its uncertainty. */
import { type Results, resultsRows, welch } from "../core/compare/results.ts";
import type { RunModel } from "../core/run/model.ts";
import type { RecordCell, RecordsComparison } from "../protocol/compare.ts";
import { cut } from "./text.ts";

const MAX_ROWS = 5000;
const MAX_NAME = 200;
const MAX_SEEDS = 20;

export const RECORDS_METHOD =
  "95% interval of the difference of means by Welch's t-test: seeds are taken as independent, spreads may differ.";

export function compareRecords(models: readonly RunModel[]): RecordsComparison {
  const rows = resultsRows(models.map(({ records }) => records.metrics));
  return {
    method: RECORDS_METHOD,
    rows: rows.slice(0, MAX_ROWS).map(({ benchmark, metric, horizon, results }) => {
      const [baseline] = results;
      return {
        benchmark: cut(benchmark, MAX_NAME),
        metric: cut(metric, MAX_NAME),
        horizon: cut(horizon === null ? "" : String(horizon), MAX_NAME),
        cells: results.map((cell) => cell && cellView(cell)),
        differences: results.map((cell, run) => (run > 0 && baseline && cell ? welch(baseline, cell) : null)),
      };
    }),
    dropped: Math.max(0, rows.length - MAX_ROWS),
  };
}

function cellView({ seeds, ...figures }: Results): RecordCell {
  return { ...figures, seeds: seedsText(seeds) };
}

/** "0, 1, 2", each once, the first of many. */
export function seedsText(seeds: Results["seeds"]): string {
  const known = [...new Set(seeds.filter((seed) => seed !== null).map(String))].filter((seed) => seed !== "");
  const shown = known.slice(0, MAX_SEEDS).map((seed) => cut(seed, 40));
  const more = known.length - shown.length;
  return more > 0 ? `${shown.join(", ")}, … (${more} more)` : shown.join(", ");
}
