/** `node scripts/page.mjs [--kit=elements] [--compare | --runs]`: serves the run editor's page, the compare editor's or the table of runs, on made-up data until it is interrupted. */
import { serveFixturePage } from "./lib/fixture-page.mjs";

const kit = process.argv.includes("--kit=elements") ? "elements" : "toolkit";
const pages = {
  "--compare": ["webview/dev/compare.ts", "two"],
  "--runs": ["webview/dev/runs.ts", "many"],
};
const wanted = Object.keys(pages).find((flag) => process.argv.includes(flag));
const [entry, first] = pages[wanted] ?? ["webview/dev/main.ts", "run"];
const { url } = await serveFixturePage({ kit, minify: false, entry });
console.log(`The page on made-up data: ${url}?case=${first}&theme=dark`);
