/** Puts the compare editor's page together over any line to a host. */

import type { Memory } from "../kept.ts";
import { Ready } from "../ready.ts";
import { startPage } from "../start.ts";
import { Theme } from "../theme.ts";
import { FdCompare } from "./fd-compare.ts";
import { type CompareClient, CompareSession } from "./session.ts";
import { CompareStore } from "./state.ts";

export function mountCompare(root: HTMLElement, client: CompareClient, memory: Memory): CompareSession {
  const store = new CompareStore(memory);
  const session = new CompareSession(client, store, new Ready(root));
  const app = new FdCompare();
  app.session = session;
  app.theme = new Theme(root.ownerDocument);
  startPage(root, app, store, session);
  return session;
}
