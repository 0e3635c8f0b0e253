/** One open run as the page knows it: what was answered so far, and how it is asked for again. */
import { t } from "../src/protocol/l10n.ts";
import type { OpenState, PageAction } from "../src/protocol/page.ts";
import type { AtView, AxisView, CountsView, Overview, WarningView, XAxis } from "../src/protocol/run.ts";
import { isLive } from "../src/protocol/runs.ts";
import type { Problem } from "../src/protocol/wire.ts";
import { clampRange } from "./charts/domain.ts";
import { type PageClient, problemFrom } from "./client.ts";
import { Cursor } from "./cursor.ts";
import { Findings } from "./findings.ts";
import { Prefs } from "./prefs.ts";
import type { Ready } from "./ready.ts";
import { Samples } from "./samples/model.ts";
import type { Store, XRange } from "./state.ts";
import { visibleText } from "./text/visible.ts";

export type Phase =
  | { readonly state: "loading" }
  | OpenState
  /** The run is open, but its first answer failed. */
  | { readonly state: "failed"; readonly problem: Problem };

/** Narrower than this a stretch of steps is no picture. */
const LEAST_STEPS = 2;
/** Milliseconds without an answer of a chart after which the warnings are asked for again. */
const QUIET = 250;
/** Milliseconds after the header until findings are asked for, whatever the visible charts are still waiting for. */
export const PATIENCE = 450;

/** Milliseconds between two looks at the clock: a run that says nothing any more is another after a while. */
const CLOCK = 15_000;

/** What is asked of every run at once. */
interface FirstAnswers {
  readonly overview: Promise<Overview>;
  readonly axis: Promise<AxisView>;
  readonly prefs: Promise<void>;
}

export class Session {
  readonly client: PageClient;
  readonly store: Store;
  readonly ready: Ready;
  readonly cursor: Cursor;
  readonly prefs: Prefs;
  readonly findings: Findings;
  readonly samples: Samples;
  phase: Phase = { state: "loading" };
  overview: Overview | null = null;
  axis: AxisView | null = null;
  counts: CountsView | null = null;
  warnings: readonly WarningView[] = [];
  /** The reader was ended by something in this run, and does not read it again before a retry. */
  stopped: Problem | null = null;
  /** Something about the folder that is no fault and that nobody would guess; "" for nothing. */
  notice = "";
  /** Grows when everything has to be asked again. */
  epoch = 0;
  readonly #listeners = new Set<() => void>();
  #asking = false;
  #askAgain = false;
  #quiet: ReturnType<typeof setTimeout> | null = null;
  #clock: ReturnType<typeof setTimeout> | null = null;
  #early: FirstAnswers | null = null;
  /** The step that the host knows of. */
  #told: number | null = null;
  /** An opening that another one has overtaken has nothing to say any more. */
  #turn = 0;

