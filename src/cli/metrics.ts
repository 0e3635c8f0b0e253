/** `flight-deck metrics RUN…`: rows of metrics.json over seeds, and what each run differs by from the first. */
import {
  type Difference,
  type Results,
  type ResultsRow,
  resultsRows,
  welch,
} from "../core/compare/results.ts";
import type { RunModel } from "../core/run/model.ts";
import { RECORDS_METHOD, seedsText } from "../view/compare-records.ts";
import { recordWarnings } from "../view/records.ts";
import { type Context, DONE, InRunError, NOTHING_FOUND, open } from "./context.ts";
import { UnreadableFileError } from "./doctor.ts";
import { type Json, type JsonRecord, strictJson } from "./json.ts";
import { figure, oneLine, type Style, shorten, table } from "./terminal.ts";

const MAX_CELL = 40;

/** @throws InRunError naming the run that cannot be read, or whose metrics.json holds no row that can be */
export async function metrics(
  context: Context,
  folders: readonly string[],
  options: { readonly json: boolean },
): Promise<number> {
  const models: RunModel[] = [];
  for (const folder of folders) models.push(await opened(context, folder));
  const rows = resultsRows(models.map(({ records }) => records.metrics));
  if (options.json) context.out(strictJson(metricsJson(folders, models, rows)));
  else if (rows.length === 0) context.err("no row of metrics is recorded here");
  else context.out(metricsText(context.style, models, rows));
  return rows.length === 0 ? NOTHING_FOUND : DONE;
}

async function opened(context: Context, folder: string): Promise<RunModel> {
  try {
    const model = await open(context, folder);
    const [fault] = metricWarnings(model).filter(({ level }) => level === "warning");
    if (model.records.metrics.length === 0 && fault) throw new UnreadableFileError(fault);
    return model;
  } catch (error) {
    throw new InRunError(folder, error);
  }
}

const metricWarnings = (model: RunModel) =>
  recordWarnings(model).filter(({ file }) => file === "metrics.json");

/** `{runs, method, rows, warnings}`; a row has one result a run (null without one) and its difference from the first run's. */
function metricsJson(
  folders: readonly string[],
  models: readonly RunModel[],
  rows: readonly ResultsRow[],
): JsonRecord {
  return {
    runs: models.map(({ label, manifest }, i) => ({
      folder: folders[i] ?? "",
      label,
      run_id: manifest?.run_id ?? null,
    })),
    method: RECORDS_METHOD,
    rows: rows.map(({ benchmark, metric, horizon, results }) => ({
      benchmark,
      metric,
      horizon,
      results: results.map((each): Json => each && { ...each, seeds: [...each.seeds] }),
      differences: differences(results).map((each): Json => each && { ...each }),
    })),
    warnings: models.flatMap((model, i) =>
      metricWarnings(model).map(({ code, file, message, count, level }) => ({
        folder: folders[i] ?? "",
        code,
        file,
        message,
        count,
        level,
      })),
    ),
  };
}

/** From the first run, whose own place is null. */
function differences(results: ResultsRow["results"]): (Difference | null)[] {
  const [baseline] = results;
  return results.map((each, run) => (run > 0 && baseline && each ? welch(baseline, each) : null));
}

function metricsText(style: Style, models: readonly RunModel[], rows: readonly ResultsRow[]): string {
  const blocks = [
    models.length === 1 ? summaryTable(style, rows) : comparisonTable(style, models, rows),
    models
      .flatMap((model) =>
        metricWarnings(model).map(({ code, file, message, level }) => {
          const label = level === "warning" ? style.yellow(code) : style.dim(code);
          return `${label}  ${oneLine(`${model.label}/${file}`)}: ${oneLine(message)}`;
        }),
      )
      .join("\n"),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

const KEYS = [{ title: "benchmark" }, { title: "metric" }, { title: "horizon" }];

const keys = ({ benchmark, metric, horizon }: ResultsRow): string[] =>
  [benchmark, metric, horizon === null ? "-" : String(horizon)].map((text) =>
    shorten(oneLine(text), MAX_CELL),
  );

function summaryTable(style: Style, rows: readonly ResultsRow[]): string {
  const figures = ["n", "mean", "sd", "min", "max"].map((title) => ({ title, align: "right" as const }));
  return table(
    [...KEYS, ...figures, { title: "seeds" }],
    rows.flatMap((row) => {
      const [results] = row.results;
      if (!results) return [];
      const { n, mean, sd, min, max, seeds } = results;
      return [
        [
          ...keys(row),
          String(n),
          figure(mean),
          n > 1 ? figure(sd) : "-",
          figure(min),
          figure(max),
          shorten(oneLine(seedsText(seeds)), MAX_CELL),
        ],
      ];
    }),
    style,
  );
}

/** Runs are letters, as in `diff`; which is which stands above. */
function comparisonTable(style: Style, models: readonly RunModel[], rows: readonly ResultsRow[]): string {
  const names = models.map((_, i) => letters(i));
  const head = models.map(({ label, manifest }, i) => {
    const id = manifest?.run_id ?? "";
    return `${style.bold(names[i] ?? "")}  ${oneLine(id === "" || id === label ? label : `${label}  (${id})`)}`;
  });
  const [baseline = "A", ...others] = names;
  const text = table(
    [
      ...KEYS,
      ...names.map((title) => ({ title, align: "right" as const })),
      ...others.map((name) => ({ title: `${name}-${baseline}`, align: "right" as const })),
    ],
    rows.map((row) => [
      ...keys(row),
      ...row.results.map(resultText),
      ...differences(row.results).slice(1).map(differenceText),
    ]),
    style,
  );
  return `${head.join("\n")}\n\n${text}\n${style.dim(`mean ± sample standard deviation (n). ${RECORDS_METHOD}`)}`;
}

/** A, B, …, Z, AA, AB, … */
function letters(index: number): string {
  const before = Math.floor(index / 26);
  return `${before > 0 ? letters(before - 1) : ""}${String.fromCharCode(65 + (index % 26))}`;
}

function resultText(results: Results | null): string {
  if (!results) return "-";
  const { n, mean, sd } = results;
  return `${figure(mean)}${n > 1 ? ` ± ${figure(sd)}` : ""} (${n})`;
}

function differenceText(difference: Difference | null): string {
  if (!difference) return "-";
  const { value, low, high } = difference;
  const words = `${value > 0 ? "+" : ""}${figure(value)}`;
  if (Number.isNaN(low)) return words;
  return `${words} [${figure(low)}, ${figure(high)}]`;
}
