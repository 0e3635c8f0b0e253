/** A failed test leaves a picture of every open workbench in test-results/; none outlives its file. */
import { afterAll, afterEach } from "vitest";
import { openWorkbenches } from "./harness.ts";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const name = task.name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 60);
  let count = 0;
  for (const workbench of openWorkbenches()) {
    const file = await workbench.screenshot(`failed-${name}-${++count}`).catch(() => undefined);
    console.error(`Picture of the failure: ${file ?? "none could be taken"}`);
    for (const problem of workbench.problems()) console.error(`  ${problem}`);
  }
});

afterAll(async () => {
  for (const workbench of openWorkbenches()) await workbench.close();
});
