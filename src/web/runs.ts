/** What the worker thread does elsewhere, on the extension host's own thread: in a browser that is a worker already. */

import { FlightDeckError } from "../core/format/problems.ts";
import type { RunSource } from "../core/io/source.ts";
import { initParquet } from "../core/reader/decode.ts";
import { openRun } from "../core/reader/open.ts";
import type { HandlerContext } from "../protocol/rpc.ts";
import type { RunContract } from "../protocol/run.ts";
import type { Params, Result } from "../protocol/wire.ts";
import type { OpenResult, WorkerContract } from "../protocol/worker.ts";
import { workerHandlers } from "../worker/runs.ts";

export interface RunsParts {
  /** A folder by its URI. */
  source(uri: string): RunSource;
  /** The Parquet library's binary. */
  wasm(): Promise<Uint8Array>;
  onError(where: string, error: unknown): void;
}

type Opening = Pick<Params<WorkerContract, "open">, "loose" | "restricted">;

export class Runs {
  readonly #handlers: ReturnType<typeof workerHandlers>;
  readonly #wasm: () => Promise<Uint8Array>;
  #ready: Promise<void> | null = null;

  constructor({ source, wasm, onError }: RunsParts) {
    this.#wasm = wasm;
    this.#handlers = workerHandlers({
      open: (uri, how) => openRun(source(uri), how),
      find: (_, signal) => Promise.reject(signal.reason ?? new FlightDeckError("io-error", "")),
      label: (uri) => source(uri).label,
      cache: () => null,
      warm: () => {},
      rehearse: async () => {},
      later: (work) => void setTimeout(() => void work().catch(() => {})),
      now: () => Date.now(),
      onError,
      answer: (work) => work(),
    });
  }

  /** @param after an opening of the same folder: what it knows is not read again, and it is closed */
  async open(uri: string, how: Opening, after: number | null): Promise<OpenResult> {
    this.#ready ??= this.#wasm().then(initParquet);
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = null;
      throw error;
    }
    const more = after === null ? {} : { after };
    const opened = await this.#handlers.open({ dir: uri, ...how, ahead: true, ...more }, NOBODY);
    if (after !== null) await this.close(after);
    return opened;
  }

  async close(run: number): Promise<void> {
    await this.#handlers.close({ run }, NOBODY);
  }

  /** @throws ProblemError or what a view threw */
  async call<M extends keyof RunContract & string>(
    run: number,
    method: M,
    params: Params<RunContract, M>,
    context: HandlerContext,
  ): Promise<Result<RunContract, M>> {
    // The contract ties the answer to the method, and the views were made for it.
    return (await this.#handlers.call({ run, method, params }, context)) as Result<RunContract, M>;
  }
}

const NOBODY: HandlerContext = { signal: new AbortController().signal };
