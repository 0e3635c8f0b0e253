/** Puts the page with the table of runs together over any line to a host. */

import type { Memory } from "../kept.ts";
import { Ready } from "../ready.ts";
import { startPage } from "../start.ts";
import { FdRuns } from "./fd-runs.ts";
import { type RunsClient, RunsSession } from "./session.ts";
import { RunsStore } from "./state.ts";

export function mountRuns(root: HTMLElement, client: RunsClient, memory: Memory): RunsSession {
  const store = new RunsStore(memory);
  const session = new RunsSession(client, store, new Ready(root));
  const app = new FdRuns();
  app.session = session;
  startPage(root, app, store, session);
  return session;
}
