/** Puts the page with the table of runs together over any line to a host. */
import { problemFrom } from "../client.ts";
import { Ready } from "../ready.ts";
import { FdRuns } from "./fd-runs.ts";
import { type RunsClient, RunsSession } from "./session.ts";
import { type Memory, RunsStore } from "./state.ts";

export function mountRuns(root: HTMLElement, client: RunsClient, memory: Memory): RunsSession {
  const store = new RunsStore(memory);
  const session = new RunsSession(client, store, new Ready(root));
  const app = new FdRuns();
  app.session = session;
  root.replaceChildren(app);
  addEventListener("pagehide", () => store.flush());
  addEventListener("error", (event) => session.report(event.error));
  addEventListener("unhandledrejection", (event) => {
    if (problemFrom(event.reason)) session.report(event.reason);
  });
  void session.start();
  return session;
}
