/**
 * Drives the real VS Code with the packaged extension installed:
 *
 *     const workbench = await Workbench.open({ folder });
 *     await workbench.contextMenu(["runs", "a-run"], "Open Run");
 *     const page = await workbench.webview("a-run");
 *     expect(workbench.problems()).toEqual([]);
 *     await workbench.close();
 */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Frame, type Locator, type Page } from "playwright-core";
import { inject } from "vitest";
import {
  CURRENT,
  FLOOR,
  installExtension,
  openAddress,
  type RunningWorkbench,
  startWorkbench,
  writeMachineSettings,
} from "../../scripts/workbench.mjs";
import { collectProblems } from "./problems.ts";
import { until } from "./until.ts";
import { exactly, readyWebview, tabs } from "./webviews.ts";

export { CURRENT, FLOOR };

/** Newer versions call two of them without "Default " and rewrite a setting that has the old name. */
const themes = {
  dark: { name: "Dark Modern", shows: "vs-dark" },
  light: { name: "Light Modern", shows: "vs" },
  "hc-dark": { name: "Default High Contrast", shows: "hc-black" },
  "hc-light": { name: "Default High Contrast Light", shows: "hc-light" },
} as const;
export type Theme = keyof typeof themes;

function themeSetting(theme: Theme, version: string): Readonly<Record<string, string>> {
  const { name } = themes[theme];
  const prefix = version === FLOOR && name.endsWith("Modern") ? "Default " : "";
  return { "workbench.colorTheme": `${prefix}${name}` };
}

export interface OpenOptions {
  /** The folder to open: absolute, made by the test. */
  readonly folder: string;
  /** `CURRENT` unless given. */
  readonly version?: string;
  /** "dark" unless given. */
  readonly theme?: Theme;
  /** 1280 × 800 unless given, in CSS pixels. */
  readonly viewport?: Viewport;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * What VS Code tells extensions to speak: "de". Its own words stay English, since its language packs come from a marketplace that
   * tests do not ask.
   */
  readonly language?: string;
  /** Files to open at the start, absolute. */
  readonly openFiles?: readonly string[];
  /** A `.code-workspace` file that is opened in place of the folder, absolute. */
  readonly workspace?: string;
  /** Nothing is trusted: Restricted Mode. */
  readonly restricted?: boolean;
  /** Packaged extensions that are installed beside ours. */
  readonly beside?: readonly string[];
  /** Another package of ours in place of the one that ships. */
  readonly vsix?: string;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const pictures = path.resolve(import.meta.dirname, "../../test-results");
const open = new Set<Workbench>();

/** Every workbench that is open now. */
export function openWorkbenches(): readonly Workbench[] {
  return [...open];
}

export class Workbench {
  /** The browser's page, for what no helper here does. */
  readonly page: Page;
  readonly version: string;
  readonly #server: RunningWorkbench;
  readonly #browser: Browser;
  readonly #scratch: string;
  readonly #problems: () => readonly string[];
  #settings: Readonly<Record<string, unknown>> = {};

  private constructor(
    page: Page,
    version: string,
    server: RunningWorkbench,
    browser: Browser,
    scratch: string,
  ) {
    this.page = page;
    this.version = version;
    this.#server = server;
    this.#browser = browser;
    this.#scratch = scratch;
    this.#problems = collectProblems(page);
  }

  /** Starts a workbench of its own with the extension installed, and a browser of its own that shows it. */
  static async open(options: OpenOptions): Promise<Workbench> {
    const { folder, version = CURRENT, theme = "dark", viewport = { width: 1280, height: 800 } } = options;
    const scratch = await mkdtemp(path.join(tmpdir(), "fd-test-"));
    const extensionsDir = path.join(scratch, "extensions");
    for (const vsix of [options.vsix ?? inject("vsix"), ...(options.beside ?? [])])
      await installExtension({ version, vsix, extensionsDir });
    const settings = {
      ...themeSetting(theme, version),
      "explorer.compactFolders": false,
      ...options.settings,
    };
    const userDataDir = path.join(scratch, "user");
    const { workspace, restricted = false } = options;
    const more = { restricted, ...(workspace === undefined ? {} : { workspace }) };
    const server = await startWorkbench({ version, folder, extensionsDir, userDataDir, settings, ...more });
    const browser = await chromium.launch({ executablePath: inject("chromium"), args: chromiumFlags });
    const page = await browser.newPage({ viewport });
    if (options.language !== undefined)
      await page.addInitScript(
        (value) => Object.defineProperty(globalThis, "_VSCODE_NLS_LANGUAGE", { value, writable: false }),
        options.language,
      );
    const workbench = new Workbench(page, version, server, browser, scratch);
    open.add(workbench);
    await page.goto(openAddress(server, options.openFiles ?? []));
    await workbench.#shown();
    await workbench.#themeShown(theme);
    return workbench;
  }

