/**
 * `node scripts/pictures.mjs`: takes docs/pictures from the packaged extension in a real VS Code on the demo run, in every
 * theme, at 1280 and 800 pixels; in the wide one, dark and light, also with a part of the
 * run marked on the timeline, the tab of samples and documents about them. `--theme hc-dark` takes those of one theme, `--samples` those
 * about samples alone. Needs a build; fetches the workbench and a Chromium when they are missing.
 */
import path from "node:path";
import { root } from "./lib/paths.mjs";
import { ourPage, picture, takePictures } from "./lib/pictures.mjs";
import { openAddress } from "./workbench.mjs";

async function take(page, name) {
  const frame = await ourPage(page);
  const chart = frame.locator('[data-testid="chart"] .plot').first();
  await chart.locator("svg").waitFor();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2);
  await frame.locator(".readout b").waitFor();
  await picture(page, name);
}

/** A part of the run marked on the timeline, curves smoothed, a step pointed out. */
async function takePart(page, name) {
  const frame = await ourPage(page);
  const strip = await frame.locator(".tl-strip").boundingBox();
  await page.mouse.move(strip.x + strip.width * 0.3, strip.y + 16);
  await page.mouse.down();
  await page.mouse.move(strip.x + strip.width * 0.72, strip.y + 16, { steps: 5 });
  await page.mouse.up();
  await frame.getByRole("slider", { name: "Smoothing" }).fill("62");
  await frame.locator(".canvas path[stroke-width='1.5']").first().waitFor();
  const plot = await frame.locator('[data-testid="chart"] .plot').first().boundingBox();
  await page.mouse.click(plot.x + plot.width * 0.6, plot.y + plot.height / 2);
  await page.mouse.move(plot.x + plot.width * 0.35, plot.y + plot.height / 2);
  await frame.locator(".cross:visible").first().waitFor();
  await picture(page, name);
  await frame.getByRole("slider", { name: "Smoothing" }).fill("0");
  await frame.locator(".tl-strip").dblclick({ position: { x: 4, y: 16 } });
  await page.keyboard.press("Escape");
}

/** The tab of samples: a part of the run with one folded out, groups, a prompt over time. */
async function takeTab(page, theme) {
  const frame = await ourPage(page);
  await frame.getByTestId("tab-samples").click();
  const row = frame.locator(".sm-layer").getByTestId("sample-row");
  await row.first().waitFor();
  const strip = await frame.locator(".tl-strip").boundingBox();
  await page.mouse.move(strip.x + strip.width * 0.4, strip.y + 16);
  await page.mouse.down();
  await page.mouse.move(strip.x + strip.width * 0.62, strip.y + 16, { steps: 5 });
  await page.mouse.up();
  await frame.locator('[data-filter="steps"]').waitFor();
  await frame.locator('[data-column="reward"] button').click();
  await row.nth(2).click();
  await frame.getByTestId("sample-detail").waitFor();
  await picture(page, `samples-${theme}`);
  await frame.locator(".sm-views").getByRole("button", { name: "Groups" }).click();
  await frame.getByTestId("group").first().waitFor();
  await picture(page, `groups-${theme}`);
  await frame.locator(".sm-views").getByRole("button", { name: "Prompts" }).click();
  await frame.getByTestId("prompt-row").nth(2).click();
  await frame.locator('[data-side="b"] .sm-box .rec').waitFor();
  await picture(page, `prompts-${theme}`);
  await frame.locator(".sm-views").getByRole("button", { name: "List" }).click();
  await frame.locator(".tl-strip").dblclick({ position: { x: 4, y: 16 } });
  await frame.getByTestId("tab-charts").click();
}

async function command(page, title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget:visible .quick-input-filter input").first();
  await input.fill(`>${title}`);
  const row = page.locator(".quick-input-list .monaco-list-row.focused .label-name");
  await row.filter({ hasText: title.split(": ").at(-1) }).waitFor();
  await page.keyboard.press("Enter");
}

/** The sample of the worst reward as a document, and beside the best of its group. */
async function takeSample(page, theme) {
  await command(page, "Flight Deck: Open Sample…");
  const item = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "reward" }).first();
  await item.click();
  const lens = page.locator(".codelens-decoration").filter({ hasText: "Compare with Best of Group" });
  await lens.first().waitFor();
  await picture(page, `sample-${theme}`);
  await command(page, "Flight Deck: Compare with Best of Group");
  await page.locator(".monaco-diff-editor .char-insert").first().waitFor();
  // The cursor's line is no part of the picture.
  await page.keyboard.press("Control+Home");
  await picture(page, `sample-diff-${theme}`);
  // What is open now would be open in the next window.
  await command(page, "View: Close All Editors");
  await page.locator(".tab").first().waitFor({ state: "detached" });
}

const samplesOnly = process.argv.includes("--samples");
await takePictures({
  runs: ["grpo-length-hack", "README.md"].map((name) => path.join(root, "media/demo", name)),
  settings: {
    "workbench.editorAssociations": { "**/manifest.json": "flightDeck.run" },
    "workbench.sideBar.location": "left",
  },
  async take({ browser, workbench, theme, folder }) {
    for (const width of samplesOnly ? [1280] : [1280, 800]) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.goto(openAddress(workbench, [path.join(folder, "grpo-length-hack", "manifest.json")]));
      await ourPage(page);
      // A narrow window is used without the side bar; the wide one shows where the run lies.
      if (width === 800) await page.keyboard.press("Control+b");
      if (!samplesOnly) await take(page, `run-editor-${theme}${width === 1280 ? "" : `-${width}`}`);
      if (width === 1280 && !theme.startsWith("hc")) {
        if (!samplesOnly) await takePart(page, `timeline-${theme}`);
        await takeTab(page, theme);
        await takeSample(page, theme);
      }
      await page.close();
    }
  },
});
