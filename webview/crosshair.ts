/** What all charts of a page share of a crosshair, whatever its values are asked of. */
import type { AtView } from "../src/protocol/run.ts";
import type { XRange } from "./state.ts";

export interface CursorPlace {
  /** In units of the x axis; `null` when there is no crosshair. Without a pointer it stands where the pin is. */
  readonly x: number | null;
  /** Where the step is that was pointed out, in units of the x axis; `null` without one. */
  readonly pin: number | null;
  /** Both ends of what is being marked. */
  readonly brush: XRange | null;
}

/** Values by what was asked for: `undefined` when not asked, `null` where nothing was written. */
export type Values = ReadonlyMap<string, number | null>;

export interface CursorListener {
  /** What the listener wants values of: metrics, or whatever the crosshair's page names them by. */
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

interface Answer {
  readonly at: AtView;
  readonly values: Values;
}

/** The last exact answer, and what it was asked for. */
interface Known extends Answer {
  readonly x: number;
  readonly situation: string;
}

/** Where it stands is shown at once; exact values of the nearest row are asked for, one question at a time. */
export abstract class SharedCrosshair implements Crosshair {
  place: CursorPlace = { x: null, pin: null, brush: null };
  readonly #listeners = new Set<CursorListener>();
  #asking = false;
  #stale = false;
  #known: Known | null = null;

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

  /** At once where they are known. */
  again(listener: CursorListener): void {
    const { x } = this.place;
    if (x === null) return;
    const known = this.#known;
    const isSame = known?.x === x && known.situation === this.situation();
    if (known && isSame && listener.metrics().every((metric) => known.values.has(metric)))
      listener.exact(known.at, known.values);
    else void this.#ask();
  }

  /** What an answer holds for beside its place: another axis or a run opened anew make it another question. */
  protected abstract situation(): string;
  /** @param wanted what the listeners want values of; `null` where it is of no use any more */
  protected abstract answer(x: number, wanted: readonly string[]): Promise<Answer | null>;
  protected abstract report(error: unknown): void;

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
      this.report(error);
    } finally {
      this.#asking = false;
    }
  }

  async #askOnce(x: number): Promise<void> {
    const wanted = new Set<string>();
    for (const listener of this.#listeners) for (const metric of listener.metrics()) wanted.add(metric);
    const situation = this.situation();
    const answer = await this.answer(x, [...wanted]);
    // The crosshair may have gone or the axis changed meanwhile: then this answers another question.
    if (!answer || this.place.x === null) return;
    this.#known = { x, situation, ...answer };
    for (const listener of this.#listeners) listener.exact(answer.at, answer.values);
  }
}
