/** Puts the compare editor's page together over any line to a host. */
import { problemFrom } from "../client.ts";
import { Ready } from "../ready.ts";
import { Theme } from "../theme.ts";
import { FdCompare } from "./fd-compare.ts";
import { type CompareClient, CompareSession } from "./session.ts";
import { CompareStore, type Memory } from "./state.ts";

export function mountCompare(root: HTMLElement, client: CompareClient, memory: Memory): CompareSession {
  const store = new CompareStore(memory);
  const session = new CompareSession(client, store, new Ready(root));
  const app = new FdCompare();
  app.session = session;
  app.theme = new Theme(root.ownerDocument);
  root.replaceChildren(app);
  addEventListener("pagehide", () => store.flush());
  addEventListener("error", (event) => session.report(event.error));
  addEventListener("unhandledrejection", (event) => {
    if (problemFrom(event.reason)) session.report(event.reason);
  });
  void session.start();
  return session;
}
