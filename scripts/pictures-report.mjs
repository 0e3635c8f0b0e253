/** `node scripts/pictures-report.mjs`: takes docs/pictures of reports, written by the command line, in a browser. Needs a build. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { root } from "./lib/paths.mjs";
import { picture } from "./lib/pictures.mjs";
import { run } from "./lib/run.mjs";
import { ensureChromium } from "./workbench.mjs";

const recordings = path.join(root, "test/fixtures/oracle/synthetic/recordings");
const reports = {
  report: [path.join(root, "media/demo/grpo-length-hack")],
  "report-compare": [path.join(recordings, "healthy-grpo"), path.join(recordings, "kl-blowup")],
};
const pictures = [
  ["report", "light"],
  ["report", "dark"],
  ["report-compare", "light"],
];

const scratch = await mkdtemp(path.join(tmpdir(), "fd-pictures-"));
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
try {
  for (const [name, runs] of Object.entries(reports)) {
    const out = path.join(scratch, `${name}.html`);
    await run("node", [path.join(root, "dist/cli.cjs"), "report", ...runs, "--out", out], { show: true });
  }
  for (const [name, colorScheme] of pictures) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(pathToFileURL(path.join(scratch, `${name}.html`)).href);
    await picture(page, `${name}-${colorScheme}`);
  }
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true });
}
