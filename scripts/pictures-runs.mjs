/**
 * `node scripts/pictures-runs.mjs`: takes docs/pictures of the table of runs from the packaged extension in a real VS Code on recordings
 * of the tests, dark and light. `--theme light` takes one of them. Needs a build; fetches the workbench and a Chromium when they are
 * missing.
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
const oracle = path.join(root, "test/fixtures/oracle");
const runs = [
  "trl/recordings/grpo-baseline",
  "trl/recordings/grpo-length-hack",
  "trl/recordings/grpo-crash-exception",
  "trl/recordings/grpo-sigkill",
  "trl/recordings/manual-ppo",
  "trl/recordings/manual-ranks",
  "synthetic/recordings/healthy-grpo",
  "synthetic/recordings/kl-blowup",
  "synthetic/recordings/entropy-collapse",
  "synthetic/recordings/reward-hack-length",
  "synthetic/recordings/truncation-starve",
  "synthetic/recordings/throughput-rot",
];
const themes = { dark: "Dark Modern", light: "Light Modern" };

/** The innermost frame that holds our page, once it is painted. */
async function ourPage(page) {
  for (;;) {
    for (const frame of page.frames()) if (await frame.locator('[data-ready="true"]').count()) return frame;
    await page.waitForEvent("frameattached", { timeout: 2000 }).catch(() => {});
  }
}

async function openTable(page) {
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  const box = page.locator(".quick-input-widget:visible");
  const title = "Flight Deck: Show Table of Runs";
  // Contributed commands are listed once the extensions are scanned.
  for (let tries = 0; tries < 40; tries++) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    await box.locator("input").first().fill(`>${title}`);
    const entry = box.locator(".monaco-list-row", { hasText: title }).first();
    const isChosen = await entry.click({ timeout: 1500 }).then(
      () => true,
      () => false,
    );
    if (isChosen) break;
  }
  return ourPage(page);
}

const only = process.argv.includes("--theme") ? process.argv.at(-1) : undefined;
const scratch = await mkdtemp(path.join(tmpdir(), "fd-pictures-"));
const folder = path.join(scratch, "runs");
for (const run of runs)
  await cp(path.join(oracle, run), path.join(folder, path.basename(run)), { recursive: true });
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
    const page = await browser.newPage({ viewport: { width: 1280, height: 560 } });
    await page.goto(openAddress(workbench, []));
    const frame = await openTable(page);
    // The table is wide: the side bar makes room.
    await page.keyboard.press("Control+b");
    await frame
      .getByTestId("runs-count")
      .filter({ hasText: /^12 runs$/ })
      .waitFor();
    await frame.locator('.rt-head [data-column="findings"] button').click();
    await frame.locator('.rt-head [aria-sort="descending"]').waitFor();
    await frame.locator('#root[data-ready="true"]').waitFor();
    const tick = (name) => frame.getByTestId("runs-row").filter({ hasText: name }).locator(".rt-tick");
    await tick("grpo-baseline").click();
    await tick("grpo-length-hack").click();
    await page.mouse.move(2, 300);
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.join(out, `runs-table-${theme}.png`) });
    await page.close();
    await workbench.stop();
  }
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
