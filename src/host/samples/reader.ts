/** Asks runs that no editor needs to show. A run stays open for a while: whoever reads one sample reads another. */
import { ProblemError } from "../../protocol/rpc.ts";
import type { RunContract } from "../../protocol/run.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import type { Lease, Leased, RunPool } from "../worker/pool.ts";

type Method = keyof RunContract & string;

/** Milliseconds that a run stays open after its last question, and how many do. */
const IDLE_MS = 20_000;
const MAX_OPEN = 4;

interface Held {
  readonly leased: Promise<Leased>;
  busy: number;
  timer: NodeJS.Timeout | undefined;
}

const NEVER = new AbortController().signal;

export class RunReader {
  readonly #pool: () => RunPool;
  readonly #held = new Map<string, Held>();

  constructor(pool: () => RunPool) {
    this.#pool = pool;
  }

  /** @param dir the run's folder @throws ProblemError with words, "aborted" after `signal` */
  async call<M extends Method>(
    dir: string,
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal = NEVER,
  ): Promise<Result<RunContract, M>> {
    const held = this.#hold(dir);
    held.busy++;
    clearTimeout(held.timer);
    try {
      const leased = await held.leased;
      if (leased.state !== "run") throw new ProblemError(leased.problem);
      return await leased.lease.run.call(method, params, signal);
    } finally {
      held.busy--;
      if (held.busy === 0 && this.#held.get(dir) === held) {
        held.timer = setTimeout(() => this.#release(dir), IDLE_MS);
        held.timer.unref();
      }
    }
  }

  /** Settles when every sample is in the index, or could not be read. */
  async whenIndexed(dir: string, signal: AbortSignal = NEVER): Promise<void> {
    for (let seen = -1; ; ) {
      const { done, read } = await this.call(dir, "samples.state", { seen }, signal);
      if (done) return;
      seen = read;
    }
  }

  dispose(): void {
    for (const dir of [...this.#held.keys()]) this.#release(dir);
  }

  #hold(dir: string): Held {
    let held = this.#held.get(dir);
    if (!held) {
      held = { leased: this.#pool().acquire(dir, false), busy: 0, timer: undefined };
      // What could not be opened is looked at again.
      held.leased.then(
        ({ state }) => state !== "run" && this.#held.delete(dir),
        () => this.#held.delete(dir),
      );
      this.#held.set(dir, held);
      this.#makeRoom();
    }
    return held;
  }

  #makeRoom(): void {
    for (const [dir, { busy }] of this.#held) {
      if (this.#held.size <= MAX_OPEN) return;
      if (busy === 0) this.#release(dir);
    }
  }

  #release(dir: string): void {
    const held = this.#held.get(dir);
    if (!held) return;
    this.#held.delete(dir);
    clearTimeout(held.timer);
    const give = ({ lease }: { readonly lease: Lease }): void => lease.release();
    held.leased.then(
      (leased) => {
        if (leased.state === "run") give(leased);
      },
      () => {},
    );
  }
}
