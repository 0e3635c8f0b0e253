/** One open run as the page knows it: what was answered so far, and how it is asked for again. */
import type { OpenState } from "../src/protocol/page.ts";
import type { AxisView, CountsView, Overview, WarningView, XAxis } from "../src/protocol/run.ts";
import type { Problem } from "../src/protocol/wire.ts";
import { clampRange } from "./charts/domain.ts";
import { type PageClient, problemFrom } from "./client.ts";
import { Cursor } from "./cursor.ts";
import type { Ready } from "./ready.ts";
import type { Store, XRange } from "./state.ts";

export type PageAction = "openRun" | "openDemo" | "showLog" | "openAsText" | "revealFolder" | "copyPath";

export type Phase =
  | { readonly state: "loading" }
  | OpenState
  /** The run is open, but its first answer failed. */
  | { readonly state: "failed"; readonly problem: Problem };

export class Session {
  readonly client: PageClient;
  readonly store: Store;
  readonly ready: Ready;
  readonly cursor: Cursor;
  phase: Phase = { state: "loading" };
  overview: Overview | null = null;
  axis: AxisView | null = null;
  counts: CountsView | null = null;
  warnings: readonly WarningView[] = [];
  /** Grows when everything has to be asked again. */
  epoch = 0;
  readonly #listeners = new Set<() => void>();
  #asking = false;
  /** An opening that another one has overtaken has nothing to say any more. */
  #turn = 0;

  constructor(client: PageClient, store: Store, ready: Ready) {
    this.client = client;
    this.store = store;
    this.ready = ready;
    this.cursor = new Cursor(this);
    client.on("reopened", () => this.#again());
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): Promise<void> {
    return this.#open(() => this.client.call("page.open", {}));
  }

  retry(): Promise<void> {
    return this.#open(() => this.client.call("page.retry", {}));
  }

  openLoose(): Promise<void> {
    return this.#open(() => this.client.call("page.openLoose", {}));
  }

  /** The whole run in units of the x axis; `null` while it is not known. */
  fullX(x: XAxis = this.store.state.x): XRange | null {
    const { first = null, last = null, timeFirst = null, timeLast = null } = this.axis ?? {};
    if (x === "step") return first === null || last === null ? null : [first, last];
    if (timeFirst === null || timeLast === null) return null;
    return x === "time" ? [timeFirst, timeLast] : [0, timeLast - timeFirst];
  }

  /** Zooms all charts; `null` shows everything again. */
  zoom(range: XRange | null): void {
    const full = this.fullX();
    const least = this.store.state.x === "step" || !full ? 2 : (full[1] - full[0]) * 1e-7;
    const next = range && full ? clampRange(range, full, least) : range;
    this.store.dispatch({ type: "zoom", range: next });
    this.cursor.move(this.cursor.place.x);
  }

  /** Puts another measure on the x axis and keeps the zoomed part of the run where it is. */
  async changeAxis(x: XAxis): Promise<void> {
    const { x: from, range } = this.store.state;
    if (x === from) return;
    this.cursor.move(null);
    const moved = range ? await this.#translate(range, from, x) : null;
    this.store.dispatch({ type: "axis", x, range: moved });
  }

  async #translate(range: XRange, from: XAxis, to: XAxis): Promise<XRange | null> {
    try {
      const ends = await Promise.all(
        range.map((at) => this.client.call("chart.at", { x: from, at, metrics: [] })),
      );
      const [a, b] = ends.map(({ step, time }) =>
        to === "step"
          ? step
          : time === null
            ? null
            : to === "time"
              ? time
              : time - (this.axis?.timeFirst ?? 0),
      );
      return a === null || a === undefined || b === null || b === undefined || a === b ? null : [a, b];
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  /** Shows the charts around a step, with the crosshair on it. */
  async showStep(step: number): Promise<void> {
    const { x } = this.store.state;
    this.store.dispatch({ type: "tab", tab: "charts" });
    const at = await this.#place(step, x);
    const full = this.fullX();
    if (at === null) return;
    if (full) {
      const reach = (full[1] - full[0]) * 0.05;
      this.zoom([at - reach, at + reach]);
    }
    this.cursor.move(at);
  }

  async #place(step: number, x: XAxis): Promise<number | null> {
    if (x === "step") return step;
    try {
      const { time } = await this.client.call("chart.at", { x: "step", at: step, metrics: [] });
      return time === null || x === "time" ? time : time - (this.axis?.timeFirst ?? 0);
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  action(action: PageAction): void {
    this.client.call("page.action", { action }).catch((error: unknown) => this.report(error));
  }

  /** For the log; nothing more can be done about it here. */
  report(error: unknown): void {
    const problem = problemFrom(error);
    if (!problem) return;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : problem.message;
    this.client.call("page.report", { message: message.slice(0, 2000) }).catch(() => {});
  }

  /** Reading columns can find more: asks for the list of warnings again, one question at a time. */
  async refreshWarnings(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.warnings = await this.client.call("run.warnings", {});
      this.#changed();
    } catch (error) {
      this.report(error);
    } finally {
      this.#asking = false;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #open(ask: () => Promise<OpenState>): Promise<void> {
    const done = this.ready.begin();
    this.phase = { state: "loading" };
    this.#changed();
    await this.#enter(ask);
    done();
  }

  async #enter(ask: () => Promise<OpenState>): Promise<void> {
    const turn = ++this.#turn;
    try {
      const answer = await ask();
      if (answer.state === "run") await this.#load();
      if (turn !== this.#turn) return;
      this.phase = answer;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#fail(error);
    }
    this.#changed();
  }

  async #load(): Promise<void> {
    this.overview = await this.client.call("run.overview", {});
    this.warnings = this.overview.warnings;
    void this.#loadAxis();
    void this.#loadCounts();
  }

  #fail(error: unknown): void {
    const problem = problemFrom(error);
    if (problem) this.phase = { state: "failed", problem };
    this.report(error);
  }

  async #loadAxis(): Promise<void> {
    const done = this.ready.begin();
    try {
      this.axis = await this.client.call("run.axis", {});
      this.warnings = this.axis.warnings;
      // Time stamps tell a slow run and a copied folder from a living one.
      const { state, stateReason } = this.axis;
      if (this.overview && state !== undefined && stateReason !== undefined)
        this.overview = { ...this.overview, state, stateReason };
      this.#changed();
    } catch (error) {
      this.report(error);
      await this.refreshWarnings();
    }
    done();
  }

  /** Not waited for: a long run has tens of thousands of sample files to look into. */
  async #loadCounts(): Promise<void> {
    if (this.overview?.shardCount === 0) return;
    try {
      this.counts = await this.client.call("run.counts", {});
      this.warnings = this.counts.warnings;
      this.#changed();
    } catch (error) {
      this.report(error);
    }
  }

  /** The worker was replaced: the same questions again, while what is on the page stays. */
  async #again(): Promise<void> {
    if (this.phase.state === "refused" || this.phase.state === "empty") return;
    this.epoch++;
    await this.#enter(async () => ({ state: "run" }));
  }
}
