import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { serveFixturePage } from "./lib/fixture-page.mjs";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const kit = process.argv[4] || "toolkit";
const s = await serveFixturePage({ kit });
const b = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const themes = (process.argv[2] || "dark,light,hc-dark,hc-light").split(",");
const cases = (process.argv[3] || "run,odd,hostile,failing,fresh,records,refused,loose").split(",");
try {
  for (const t of themes)
    for (const c of cases)
      for (const tab of ["charts", "events", "configuration", "records"]) {
        const p = await b.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: false });
        await p.goto(`${s.url}?case=${c}&theme=${t}`);
        await p.waitForSelector('[data-ready="true"]');
        const tabs = p.getByTestId("tab-" + tab);
        if (!(await tabs.count())) {
          if (tab !== "charts") {
            await p.close();
            continue;
          }
        } else {
          await tabs.click();
          await p.waitForTimeout(250);
          await p.waitForSelector('[data-ready="true"]');
        }
        await p.evaluate(axe + ";0");
        const r = await p.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        const v = r.violations.map(
          (v) =>
            `${v.id}(${v.impact}): ${v.nodes.length} ${v.nodes
              .slice(0, 3)
              .map(
                (n) =>
                  n.target.flat().join(" > ") +
                  " :: " +
                  n.html.slice(0, 140) +
                  " :: " +
                  (n.any[0]?.message || n.all[0]?.message || n.none[0]?.message),
              )
              .join("\n     ")}`,
        );
        const vio = await p.evaluate(() => fixture.violations);
        console.log(t, c, tab, v.length ? v.join("\n   ") : "ok", vio.length ? vio : "");
        await p.close();
      }
} finally {
  await b.close();
  await s.close();
}
