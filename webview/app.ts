/** Puts the page together over any line to a host: VS Code's in the product, a stand-in on the fixture page. */
import { type PageClient, problemFrom } from "./client.ts";
import { FdApp } from "./panels/fd-app.ts";
import { Ready } from "./ready.ts";
import { Session } from "./session.ts";
import { type Memory, Store } from "./state.ts";
import { Theme } from "./theme.ts";

export function mount(root: HTMLElement, client: PageClient, memory: Memory): Session {
  const store = new Store(memory);
  const session = new Session(client, store, new Ready(root));
  const app = new FdApp();
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
