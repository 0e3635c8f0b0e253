/** A real browser for tests of the page; one for each test file. */
import { type Browser, chromium, type Page } from "playwright-core";
import { type FixturePage, type KitName, serveFixturePage } from "../../../scripts/lib/fixture-page.mjs";
import { ensureChromium } from "../../../scripts/workbench.mjs";

export const READY = '#root[data-ready="true"]';

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface PageOptions {
  readonly query?: string;
  readonly width?: number;
  readonly height?: number;
  readonly forcedColors?: "active";
}

export class PageBrowser {
  readonly #browser: Browser;
  readonly #site: FixturePage;
  /** What went wrong on any page: uncaught errors, and errors of the console. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, site: FixturePage) {
    this.#browser = browser;
    this.#site = site;
  }

  static async start(options: { kit?: KitName; entry?: string } = {}): Promise<PageBrowser> {
    const [executablePath, site] = await Promise.all([ensureChromium(), serveFixturePage(options)]);
    return new PageBrowser(await chromium.launch({ executablePath, args: FLAGS }), site);
  }

  get bytes(): number {
    return this.#site.bytes;
  }

  get url(): string {
    return this.#site.url;
  }

  async open({ query = "", ...options }: PageOptions = {}): Promise<Page> {
    const page = await this.blank(options);
    await page.goto(`${this.#site.url}?${query}`);
    return page;
  }

  /** A page that has loaded nothing yet. */
  async blank({ width = 1280, height = 800, forcedColors }: PageOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width, height },
      ...(forcedColors ? { forcedColors } : {}),
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => this.errors.push(error.stack ?? error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#site.close();
  }
}

// What the pages put on their windows.
export type { KitPage } from "../../../webview/dev/kit.ts";
export type { Fixture } from "../../../webview/dev/main.ts";
