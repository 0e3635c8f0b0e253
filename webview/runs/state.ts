/** What the page with the table of runs remembers when it is hidden or the window reloads. */
import * as z from "zod/mini";
import { Kept, type Memory } from "../kept.ts";

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

/** What was stored, or the initial state when that is of another version or damaged. */
function restore(stored: unknown): RunsState {
  const parsed = z.safeParse(RunsState, stored);
  return parsed.success ? parsed.data : INITIAL;
}

export class RunsStore {
  readonly #kept: Kept<RunsState>;

  constructor(memory: Memory) {
    this.#kept = new Kept(memory, restore);
  }

  get state(): RunsState {
    return this.#kept.state;
  }

  change(change: Change): void {
    this.#kept.state = { ...this.state, ...change };
  }

  flush(): void {
    this.#kept.flush();
  }
}
