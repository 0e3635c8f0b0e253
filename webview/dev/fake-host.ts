/** Answers the page's questions from made-up data, over messages like VS Code's. */
import type { DiagnoseParams, DiagnosisView } from "../../src/protocol/diagnosis.ts";
import { pageContract, pageNotices } from "../../src/protocol/page.ts";
import type { ChartPrefs } from "../../src/protocol/prefs.ts";
import {
  createServer,
  type Handlers,
  internal,
  ProblemError,
  type Server,
  type Transport,
} from "../../src/protocol/rpc.ts";
import type {
  AtView,
  AxisView,
  ChartView,
  ConfigSection,
  EventsPage,
  EventView,
  HeatmapView,
  SeriesView,
  TimelineView,
  WarningView,
  XAxis,
} from "../../src/protocol/run.ts";
import type { Params } from "../../src/protocol/wire.ts";
import { CASES, type FakeCase } from "./fake-cases.ts";
import { fakeDiagnosis, fakeSamples, quietDiagnosis } from "./fake-diagnosis.ts";
import { RECORDS } from "./fake-records.ts";
import { type FakeColumn, fakeColumn } from "./fake-run.ts";
import { FakeSamples } from "./fake-samples.ts";
import { samplesHandlers } from "./fake-samples-host.ts";
import { fakeRanges, fakeSeries } from "./fake-series.ts";
import { fakeDensity, fakeRows, fakeTimeline, positive, smoothed, withSmooth } from "./fake-timeline.ts";

const START = 1_764_440_000;
const STEP_SECONDS = 2.2;

export class FakeHost {
  readonly #case: FakeCase;
  readonly #columns = new Map<string, FakeColumn>();
  readonly #answers = new Map<string, ChartView>();
  readonly #axes: Record<XAxis, Float64Array>;
  /** What the page asked to be done, and what it reported. */
  readonly actions: string[] = [];
  /** What is kept for the workspace. */
  prefs: ChartPrefs | null = null;
  /** The step that the page points out, as it said last. */
  pinned: number | null = null;
  /** What was saved or copied; of a file a character a byte. */
  readonly saved: { readonly title: string; readonly kind: string; readonly text: string }[] = [];
  /** Questions so far, by chart. */
  readonly asked: string[] = [];
  /** Chart ids whose answers fail. */
  failing: readonly string[];
  /** What reading columns has found. */
  found: readonly WarningView[] = [];
  readonly samples: FakeSamples;
  /** Answers the question about the axis, where the case keeps that back. */
  letAxis: () => void = () => {};
  readonly #axisLet: Promise<void>;
  server: Server<typeof pageNotices>;
  #opened: FakeCase["open"];

