/** What client and server share: the way messages travel, what is refused, and errors with words. */
import * as z from "zod/mini";
import { type Channel, pack, unpack } from "./pack.ts";
import { Envelope, type Problem } from "./wire.ts";

export interface Transport {
  readonly channel: Channel;
  /** May throw or reject when the other end is gone. `transfer` is empty on "json" channels. */
  post(message: unknown, transfer: readonly ArrayBuffer[]): unknown;
  /** Calls back with each message as it arrived; returns how to stop. */
  listen(listener: (message: unknown) => void): () => void;
}

/** Names of notices and the shape of what they carry. */
export type Notices = Readonly<Record<string, z.core.$ZodType>>;

export interface Refused {
  readonly reason:
    | "malformed"
    | "oversized"
    | "unexpected"
    | "unknown-method"
    | "bad-params"
    | "duplicate-id"
    | "unknown-id"
    | "late"
    | "bad-result"
    | "unknown-notice"
    | "bad-notice"
    | "not-sent"
    | "listener";
  /** Method or notice where known, never content. */
  readonly name: string;
  readonly id: number | null;
}
export type OnRefused = (refused: Refused) => void;
export type Refuse = (reason: Refused["reason"], name: string, id: number | null) => void;

/** An error with words for a person: what a client's call rejects with, and what a handler may throw. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const problemOf = (
  code: string,
  message: string,
  more: { file?: string; remedy?: string } = {},
): Problem => ({ code, message, file: more.file ?? "", remedy: more.remedy ?? "" });

export const ABORTED = problemOf("aborted", "The request was cancelled.");

/** True for the rejection of a request that was aborted or whose client was disposed: nothing to tell anybody. */
export const isAborted = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.code === ABORTED.code;

export function openEnvelope(message: unknown, channel: Channel): Envelope | null {
  const parsed = z.safeParse(Envelope, unpack(message, channel));
  return parsed.success ? parsed.data : null;
}

/** The id that a malformed message claims: whoever waits under it must not wait for ever. */
export function claimedId(message: unknown): number | null {
  if (typeof message !== "object" || message === null) return null;
  const id: unknown = Reflect.get(message, "id");
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** Sends; true when it went out as far as can be told now. `onLost` when it turns out later that it did not. */
export function sendEnvelope(transport: Transport, envelope: Envelope, onLost: () => void): boolean {
  try {
    const { message, transfer } = pack(envelope, transport.channel);
    const sent = transport.post(message, transfer);
    if (isThenable(sent)) sent.then(undefined, onLost);
    return true;
  } catch {
    return false;
  }
}

export function refuser(onRefused: OnRefused | undefined): Refuse {
  return (reason, name, id) => {
    try {
      onRefused?.({ reason, name: name.slice(0, 80), id });
    } catch {
      // A reporter that fails must not take the connection with it.
    }
  };
}

/** A listener that never throws. */
export function guarded(receive: (message: unknown) => void, refuse: Refuse) {
  return (message: unknown): void => {
    try {
      receive(message);
    } catch {
      refuse("listener", "", null);
    }
  };
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
