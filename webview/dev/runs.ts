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
import { line } from "./line.ts";
import { applyTheme } from "./themes.ts";

z.config({ jitless: true });

export interface RunsFixture {
  readonly host: FakeRunsHost;
  readonly session: RunsSession;
  readonly applyTheme: typeof applyTheme;
  /** What the content security policy refused. */
  readonly violations: string[];
}

declare global {
  interface Window {
    runsFixture?: RunsFixture;
  }
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});

const query = new URLSearchParams(location.search);
applyTheme(query.get("theme") ?? "dark");

const memory = {
  getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null"),
  setState: (state: unknown): void => sessionStorage.setItem("state", JSON.stringify(state)),
};

const root = document.getElementById("root");
if (root) {
  const { page, host } = line();
  const fake = new FakeRunsHost(query.get("case") ?? "many", host);
  const client = connectWith(runsPageContract, runsPageNotices, page);
  window.runsFixture = { host: fake, session: mountRuns(root, client, memory), applyTheme, violations };
}