  constructor(name: string, transport: Transport) {
    this.#case = (
      CASES[name] ??
      CASES["run"] ??
      (() => {
        throw new Error("no such case");
      })
    )();
    this.#opened = this.#case.open;
    this.#axisLet = new Promise((resolve) => {
      this.letAxis = resolve;
      if (!this.#case.lateAxis) resolve();
    });
    this.failing = this.#case.failing;
    this.samples = new FakeSamples(this.#case.samples);
    const rows = this.#case.rows;
    const axis = (value: (i: number) => number): Float64Array =>
      Float64Array.from({ length: rows }, (_, i) => value(i));
    this.#axes = {
      step: axis((i) => i + 1),
      time: axis((i) => START + i * STEP_SECONDS),
      relative: axis((i) => i * STEP_SECONDS),
    };
    this.server = this.#serve(transport);
  }

  #serve(transport: Transport): Server<typeof pageNotices> {
    return createServer(pageContract, this.#handlers(), transport, { notices: pageNotices });
  }

  /** Serves another page; what was computed is kept. */
  serve(transport: Transport): void {
    this.server.dispose();
    this.server = this.#serve(transport);
  }

  async #wait(): Promise<void> {
    if (this.#case.latency > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.min(this.#case.latency, 2 ** 30)));
  }

  #column(metric: string): FakeColumn {
    const known = this.#columns.get(metric) ?? fakeColumn(metric, this.#case.rows);
    this.#columns.set(metric, known);
    return known;
  }

  #handlers(): Handlers<typeof pageContract> {
    const { overview } = this.#case;
    const opened = async () => {
      await this.#wait();
      return this.#opened;
    };
    return {
      "page.open": opened,
      "page.retry": opened,
      "page.openLoose": async () => {
        this.#opened = { state: "run" };
        return opened();
      },
      "run.summary": () => {
        throw new ProblemError(internal());
      },
      "run.row": () => {
        throw new ProblemError(internal());
      },
      "page.action": (asked) => {
        this.actions.push(Object.values(asked).join(" "));
        return {};
      },
      "prefs.get": () => ({ prefs: this.prefs }),
      "prefs.set": ({ prefs }) => {
        this.prefs = prefs;
        return {};
      },
      "page.save": ({ title, kind, bytes }) => {
        this.saved.push({ title, kind, text: String.fromCharCode(...bytes) });
        return { saved: true };
      },
      "page.saveRows": ({ title, metrics, steps }) => {
        this.saved.push({ title, kind: "rows", text: JSON.stringify([metrics, steps]) });
        return { saved: true };
      },
      "page.copyText": ({ text }) => {
        this.saved.push({ title: "", kind: "clipboard", text });
        return {};
      },
      "page.pinned": ({ step }) => {
        this.pinned = step;
        return {};
      },
      "page.report": ({ message }) => {
        this.actions.push(`report: ${message}`);
        return {};
      },
      "run.overview": () => overview,
      "run.axis": async () => {
        await this.#axisLet;
        return this.#axis();
      },
      "run.counts": () => ({
        samples: 2008,
        byRank: [{ rank: 0, samples: 2008 }],
        warnings: overview.warnings,
      }),
      "run.warnings": () => [...overview.warnings, ...this.found],
      "chart.series": (params) => this.#series(params),
      "chart.heatmap": (params) => this.#heatmap(params),
      "chart.at": (params) => this.#at(params),
      "chart.rows": ({ metrics, steps, offset, limit }) => {
        const columns = metrics.map((metric) => this.#column(metric));
        const time = (i: number): number => START + i * STEP_SECONDS;
        return fakeRows(this.#axes.step, time, columns, steps, { offset, limit });
      },
      "chart.csv": () => ({ text: "step,timestamp\n", total: 0, rows: 0 }),
      "chart.json": () => ({ text: "", total: 0, rows: 0 }),
      "run.timeline": ({ width }) => this.#timeline(width),
      "run.density": ({ width }) => fakeDensity(this.#case.rows, width),
      "events.page": (params) => eventsPage(this.#events(), params),
      "run.config": () => CONFIG,
      "run.records": () => RECORDS,
      "run.diagnose": ({ values, known }) => this.#diagnosis(values, known !== false),
      "page.diagnose": ({ values, known }) => {
        this.asked.push(known ? "diagnose patiently" : "diagnose");
        return { diagnosis: this.#diagnosis(values, known), config: "" };
      },
      ...samplesHandlers(this.samples),
      "samples.query": fakeSamples,
      "doctor.write": ({ signature, values }) => {
        this.actions.push(`write ${signature} ${JSON.stringify(values)}`);
        return { written: true };
      },
    };
  }

  #diagnosis(values: DiagnoseParams["values"], known: boolean): DiagnosisView {
    const { rows, sick, overview } = this.#case;
    if (sick) return fakeDiagnosis(rows, values ?? {}, known);
    const lost = overview.warnings.filter(
      ({ file, code }) => file.startsWith("steps") && code.endsWith("unreadable"),
    );
    return quietDiagnosis(rows, lost);
  }

  #axis(): AxisView {
    const { rows, overview } = this.#case;
    const timed = rows > 0 && !this.#case.timeless;
    return {
      steps: rows,
      rows,
      first: rows > 0 ? 1 : null,
      last: rows > 0 ? rows : null,
      firstText: rows > 0 ? "1" : "",
      lastText: rows > 0 ? String(rows) : "",
      hasTime: timed,
      timeFirst: timed ? START : null,
      timeLast: timed ? START + (rows - 1) * STEP_SECONDS : null,
      warnings: overview.warnings,
    };
  }

  #events(): EventView[] {
    const { overview, rows } = this.#case;
    const held = Math.min(overview.eventCount, this.#case.held);
    return Array.from({ length: held }, (_, i) => event(i, held, rows));
  }

  #timeline(width: number): TimelineView {
    const line = this.#case.overview.groups
      .flatMap(({ charts }) => charts)
      .find(({ kind }) => kind === "lines");
    const metric = line?.series[0]?.metric ?? "";
    const column = metric === "" ? null : this.#column(metric);
    return fakeTimeline(metric, line?.title ?? "", this.#axes.step, column, this.#events(), width);
  }

  /** Steps are evenly spread: row i is step i + 1 on every axis. */
  #domain(x: XAxis, steps: readonly [number, number] | null | undefined): [number, number] {
    const axis = this.#axes[x];
    const whole: [number, number] = [axis[0] ?? 0, axis.at(-1) ?? 0];
    if (!steps || x === "step") return steps ? [steps[0], steps[1]] : whole;
    const at = (step: number): number =>
      axis[Math.min(axis.length - 1, Math.max(0, Math.round(step - 1)))] ?? 0;
    return [at(steps[0]), at(steps[1])];
  }

  async #series(params: Params<typeof pageContract, "chart.series">): Promise<ChartView> {
    await this.#wait();
    await this.#mayFail(params.id);
    const key = JSON.stringify(params);
    const known = this.#answers.get(key);
    if (known) return known;
    const x = this.#axes[params.x];
    const domain = this.#domain(params.x, params.steps);
    const whole = params.metrics.map((metric) => this.#column(metric));
    const columns = params.log ? whole.map(positive) : whole;
    const { full, robust, outside } = fakeRanges(columns, x, domain);
    const series = columns.map((column, i) => {
      const draw = (one: FakeColumn): SeriesView =>
        fakeSeries(params.metrics[i] ?? "", x, one, domain, params.width);
      const hidden = "hidden" in column ? Number(column.hidden) : 0;
      const raw = { ...draw(column), nonPositive: hidden };
      return params.smoothing ? withSmooth(raw, draw(smoothed(column, params.smoothing))) : raw;
    });
    const view = {
      id: params.id,
      series,
      xDomain: domain,
      yFull: full,
      yRobust: robust,
      outside,
      problems: [],
    };
    this.#answers.set(key, view);
    return view;
  }

  async #mayFail(id: string): Promise<void> {
    this.asked.push(id);
    if (this.#case.hanging.includes(id)) await new Promise(() => {});
    if (!this.failing.includes(id)) return;
    throw new ProblemError({
      code: "decode",
      message: "This column could not be read",
      file: "steps.parquet",
      remedy: "Copy the file again from where the run was recorded.",
    });
  }

  async #heatmap(params: Params<typeof pageContract, "chart.heatmap">): Promise<HeatmapView> {
    const { id, x, steps, width } = params;
    await this.#wait();
    await this.#mayFail(id);
    const xDomain = this.#domain(x, steps);
    const buckets = 24;
    const columns = Math.min(width, 200);
    const cells = new Float64Array(columns * buckets);
    for (let c = 0; c < columns; c++) {
      for (let b = 0; b < buckets; b++) {
        const empty = c > 90 && c < 96;
        cells[c * buckets + b] = empty
          ? Number.NaN
          : (0.02 + 0.1 * (c / columns)) * (1 + b / buckets) + 0.02 * Math.sin(c / 9 + b);
      }
    }
    return { id, columns, buckets, cells, xDomain, valueDomain: [0, 0.26], problems: [] };
  }

  #at({ x, at, metrics }: { x: XAxis; at: number; metrics: string[] }): AtView {
    const axis = this.#axes[x];
    if (axis.length === 0)
      return { step: null, stepText: "", x: null, time: null, values: metrics.map(() => null) };
    const first = axis[0] ?? 0;
    const width = (axis[1] ?? first + 1) - first;
    const i = Math.min(axis.length - 1, Math.max(0, Math.round((at - first) / width)));
    return {
      step: i + 1,
      stepText: String(i + 1),
      x: axis[i] ?? 0,
      time: START + i * STEP_SECONDS,
      values: metrics.map((metric) => {
        const column = this.#column(metric);
        return column.valid?.[i] === 0 ? null : (column.values[i] ?? null);
      }),
    };
  }
}

