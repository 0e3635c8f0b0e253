/** What the scripts that take docs/pictures share: recordings in a folder, a real VS Code in each theme, our page in it. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { packageExtension } from "../package.mjs";
import { ensureChromium, ensureWorkbench, installExtension, startWorkbench } from "../workbench.mjs";
import { root } from "./paths.mjs";

export const THEMES = {
  dark: "Dark Modern",
  light: "Light Modern",
  "hc-dark": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
};

const out = path.join(root, "docs/pictures");

export const picture = (page, name) => page.screenshot({ path: path.join(out, `${name}.png`) });

/** The innermost frame that holds our page, once it is painted. */
export async function ourPage(page) {
  for (;;) {
    for (const frame of page.frames()) if (await frame.locator('[data-ready="true"]').count()) return frame;
    await page.waitForEvent("frameattached", { timeout: 2000 }).catch(() => {});
  }
}

/** Chooses a command of ours, once there is a window: contributed commands are listed once the extensions are scanned. */
export async function firstCommand(page, title) {
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  const box = page.locator(".quick-input-widget:visible");
  for (let tries = 0; tries < 40; tries++) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    await box.locator("input").first().fill(`>${title}`);
    const entry = box.locator(".monaco-list-row", { hasText: title }).first();
    const isChosen = await entry.click({ timeout: 1500 }).then(
      () => true,
      () => false,
    );
    if (isChosen) return;
  }
  throw new Error(`"${title}" is not in the palette.`);
}

/**
 * Starts a window in each theme, or in that of `--theme`.
 * @param {{ runs: readonly string[], settings?: object, themes?: readonly string[], take: (window: {
 *   browser: import("playwright-core").Browser, workbench: object, theme: string, folder: string }) => Promise<void> }} options `runs`
 *   are folders of recordings, which are copied side by side
 */
export async function takePictures({ runs, settings = {}, themes = Object.keys(THEMES), take }) {
  const asked = process.argv.indexOf("--theme");
  const only = asked < 0 ? undefined : process.argv[asked + 1];
  const scratch = await mkdtemp(path.join(tmpdir(), "fd-pictures-"));
  const folder = path.join(scratch, "runs");
  for (const run of runs) await cp(run, path.join(folder, path.basename(run)), { recursive: true });
  await mkdir(out, { recursive: true });
  await ensureWorkbench();
  const vsix = await packageExtension();
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    for (const theme of themes) {
      if (only !== undefined && theme !== only) continue;
      const extensionsDir = path.join(scratch, theme, "extensions");
      await installExtension({ vsix, extensionsDir });
      const workbench = await startWorkbench({
        folder,
        extensionsDir,
        userDataDir: path.join(scratch, theme, "user"),
        settings: { ...settings, "workbench.colorTheme": THEMES[theme] },
      });
      await take({ browser, workbench, theme, folder });
      await workbench.stop();
    }
  } finally {
    await browser.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
