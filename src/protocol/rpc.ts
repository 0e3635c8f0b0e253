/**
 * One client and one server for every border of the product (page ↔ host, host ↔ worker).
 *
 * - A request is answered exactly once, or aborted by its sender; disposing a client rejects what is pending.
 * - Both ends check what arrives against the contract; what does not fit is refused and reported, never acted on.
 * - A listener never throws: a hostile message costs a report.
 */
export { type CallOptions, type Client, type ClientOptions, createClient } from "./client.ts";
export type { Channel } from "./pack.ts";
export {
  createServer,
  type HandlerContext,
  type Handlers,
  internal,
  type Server,
  type ServerOptions,
} from "./server.ts";
export {
  ABORTED,
  isAborted,
  type Notices,
  type OnRefused,
  ProblemError,
  problemOf,
  type Refused,
  type Transport,
} from "./transport.ts";