const KINDS = [
  "train_start",
  "checkpoint",
  "nan_detected",
  "recorder_drops",
  "crash",
  "train_end",
  "my_own\u200bkind",
];

function event(index: number, total: number, rows: number): EventView {
  const kind = KINDS[index % KINDS.length] ?? "checkpoint";
  const step = Math.max(1, Math.floor((index / Math.max(1, total)) * rows));
  return {
    index,
    time: index % 9 === 8 ? null : START + step * STEP_SECONDS,
    kind,
    step: kind === "crash" ? "" : String(step),
    rank: 0,
    message:
      kind === "crash"
        ? "RuntimeError: CUDA out of memory.\nTried to allocate 2.00 GiB"
        : `${kind.replace("_", " ")} at ${step}`,
    data: kind === "checkpoint" ? `{"path": "checkpoints/${step}", "bytes": 123456789}` : "",
  };
}

function eventsPage(
  all: readonly EventView[],
  { offset, limit, kind, range, near = null }: Params<typeof pageContract, "events.page">,
): EventsPage {
  const inRange = all.filter(({ step }) => !range || (Number(step) >= range[0] && Number(step) <= range[1]));
  const counts = new Map<string, number>();
  for (const one of inRange) counts.set(one.kind, (counts.get(one.kind) ?? 0) + 1);
  const wanted = kind === null ? inRange : inRange.filter((one) => one.kind === kind);
  const away = (one: EventView): number => Math.abs(Number(one.step) - (near ?? 0));
  const nearest = wanted.reduce<EventView | null>(
    (best, one) => (best === null || away(one) < away(best) ? one : best),
    null,
  );
  const found = near === null || !nearest ? -1 : wanted.indexOf(nearest);
  const start = found < 0 ? offset : found - (found % limit);
  return {
    total: wanted.length,
    kinds: [...counts].map(([name, count]) => ({ kind: name, count })),
    rows: wanted.slice(start, start + limit),
    offset: start,
    nearest: found < 0 ? null : (nearest?.index ?? null),
  };
}

