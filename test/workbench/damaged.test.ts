/** Damaged and hostile runs in a real VS Code: each opens calmly, says what is wrong, shows the rest, and has no effect. */
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { layBases, layCase, readCases } from "../reliability/corpus.ts";
import { double, int64, parquet, text } from "../unit/helpers/parquet.ts";
import { manifest } from "../unit/helpers/runs.ts";
import { Workbench } from "./harness.ts";

const CASES = [
  "m-version-2",
  "m-missing",
  "l-part-growing-half",
  "l-compact-crash-trunc",
  "p-bomb-zstd-512m",
  "p-bomb-rows-50m",
  "f-steps-fifo",
  "m-run-id-html",
  "d-col-html",
  "e-torn-last",
  "p-lfs-pointer",
  "r-newer-schema",
  "p-trunc-50pct",
];
const MARKUP = "<img src=x onerror=\"document.body.dataset.hit='1'\">";

let root = "";
let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-damaged-"));
  folder = path.join(root, "runs");
  layBases(root);
  for (const c of readCases()) if (CASES.includes(c.id)) layCase(root, c);
  await mkdir(path.join(folder, "markup"));
  await writeFile(path.join(folder, "markup", "manifest.json"), manifest({ run_id: MARKUP }));
  const steps = { step: int64([1, 2]), loss: double([1, 2]), [MARKUP]: text(["a", "b"]) };
  await writeFile(path.join(folder, "markup", "steps.parquet"), parquet(steps));
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench.close();
  await rm(root, { recursive: true, force: true });
});
afterEach(async () => {
  expect(workbench.problems()).toEqual([]);
  await workbench.closeAll();
});

async function open(name: string): Promise<Frame> {
  await workbench.contextMenu([name], "Open Run");
  return workbench.webview(name);
}

const warning = (page: Frame, code: string): Locator =>
  page.locator(`[data-testid="warning"][data-code="${code}"]`).first();
const said = async (page: Frame, code: string): Promise<string> => {
  await warning(page, code).waitFor({ state: "attached" });
  return (await warning(page, code).textContent()) ?? "";
};
const header = (page: Frame): Locator => page.locator('[data-testid="run-header"]');
const headerSays = (page: Frame, words: string) =>
  expect.poll(() => header(page).textContent()).toContain(words);
const chart = (page: Frame, metric: string): Locator =>
  page.locator(`[data-testid="chart"][data-metric="${metric}"]`);
const drawn = (page: Frame, metric: string) =>
  expect.poll(() => chart(page, metric).getAttribute("data-last")).not.toBe(null);

