/**
 * The crosshair that all charts share, the step that was pointed out, and the stretch that is being marked for a zoom. Where it stands is shown at
 * once; exact values of the nearest row are asked for, one question at a time.
 */
import type { AtView, XAxis } from "../src/protocol/run.ts";
import type { Session } from "./session.ts";
import type { XRange } from "./state.ts";

/** A question may name this many metrics. */
const MOST_METRICS = 4096;

export interface CursorPlace {
  /** In units of the x axis; `null` when there is no crosshair. Without a pointer it stands where the pin is. */
  readonly x: number | null;
  /** Where the step is that was pointed out, in units of the x axis; `null` without one. */
  readonly pin: number | null;
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

/** What a chart needs of a crosshair. */
export interface Crosshair {
  readonly place: CursorPlace;
  /** @returns how to stop */
  listen(listener: CursorListener): () => void;
  move(x: number | null, brush?: XRange | null): void;
  /** Who was drawn anew gets the exact values of the crosshair's row again. */
  again(listener: CursorListener): void;
}

/** The last exact answer, and what it was asked for. */
interface Known {
  readonly x: number;
  readonly axis: XAxis;
  readonly epoch: number;
  readonly at: AtView;
  readonly values: Values;
}

export class Cursor implements Crosshair {
  place: CursorPlace = { x: null, pin: null, brush: null };
  readonly #session: Session;
  readonly #listeners = new Set<CursorListener>();
  #asking = false;
  #stale = false;
  #known: Known | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  listen(listener: CursorListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  move(x: number | null, brush: XRange | null = null): void {
    const { pin } = this.place;
    this.#put({ x: x ?? pin, pin, brush });
  }

  /** Sets the pin, and the crosshair on it; or takes it away, and a crosshair that stood on it. */
  pin(x: number | null): void {
    const { place } = this;
    this.#put({ x: x ?? (place.x === place.pin ? null : place.x), pin: x, brush: null });
  }

  /** Who was drawn anew gets the exact values of the crosshair's row again: at once where they are known. */
  again(listener: CursorListener): void {
    const { x } = this.place;
    if (x === null) return;
    const known = this.#known;
    const isSame =
      known?.x === x && known.axis === this.#session.store.state.x && known.epoch === this.#session.epoch;
    if (known && isSame && listener.metrics().every((metric) => known.values.has(metric)))
      listener.exact(known.at, known.values);
    else void this.#ask();
  }

  #put(place: CursorPlace): void {
    this.place = place;
    for (const listener of this.#listeners) listener.moved(place);
    if (place.x !== null) void this.#ask();
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
    const { epoch } = this.#session;
    const at = await this.#session.client.call("chart.at", { x: axis, at: x, metrics });
    // The crosshair may have gone or the axis changed meanwhile: then this answers another question.
    if (this.place.x === null || axis !== this.#session.store.state.x) return;
    const values = new Map(metrics.map((metric, i) => [metric, at.values[i] ?? null]));
    this.#known = { x, axis, epoch, at, values };
    for (const listener of this.#listeners) listener.exact(at, values);
  }
}