const row = (path: string, value: string, type: ConfigSection["rows"][number]["type"]) => ({
  path,
  parts: path.split("."),
  value,
  type,
});

const CONFIG: ConfigSection[] = [
  {
    title: "trainer_config",
    rows: [
      row("algorithm", "grpo", "string"),
      row("learning_rate", "1e-06", "number"),
      row("beta", "0", "number"),
      row("num_generations", "8", "number"),
      row("loss_type", "", "string"),
      row("bf16", "false", "boolean"),
      row("gradient_checkpointing", "true", "boolean"),
      row("resume_from", "null", "null"),
      row("reward.weights", "{}", "empty"),
      row("reward.functions.0", "length_reward", "string"),
      row("optimizer.betas.0", "0.9", "number"),
      row("optimizer.betas.1", "0.999", "number"),
      row("scheduler", "cosine", "string"),
      row("seed", "42", "number"),
      row("version", "1.0", "string"),
      row("prompt", "You are a helpful assistant.\nAnswer in one word.", "string"),
      row("__proto__.polluted", "yes", "string"),
      row("note", "abc\u202edcba\u202c and \u0007bell", "string"),
    ],
    dropped: 0,
  },
  {
    title: "environment",
    rows: [
      row("python", "3.11.9", "string"),
      row("platform", "Linux-6.8.0-x86_64", "string"),
      row("packages.torch", "2.6.0", "string"),
      row("packages.trl", "1.7.0", "string"),
      row("gpu", "NVIDIA H100 80GB HBM3", "string"),
      row("git_sha", "9f1c2d3e", "string"),
    ],
    dropped: 12,
  },
];