describe("damaged runs", () => {
  test("a run of a newer version is refused with its reason, and opens by itself once it can be read", async () => {
    const page = await open("m-version-2");
    const refused = page.locator('[data-testid="refused-state"][data-code="newer-schema"]');
    await refused.waitFor();
    expect(await refused.textContent()).toContain("found 2; this version reads up to 1");
    await cp(path.join(root, "base/closed/manifest.json"), path.join(folder, "m-version-2/manifest.json"));
    await header(page).waitFor();
    await headerSays(page, "60 steps");
  });

  test("without a manifest the step files are offered, and open", async () => {
    const page = await open("m-missing");
    const empty = page.locator('[data-testid="empty-state"][data-code="not-a-run"]');
    await empty.waitFor();
    await empty.getByRole("button", { name: "Open Its Step Files Anyway" }).click();
    await header(page).waitFor();
    await headerSays(page, "60 steps");
    await drawn(page, "reward_mean");
  });

  test("a part that is half written costs itself; the recording says where it stops", async () => {
    const page = await open("l-part-growing-half");
    expect(await said(page, "part-incomplete")).toContain("steps/part-00002.parquet");
    await headerSays(page, "40 steps");
    await headerSays(page, "Recording stops at step 39 and was not closed");
    await drawn(page, "reward_mean");
    // Once it is written the run goes on, where the reader stands.
    await page.locator('[data-testid="tab-configuration"]').click();
    await page.locator('[data-testid="config-row"]').first().waitFor();
    const part = "steps/part-00002.parquet";
    await cp(path.join(root, "base/live", part), path.join(folder, "l-part-growing-half", part));
    await headerSays(page, "60 steps");
    await warning(page, "part-incomplete").waitFor({ state: "detached" });
    expect(await page.locator('[data-testid="config-row"]').first().isVisible()).toBe(true);
  });

  test("an interrupted compaction costs nothing", async () => {
    const page = await open("l-compact-crash-trunc");
    expect(await said(page, "compaction-interrupted")).toContain("steps.parquet");
    await headerSays(page, "60 steps");
    await drawn(page, "reward_mean");
  });

  test("bombs go off nowhere", async () => {
    const samples = await open("p-bomb-zstd-512m");
    await headerSays(samples, "60 steps");
    await drawn(samples, "reward_mean");
    const rows = await open("p-bomb-rows-50m");
    expect(await said(rows, "size-limit")).toContain("steps.parquet");
    await headerSays(rows, "48 samples");
  });

  test("a pipe in the place of the steps is not waited for", async () => {
    const page = await open("f-steps-fifo");
    expect(await said(page, "not-a-regular-file")).toContain("steps.parquet");
    await headerSays(page, "48 samples");
  });

  test("markup in names, columns and warnings is text", async () => {
    const page = await open("markup");
    expect(await said(page, "unknown-column")).toContain(MARKUP);
    await headerSays(page, MARKUP);
    await drawn(page, "loss");
    await isHarmless(page);
    const ids = await open("m-run-id-html");
    expect(await header(ids).textContent()).toContain("<");
    await isHarmless(ids);
    const columns = await open("d-col-html");
    await expect
      .poll(() => columns.locator('[data-testid="chart"]').allTextContents())
      .toContainEqual(expect.stringContaining("<img src=x onerror=alert(1)>"));
    await isHarmless(columns);
  });

  test("a torn line costs that event", async () => {
    const page = await open("e-torn-last");
    expect(await said(page, "torn-last-line")).toContain("events.jsonl");
    await page.locator('[data-testid="tab-events"]').click();
    await expect.poll(() => page.locator('[data-testid="event-row"]').count()).toBe(3);
  });

  test("a Git LFS pointer is recognised; its page explains it, and the file is shown in the Explorer", async () => {
    const page = await open("p-lfs-pointer");
    await said(page, "lfs-pointer");
    await showWarnings(page);
    await warning(page, "lfs-pointer").getByRole("button", { name: "Reveal" }).click();
    const row = workbench.page.locator(".explorer-folders-view .monaco-list-row.selected", {
      hasText: "steps.parquet",
    });
    await row.waitFor();
    await warning(page, "lfs-pointer").getByRole("button", { name: "What this means" }).click();
    await workbench.page.locator('.tab[aria-label*="lfs-pointer.md"]').waitFor();
    await expect.poll(() => previewText()).toContain("git lfs pull");
  });

  test("a rank of a newer version costs that rank", async () => {
    const page = await open("r-newer-schema");
    expect(await said(page, "newer-schema")).toContain("rank-002");
    await headerSays(page, "60 steps");
    await headerSays(page, "96 samples");
  });

  test("a step table that is repaired while its run is open is drawn without opening anything again", async () => {
    const page = await open("p-trunc-50pct");
    await said(page, "steps-unreadable");
    expect(await chart(page, "reward_mean").count()).toBe(0);
    const whole = path.join(root, "base/closed/steps.parquet");
    await cp(whole, path.join(root, "repaired"));
    await rename(path.join(root, "repaired"), path.join(folder, "p-trunc-50pct/steps.parquet"));
    await drawn(page, "reward_mean");
    await headerSays(page, "60 steps");
    await warning(page, "steps-unreadable").waitFor({ state: "detached" });
  });
});

async function isHarmless(page: Frame): Promise<void> {
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.evaluate(() => document.body.dataset["hit"])).toBe(undefined);
}

/** The list of warnings is folded until it is asked for. */
async function showWarnings(page: Frame): Promise<void> {
  const list = warning(page, "lfs-pointer");
  if (!(await list.isVisible())) await page.locator('[data-testid="warnings-toggle"]').click();
  await list.waitFor();
}

/** Of VS Code's own Markdown preview, whose pages are not marked as ready. */
async function previewText(): Promise<string> {
  const texts = await Promise.all(
    workbench.page.frames().map((frame) =>
      frame
        .locator("body")
        .textContent({ timeout: 500 })
        .catch(() => ""),
    ),
  );
  return texts.join("\n");
}
