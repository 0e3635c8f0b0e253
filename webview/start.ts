/** What every page does once it is put together: it stands in its root, keeps its state when it goes, and reports its errors. */
import { problemFrom } from "./client.ts";

interface Startable {
  /** For the log. */
  report(error: unknown): void;
  start(): Promise<void>;
}

export function startPage(
  root: HTMLElement,
  app: HTMLElement,
  store: { flush(): void },
  session: Startable,
): void {
  // Asked before anything is drawn: the answers come meanwhile.
  const started = session.start();
  root.replaceChildren(app);
  addEventListener("pagehide", () => store.flush());
  addEventListener("error", (event) => session.report(event.error));
  addEventListener("unhandledrejection", (event) => {
    if (problemFrom(event.reason)) session.report(event.reason);
  });
  void started;
}
