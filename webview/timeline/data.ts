/** What the timeline shows: asked for its width, again when the run is; an older question is taken back. */
import type { DensityView, TimelineView } from "../../src/protocol/run.ts";
import type { Session } from "../session.ts";
import { barsIn } from "./picture.ts";

const MOST_COLUMNS = 4096;

export class TimelineData {
  view: TimelineView | null = null;
  density: DensityView | null = null;
  readonly #session: Session;
  readonly #changed: () => void;
  #keys = { view: "", density: "" };
  #asking: AbortController | null = null;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Asks unless it was asked before. @param width CSS pixels */
  ask(width: number): void {
    const columns = Math.min(MOST_COLUMNS, Math.floor(width));
    if (columns < 1) return;
    const key = `${columns} ${this.#session.epoch}`;
    if (key !== this.#keys.view) {
      this.#keys.view = key;
      // Behind the questions of the charts that come into sight with this frame: those are looked at first.
      const done = this.#session.ready.begin();
      const ask = async (): Promise<void> => {
        if (this.#keys.view === key) await this.#fetch(columns);
        done();
      };
      requestAnimationFrame(() => setTimeout(() => void ask()));
    }
    // Not before the samples are counted: the run's first picture comes before their density.
    const steps = this.#session.fullSteps();
    if (steps && (this.#session.counts?.samples ?? 0) > 0 && key !== this.#keys.density) {
      this.#keys.density = key;
      void this.#fetchDensity(barsIn(columns, steps));
    }
  }

  stop(): void {
    this.#asking?.abort();
    this.#keys = { view: "", density: "" };
  }

  async #fetch(width: number): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const view = await this.#session.client.call("run.timeline", { width }, { signal: asking.signal });
      if (!asking.signal.aborted) this.view = view;
    } catch (error) {
      this.#session.report(error);
    }
    this.#changed();
  }

  async #fetchDensity(width: number): Promise<void> {
    try {
      this.density = await this.#session.client.call("run.density", { width });
      this.#changed();
    } catch (error) {
      this.#session.report(error);
    }
  }
}