  constructor(client: PageClient, store: Store, ready: Ready) {
    this.client = client;
    this.store = store;
    this.ready = ready;
    this.cursor = new Cursor(this);
    this.prefs = new Prefs(client, (error) => this.report(error));
    this.findings = new Findings(this);
    this.samples = new Samples(this);
    client.on("diagnosis", () => void this.findings.ask());
    client.on("focus", ({ finding }) => this.findings.show(finding));
    client.on("sample", ({ row, step }) => {
      if (row === null) void this.showStep(step);
      else this.samples.showSample(row, step);
    });
    client.on("reopened", () => this.#again(true));
    client.on("changed", ({ state }) => this.#changedOnDisk(state));
    client.on("stopped", ({ problem }) => {
      this.stopped = problem;
      this.#changed();
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What every run is asked is asked with the opening: the answers need not wait for the page. */
  start(): Promise<void> {
    return this.#open(() => {
      const opening = this.client.call("page.open", {});
      this.#early = this.#ask();
      return opening;
    });
  }

  retry(): Promise<void> {
    this.stopped = null;
    return this.#open(() => this.client.call("page.retry", {}));
  }

  openLoose(): Promise<void> {
    return this.#open(() => this.client.call("page.openLoose", {}));
  }

  /** First and last step; `null` while they are not known, and without any. */
  fullSteps(): XRange | null {
    const { first = null, last = null } = this.axis ?? {};
    return first === null || last === null ? null : [first, last];
  }

  /** Shows a part of the run everywhere, in whole steps; `null` shows everything again. */
  zoom(range: XRange | null): void {
    const full = this.fullSteps();
    const whole: XRange | null = range && [Math.round(range[0]), Math.round(range[1])];
    const next = whole && full ? clampRange(whole, full, LEAST_STEPS) : whole;
    this.store.dispatch({ type: "zoom", range: next });
    this.cursor.move(this.cursor.place.x);
  }

  /** The same for a stretch of the charts' x axis. */
  async zoomX(range: XRange | null): Promise<void> {
    const { x } = this.store.state;
    if (!range || x === "step") {
      this.zoom(range);
      return;
    }
    const [from, to] = await Promise.all(range.map((at) => this.#rowAt(at, x)));
    if (typeof from?.step === "number" && typeof to?.step === "number") this.zoom([from.step, to.step]);
  }

  /** Puts another measure on the x axis; the part of the run that is shown stays the same. */
  async changeAxis(x: XAxis): Promise<void> {
    const { x: from, pin } = this.store.state;
    if (x === from) return;
    this.cursor.pin(null);
    this.cursor.move(null);
    this.store.dispatch({ type: "axis", x });
    await this.#showPin(pin);
  }

  /** Points out a step everywhere; `null` lets go of it. What is shown moves along when the step lies outside. */
  async pick(step: number | null): Promise<void> {
    const { range } = this.store.state;
    this.store.dispatch({ type: "pin", step });
    if (step !== null && range && (step < range[0] || step > range[1])) {
      const reach = (range[1] - range[0]) / 2;
      this.zoom(this.#within([step - reach, step + reach]));
    }
    await this.#showPin(step);
  }

  /** The same, of the row nearest to a place on the charts' x axis. Picking it again lets go of it. */
  async pickX(at: number): Promise<void> {
    const row = await this.#rowAt(at, this.store.state.x);
    const step = row?.step ?? null;
    await this.pick(step === this.store.state.pin ? null : step);
  }

  /** Shows the charts around a step, with the crosshair on it. */
  async showStep(step: number): Promise<void> {
    this.store.dispatch({ type: "tab", tab: "charts" });
    const full = this.fullSteps();
    if (full) {
      const reach = Math.max(LEAST_STEPS, (full[1] - full[0]) * 0.05);
      this.zoom([step - reach, step + reach]);
    }
    await this.pick(step);
  }

  /** Moved into the run without changing its length. */
  #within([from, to]: XRange): XRange {
    const full = this.fullSteps();
    if (!full) return [from, to];
    const by = from < full[0] ? full[0] - from : Math.min(0, full[1] - to);
    return [from + by, to + by];
  }

  async #showPin(step: number | null): Promise<void> {
    const { x } = this.store.state;
    this.#tellPin(step);
    if (step === null || x === "step") {
      this.cursor.pin(step);
      return;
    }
    const place = await this.placeOf(step, x);
    // Another axis, or another step, may have been asked for meanwhile.
    if (this.store.state.x !== x || this.store.state.pin !== step) return;
    this.cursor.pin(place);
  }

  #tellPin(step: number | null): void {
    if (step === this.#told) return;
    this.#told = step;
    this.client.call("page.pinned", { step }).catch((error) => this.report(error));
  }

  /** Where a step stands on an axis; `null` when its time is not known. */
  async placeOf(step: number, x: XAxis): Promise<number | null> {
    if (x === "step") return step;
    const row = await this.#rowAt(step, "step");
    const time = row?.time ?? null;
    return time === null || x === "time" ? time : time - (this.axis?.timeFirst ?? 0);
  }

  async #rowAt(at: number, x: XAxis): Promise<AtView | null> {
    try {
      return await this.client.call("chart.at", { x, at, metrics: [] });
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  action(action: PageAction): void {
    this.client.call("page.action", action).catch((error: unknown) => this.report(error));
  }

  /** For the log; nothing more can be done about it here. */
  report(error: unknown): void {
    const problem = problemFrom(error);
    if (!problem) return;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : problem.message;
    this.client.call("page.report", { message: message.slice(0, 2000) }).catch(() => {});
  }

  /** Columns were read, which can find more: warnings are asked for when no more answers come for a while. */
  columnsRead(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void this.refreshWarnings(), QUIET);
  }

  /** Asks for the list of warnings again, one question at a time. */
  async refreshWarnings(): Promise<void> {
    this.#askAgain = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#askAgain) {
        this.#askAgain = false;
        const warnings = await this.client.call("run.warnings", {});
        if (JSON.stringify(warnings) === JSON.stringify(this.warnings)) continue;
        this.warnings = warnings;
        this.#changed();
      }
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

  /** @param asksFindings otherwise the host tells when they have to be asked for */
  async #enter(ask: () => Promise<OpenState>, asksFindings = true): Promise<void> {
    const turn = ++this.#turn;
    try {
      const opening = ask();
      const early = this.#early;
      this.#early = null;
      const answer = await opening;
      if (answer.state === "run") await this.#load(early ?? this.#ask(), asksFindings);
      if (turn !== this.#turn) return;
      this.phase = answer;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#fail(error);
    }
    this.#changed();
    this.#watchClock();
  }

  #ask(): FirstAnswers {
    const overview = this.client.call("run.overview", {});
    const axis = this.client.call("run.axis", {});
    // Of a run that is refused nobody waits for them.
    for (const answer of [overview, axis]) answer.catch(() => {});
    return { overview, axis, prefs: this.prefs.load() };
  }

  async #load(asked: FirstAnswers, asksFindings: boolean): Promise<void> {
    const [overview] = await Promise.all([asked.overview, asked.prefs]);
    // What is on the page is not taken back for what is known first: the axis says more of how a run stands.
    const isAgain = this.phase.state === "run" && this.overview !== null;
    const axis = isAgain ? await asked.axis.catch(() => null) : null;
    this.#compare(overview);
    this.overview = axis ? withState(overview, axis) : overview;
    if (isAgain) this.columnsRead();
    else this.warnings = overview.warnings;
    void this.#loadAxis(asked.axis, isAgain);
    void this.#loadCounts();
    if (overview.hasRecording && asksFindings) this.ready.afterwards(() => this.findings.ask(), PATIENCE);
  }

  /** Says when the folder has another recording than it had until now; what was chosen in the old one means nothing there. */
  #compare({ runId, createdAt }: Overview): void {
    const before = this.overview;
    if (!before) return;
    if (runId !== before.runId) {
      const [now, then] = [visibleText(runId, 80), visibleText(before.runId, 80)];
      this.notice = t("Another run lies in this folder now: {0}. Until now it was {1}.", now, then);
      this.findings.hide();
      if (this.store.state.range) this.store.dispatch({ type: "zoom", range: null });
      if (this.store.state.pin !== null) void this.pick(null);
    } else if (createdAt !== before.createdAt)
      this.notice = t("The recorder was started again in this folder.");
  }

  hideNotice(): void {
    this.notice = "";
    this.#changed();
  }

  /** Without any word from the disk a run is stalled or was killed after a while. */
  #watchClock(): void {
    if (this.#clock !== null) clearTimeout(this.#clock);
    this.#clock = null;
    const { phase, overview } = this;
    if (phase.state !== "run" || !overview || !isLive(overview.state)) return;
    this.#clock = setTimeout(() => void this.#lookAtClock(), CLOCK);
  }

  async #lookAtClock(): Promise<void> {
    const turn = this.#turn;
    try {
      const { state, stateReason } = await this.client.call("run.overview", {});
      if (turn !== this.#turn || !this.overview) return;
      this.overview = { ...this.overview, state, stateReason };
      this.#changed();
    } catch (error) {
      this.report(error);
    }
    if (turn === this.#turn) this.#watchClock();
  }

  #fail(error: unknown): void {
    const problem = problemFrom(error);
    if (problem) this.phase = { state: "failed", problem };
    this.report(error);
  }

  async #loadAxis(axis: Promise<AxisView>, isAgain: boolean): Promise<void> {
    const done = this.ready.begin();
    try {
      this.axis = await axis;
      if (!isAgain) this.warnings = this.axis.warnings;
      if (this.overview) this.overview = withState(this.overview, this.axis);
      this.#changed();
      if (this.store.state.pin !== null) void this.#showPin(this.store.state.pin);
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
  async #again(asksFindings: boolean): Promise<void> {
    if (this.phase.state === "refused" || this.phase.state === "empty") return;
    this.epoch++;
    await this.#enter(async () => ({ state: "run" }), asksFindings);
  }

  /** Other files now, or none: a run is asked for again quietly, and what was refused is tried anew. */
  #changedOnDisk(state: OpenState["state"]): void {
    this.stopped = null;
    if (this.phase.state === "run" && state === "run") void this.#again(false);
    else void this.#open(() => this.client.call("page.open", {}));
  }
}

/** Time stamps tell a slow run and a copied folder from a living one. */
function withState(overview: Overview, { state, stateReason }: AxisView): Overview {
  return state === undefined || stateReason === undefined ? overview : { ...overview, state, stateReason };
}
