import * as z from "zod/mini";
import { t } from "./l10n.ts";
import {
  ABORTED,
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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Client<C extends Contract> {
  /** @throws ProblemError, with code "aborted" after `signal` or `dispose` */
  call<M extends keyof C & string>(
    method: M,
    params: Params<C, M>,
    options?: CallOptions,
  ): Promise<Result<C, M>>;
  /** Requests without an answer so far. */
  readonly pending: number;
  /** Rejects what is pending as aborted; later calls are rejected likewise. */
  dispose(): void;
}

export interface ClientOptions<N extends Notices> {
  readonly notices?: N;
  readonly onNotice?: <K extends keyof N & string>(name: K, data: z.infer<N[K]>) => void;
  readonly onRefused?: OnRefused;
  /** For tests; otherwise drawn, see {@link firstIdOf}. */
  readonly firstId?: number;
}

type Outcome = { readonly result: unknown } | { readonly problem: Problem };
interface Pending {
  readonly method: string;
  settle(outcome: Outcome): void;
}

/** Ids of requests that ended without an answer are remembered, so that a late answer is told from an invented one. */
const REMEMBERED = 256;
const notSent = (): Problem =>
  problemOf("not-sent", t("The request could not be sent."), {
    remedy: t("Close the run and open it again."),
  });
const badAnswer = (): Problem =>
  problemOf("bad-answer", t("The answer could not be understood."), {
    remedy: t("Run “Flight Deck: Show Log” for details."),
  });

export function createClient<C extends Contract, N extends Notices = Record<never, never>>(
  contract: C,
  transport: Transport,
  options: ClientOptions<N> = {},
): Client<C> {
  return new RpcClient(contract, transport, options);
}

/**
 * A page that is hidden and shown again starts over while its server goes on: from another number, so that an answer to
 * the page before is never taken for one of its own.
 */
function firstIdOf(): number {
  return 1 + Math.floor(Math.random() * 2 ** 40);
}

class RpcClient<C extends Contract, N extends Notices> implements Client<C> {
  readonly #contract: C;
  readonly #transport: Transport;
  readonly #options: ClientOptions<N>;
  readonly #refuse: Refuse;
  readonly #stop: () => void;
  readonly #pending = new Map<number, Pending>();
  readonly #gone = new Set<number>();
  #nextId: number;
  #disposed = false;

  constructor(contract: C, transport: Transport, options: ClientOptions<N>) {
    this.#contract = contract;
    this.#transport = transport;
    this.#options = options;
    this.#refuse = refuser(options.onRefused);
    this.#nextId = options.firstId ?? firstIdOf();
    this.#stop = transport.listen(guarded((message) => this.#receive(message), this.#refuse));
  }

  get pending(): number {
    return this.#pending.size;
  }

  call<M extends keyof C & string>(
    method: M,
    params: Params<C, M>,
    options: CallOptions = {},
  ): Promise<Result<C, M>> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (this.#disposed || signal?.aborted) {
        reject(new ProblemError(ABORTED));
        return;
      }
      const id = this.#nextId++;
      const onAbort = (): void => {
        settle({ problem: ABORTED });
        this.#send({ v: PROTOCOL_VERSION, kind: "abort", id }, () => {});
      };
      const settle = (outcome: Outcome): void => {
        if (!this.#pending.delete(id)) return;
        signal?.removeEventListener("abort", onAbort);
        if ("result" in outcome) {
          resolve(outcome.result as Result<C, M>);
        } else {
          this.#remember(id);
          reject(new ProblemError(outcome.problem));
        }
      };
      this.#pending.set(id, { method, settle });
      signal?.addEventListener("abort", onAbort, { once: true });
      const lost = (): void => settle({ problem: notSent() });
      if (!this.#send({ v: PROTOCOL_VERSION, kind: "request", id, method, params }, lost)) lost();
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#stop();
    for (const entry of [...this.#pending.values()]) entry.settle({ problem: ABORTED });
  }

  #send(envelope: Envelope, onLost: () => void): boolean {
    return sendEnvelope(this.#transport, envelope, onLost);
  }

  #remember(id: number): void {
    this.#gone.add(id);
    if (this.#gone.size <= REMEMBERED) return;
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest);
      break;
    }
  }

  #receive(message: unknown): void {
    const envelope = openEnvelope(message, this.#transport.channel);
    if (!envelope) {
      const id = claimedId(message);
      this.#refuse("malformed", "", id);
      if (id !== null) this.#pending.get(id)?.settle({ problem: badAnswer() });
    } else if (envelope.kind === "ok" || envelope.kind === "error") {
      this.#answered(envelope);
    } else if (envelope.kind === "notice") {
      this.#noticed(envelope.name, envelope.data);
    } else {
      this.#refuse("unexpected", envelope.kind, envelope.id);
    }
  }

  #answered(envelope: Envelope & { kind: "ok" | "error" }): void {
    const { id } = envelope;
    const entry = this.#pending.get(id);
    if (!entry) {
      this.#refuse(this.#gone.has(id) ? "late" : "unknown-id", "", id);
    } else if (envelope.kind === "error") {
      entry.settle({ problem: envelope.problem });
    } else {
      const shape = this.#contract[entry.method];
      const parsed = shape && z.safeParse(shape.result, envelope.result);
      if (parsed?.success) {
        entry.settle({ result: parsed.data });
      } else {
        this.#refuse("bad-result", entry.method, id);
        entry.settle({ problem: badAnswer() });
      }
    }
  }

  #noticed(name: string, data: unknown): void {
    const notices: Notices = this.#options.notices ?? {};
    const shape = Object.hasOwn(notices, name) ? notices[name] : undefined;
    const parsed = shape && z.safeParse(shape, data);
    if (!parsed) {
      this.#refuse("unknown-notice", name, null);
    } else if (!parsed.success) {
      this.#refuse("bad-notice", name, null);
    } else {
      this.#options.onNotice?.(name as keyof N & string, parsed.data as z.infer<N[keyof N & string]>);
    }
  }
}