  /** Ends browser and workbench, removes all that they wrote. */
  async close(): Promise<void> {
    open.delete(this);
    await this.#browser.close();
    await this.#server.stop();
    await rm(this.#scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Where VS Code keeps settings and the like. */
  get userDataDir(): string {
    return this.#server.userDataDir;
  }

  /** Errors in the console and reports of the content security policy, from every frame, since the start. */
  problems(): readonly string[] {
    return this.#problems();
  }

  /** Opens the command palette and types into it. */
  async openPalette(text: string): Promise<Locator> {
    await this.page.keyboard.press("Escape");
    await this.page.keyboard.press("F1");
    const input = this.#quickInput();
    await input.waitFor({ timeout: 5000 });
    await input.fill(`>${text}`);
    return input;
  }

  /**
   * Runs a command by its full title, as in "Flight Deck: Open Run…".
   * Contributed commands are listed once the extensions are scanned: the palette is opened again until this one is.
   */
  async runCommand(title: string): Promise<void> {
    await until(`the command "${title}" in the palette`, async () => {
      try {
        await this.openPalette(title);
        await this.pick(title, 4000);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Chooses an entry of the quick pick that is shown, by its label. */
  async pick(label: string, timeout = 15_000): Promise<void> {
    const entry = this.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ has: this.page.locator(".label-name", { hasText: exactly(label) }) })
      .first();
    // Not in its middle: a tooltip of the box above can lie there.
    await entry.click({ timeout, position: { x: 24, y: 11 } });
  }

  /**
   * Types a file's path into the save dialog that is shown, and accepts it. The dialog looks at the folder that is typed, and over
   * a key that comes meanwhile it can fail for good: the key waits until a folder of that folder is listed.
   * @param file beside at least one folder
   */
  async saveAs(file: string): Promise<void> {
    const input = this.#quickInput();
    const rows = this.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
    const looking = this.page.locator(
      ".quick-input-widget:visible .quick-input-progress .monaco-progress-container.active",
    );
    // It sets its own suggestion once it has looked at its first folder, over what was typed before. The palette may still be there.
    await until(
      "the save dialog's suggestion",
      async () =>
        (await input.isVisible()) &&
        /^\/.*[^/]$/.test(await input.inputValue()) &&
        (await rows.count()) > 0 &&
        (await looking.count()) === 0,
    );
    const folders = (await readdir(path.dirname(file), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name);
    // Only the first rows are drawn.
    const [beside] = folders.sort();
    if (beside === undefined) throw new Error(`There is no folder beside ${file}.`);
    const listed = rows.filter({ has: this.page.locator(".label-name", { hasText: exactly(beside) }) });
    await until(`the save dialog to take ${file}`, async () => {
      if (!(await input.isVisible())) return true;
      if ((await input.inputValue()) !== file) await input.fill(file);
      if ((await listed.count()) === 0 || (await looking.count()) > 0) return false;
      await input.press("Enter", { timeout: 2000 }).catch(() => {});
      return input.waitFor({ state: "hidden", timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Chooses a folder in the folder dialog that is shown. The dialog looks at each folder first: it has to have found this one. */
  async chooseFolder(folder: string): Promise<void> {
    const input = this.#quickInput();
    await input.waitFor({ timeout: 15_000 });
    const found = this.page.locator(".quick-input-list .monaco-list-row.focused").filter({
      has: this.page.locator(".label-name", { hasText: exactly(path.basename(folder)) }),
    });
    await until(`${folder} in the folder dialog`, async () => {
      await input.fill("");
      await input.fill(folder);
      return found.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
    await this.page.keyboard.press("Enter");
    await until(
      `the folder dialog to go into ${folder}`,
      async () => (await input.inputValue()) === `${folder}/`,
    );
    // The dialog ignores its button while it still looks at the folder.
    const accept = this.page
      .locator(".quick-input-widget:visible .quick-input-action .monaco-button")
      .first();
    await until(`the folder dialog to take ${folder}`, async () => {
      if (await accept.isVisible()) await accept.click({ timeout: 2000 }).catch(() => {});
      return input.waitFor({ state: "hidden", timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /**
   * Chooses an item of the Explorer's context menu on an entry of the opened folder, given as its path's parts.
   * @param others entries that are selected with it
   */
  async contextMenu(
    entry: readonly string[],
    item: string,
    others: readonly (readonly string[])[] = [],
  ): Promise<void> {
    const row = await this.#reveal(entry);
    const selected = [row];
    for (const other of others) selected.push(await this.#reveal(other));
    const name = this.page.locator(".monaco-menu .action-menu-item").filter({
      has: this.page.locator(".action-label", { hasText: exactly(item) }),
    });
    await until(`"${item}" in the context menu of ${entry.join("/")}`, async () => {
      await this.page.keyboard.press("Escape");
      if (others.length > 0)
        for (const each of selected) await each.click(each === row ? {} : { modifiers: ["Control"] });
      await row.click({ button: "right" });
      const shown = name.first();
      try {
        await shown.waitFor({ timeout: 1500 });
        await this.#clickMenuItem(shown);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Opens a file of the opened folder from the Explorer, in the editor that VS Code chooses. */
  async openFile(entry: readonly string[]): Promise<void> {
    const name = entry.at(-1) ?? "";
    await until(`the tab of ${entry.join("/")}`, async () => {
      // The tree drops a click while it is still being filled.
      await (await this.#reveal(entry)).dblclick();
      return this.tab(name)
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    });
  }

  /** The page in the editor with this title, once it has painted (`data-ready="true"`). `nth` of several. */
  async webview(title: string, nth = 0): Promise<Frame> {
    return until(`the page of "${title}"`, () => readyWebview(this.page, title, nth), 60);
  }

  /** The tab with this title. */
  tab(title: string): Locator {
    return tabs(this.page, title).first();
  }

  /** The texts of all notifications that are shown. */
  async notifications(): Promise<readonly string[]> {
    return this.page.locator(".notification-toast .notification-list-item-message").allInnerTexts();
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.setSettings(themeSetting(theme, this.version));
    await this.#themeShown(theme);
  }

  /** Adds settings; the workbench follows them at once. */
  async setSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.#settings = { ...this.#settings, ...settings };
    await writeMachineSettings(this.#server.userDataDir, this.#settings);
  }

  async setViewport(viewport: Viewport): Promise<void> {
    await this.page.setViewportSize(viewport);
    await this.page.locator(".monaco-workbench").evaluate(
      (workbench, width) =>
        new Promise<void>((resolve) => {
          const look = (): void => {
            if (workbench.getBoundingClientRect().width === width) resolve();
            else requestAnimationFrame(look);
          };
          look();
        }),
      viewport.width,
    );
  }

  /** A picture of the whole window as test-results/<name>.png. @returns its path */
  async screenshot(name: string): Promise<string> {
    await mkdir(pictures, { recursive: true });
    const file = path.join(pictures, `${name}.png`);
    await this.page.screenshot({ path: file, animations: "disabled" });
    return file;
  }

  /** The user's "Developer: Reload Window". */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent("domcontentloaded", { timeout: 60_000 });
    await this.runCommand("Developer: Reload Window");
    await loaded;
    await this.#shown();
  }

  /** Closes every editor. */
  async closeAll(): Promise<void> {
    const tabs = this.page.locator(".tab");
    await until("all tabs to close", async () => {
      await this.runCommand("View: Close All Editors");
      return until("all tabs to close", async () => (await tabs.count()) === 0, 8).catch(() => false);
    });
  }

  #quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-filter input:visible").first();
  }

  async #shown(): Promise<void> {
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
  }

  async #themeShown(theme: Theme): Promise<void> {
    await this.page.locator(`.monaco-workbench.${themes[theme].shows}`).first().waitFor({ timeout: 20_000 });
  }

  /** Unfolds the Explorer's tree down to an entry. @returns its row */
  async #reveal(entry: readonly string[]): Promise<Locator> {
    const rowAt = (level: number, name: string): Locator =>
      this.page
        .locator(`.explorer-folders-view .monaco-list-row[aria-level="${level}"]`)
        .filter({ has: this.page.locator(".label-name", { hasText: exactly(name) }) })
        .first();
    for (const [index, name] of entry.slice(0, -1).entries()) {
      const child = rowAt(index + 2, entry[index + 1] ?? "");
      await until(`${name} to unfold in the Explorer`, async () => {
        if ((await child.count()) > 0) return true;
        const row = rowAt(index + 1, name);
        await row.waitFor({ timeout: 15_000 });
        if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
        return child.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      });
    }
    const row = rowAt(entry.length, entry.at(-1) ?? "");
    await row.waitFor({ timeout: 15_000 });
    return row;
  }

  /** A menu ignores clicks in the first moments after it opens: click until it has closed. */
  async #clickMenuItem(item: Locator): Promise<void> {
    await item.hover({ timeout: 1500 });
    await until(
      "the menu to take the click",
      async () => {
        await item.click({ timeout: 1000 }).catch(() => undefined);
        return item.waitFor({ state: "detached", timeout: 400 }).then(
          () => true,
          () => false,
        );
      },
      5,
    );
  }
}
