/** One comparison as the page knows it: what was answered so far, and how it is asked for again. */
import type { Alignment, CompareOverview, PairView } from "../../src/protocol/compare.ts";
import type {
  CompareAction,
  CompareMember,
  ComparePageContract,
  comparePageNotices,
} from "../../src/protocol/compare-page.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { clampRange } from "../charts/domain.ts";
import { type Connection, problemFrom } from "../client.ts";
import type { Ready } from "../ready.ts";
import type { XRange } from "../state.ts";
import { Asked } from "./asked.ts";
import { CompareCursor } from "./cursor.ts";
import type { CompareStore } from "./state.ts";

export type CompareClient = Connection<ComparePageContract, typeof comparePageNotices>;

export type ComparePhase =
  | { readonly state: "loading" }
  /** Fewer than two runs could be opened. */
  | { readonly state: "few" }
  | { readonly state: "open" }
  | { readonly state: "failed"; readonly problem: Problem };

/** Milliseconds that a threshold has to stand still before runs are compared with it. */
const SETTLED = 150;
/** So many pairs are compared unasked, one after another. */
const MOST_PAIRS = 12;

export class CompareSession {
  readonly client: CompareClient;
  readonly store: CompareStore;
  readonly ready: Ready;
  readonly cursor: CompareCursor;
  phase: ComparePhase = { state: "loading" };
  members: readonly CompareMember[] = [];
  /** Those of the comparison by their numbers. */
  runs: readonly CompareMember[] = [];
  ignore: readonly string[] = [];
  overview: CompareOverview | null = null;
  /** The reader was ended by something in one of the runs. */
  stopped: Problem | null = null;
  /** First and last place of the axis; `null` while they are not known. */
  full: XRange | null = null;
  /** Grows when everything has to be asked again, and when diagnoses have to. */
  epoch = 0;
  diagnosisEpoch = 0;
  /** Places of colours by run number. */
  #slots: readonly number[] = [];
  #shown: {
    readonly hidden: readonly string[];
    readonly of: readonly CompareMember[];
    readonly numbers: readonly number[];
  } | null = null;
  readonly #pairs = new Map<string, Asked<PairView>>();
  readonly #listeners = new Set<() => void>();
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #overtaken: () => void = () => {};
  #align: Alignment;

  constructor(client: CompareClient, store: CompareStore, ready: Ready) {
    this.client = client;
    this.store = store;
    this.ready = ready;
    this.cursor = new CompareCursor(this);
    this.#align = store.state.options.align;
    client.on("changed", () => void this.#again());
    client.on("diagnosis", () => {
      this.diagnosisEpoch++;
      this.changed();
    });
    client.on("stopped", ({ problem }) => {
      this.stopped = problem;
      this.changed();
    });
    store.subscribe((state, change) => {
      if (change.options) this.#optionsChanged();
      if (change.other !== undefined) this.#askPairs();
      if (change.pin !== undefined || change.options) this.cursor.pin(state.pin);
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async start(): Promise<void> {
    const done = this.ready.begin();
    await this.#enter();
    if (this.store.state.pin !== null) this.cursor.pin(this.store.state.pin);
    done();
  }

  get lost(): readonly CompareMember[] {
    return this.members.filter(({ run }) => run === null);
  }

  /** The run whose pair with the baseline is told of. */
  get other(): number {
    const { other } = this.store.state;
    const found = this.members.find(({ uri, run }) => uri === other && run !== null && run > 0);
    return found?.run ?? 1;
  }

  /** What is known of a pair; the answer to earlier thresholds until there is another. */
  pair(other = this.other): Asked<PairView> {
    const uri = this.runs[other]?.uri ?? "";
    let pair = this.#pairs.get(uri);
    if (!pair) {
      pair = new Asked<PairView>(() => this.#paired());
      this.#pairs.set(uri, pair);
    }
    return pair;
  }

  /** Numbers of the runs whose curves are drawn. Asked with every move of the crosshair. */
  shown(): readonly number[] {
    const { hidden } = this.store.state;
    if (this.#shown?.hidden !== hidden || this.#shown.of !== this.runs) {
      const numbers = this.runs.flatMap(({ uri, run }) =>
        run === null || hidden.includes(uri) ? [] : [run],
      );
      this.#shown = { hidden, of: this.runs, numbers };
    }
    return this.#shown.numbers;
  }

  /** Place of a run's colour and dash, which it keeps whatever the order of the runs. */
  slot(run: number): number {
    return this.#slots[run] ?? 0;
  }

  /** Shows a part of the axis everywhere; `null` shows everything again. */
  zoom(range: XRange | null): void {
    const whole: XRange | null =
      range && this.store.state.options.align !== "time"
        ? [Math.round(range[0]), Math.round(range[1])]
        : range;
    const next = whole && this.full ? clampRange(whole, this.full, 2) : whole;
    this.store.change({ range: next });
    this.cursor.move(this.cursor.place.x);
  }

  /** Every chart around a place, with the crosshair on it. */
  showAt(x: number): void {
    const { full } = this;
    if (full) {
      const reach = Math.max(3, (full[1] - full[0]) * 0.1);
      this.zoom([x - reach, x + reach]);
    }
    this.store.change({ pin: x });
  }

  /** Points out a place; picking it again lets go of it. */
  pick(x: number | null): void {
    const at = x === null || this.store.state.options.align === "time" ? x : Math.round(x);
    this.store.change({ pin: at === this.store.state.pin ? null : at });
  }

  /** The axis reaches as far as anything that was seen on it. */
  sawAxis([from, to]: XRange): void {
    const { full } = this;
    if (full && full[0] <= from && full[1] >= to) return;
    this.full = full ? [Math.min(full[0], from), Math.max(full[1], to)] : [from, to];
    this.changed();
  }

  action(action: CompareAction): void {
    this.client.call("page.action", action).catch((error: unknown) => this.report(error));
  }

  /** For the log; nothing more can be done about it here. */
  report(error: unknown): void {
    const problem = problemFrom(error);
    if (!problem) return;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : problem.message;
    this.client.call("page.report", { message: message.slice(0, 2000) }).catch(() => {});
  }

  async #enter(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const { members, ignore } = await this.client.call("page.open", {});
      if (turn !== this.#turn) return;
      this.#took(members, ignore);
      if (this.runs.length < 2) this.phase = { state: "few" };
      else {
        this.#askPairs();
        const overview = await this.client.call("compare.overview", {});
        if (turn !== this.#turn) return;
        this.overview = overview;
        this.phase = { state: "open" };
      }
    } catch (error) {
      const problem = problemFrom(error);
      if (turn !== this.#turn || !problem) return;
      this.phase = { state: "failed", problem };
      this.report(error);
    }
    this.changed();
  }

  #took(members: readonly CompareMember[], ignore: readonly string[]): void {
    const before = this.runs.map(({ uri }) => uri).join("\n");
    this.members = members;
    this.runs = members.filter(({ run }) => run !== null).toSorted((a, b) => (a.run ?? 0) - (b.run ?? 0));
    this.ignore = ignore;
    const uris = members.map(({ uri }) => uri);
    const known = this.store.state.slots;
    const slots = [...known, ...uris.filter((uri) => !known.includes(uri))];
    this.#slots = this.runs.map(({ uri }) => slots.indexOf(uri));
    this.store.change({ uris, slots });
    const now = this.runs.map(({ uri }) => uri).join("\n");
    if (before === now) return;
    // Another baseline makes all pairs others; runs of other lengths make another axis.
    this.#pairs.clear();
    this.full = null;
  }

  /** Quietly: what is on the page stays until its answer is there. */
  async #again(): Promise<void> {
    this.stopped = null;
    this.epoch++;
    this.diagnosisEpoch++;
    await this.#enter();
  }

  /** A slider says many things a second: what it says last is asked. */
  #optionsChanged(): void {
    const { align } = this.store.state.options;
    // Places of another axis are none of this one.
    if (align !== this.#align) this.full = null;
    this.#align = align;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const done = this.ready.begin();
    this.#overtaken();
    this.#overtaken = done;
    this.#timer = setTimeout(() => {
      this.#askPairs();
      this.changed();
      done();
    }, SETTLED);
  }

  /** The pair that is told of first, then the others one at a time. */
  #askPairs(): void {
    if (this.runs.length < 2) return;
    const { options } = this.store.state;
    const key = JSON.stringify([options, this.epoch]);
    const ask = (other: number, begin: () => () => void): void =>
      this.pair(other).ask(
        key,
        (signal) => this.client.call("compare.metrics", { other, options }, { signal }),
        begin,
      );
    const pair = this.pair();
    ask(this.other, () => this.ready.begin());
    if (pair.busy || this.runs.length > MOST_PAIRS) return;
    for (let other = 1; other < this.runs.length; other++) {
      if (this.pair(other).problem) continue;
      ask(other, () => () => {});
      if (this.pair(other).busy) return;
    }
  }

  #paired(): void {
    const { answer } = this.pair();
    for (const { early, late } of answer?.metrics ?? []) {
      if (early && late && answer?.align === this.store.state.options.align)
        this.sawAxis([early[0], late[1]]);
    }
    this.#askPairs();
    this.changed();
  }
}
