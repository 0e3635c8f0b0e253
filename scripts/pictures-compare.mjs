/**
 * `node scripts/pictures-compare.mjs`: takes docs/pictures of the compare editor from the packaged extension in a real VS Code on two
 * recordings of the tests, in every theme, dark and light also with a metric large. `--theme hc-dark` takes those of one theme. Needs a
 * build; fetches the workbench and a Chromium when they are missing.
 */
import path from "node:path";
import { root } from "./lib/paths.mjs";
import { firstCommand, ourPage, picture, takePictures } from "./lib/pictures.mjs";
import { openAddress } from "./workbench.mjs";

const recordings = path.join(root, "test/fixtures/oracle/trl/recordings");
const runs = ["grpo-baseline", "grpo-length-hack"];

async function openComparison(page) {
  await firstCommand(page, "Flight Deck: Compare Runs…");
  const box = page.locator(".quick-input-widget:visible");
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
  await picture(page, name);
}

await takePictures({
  runs: runs.map((run) => path.join(recordings, run)),
  async take({ browser, workbench, theme }) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(openAddress(workbench, []));
    const frame = await openComparison(page);
    // The comparison is wide: the side bar makes room.
    await page.keyboard.press("Control+b");
    await page.waitForTimeout(500);
    await ourPage(page);
    await picture(page, `compare-editor-${theme}`);
    if (!theme.startsWith("hc")) await takeLarge(page, frame, `compare-gap-${theme}`);
    await page.close();
  },
});
