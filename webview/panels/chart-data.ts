/** What a chart shows: asked of the host for its width, zoom and axis; an older question is taken back. */
import type { ChartSpec, ChartView, HeatmapView, XAxis } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import type { ViewState, XRange } from "../state.ts";

/** A question may name this many metrics; the rest of a wider chart is left out and said so. */
export const MOST_SERIES = 256;
const MOST_COLUMNS = 4096;

export interface Answer {
  readonly axis: XAxis;
  /** The steps that were asked for; `null` is the whole run. */
  readonly range: XRange | null;
  readonly log: boolean;
  readonly view: ChartView | null;
  readonly heat: HeatmapView | null;
}

/** Answers of charts that left the visible part are kept for the way back, this many of them. */
const KEPT = 48;
const recent = new Set<ChartData>();

interface Question {
  readonly axis: XAxis;
  readonly range: XRange | null;
  readonly log: boolean;
  readonly smoothing: number;
  readonly width: number;
}

/** All charts are one way, but for those that were set the other way. */
export const isLog = (state: ViewState, spec: ChartSpec): boolean =>
  spec.kind === "lines" && state.log !== state.logs.includes(spec.id);

export class ChartData {
  answer: Answer | null = null;
  problem: Problem | null = null;
  readonly #session: Session;
  readonly #spec: ChartSpec;
  readonly #changed: () => void;
  #key = "";
  #asking: AbortController | null = null;

  constructor(session: Session, spec: ChartSpec, changed: () => void) {
    this.#session = session;
    this.#spec = spec;
    this.#changed = changed;
  }

  /** Asks unless the same question was asked last. @param width pixel columns */
  ask(width: number): void {
    const { state } = this.#session.store;
    const question: Question = {
      axis: state.x,
      range: state.range,
      log: isLog(state, this.#spec),
      smoothing: this.#spec.kind === "lines" ? this.#session.prefs.current.smoothing : 0,
      width: Math.min(MOST_COLUMNS, Math.max(1, Math.floor(width))),
    };
    const key = JSON.stringify([question, this.#session.epoch]);
    this.#remember();
    if (key === this.#key && !this.problem) return;
    this.#key = key;
    void this.#fetch(question);
  }

  retry(width: number): void {
    this.#key = "";
    this.problem = null;
    this.ask(width);
  }

  /** Takes the question back; what was answered stays. */
  stop(): void {
    if (!this.#asking) return;
    this.#asking.abort();
    this.#asking = null;
    this.#key = "";
  }

  #remember(): void {
    recent.delete(this);
    recent.add(this);
    for (const oldest of recent) {
      if (recent.size <= KEPT) break;
      recent.delete(oldest);
      oldest.#forget();
    }
  }

  #forget(): void {
    this.stop();
    this.answer = null;
    this.#key = "";
  }

  async #fetch(question: Question): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.#session.ready.begin();
    try {
      const answer = await this.#call(question, asking.signal);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.problem = null;
    } catch (error) {
      const problem = problemFrom(error);
      if (asking.signal.aborted || !problem) return;
      this.problem = problem;
    } finally {
      if (this.#asking === asking) this.#asking = null;
      done();
    }
    this.#changed();
  }

  async #call({ width, smoothing, ...asked }: Question, signal: AbortSignal): Promise<Answer> {
    const { axis, range, log } = asked;
    const metrics = this.#spec.series.slice(0, MOST_SERIES).map(({ metric }) => metric);
    const params = { id: this.#spec.id, metrics, x: axis, range: null, steps: range, width, smoothing, log };
    if (this.#spec.kind === "heatmap") {
      const heat = await this.#session.client.call("chart.heatmap", params, { signal });
      return { ...asked, view: null, heat };
    }
    const view = await this.#session.client.call("chart.series", params, { signal });
    return { ...asked, view, heat: null };
  }
}
