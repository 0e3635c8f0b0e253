/** What the page with the table of runs remembers when it is hidden or the window reloads. */
import * as z from "zod/mini";

const Dirs = z.array(z.string());

export const RunsState = z.object({
  v: z.literal(1),
  filter: z.string(),
  /** `null` is the newest first. */
  sort: z.nullable(z.object({ column: z.string(), descending: z.boolean() })),
  /** Folders of the runs that are selected, in the order in which they were. */
  selected: Dirs,
  /** The run that keys move from. */
  active: z.nullable(z.string()),
  /** Pixels scrolled. */
  top: z.number(),
  left: z.number(),
});
export type RunsState = z.infer<typeof RunsState>;

const INITIAL: RunsState = { v: 1, filter: "", sort: null, selected: [], active: null, top: 0, left: 0 };

export type Change = Partial<Omit<RunsState, "v">>;

export interface Memory {
  getState(): unknown;
  setState(state: unknown): void;
}

export class RunsStore {
  #state: RunsState;
  readonly #memory: Memory;
  #writing: ReturnType<typeof setTimeout> | null = null;

  /** What was stored, or the initial state when that is of another version or damaged. */
  constructor(memory: Memory) {
    this.#memory = memory;
    const parsed = z.safeParse(RunsState, memory.getState());
    this.#state = parsed.success ? parsed.data : INITIAL;
  }

  get state(): RunsState {
    return this.#state;
  }

  /** Writes it down a moment later: not on every pixel of a scroll. */
  change(change: Change): void {
    this.#state = { ...this.#state, ...change };
    this.#writing ??= setTimeout(() => this.flush(), 100);
  }

  /** Writes now: the page is about to go. */
  flush(): void {
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#writing = null;
    this.#memory.setState(this.#state);
  }
}
