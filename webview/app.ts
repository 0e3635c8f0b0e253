/** Puts the page together over any line to a host: VS Code's in the product, a stand-in on the fixture page. */
import type { PageClient } from "./client.ts";
import type { Memory } from "./kept.ts";
import { FdApp } from "./panels/fd-app.ts";
import { Ready } from "./ready.ts";
import { Session } from "./session.ts";
import { startPage } from "./start.ts";
import { Store } from "./state.ts";
import { Theme } from "./theme.ts";

export function mount(root: HTMLElement, client: PageClient, memory: Memory): Session {
  const store = new Store(memory);
  const session = new Session(client, store, new Ready(root));
  const app = new FdApp();
  app.session = session;
  app.theme = new Theme(root.ownerDocument);
  startPage(root, app, store, session);
  return session;
}
