/** Answers the compare page's questions from made-up data, over messages like VS Code's. */
import { comparePageContract, comparePageNotices } from "../../src/protocol/compare-page.ts";
import {
  createServer,
  ProblemError,
  problemOf,
  type Server,
  type Transport,
} from "../../src/protocol/rpc.ts";
import { FakeCompare } from "./fake-compare.ts";

export class FakeCompareHost {
  readonly fake: FakeCompare;
  /** What the page asked to be done, and what it reported. */
  readonly actions: string[] = [];
  /** Questions so far: method and metric. */
  readonly asked: string[] = [];
  /** Questions that were taken back. */
  aborted = 0;
  /** Metrics whose answers fail. */
  failing: readonly string[] = [];
  ignore: string[] = ["output_dir", "run_id"];
  readonly server: Server<typeof comparePageNotices>;

  constructor(name: string, transport: Transport) {
    this.fake = new FakeCompare(name);
    this.server = createServer(comparePageContract, this.#handlers(), transport, {
      notices: comparePageNotices,
    });
  }

  /** The files of a run have grown. */
  grow(rows: number): void {
    this.fake.grow(rows);
    this.server.notify("changed", { reason: "The run has grown." });
  }

  #note(method: string, metric: string, signal: AbortSignal): void {
    this.asked.push(`${method} ${metric}`);
    signal.addEventListener("abort", () => {
      this.aborted++;
    });
    if (this.failing.includes(metric))
      throw new ProblemError(
        problemOf("chart", "This metric could not be read.", { remedy: "Look into the file." }),
      );
  }

  #handlers() {
    const { fake } = this;
    type Handlers = Parameters<typeof createServer<typeof comparePageContract>>[1];
    const handlers: Handlers = {
      "page.open": () => ({ members: fake.members(), ignore: this.ignore }),
      "page.action": (action) => {
        this.actions.push(JSON.stringify(action));
        if (action.action === "arrange") {
          fake.runs = action.members.flatMap((place) => fake.runs[place] ?? []);
          this.server.notify("changed", { reason: "The runs are others." });
        }
        return {};
      },
      "page.diagnose": ({ run }) => fake.diagnosis(run),
      "page.report": ({ message }) => {
        this.actions.push(`report ${message}`);
        return {};
      },
      "compare.overview": () => fake.overview(),
      "compare.metrics": ({ other, options }, { signal }) => {
        this.#note("metrics", String(other), signal);
        return fake.pair(other, options);
      },
      "compare.series": ({ metric, runs, align, range, width }, { signal }) => {
        this.#note("series", metric, signal);
        return fake.series(metric, runs, align, range, width);
      },
      "compare.gap": ({ metric, other, options, range, width }, { signal }) => {
        this.#note("gap", metric, signal);
        return fake.gapSeries(metric, other, options, range, width);
      },
      "compare.at": ({ at, align, metrics }) => fake.at(at, align, metrics),
      "compare.config": ({ ignore }) => fake.config(ignore),
      "compare.document": () => ({ text: "{}\n" }),
      "compare.prompts": ({ other, offset, limit }) => fake.prompts(other, offset, limit),
      "compare.records": () => fake.records(),
    };
    return handlers;
  }
}
