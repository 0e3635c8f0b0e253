/** A case of the fixture page in a real browser, and what must hold after every test of it. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { ViewState } from "../../../webview/state.ts";
import { type PageBrowser, type PageOptions, READY } from "./browser.ts";

export class Opened {
  readonly page: Page;
  readonly #browser: PageBrowser;

  constructor(page: Page, browser: PageBrowser) {
    this.page = page;
    this.#browser = browser;
  }

  static async open(browser: PageBrowser, query: string, options: PageOptions = {}): Promise<Opened> {
    const page = await browser.open({ query, ...options });
    await page.waitForSelector(READY);
    return new Opened(page, browser);
  }

  /** Closes the page; nothing was refused by its policy, reported or thrown. */
  async close(): Promise<void> {
    const violations = await this.page.evaluate(() => window.fixture?.violations);
    const reports = await this.page.evaluate(() =>
      window.fixture?.host.actions.filter((action) => action.startsWith("report")),
    );
    await this.page.context().close();
    expect(violations, "refused by the page's policy").toEqual([]);
    expect(reports, "reported by the page").toEqual([]);
    expect(this.#browser.errors.splice(0), "errors of the page").toEqual([]);
  }

  chart(metric: string): Locator {
    return this.page.locator(`[data-testid="chart"][data-metric="${metric}"]`);
  }

  async state(): Promise<ViewState> {
    const state = await this.page.evaluate(() => window.fixture?.session.store.state);
    if (!state) throw new Error("no page");
    return state;
  }

  async settled(): Promise<void> {
    await this.page.waitForSelector(READY);
  }

  /** Presses at a place of an element, drags and lets go: shares of its box. */
  async drag(target: Locator, from: number, to: number, down = 0.5): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error("nothing there");
    const y = box.y + box.height * down;
    await this.page.mouse.move(box.x + from * box.width, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + to * box.width, y, { steps: 6 });
    await this.page.mouse.up();
    await this.settled();
  }
}
