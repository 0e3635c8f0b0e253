/** `node scripts/page.mjs [--kit=elements] [--compare]`: serves the run editor's page, or the compare editor's, on made-up data until it is interrupted. */
import { serveFixturePage } from "./lib/fixture-page.mjs";

const kit = process.argv.includes("--kit=elements") ? "elements" : "toolkit";
const isCompare = process.argv.includes("--compare");
const entry = isCompare ? "webview/dev/compare.ts" : "webview/dev/main.ts";
const { url } = await serveFixturePage({ kit, minify: false, entry });
console.log(`The page on made-up data: ${url}?case=${isCompare ? "two" : "run"}&theme=dark`);
