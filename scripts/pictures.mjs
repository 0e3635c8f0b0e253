/** `node scripts/pictures.mjs`: takes docs/pictures/run-editor-*.png from the page on made-up data, in every theme. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { chromium } from "playwright-core";
import { serveFixturePage } from "./lib/fixture-page.mjs";
import { root } from "./lib/paths.mjs";
import { ensureChromium } from "./workbench.mjs";

const READY = '#root[data-ready="true"]';
const folder = path.join(root, "docs/pictures");

/** Waits for the page, puts the crosshair at three quarters of a chart, and takes the picture. */
async function take(page, url, name) {
  await page.goto(url);
  await page.waitForSelector(READY);
  const box = await page.locator('[data-metric="reward_std"] .plot').boundingBox();
  await page.mouse.move(box.x + 46 + (box.width - 54) * 0.75, box.y + box.height / 2);
  await page.locator(".readout b").waitFor();
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

const [executablePath, site] = await Promise.all([
  ensureChromium(),
  serveFixturePage(),
  mkdir(folder, { recursive: true }),
]);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const theme of ["dark", "light", "hc-dark", "hc-light"]) {
    for (const width of [1280, 800]) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const name = `run-editor-${theme}${width === 1280 ? "" : `-${width}`}`;
      await take(page, `${site.url}?case=picture&theme=${theme}`, name);
      await page.close();
    }
  }
} finally {
  await browser.close();
  await site.close();
}
