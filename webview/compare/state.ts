/** What the compare editor's page remembers when it is hidden or the window reloads. */
import * as z from "zod/mini";
import { CompareOptions, DEFAULT_COMPARE } from "../../src/protocol/compare.ts";
import { Kept, type Memory } from "../kept.ts";

const Range = z.tuple([z.number(), z.number()]);
const Uris = z.array(z.string());

/** Sections of the page, in order. */
export const SECTIONS = ["metrics", "configuration", "prompts", "findings", "records"] as const;
export type SectionId = (typeof SECTIONS)[number];

export const CompareState = z.object({
  v: z.literal(1),
  /** Addresses of the runs, the baseline first: what the host opens again after a reload. */
  uris: Uris,
  options: CompareOptions,
  /** The part that is shown, in units of the x axis; `null` is everything. */
  range: z.nullable(Range),
  /** The place that somebody pointed out. */
  pin: z.nullable(z.number()),
  /** Address of the run whose pair with the baseline is told of; "" is the first. */
  other: z.string(),
  /** Addresses by their place among colours and dashes: a run keeps its own when others come, go and change places. */
  slots: Uris,
  /** Addresses of runs whose curves are not drawn. */
  hidden: Uris,
  /** The metric that is shown large, with its gap. */
  large: z.nullable(z.string()),
  onlyDiverged: z.boolean(),
  /** Metrics that track are listed to the last. */
  all: z.boolean(),
  metricFilter: z.string(),
  smoothing: z.number().check(z.gte(0), z.lt(1)),
  log: z.boolean(),
  fullRange: z.boolean(),
  /** Metrics of single charts that are the other way. */
  full: z.array(z.string()),
  onlyDifferences: z.boolean(),
  showIgnored: z.boolean(),
  configFilter: z.string(),
  promptOffset: z.int().check(z.gte(0)),
  /** Pixels scrolled. */
  scroll: z.number(),
});
export type CompareState = z.infer<typeof CompareState>;

export const INITIAL: CompareState = {
  v: 1,
  uris: [],
  options: DEFAULT_COMPARE,
  range: null,
  pin: null,
  other: "",
  slots: [],
  hidden: [],
  large: null,
  onlyDiverged: false,
  all: false,
  metricFilter: "",
  smoothing: 0,
  log: false,
  fullRange: false,
  full: [],
  onlyDifferences: true,
  showIgnored: false,
  configFilter: "",
  promptOffset: 0,
  scroll: 0,
};

/** What was stored, or the initial state when that is of another version or damaged. */
export function restore(stored: unknown): CompareState {
  const parsed = z.safeParse(CompareState, stored);
  return parsed.success ? parsed.data : INITIAL;
}

export type Change = Partial<Omit<CompareState, "v">>;

/** What follows from a change: places of another axis mean nothing any more, nor does a page of another pair's list. */
export function changed(state: CompareState, change: Change): CompareState {
  const next = { ...state, ...change };
  if (next.options.align !== state.options.align) {
    next.range = null;
    next.pin = null;
  }
  if (next.other !== state.other || next.uris.join("\n") !== state.uris.join("\n"))
    next.promptOffset = change.promptOffset ?? 0;
  return next;
}

/** Holds the state and tells who listens. */
export class CompareStore {
  readonly #kept: Kept<CompareState>;
  readonly #listeners = new Set<(state: CompareState, change: Change) => void>();

  constructor(memory: Memory) {
    this.#kept = new Kept(memory, restore);
  }

  get state(): CompareState {
    return this.#kept.state;
  }

  change(change: Change): void {
    this.#kept.state = changed(this.state, change);
    for (const listener of this.#listeners) listener(this.state, change);
  }

  subscribe(listener: (state: CompareState, change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  flush(): void {
    this.#kept.flush();
  }
}

export const toggled = (list: readonly string[], item: string): string[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
