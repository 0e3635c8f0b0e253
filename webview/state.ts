/** What the page remembers when it is hidden or the window reloads: small, checked on the way in, changed by actions. */
import * as z from "zod/mini";
import { XAxis } from "../src/protocol/run.ts";
import { Kept, type Memory } from "./kept.ts";
import { changeSamples, INITIAL_SAMPLES, SamplesState } from "./samples/state.ts";

export const TABS = ["charts", "samples", "events", "configuration", "records"] as const;
export const TabId = z.enum(TABS);
export type TabId = z.infer<typeof TabId>;

const Range = z.tuple([z.number(), z.number()]);
export type XRange = z.infer<typeof Range>;

export const ViewState = z.object({
  v: z.literal(1),
  tab: TabId,
  x: XAxis,
  /** The part of the run that is shown, in steps, whatever stands on x; `null` is everything. */
  range: z.nullable(Range),
  /** The step that somebody pointed out; `null` for none. */
  pin: z.nullable(z.number()),
  /** Pixels scrolled, by tab. */
  scroll: z.partialRecord(TabId, z.number()),
  /** Ids of folded groups of charts. */
  closed: z.array(z.string()),
  /** What the charts are filtered by. */
  metricFilter: z.string(),
  /** Every chart shows its whole range. */
  fullRange: z.boolean(),
  /** Ids of single charts that do. */
  full: z.array(z.string()),
  /** Every chart's y axis is logarithmic. */
  log: z.boolean(),
  /** Ids of single charts that are the other way. */
  logs: z.array(z.string()),
  /** Ids of charts that are shown as tables. */
  tables: z.array(z.string()),
  /** Hidden charts are listed too. */
  showHidden: z.boolean(),
  eventKind: z.nullable(z.string()),
  eventOffset: z.int().check(z.gte(0)),
  configFilter: z.string(),
  /** The finding whose evidence is drawn, by its id; `null` for none. */
  finding: z.nullable(z.string()),
  /** What passed and was skipped is listed; `null` is as the width wants it. */
  passed: z.nullable(z.boolean()),
  /** The side with findings, warnings and facts; `null` is as the width wants it. */
  aside: z.nullable(z.boolean()),
  /** Of its own: what is damaged in it costs no more than itself. */
  samples: z.catch(SamplesState, INITIAL_SAMPLES),
});
export type ViewState = z.infer<typeof ViewState>;

export const INITIAL: ViewState = {
  v: 1,
  tab: "charts",
  x: "step",
  range: null,
  pin: null,
  scroll: {},
  closed: [],
  metricFilter: "",
  fullRange: false,
  full: [],
  log: false,
  logs: [],
  tables: [],
  showHidden: false,
  eventKind: null,
  eventOffset: 0,
  configFilter: "",
  finding: null,
  passed: null,
  aside: null,
  samples: INITIAL_SAMPLES,
};

/** What was stored, or the initial state when that is of another version or damaged. */
export function restore(stored: unknown): ViewState {
  const parsed = z.safeParse(ViewState, stored);
  return parsed.success ? parsed.data : INITIAL;
}

export type Action =
  | { readonly type: "tab"; readonly tab: TabId }
  | { readonly type: "zoom"; readonly range: XRange | null }
  | { readonly type: "axis"; readonly x: XAxis }
  | { readonly type: "pin"; readonly step: number | null }
  | { readonly type: "scroll"; readonly tab: TabId; readonly top: number }
  | { readonly type: "fold"; readonly group: string }
  | { readonly type: "metricFilter"; readonly text: string }
  | { readonly type: "fullRange"; readonly on: boolean }
  | { readonly type: "full"; readonly chart: string }
  | { readonly type: "logAll"; readonly on: boolean }
  | { readonly type: "log"; readonly chart: string }
  | { readonly type: "table"; readonly chart: string }
  | { readonly type: "showHidden"; readonly on: boolean }
  | { readonly type: "eventKind"; readonly kind: string | null }
  | { readonly type: "eventOffset"; readonly offset: number }
  | { readonly type: "configFilter"; readonly text: string }
  | { readonly type: "finding"; readonly id: string | null }
  | { readonly type: "passed"; readonly open: boolean }
  | { readonly type: "aside"; readonly open: boolean }
  | { readonly type: "samples"; readonly change: Partial<SamplesState> };

const toggled = (list: readonly string[], item: string): string[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

export function reduce(state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case "tab":
      return { ...state, tab: action.tab };
    case "zoom":
      // Who marks steps on the timeline wants to see those, whatever was chosen before.
      return {
        ...state,
        range: action.range,
        eventOffset: 0,
        samples: changeSamples(state.samples, { steps: null }),
      };
    case "axis":
      return { ...state, x: action.x };
    case "pin":
      return { ...state, pin: action.step };
    case "scroll":
      return { ...state, scroll: { ...state.scroll, [action.tab]: action.top } };
    case "fold":
      return { ...state, closed: toggled(state.closed, action.group) };
    case "metricFilter":
      return { ...state, metricFilter: action.text };
    case "fullRange":
      return { ...state, fullRange: action.on, full: [] };
    case "full":
      return { ...state, full: toggled(state.full, action.chart) };
    case "logAll":
      return { ...state, log: action.on, logs: [] };
    case "log":
      return { ...state, logs: toggled(state.logs, action.chart) };
    case "table":
      return { ...state, tables: toggled(state.tables, action.chart) };
    case "showHidden":
      return { ...state, showHidden: action.on };
    case "eventKind":
      return { ...state, eventKind: action.kind, eventOffset: 0 };
    case "eventOffset":
      return { ...state, eventOffset: Math.max(0, Math.trunc(action.offset)) };
    case "configFilter":
      return { ...state, configFilter: action.text };
    case "finding":
      return { ...state, finding: action.id };
    case "passed":
      return { ...state, passed: action.open };
    case "aside":
      return { ...state, aside: action.open };
    case "samples":
      return { ...state, samples: changeSamples(state.samples, action.change) };
  }
}

/** Holds the state and tells who listens. */
export class Store {
  readonly #kept: Kept<ViewState>;
  readonly #listeners = new Set<(state: ViewState, action: Action) => void>();

  constructor(memory: Memory) {
    this.#kept = new Kept(memory, restore);
  }

  get state(): ViewState {
    return this.#kept.state;
  }

  dispatch(action: Action): void {
    this.#kept.state = reduce(this.state, action);
    for (const listener of this.#listeners) listener(this.state, action);
  }

  subscribe(listener: (state: ViewState, action: Action) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  flush(): void {
    this.#kept.flush();
  }
}
