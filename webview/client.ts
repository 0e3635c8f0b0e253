/** The page's end of the line: questions to the host, checked both ways, over VS Code's messages or anything like them. */

import type * as z from "zod/mini";
import { t } from "../src/protocol/l10n.ts";
import { type PageContract, pageContract, pageNotices } from "../src/protocol/page.ts";
import {
  type Client,
  createClient,
  isAborted,
  type Notices,
  ProblemError,
  type Transport,
} from "../src/protocol/rpc.ts";
import type { Contract, Problem } from "../src/protocol/wire.ts";

/** What a notice of the run editor's host says. */
export type NoticeOf<N extends keyof typeof pageNotices> = z.infer<(typeof pageNotices)[N]>;

/** What VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A page's end of a line with questions of one contract. */
export interface Connection<C extends Contract, N extends Notices> {
  readonly call: Client<C>["call"];
  /** Calls back on each notice; returns how to stop. */
  on<K extends keyof N & string>(name: K, listener: (data: z.infer<N[K]>) => void): () => void;
  dispose(): void;
}

export type PageClient = Connection<PageContract, typeof pageNotices>;

/** Messages through VS Code: JSON with typed arrays let through. */
export function hostTransport(api: VsCodeApi, target: Window): Transport {
  return {
    channel: "json",
    post: (message) => api.postMessage(message),
    listen: (listener) => {
      const receive = (event: MessageEvent): void => listener(event.data);
      target.addEventListener("message", receive);
      return () => target.removeEventListener("message", receive);
    },
  };
}

export const connect = (transport: Transport): PageClient =>
  connectWith(pageContract, pageNotices, transport);

export function connectWith<C extends Contract, N extends Notices>(
  contract: C,
  notices: N,
  transport: Transport,
): Connection<C, N> {
  const listeners = new Map<string, Set<(data: never) => void>>();
  const client = createClient(contract, transport, {
    notices,
    onNotice: (name, data) => {
      // A set holds listeners of its own notice only.
      for (const listener of listeners.get(name) ?? []) listener(data as never);
    },
  });
  return {
    call: (method, params, options) => client.call(method, params, options),
    on: (name, listener) => {
      const set = listeners.get(name) ?? new Set<(data: never) => void>();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    dispose: () => client.dispose(),
  };
}

const UNKNOWN: Problem = {
  code: "page",
  message: t("The page could not show this."),
  file: "",
  remedy: t("Run “Flight Deck: Show Log” for details."),
};

/** Words for whatever was thrown; `null` when the question was taken back and there is nothing to say. */
export function problemFrom(error: unknown): Problem | null {
  if (isAborted(error)) return null;
  return error instanceof ProblemError ? error.problem : UNKNOWN;
}
