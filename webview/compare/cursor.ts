/** The crosshair of the compare editor: values of every run at one place of the axis. */
import type { AtView } from "../../src/protocol/run.ts";
import { SharedCrosshair, type Values } from "../crosshair.ts";
import type { CompareSession } from "./session.ts";

const MOST_METRICS = 256;

/** The row of one run under the crosshair. */
export interface RowAt {
  readonly step: string;
  readonly x: number | null;
}

/** A value of one run's metric. Metrics can hold any character: the number is read up to the first space. */
export const keyOf = (run: number, metric: string): string => `${run} ${metric}`;
const metricOf = (key: string): string => key.slice(key.indexOf(" ") + 1);

export class CompareCursor extends SharedCrosshair {
  readonly #session: CompareSession;
  /** By run number. */
  rows: readonly RowAt[] = [];

  constructor(session: CompareSession) {
    super();
    this.#session = session;
  }

  protected override situation(): string {
    return `${this.#session.store.state.options.align} ${this.#session.epoch}`;
  }

  protected override async answer(
    x: number,
    wanted: readonly string[],
  ): Promise<{ at: AtView; values: Values } | null> {
    const { align } = this.#session.store.state.options;
    const metrics = [...new Set(wanted.map(metricOf))].slice(0, MOST_METRICS);
    const rows = await this.#session.client.call("compare.at", { align, at: x, metrics });
    if (align !== this.#session.store.state.options.align) return null;
    this.rows = rows;
    const values = new Map(
      rows.flatMap(({ values }, run) => metrics.map((metric, i) => [keyOf(run, metric), values[i] ?? null])),
    );
    const first = rows.find((row) => row.x !== null);
    const at = { step: null, stepText: first?.step ?? "", x: first?.x ?? null, time: null, values: [] };
    return { at, values };
  }

  protected override report(error: unknown): void {
    this.#session.report(error);
  }
}
