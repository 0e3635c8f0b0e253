/** Run records in a real VS Code: beside a recording, alone, and as attempts come in. */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { configOfText } from "../../src/core/records/python-values.ts";
import { recordJson } from "../../src/core/records/record-json.ts";
import { writeMetrics, writeWitness } from "../../src/recorder/records.ts";
import { Workbench } from "./harness.ts";

const baseline = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings/grpo-baseline");
let folder = "";
let workbench: Workbench;

const attempt = (run: string, config: object, more: Parameters<typeof writeWitness>[1] = {}) =>
  writeWitness(path.join(folder, run), { runId: 4711, device: "cpu", elapsedSeconds: 61, config, ...more });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-records-"));
  await cp(baseline, path.join(folder, "both"), { recursive: true });
  // As a loader that reads the same file: each number as it is spelled.
  const manifest = configOfText(await readFile(path.join(baseline, "manifest.json"), "utf8"));
  const configText = recordJson(manifest["trainer_config"] ?? null);
  await attempt(
    "both",
    {},
    { configText, device: "cuda", deviceName: "NVIDIA H100", peakMemoryBytes: 2 ** 36 },
  );
  await mkdir(path.join(folder, "alone"));
  await attempt("alone", { lr: 1e-6, beta: 0 });
  writeMetrics(
    path.join(folder, "alone"),
    [0.5, 0.75].map((value, seed) => ({
      benchmark: "gsm8k",
      metric: "accuracy",
      horizon: null,
      seed,
      value,
    })),
  );
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  expect(workbench.problems()).toEqual([]);
  await workbench.closeAll();
});

async function records(name: string): Promise<Frame> {
  await workbench.contextMenu([name], "Open Run");
  const page = await workbench.webview(name);
  await page.getByTestId("tab-records").click();
  await page.getByTestId("record-row").first().waitFor();
  return page;
}

test("beside a recording: the attempt ran what the manifest says", async () => {
  const page = await records("both");
  const row = await page.locator('[data-attempt="1"]').textContent();
  for (const words of ["hash matches", "as in manifest.json", "cuda", "NVIDIA H100", "64 GiB", "1 min 01 s"])
    expect(row).toContain(words);
  expect(await page.getByTestId("tab-charts").count()).toBe(1);
});

test("alone, and an attempt that comes while it is looked at stands beside the others", async () => {
  const page = await records("alone");
  expect(await page.getByTestId("tab-charts").count()).toBe(0);
  expect((await page.locator(".metrics tbody").textContent())?.replace(/\s+/g, " ")).toContain(
    "gsm8k accuracy – 2 0.625",
  );
  await attempt("alone", { lr: 2e-6, beta: 0 });
  await page.locator('[data-attempt="2"]').waitFor();
  expect(await page.locator('[data-attempt="2"]').textContent()).toContain("changed since attempt 1");
  expect(await page.locator('[data-path="lr"] td').allTextContents()).toHaveLength(2);
  expect(await page.getByText("2 attempts, so 1 restart.").isVisible()).toBe(true);
});
