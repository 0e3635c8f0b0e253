/**
 * `node scripts/pictures-runs.mjs`: takes docs/pictures of the Runs view (dark) and of the table of runs from the packaged extension in a real
 * VS Code on recordings of the tests, dark and light. `--theme light` takes one of them. Needs a build; fetches the workbench and a Chromium when they are
 * missing.
 */
import path from "node:path";
import { root } from "./lib/paths.mjs";
import { firstCommand, ourPage, picture, takePictures } from "./lib/pictures.mjs";
import { openAddress } from "./workbench.mjs";

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

/** A run's findings are folded out, and one is chosen. */
async function takeView(browser, workbench, theme) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(openAddress(workbench, []));
  await page.locator('.activitybar .action-label[aria-label^="Flight Deck"]').first().click();
  const pane = page.locator('.pane:has(.pane-header[aria-label^="Runs"])');
  const named = (name) => page.locator(".label-name", { hasText: new RegExp(`^${name}$`) });
  const row = (name) =>
    pane
      .locator(".monaco-list-row")
      .filter({ has: named(name) })
      .first();
  // All are diagnosed.
  await pane.locator('.monaco-list-row[aria-label^="throughput-rot"][aria-label*="worst"]').waitFor();
  await pane.locator('.monaco-list-row[aria-label^="manual-ppo"][aria-label*="findings"]').waitFor();
  await row("grpo-length-hack").locator(".monaco-tl-twistie").click();
  await row("Reward follows length").click();
  const frame = await ourPage(page);
  await frame.getByTestId("zoom-range").waitFor();
  await frame.locator(".ev-onset").first().waitFor();
  await page.mouse.move(640, 4);
  await page.waitForTimeout(500);
  await picture(page, `runs-${theme}`);
  await page.close();
}

await takePictures({
  runs: runs.map((run) => path.join(oracle, run)),
  themes: ["dark", "light"],
  async take({ browser, workbench, theme }) {
    if (theme === "dark") await takeView(browser, workbench, theme);
    const page = await browser.newPage({ viewport: { width: 1280, height: 560 } });
    await page.goto(openAddress(workbench, []));
    await firstCommand(page, "Flight Deck: Show Table of Runs");
    const frame = await ourPage(page);
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
    await picture(page, `runs-table-${theme}`);
    await page.close();
  },
});
