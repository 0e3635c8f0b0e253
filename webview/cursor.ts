/**
 * The crosshair that all charts share, the step that was pointed out, and the stretch that is being marked for a zoom.
 */
import type { AtView } from "../src/protocol/run.ts";
import { SharedCrosshair, type Values } from "./crosshair.ts";
import type { Session } from "./session.ts";

export type { Crosshair, CursorListener, CursorPlace, Values } from "./crosshair.ts";

/** A question may name this many metrics. */
const MOST_METRICS = 4096;

export class Cursor extends SharedCrosshair {
  readonly #session: Session;

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  protected override situation(): string {
    return `${this.#session.store.state.x} ${this.#session.epoch}`;
  }

  protected override async answer(
    x: number,
    wanted: readonly string[],
  ): Promise<{ at: AtView; values: Values } | null> {
    const metrics = wanted.slice(0, MOST_METRICS);
    const axis = this.#session.store.state.x;
    const at = await this.#session.client.call("chart.at", { x: axis, at: x, metrics });
    if (axis !== this.#session.store.state.x) return null;
    return { at, values: new Map(metrics.map((metric, i) => [metric, at.values[i] ?? null])) };
  }

  protected override report(error: unknown): void {
    this.#session.report(error);
  }
}
