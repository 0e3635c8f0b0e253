/**
 * The crosshair that all charts share, and the stretch that is being marked for a zoom. Where it stands is shown at
 * once; exact values of the nearest row are asked for, one question at a time.
 */
import type { AtView } from "../src/protocol/run.ts";
import type { Session } from "./session.ts";
import type { XRange } from "./state.ts";

/** A question may name this many metrics. */
const MOST_METRICS = 4096;

export interface CursorPlace {
  /** In units of the x axis; `null` when there is no crosshair. */
  readonly x: number | null;
  /** Both ends of what is being marked. */
  readonly brush: XRange | null;
}

/** Values by metric: `undefined` when not asked, `null` where nothing was written. */
export type Values = ReadonlyMap<string, number | null>;

export interface CursorListener {
  /** What the listener wants values of. */
  metrics(): readonly string[];
  /** The crosshair moved. */
  moved(place: CursorPlace): void;
  /** Exact values of the row nearest to the crosshair. */
  exact(at: AtView, values: Values): void;
}

export class Cursor {
  place: CursorPlace = { x: null, brush: null };
  readonly #session: Session;
  readonly #listeners = new Set<CursorListener>();
  #asking = false;
  #stale = false;

  constructor(session: Session) {
    this.#session = session;
  }

  listen(listener: CursorListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  move(x: number | null, brush: XRange | null = null): void {
    this.place = { x, brush };
    for (const listener of this.#listeners) listener.moved(this.place);
    if (x !== null) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#stale = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#stale && this.place.x !== null) {
        this.#stale = false;
        await this.#askOnce(this.place.x);
      }
    } catch (error) {
      this.#session.report(error);
    } finally {
      this.#asking = false;
    }
  }

  async #askOnce(x: number): Promise<void> {
    const wanted = new Set<string>();
    for (const listener of this.#listeners) for (const metric of listener.metrics()) wanted.add(metric);
    const metrics = [...wanted].slice(0, MOST_METRICS);
    const axis = this.#session.store.state.x;
    const at = await this.#session.client.call("chart.at", { x: axis, at: x, metrics });
    // The crosshair may have gone or the axis changed meanwhile: then this answers another question.
    if (this.place.x === null || axis !== this.#session.store.state.x) return;
    const values = new Map(metrics.map((metric, i) => [metric, at.values[i] ?? null]));
    for (const listener of this.#listeners) listener.exact(at, values);
  }
}
