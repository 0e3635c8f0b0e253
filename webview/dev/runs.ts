/**
 * The page with the table of runs without VS Code, on made-up data. `?case=` many, some or none, `?theme=` as for the run editor's.
 * For tests `window.runsFixture` holds the fake host and what the page's policy has refused.
 */
import * as z from "zod/mini";
import { runsPageContract, runsPageNotices } from "../../src/protocol/runs-page.ts";
import { connectWith } from "../client.ts";
import { mountRuns } from "../runs/app.ts";
import type { RunsSession } from "../runs/session.ts";
import { FakeRunsHost } from "./fake-runs-host.ts";
import { type PageFixture, pageFixture } from "./fixture.ts";
import { line } from "./line.ts";
import { applyTheme } from "./themes.ts";

z.config({ jitless: true });

export interface RunsFixture extends Pick<PageFixture, "violations"> {
  readonly host: FakeRunsHost;
  readonly session: RunsSession;
  readonly applyTheme: typeof applyTheme;
}

declare global {
  interface Window {
    runsFixture?: RunsFixture;
  }
}

const { query, memory, violations } = pageFixture();

const root = document.getElementById("root");
if (root) {
  const { page, host } = line();
  const fake = new FakeRunsHost(query.get("case") ?? "many", host);
  const client = connectWith(runsPageContract, runsPageNotices, page);
  window.runsFixture = { host: fake, session: mountRuns(root, client, memory), applyTheme, violations };
}
