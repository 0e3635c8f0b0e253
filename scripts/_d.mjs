import { chromium } from "playwright-core";
import { serveFixturePage } from "./lib/fixture-page.mjs";
for (const kit of ["toolkit","elements"]) {
const s = await serveFixturePage({ kit, entry: "webview/dev/kit.ts" });
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu"] });
const p = await b.newPage({viewport:{width:700,height:300}}); await p.goto(s.url); await p.waitForTimeout(500);
console.log(await p.locator("main").ariaSnapshot());
console.log(await p.locator("fd-text-field").innerHTML());
const f = p.getByRole("textbox"); console.log(await f.count());
await p.screenshot({path:`/tmp/exp/kit-${kit}.png`});
await b.close(); await s.close(); }
