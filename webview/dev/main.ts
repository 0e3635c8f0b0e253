/**
 * The run editor's page without VS Code, on made-up data. `?case=` one of fake-cases.ts, `?theme=` dark, light, hc-dark
 * or hc-light. For tests `window.fixture` holds the fake host and what the page's policy has refused.
 */
import * as z from "zod/mini";
import { mount } from "../app.ts";
import { connect } from "../client.ts";
import type { Session } from "../session.ts";
import { FakeHost } from "./fake-host.ts";
import { type PageFixture, pageFixture } from "./fixture.ts";
import { line } from "./line.ts";
import { applyTheme } from "./themes.ts";

z.config({ jitless: true });

export interface Fixture extends Pick<PageFixture, "violations"> {
  readonly host: FakeHost;
  session: Session;
  /** Puts up the page anew on the answers that the host has ready: for measuring the page alone. */
  remount(): void;
  readonly applyTheme: typeof applyTheme;
}

declare global {
  interface Window {
    fixture?: Fixture;
  }
}

const { query, memory, violations } = pageFixture();

const root = document.getElementById("root");
if (root) {
  const { page, host } = line();
  const fake = new FakeHost(query.get("case") ?? "run", host);
  const fixture: Fixture = {
    host: fake,
    session: mount(root, connect(page), memory),
    remount: () => {
      const again = line();
      fake.serve(again.host);
      fixture.session = mount(root, connect(again.page), memory);
    },
    applyTheme,
    violations,
  };
  window.fixture = fixture;
}
