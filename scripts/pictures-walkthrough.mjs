/**
 * `node scripts/pictures-walkthrough.mjs`: cuts media/walkthrough, dark and light, out of docs/pictures. WebP, since ten pictures go into the
 * package.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { chromium } from "playwright-core";
import { root } from "./lib/paths.mjs";
import { ensureChromium } from "./workbench.mjs";

const out = path.join(root, "media/walkthrough");
const WIDTH = 640;
const QUALITY = 0.7;
/** By step: what it is cut from, and where. */
const cuts = {
  open: { from: "run-editor", x: 353, y: 68, width: 922, height: 576 },
  diagnose: { from: "run-editor", x: 353, y: 216, width: 672, height: 420 },
  samples: { from: "samples", x: 353, y: 216, width: 922, height: 552 },
  compare: { from: "compare-editor", x: 48, y: 68, width: 1227, height: 700 },
  runs: { from: "runs-table", x: 48, y: 68, width: 1227, height: 430 },
};

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await mkdir(out, { recursive: true });
  for (const [step, cut] of Object.entries(cuts))
    for (const theme of ["dark", "light"]) {
      const whole = await readFile(path.join(root, `docs/pictures/${cut.from}-${theme}.png`));
      const picture = await page.evaluate(
        async ({ url, cut, width, quality }) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = width;
          canvas.height = Math.round((width * cut.height) / cut.width);
          const context = canvas.getContext("2d");
          context.imageSmoothingQuality = "high";
          context.drawImage(image, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height);
          return canvas.toDataURL("image/webp", quality);
        },
        { url: `data:image/png;base64,${whole.toString("base64")}`, cut, width: WIDTH, quality: QUALITY },
      );
      await writeFile(path.join(out, `${step}-${theme}.webp`), Buffer.from(picture.split(",")[1], "base64"));
    }
} finally {
  await browser.close();
}
