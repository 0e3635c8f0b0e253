/**
 * The compare editor's page without VS Code, on made-up data. `?case=` one of fake-compare.ts, `?theme=` as for the run editor's.
 * For tests `window.compareFixture` holds the fake host and what the page's policy has refused.
 */
import * as z from "zod/mini";
import { comparePageContract, comparePageNotices } from "../../src/protocol/compare-page.ts";
import { connectWith } from "../client.ts";
import { mountCompare } from "../compare/app.ts";
import type { CompareSession } from "../compare/session.ts";
import { FakeCompareHost } from "./fake-compare-host.ts";
import { type PageFixture, pageFixture } from "./fixture.ts";
import { line } from "./line.ts";
import { applyTheme } from "./themes.ts";

z.config({ jitless: true });

export interface CompareFixture extends Pick<PageFixture, "violations"> {
  readonly host: FakeCompareHost;
  readonly session: CompareSession;
  readonly applyTheme: typeof applyTheme;
}

declare global {
  interface Window {
    compareFixture?: CompareFixture;
  }
}

const { query, memory, violations } = pageFixture();

const root = document.getElementById("root");
if (root) {
  const { page, host } = line();
  const fake = new FakeCompareHost(query.get("case") ?? "two", host);
  const client = connectWith(comparePageContract, comparePageNotices, page);
  window.compareFixture = { host: fake, session: mountCompare(root, client, memory), applyTheme, violations };
}
