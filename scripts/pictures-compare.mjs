/**
 * `node scripts/pictures-compare.mjs`: takes docs/pictures of the compare editor from the packaged extension in a real VS Code on two
 * recordings of the tests, in every theme, dark and light also with a metric large. `--theme hc-dark` takes those of one theme. Needs a
 * build; fetches the workbench and a Chromium when they are missing.
 */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { root } from "./lib/paths.mjs";
import { packageExtension } from "./package.mjs";
import {
  ensureChromium,
  ensureWorkbench,
  installExtension,
  openAddress,
  startWorkbench,
} from "./workbench.mjs";

const out = path.join(root, "docs/pictures");
const recordings = path.join(root, "test/fixtures/oracle/trl/recordings");
const runs = ["grpo-baseline", "grpo-length-hack"];
const themes = {
  dark: "Dark Modern",
  light: "Light Modern",
  "hc-dark": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
};

/** The innermost frame that holds our page, once it is painted. */
async function ourPage(page) {
  for (;;) {
    for (const frame of page.frames()) if (await frame.locator('[data-ready="true"]').count()) return frame;
    await page.waitForEvent("frameattached", { timeout: 2000 }).catch(() => {});
  }
}

async function openComparison(page) {
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  const box = page.locator(".quick-input-widget:visible");
  const title = "Flight Deck: Compare Runs…";
  // Contributed commands are listed once the extensions are scanned.
  for (let tries = 0; tries < 40; tries++) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    await box.locator("input").first().fill(`>${title}`);
    const entry = box.locator(".monaco-list-row", { hasText: title }).first();
    if (
      await entry.click({ timeout: 1500 }).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  for (const run of runs) await box.locator(".monaco-list-row", { hasText: run }).first().click();
  await box.getByRole("button", { name: "OK" }).click();
  const frame = await ourPage(page);
  await frame.getByTestId("diff-metric").first().locator(".canvas svg").waitFor();
  return frame;
}

async function takeLarge(page, frame, name) {
  await frame.locator('fd-overlay[data-metric="kl_mean"] .cmp-title').first().click();
  const plot = frame.locator(".cmp-large fd-overlay .plot");
  await frame.locator(".cmp-large fd-gap .cmp-band").waitFor();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
  await frame.locator(".readout b").waitFor();
  await page.screenshot({ path: path.join(out, `${name}.png`) });
}

const only = process.argv.includes("--theme") ? process.argv.at(-1) : undefined;
const scratch = await mkdtemp(path.join(tmpdir(), "fd-pictures-"));
const folder = path.join(scratch, "runs");
for (const run of runs) await cp(path.join(recordings, run), path.join(folder, run), { recursive: true });
await mkdir(out, { recursive: true });
await ensureWorkbench();
const vsix = await packageExtension();
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (const [theme, label] of Object.entries(themes)) {
    if (only !== undefined && theme !== only) continue;
    const extensionsDir = path.join(scratch, theme, "extensions");
    await installExtension({ vsix, extensionsDir });
    const settings = { "workbench.colorTheme": label };
    const userDataDir = path.join(scratch, theme, "user");
    const workbench = await startWorkbench({ folder, extensionsDir, userDataDir, settings });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(openAddress(workbench, []));
    const frame = await openComparison(page);
    // The comparison is wide: the side bar makes room.
    await page.keyboard.press("Control+b");
    await page.waitForTimeout(500);
    await ourPage(page);
    await page.screenshot({ path: path.join(out, `compare-editor-${theme}.png`) });
    if (!theme.startsWith("hc")) await takeLarge(page, frame, `compare-gap-${theme}`);
    await page.close();
    await workbench.stop();
  }
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
