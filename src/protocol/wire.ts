/**
 * The envelope that every message wears, whoever talks to whom: page ↔ host and host ↔ worker.
 * A request is answered exactly once (`ok` or `error`) or aborted by its sender; a notice has no answer.
 */
import * as z from "zod/mini";

export const PROTOCOL_VERSION = 1;

/** What went wrong, already fit for a person: never a stack, never the content of a file. */
export const Problem = z.object({
  code: z.string(),
  /** What happened, in one sentence. */
  message: z.string(),
  /** Path relative to the run, "" when it is about no single file. */
  file: z.string(),
  /** What to do about it, in one sentence; "" when there is nothing to do. */
  remedy: z.string(),
});
export type Problem = z.infer<typeof Problem>;

export const Envelope = z.discriminatedUnion("kind", [
  z.object({
    v: z.literal(PROTOCOL_VERSION),
    kind: z.literal("request"),
    id: z.int(),
    method: z.string(),
    params: z.unknown(),
  }),
  z.object({
    v: z.literal(PROTOCOL_VERSION),
    kind: z.literal("ok"),
    id: z.int(),
    result: z.unknown(),
  }),
  z.object({ v: z.literal(PROTOCOL_VERSION), kind: z.literal("error"), id: z.int(), problem: Problem }),
  z.object({ v: z.literal(PROTOCOL_VERSION), kind: z.literal("abort"), id: z.int() }),
  z.object({
    v: z.literal(PROTOCOL_VERSION),
    kind: z.literal("notice"),
    name: z.string(),
    data: z.unknown(),
  }),
]);
export type Envelope = z.infer<typeof Envelope>;

/** A method's name, the shape of its parameters and of its result. */
export interface Method {
  readonly params: z.core.$ZodType;
  readonly result: z.core.$ZodType;
}
export type Contract = Readonly<Record<string, Method>>;
export type Params<C extends Contract, M extends keyof C> = z.infer<C[M]["params"]>;
export type Result<C extends Contract, M extends keyof C> = z.infer<C[M]["result"]>;
