/** The x axes of a run, read once: rows by step, by time, by time since the first row. */
import { type Placed, type SortedX, sortX } from "../core/chart/grid.ts";
import type { Column, Pace, RunModel, StepAxis } from "../core/run/model.ts";
import type { AxisView, XAxis } from "../protocol/run.ts";
import { warningViews } from "./problems.ts";
import { stateReason } from "./state.ts";

/** Newest rows that the pace is taken from: a run that slows down is judged by how fast it is now. */
const PACE_ROWS = 500;

/** Handed on from one opening of a folder to the next: a run that grows is not put in order anew. */
export interface KeptTimes {
  times: Placed | null;
}

export class RunAxes {
  readonly #model: RunModel;
  readonly #kept: KeptTimes;
  #axis: Promise<StepAxis> | null = null;
  #known: StepAxis | null = null;
  readonly #sorted = new Map<XAxis, SortedX>();
  #pace: Pace | undefined;
  /** The step of the row written last. */
  #last = "";

  constructor(model: RunModel, kept: KeptTimes = { times: null }) {
    this.#model = model;
    this.#kept = kept;
  }

  /** Rows of one step merged. A failure is not kept: the next question reads again. */
  async rows(): Promise<StepAxis> {
    this.#axis ??= this.#model.steps.axis("merged");
    try {
      this.#known = await this.#axis;
      return this.#known;
    } catch (error) {
      this.#axis = null;
      throw error;
    }
  }

  /** Rows without a time stamp have no place on a time axis; without any the axis is empty. */
  async sorted(x: XAxis): Promise<SortedX> {
    const axis = await this.rows();
    let sorted = this.#sorted.get(x);
    if (!sorted) {
      sorted = x === "time" ? this.#byTime(axis) : sort(axis, x);
      this.#sorted.set(x, sorted);
    }
    return sorted;
  }

  #byTime({ timestamp }: StepAxis): SortedX {
    if (!timestamp) return NO_TIMES;
    const { values, valid } = timestamp;
    const sorted = sortX(values, valid, this.#kept.times);
    this.#kept.times = { values, valid, sorted };
    return sorted;
  }

  /** Known once the rows were read, `undefined` before. */
  pace(): Pace | undefined {
    if (this.#known) this.#pace ??= paceOf(this.#known);
    return this.#pace;
  }

  /**
   * The step that a recording stops at which nobody closed: parts are left then. "" before `written` was read, and for any other.
   * It is the step written last, since a resumed run goes on below its highest.
   */
  stops(): string {
    const { layout } = this.#model;
    return layout === "parts" || layout === "both" ? this.#last : "";
  }

  /** The rows in the order in which they were written. */
  async written(): Promise<StepAxis> {
    const recorded = await this.#model.steps.axis("recorded");
    this.#last = stepText(recorded.step, recorded.rows - 1);
    return recorded;
  }

  /** @param nowMs milliseconds since the epoch */
  async view(nowMs: number): Promise<AxisView> {
    const axis = await this.rows();
    const recorded = await this.written();
    const time = await this.sorted("time");
    const lifecycle = this.#model.lifecycle(nowMs, this.pace());
    const last = axis.rows - 1;
    return {
      steps: axis.rows,
      rows: recorded.rows,
      first: numberAt(axis.step, 0),
      last: numberAt(axis.step, last),
      firstText: stepText(axis.step, 0),
      lastText: stepText(axis.step, last),
      hasTime: time.x.length > 0,
      timeFirst: time.x[0] ?? null,
      timeLast: time.x[time.x.length - 1] ?? null,
      warnings: warningViews(this.#model.warnings()),
      state: lifecycle.state,
      stateReason: stateReason(lifecycle, { stops: this.stops(), hasRecording: this.#model.hasRecording }),
    };
  }
}

const NO_TIMES: SortedX = { x: new Float64Array(0), rows: null };

function sort(axis: StepAxis, x: Exclude<XAxis, "time">): SortedX {
  if (x === "step") return sortX(axis.step.values, axis.step.valid);
  if (!axis.timestamp) return NO_TIMES;
  const { values, valid } = axis.timestamp;
  const start = values.find((value, row) => Number.isFinite(value) && valid?.[row] !== 0) ?? 0;
  return sortX(
    values.map((value) => value - start),
    valid,
  );
}

export function numberAt({ values, valid }: Column, row: number): number | null {
  const value = values[row];
  return value === undefined || valid?.[row] === 0 || !Number.isFinite(value) ? null : value;
}

/** All digits, where a number would round. */
export function stepText(step: Column, row: number): string {
  const exact = step.exact?.[row];
  if (exact !== undefined) return String(exact);
  const value = numberAt(step, row);
  return value === null ? "" : String(value);
}

/** From row to row, not from step to step: a run that logs every hundredth step writes as seldom. */
function paceOf({ timestamp, rows }: StepAxis): Pace {
  if (!timestamp) return { medianStepSeconds: null, lastStepTime: null };
  const gaps: number[] = [];
  let newest: number | null = null;
  for (let row = Math.max(0, rows - PACE_ROWS); row < rows; row++) {
    const time = numberAt(timestamp, row);
    const before = numberAt(timestamp, row - 1);
    if (time === null) continue;
    newest = Math.max(newest ?? time, time);
    if (before !== null && time > before) gaps.push(time - before);
  }
  gaps.sort((a, b) => a - b);
  return { medianStepSeconds: gaps[gaps.length >> 1] ?? null, lastStepTime: newest };
}
