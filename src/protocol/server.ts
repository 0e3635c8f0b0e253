import * as z from "zod/mini";
import { t } from "./l10n.ts";
import { isWithinBounds } from "./size.ts";
import {
  claimedId,
  guarded,
  type Notices,
  type OnRefused,
  openEnvelope,
  ProblemError,
  problemOf,
  type Refuse,
  refuser,
  sendEnvelope,
  type Transport,
} from "./transport.ts";
import {
  type Contract,
  type Envelope,
  type Params,
  PROTOCOL_VERSION,
  type Problem,
  type Result,
} from "./wire.ts";

export interface HandlerContext {
  /** Aborted when the caller no longer wants the answer. */
  readonly signal: AbortSignal;
}

export type Handlers<C extends Contract> = {
  readonly [M in keyof C & string]: (
    params: Params<C, M>,
    context: HandlerContext,
  ) => Promise<Result<C, M>> | Result<C, M>;
};

export interface Server<N extends Notices> {
  /** Never throws: an end that is gone gets no notices. */
  notify<K extends keyof N & string>(name: K, data: z.infer<N[K]>): void;
  /** Requests at work. */
  readonly active: number;
  /** Aborts what is at work: whoever asked is gone, another may come. */
  abortAll(): void;
  /** Aborts what is at work and answers nothing any more. */
  dispose(): void;
}

export interface ServerOptions<N extends Notices> {
  readonly notices?: N;
  readonly onRefused?: OnRefused;
  /** Words an error that a handler threw; {@link ProblemError} words itself. */
  readonly toProblem?: (error: unknown) => Problem;
  /** For the log: what a handler threw, before it was worded. Not called for aborted requests. */
  readonly onError?: (method: string, error: unknown) => void;
}

/** Words are looked up when they are said: some of what is asked is answered in English, whatever the language. */
export const internal = (): Problem =>
  problemOf("internal", t("Something went wrong inside Flight Deck."), {
    remedy: t("Run “Flight Deck: Show Log” for details."),
  });
const badRequest = (): Problem =>
  problemOf("bad-request", t("The request could not be understood."), {
    remedy: t("Close the run and open it again."),
  });

export function createServer<C extends Contract, N extends Notices = Record<never, never>>(
  contract: C,
  handlers: Handlers<C>,
  transport: Transport,
  options: ServerOptions<N> = {},
): Server<N> {
  return new RpcServer(contract, handlers, transport, options);
}

class RpcServer<C extends Contract, N extends Notices> implements Server<N> {
  readonly #contract: C;
  readonly #handlers: Handlers<C>;
  readonly #transport: Transport;
  readonly #options: ServerOptions<N>;
  readonly #refuse: Refuse;
  readonly #stop: () => void;
  readonly #active = new Map<number, AbortController>();
  #disposed = false;

  constructor(contract: C, handlers: Handlers<C>, transport: Transport, options: ServerOptions<N>) {
    this.#contract = contract;
    this.#handlers = handlers;
    this.#transport = transport;
    this.#options = options;
    this.#refuse = refuser(options.onRefused);
    this.#stop = transport.listen(guarded((message) => this.#receive(message), this.#refuse));
  }

  get active(): number {
    return this.#active.size;
  }

  notify<K extends keyof N & string>(name: K, data: z.infer<N[K]>): void {
    if (!this.#disposed) this.#send({ v: PROTOCOL_VERSION, kind: "notice", name, data }, name);
  }

  abortAll(): void {
    for (const controller of this.#active.values()) controller.abort();
    this.#active.clear();
  }

  dispose(): void {
    this.#disposed = true;
    this.#stop();
    this.abortAll();
  }

  #send(envelope: Envelope, name: string): boolean {
    const lost = (): void => this.#refuse("not-sent", name, "id" in envelope ? envelope.id : null);
    const sent = sendEnvelope(this.#transport, envelope, lost);
    if (!sent) lost();
    return sent;
  }

  #fail(id: number, problem: Problem, method: string): void {
    this.#send({ v: PROTOCOL_VERSION, kind: "error", id, problem }, method);
  }

  #receive(message: unknown): void {
    const isWithin = isWithinBounds(message);
    const envelope = isWithin ? openEnvelope(message, this.#transport.channel) : null;
    if (!envelope) {
      const id = claimedId(message);
      this.#refuse(isWithin ? "malformed" : "oversized", "", id);
      if (id !== null && !this.#active.has(id)) this.#fail(id, badRequest(), "");
    } else if (envelope.kind === "request") {
      this.#requested(envelope.id, envelope.method, envelope.params);
    } else if (envelope.kind === "abort") {
      // The answer may have crossed the abort on its way: an unknown id is no fault then.
      this.#active.get(envelope.id)?.abort();
      this.#active.delete(envelope.id);
    } else {
      this.#refuse("unexpected", envelope.kind, "id" in envelope ? envelope.id : null);
    }
  }

  #requested(id: number, method: string, params: unknown): void {
    // The first request under this id will be answered; a second answer could only be taken for that one.
    if (this.#active.has(id)) {
      this.#refuse("duplicate-id", method, id);
      return;
    }
    const shape = Object.hasOwn(this.#contract, method) ? this.#contract[method] : undefined;
    const parsed = shape && z.safeParse(shape.params, params);
    if (parsed?.success) {
      void this.#run(id, method as keyof C & string, parsed.data as Params<C, keyof C & string>);
    } else {
      this.#refuse(parsed ? "bad-params" : "unknown-method", method, id);
      this.#fail(id, badRequest(), method);
    }
  }

  async #run<M extends keyof C & string>(id: number, method: M, params: Params<C, M>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#active.set(id, controller);
    try {
      const result = await this.#handlers[method](params, { signal });
      if (signal.aborted) return;
      const sent = this.#send({ v: PROTOCOL_VERSION, kind: "ok", id, result }, method);
      if (!sent) this.#fail(id, internal(), method);
    } catch (error) {
      if (!signal.aborted) this.#fail(id, this.#words(method, error), method);
    } finally {
      if (this.#active.get(id) === controller) this.#active.delete(id);
    }
  }

  #words(method: string, error: unknown): Problem {
    if (error instanceof ProblemError) return error.problem;
    try {
      this.#options.onError?.(method, error);
      return this.#options.toProblem?.(error) ?? internal();
    } catch {
      return internal();
    }
  }
}
