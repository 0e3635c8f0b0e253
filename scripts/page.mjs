/** `node scripts/page.mjs [--kit=elements]`: serves the run editor's page on made-up data until it is interrupted. */
import { serveFixturePage } from "./lib/fixture-page.mjs";

const kit = process.argv.includes("--kit=elements") ? "elements" : "toolkit";
const { url } = await serveFixturePage({ kit, minify: false });
console.log(`The page on made-up data: ${url}?case=run&theme=dark`);
