/** The rows of a table of runs: what of the list fits, in which order, and what was read of it. */
import { t } from "../../protocol/l10n.ts";
import type { TableChoices, TableColumn, TableQuery, TableView } from "../../protocol/runs-page.ts";
import type { ListedRun } from "../../view/listed-run.ts";
import { placesOf } from "../../view/run-line.ts";
import { matchesQuery, parseQuery, type QueryProblem } from "../../view/run-query.ts";
import { configKeysOf, queryCompletions } from "../../view/run-query-completion.ts";
import {
  configKeys,
  type DifferingKey,
  neededMetrics,
  shownDiffering,
  sortedTable,
  tableColumns,
  tableRow,
} from "../../view/runs-table.ts";
import type { RunCatalogue } from "../runs/catalogue.ts";
import type { Needed, RunFigures } from "./figures.ts";

export interface TableParts {
  readonly catalogue: Pick<RunCatalogue, "list" | "get" | "first" | "isSearching" | "cuts">;
  readonly figures: Pick<RunFigures, "of" | "isDone" | "want">;
  /** Patterns of keys that differ and say nothing. */
  ignored(): readonly string[];
}

/** All of a question, before a window of it is taken. */
export interface Answered {
  readonly runs: readonly ListedRun[];
  readonly columns: readonly TableColumn[];
  readonly needed: Needed;
  readonly problem: QueryProblem | null;
  readonly of: number;
}

interface Fit {
  /** In no particular order. */
  readonly fitting: readonly ListedRun[];
  readonly keys: readonly DifferingKey[];
  readonly problem: QueryProblem | null;
  readonly of: number;
}

const MAX_EXAMPLES = 120;
const MAX_CHOICES = 1000;
const MAX_COMPLETIONS = 20;

export class RunsTable {
  readonly #parts: TableParts;
  #fitted: { readonly filter: string; readonly fit: Fit } | null = null;
  #made: { readonly key: string; readonly answered: Answered } | null = null;
  /** Runs for which a diagnosis was asked, by what was known of them. */
  readonly #asked = new Map<string, ListedRun["summary"]>();

  constructor(parts: TableParts) {
    this.#parts = parts;
  }

  /** What was made of the list is old: other runs, or of the same only other figures. */
  stale(what: "runs" | "figures"): void {
    this.#made = null;
    if (what === "runs") this.#fitted = null;
  }

  /** Made once for each state of the list. */
  answer(query: TableQuery): Answered {
    const key = JSON.stringify(query);
    if (this.#made?.key === key) return this.#made.answered;
    const { fitting, keys, problem, of } = this.#fit(query.filter);
    const columns = tableColumns(query.columns, shownDiffering(keys));
    const runs = sortedTable(fitting, query.sort, (run) => this.#parts.figures.of(run));
    const needed = neededMetrics(columns);
    const answered = { runs, columns, needed, problem, of };
    this.#made = { key, answered };
    return answered;
  }

  #fit(filter: string): Fit {
    if (this.#fitted?.filter === filter) return this.#fitted.fit;
    const all = this.#parts.catalogue.list();
    const { terms, problems } = parseQuery(filter, filter === "" ? [] : configKeysOf(all));
    const fitting = all.filter((run) => matchesQuery(terms, run));
    const keys = configKeys(fitting, this.#parts.ignored());
    const fit = { fitting, keys, problem: problems[0] ?? null, of: all.length };
    this.#fitted = { filter, fit };
    return fit;
  }

  /** A window of the rows; those in it are read before the others. */
  view(query: TableQuery, offset: number, limit: number, find: string | null): TableView {
    const { runs, columns, needed, problem, of } = this.answer(query);
    const { catalogue, figures } = this.#parts;
    const from = Math.min(offset, Math.max(0, runs.length - 1));
    const shown = runs.slice(from, from + limit);
    this.#askFor(shown);
    figures.want([...shown, ...runs], needed);
    const places = placesOf(runs);
    const found = find === null ? -1 : runs.findIndex(({ dir }) => dir === find);
    return {
      total: runs.length,
      of,
      pending: runs.filter((run) => !figures.isDone(run, needed)).length,
      isSearching: catalogue.isSearching,
      cut: cutWords(catalogue.cuts),
      problem: problem && { from: problem.from, to: problem.to, message: problem.message },
      columns: [...columns],
      offset: from,
      rows: shown.map((run) => tableRow(columns, run, figures.of(run), places.get(run.dir) ?? "")),
      found: found < 0 ? null : found,
    };
  }

  choices(filter: string): TableChoices {
    const { fitting, keys } = this.#fit(filter);
    const metrics = new Set<string>();
    for (const run of fitting)
      for (const metric of this.#parts.figures.of(run)?.available ?? []) metrics.add(metric);
    return {
      metrics: [...metrics].slice(0, MAX_CHOICES),
      keys: keys.slice(0, MAX_CHOICES).map(({ key, values, examples }) => ({
        key,
        values,
        examples: examples.join(", ").slice(0, MAX_EXAMPLES),
      })),
    };
  }

  completions(text: string): { label: string; detail: string; text: string }[] {
    return queryCompletions(text, this.#parts.catalogue.list())
      .slice(0, MAX_COMPLETIONS)
      .map(({ label, detail, text: whole }) => ({ label, detail, text: whole }));
  }

  /** What is seen is read and diagnosed before the rest; asked once for each state of a run. */
  #askFor(shown: readonly ListedRun[]): void {
    for (const { dir, summary, findings, problem, kind } of shown) {
      const isKnown = problem !== null || (summary !== null && (findings !== null || kind !== "recording"));
      if (isKnown || (this.#asked.has(dir) && this.#asked.get(dir) === summary)) continue;
      this.#asked.set(dir, summary);
      this.#parts.catalogue.first(dir);
    }
  }
}

function cutWords(cuts: RunCatalogue["cuts"]): string {
  if (cuts.includes("cancelled")) return t("The search was stopped; not every folder was looked into.");
  if (cuts.length === 0) return "";
  return t(
    "There are too many folders to look into all of them; leave some out with the setting flightDeck.runs.exclude.",
  );
}
