/** Draws media/icon.png (256 × 256, what the Marketplace and the Extensions view show). Run by hand after a change; the picture is committed. */
import path from "node:path";
import { chromium } from "playwright-core";
import { root } from "./lib/paths.mjs";
import { ensureChromium } from "./workbench.mjs";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256" fill="none" stroke-linecap="round" stroke-linejoin="round">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#16324f"/><stop offset="1" stop-color="#0b1826"/></linearGradient>
    <clipPath id="dial"><circle cx="128" cy="128" r="92"/></clipPath>
  </defs>
  <rect width="256" height="256" rx="52" fill="url(#sky)"/>
  <circle cx="128" cy="128" r="92" fill="#0d2135"/>
  <g clip-path="url(#dial)">
    <path d="M36 168H220V220H36Z" fill="#123152"/>
    <path d="M36 168H220" stroke="#2f5f8f" stroke-width="3"/>
    <path d="M164 36V220" stroke="#ff6b5e" stroke-width="4" stroke-dasharray="2 12"/>
  </g>
  <circle cx="128" cy="128" r="92" stroke="#4da3ff" stroke-width="10"/>
  <path d="M128 46v14M46 128h14M196 128h14M70 70l10 10M186 70l-10 10" stroke="#8fc4ff" stroke-width="7"/>
  <path d="M58 156l26-14 22 12 26-46 16 14 16-12 14 34 20 22" stroke="#f2f7ff" stroke-width="11"/>
  <circle cx="164" cy="110" r="13" fill="#ff6b5e" stroke="#0d2135" stroke-width="6"/>
</svg>`;

const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<body style="margin:0;background:transparent">${svg}</body>`);
await page.screenshot({ path: path.join(root, "media/icon.png"), omitBackground: true });
await browser.close();
