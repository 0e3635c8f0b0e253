/** Answers the questions of the page with the table of runs from made-up runs, over messages like VS Code's. */
import {
  createServer,
  ProblemError,
  problemOf,
  type Server,
  type Transport,
} from "../../src/protocol/rpc.ts";
import {
  runsPageContract,
  runsPageNotices,
  type TablePrefs,
  type TableQuery,
} from "../../src/protocol/runs-page.ts";
import { type FakeRun, fakeColumns, fakeFilter, fakeOrder, fakeRow, fakeRuns } from "./fake-runs.ts";

const COUNTS: Readonly<Record<string, number>> = { many: 1000, some: 30, none: 0 };

export class FakeRunsHost {
  runs: FakeRun[];
  /** What the page asked to be done, and what it reported. */
  readonly actions: string[] = [];
  /** Windows that were asked for. */
  readonly windows: [number, number][] = [];
  prefs: TablePrefs | null = null;
  /** Runs whose figures are known, from the first on. */
  read = Number.POSITIVE_INFINITY;
  isFailing = false;
  readonly server: Server<typeof runsPageNotices>;

  constructor(name: string, transport: Transport) {
    this.runs = fakeRuns(COUNTS[name] ?? 1000);
    this.server = createServer(runsPageContract, this.#handlers(), transport, { notices: runsPageNotices });
  }

  changed(): void {
    this.server.notify("changed", {});
  }

  #fitting({ filter, sort }: Pick<TableQuery, "filter" | "sort">): FakeRun[] {
    return fakeOrder(fakeFilter(filter, this.runs).runs, sort);
  }

  #handlers() {
    type Handlers = Parameters<typeof createServer<typeof runsPageContract>>[1];
    const handlers: Handlers = {
      "table.open": () => {
        if (this.isFailing) throw new ProblemError(problemOf("worker", "The reader was lost.", {}));
        return { prefs: this.prefs };
      },
      "table.prefs": ({ prefs }) => {
        this.prefs = prefs;
        return {};
      },
      "table.view": ({ offset, limit, find, columns: ids, ...query }) => {
        const columns = fakeColumns(ids);
        const runs = this.#fitting(query);
        const from = Math.min(offset, Math.max(0, runs.length - 1));
        this.windows.push([from, limit]);
        const found = runs.findIndex(({ dir }) => dir === find);
        return {
          total: runs.length,
          of: this.runs.length,
          pending: Math.max(0, this.runs.length - this.read),
          isSearching: false,
          cut: "",
          problem: fakeFilter(query.filter, this.runs).problem,
          columns,
          offset: from,
          rows: runs
            .slice(from, from + limit)
            .map((run) => fakeRow(columns, run, this.runs.indexOf(run) < this.read)),
          found: found < 0 ? null : found,
        };
      },
      "table.dirs": (query) => ({ dirs: this.#fitting(query).map(({ dir }) => dir) }),
      "table.choices": () => ({
        metrics: ["reward_mean", "kl_mean", "entropy", "grad_norm", "loss", "__proto__", "<b>bold</b>"],
        keys: [
          { key: "trainer_config.learning_rate", values: 3, examples: "1e-5, 3e-5, 1e-6" },
          { key: "trainer_config.constructor", values: 2, examples: "0, 1" },
          { key: "world_size", values: 1, examples: "1" },
        ],
      }),
      "table.complete": ({ text }) => ({
        completions: ["state:", "state:finished", "state:running", "name:"]
          .filter((one) => one.startsWith(text))
          .map((label) => ({ label, detail: "how the run stands", text: label })),
      }),
      "page.action": (action) => {
        this.actions.push(JSON.stringify(action));
        return { done: true };
      },
      "page.report": ({ message }) => {
        this.actions.push(`report ${message}`);
        return {};
      },
    };
    return handlers;
  }
}
