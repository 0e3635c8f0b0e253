/** A folder that cannot be written to, in a real VS Code: all that reads works, nothing is tried there, and what would be written says so. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const RUNS = ["grpo-baseline", "grpo-length-hack"];
/** Permissions bind everybody but root. */
const isRoot = process.getuid?.() === 0;

let root = "";
let folder = "";
let workbench: Workbench;

function command(name: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(name, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}: ${stderr}`);
}

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "fd-readonly-"));
  folder = path.join(root, "shelf");
  for (const name of RUNS) cpSync(path.join(recordings, name), path.join(folder, name), { recursive: true });
  if (isRoot) {
    command("mount", "--bind", folder, folder);
    command("mount", "-o", "remount,ro,bind", folder);
  } else command("chmod", "-R", "a-w", folder);
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench?.close();
  // What an extension host on its way out still holds does not keep the folder mounted.
  if (isRoot) command("umount", "--lazy", folder);
  else command("chmod", "-R", "u+w", folder);
  rmSync(root, { recursive: true, force: true });
});

/** Every name with its kind, times and content. */
function listing(): readonly string[] {
  const names = [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].sort();
  return names.map((name) => {
    const at = path.join(folder, name);
    const { mode, mtimeNs, ctimeNs } = lstatSync(at, { bigint: true });
    const content = (Number(mode) & 0o170000) === 0o100000 ? readFileSync(at) : "";
    return `${name} ${mode} ${mtimeNs} ${ctimeNs} ${createHash("sha256").update(content).digest("hex")}`;
  });
}

test("runs are listed and open whole; what would be saved there is refused in words; nothing is written", async () => {
  const before = listing();
  await workbench.page.locator('.activitybar .action-label[aria-label^="Flight Deck"]').first().click();
  const pane = workbench.page.locator('.pane:has(.pane-header[aria-label^="Runs"])');
  const listed = () => pane.locator(".monaco-list-row .label-name").allTextContents();
  await expect.poll(async () => (await listed()).toSorted()).toEqual(RUNS);
  const hack = pane.locator(".monaco-list-row", { hasText: "grpo-length-hack" });
  await expect.poll(() => hack.getAttribute("aria-label")).toContain("worst: Reward follows length");

  await hack.click();
  const page = await workbench.webview("grpo-length-hack");
  expect(await page.getByTestId("run-header").textContent()).toContain("250 steps");
  const chart = page.locator('[data-testid="chart"][data-metric="reward_mean"]');
  await expect.poll(() => chart.getAttribute("data-last")).not.toBe(null);
  await page.getByTestId("finding").first().waitFor();
  await page.getByTestId("tab-samples").click();
  await page.getByTestId("sample-row").first().waitFor();
  // Of the recording itself: each run that TRL closes has it.
  const warned = page
    .getByTestId("warning")
    .evaluateAll((all) => all.map((e) => e.getAttribute("data-code")));
  expect(await warned).toEqual(["duplicate-steps"]);
  expect(await workbench.notifications()).toEqual([]);

  const why = isRoot ? "that disk is mounted read-only" : "you may not write there";
  await page.getByTestId("tab-charts").click();
  await chart.locator("button.more").click();
  const item = (label: string) => page.locator('[role^="menuitem"]', { hasText: label });
  await item("Copy or Save…").click();
  await item("Save All Rows as CSV…").click();
  await workbench.saveAs(path.join(folder, "rows.csv"));
  await page.getByText(`rows.csv cannot be written: ${why}.`).first().waitFor();

  await workbench.runCommand("Flight Deck: Export Report…");
  await workbench.saveAs(path.join(folder, "report.html"));
  const notices = ["report.html", "runs.csv"].map((name) => `${name} cannot be written: ${why}.`);
  await expect.poll(() => workbench.notifications()).toEqual(notices.slice(0, 1));

  await workbench.runCommand("Flight Deck: Show Table of Runs");
  const table = await workbench.webview("Table of Runs");
  await table.getByRole("button", { name: "Export CSV…" }).click();
  await workbench.saveAs(path.join(folder, "runs.csv"));
  await expect.poll(() => workbench.notifications()).toContain(notices[1]);
  expect(listing()).toEqual(before);
  // VS Code repeats what is shown as an error in its console.
  const isRepeated = (text: string) => notices.some((notice) => text.includes(notice));
  expect(workbench.problems().filter((text) => !isRepeated(text))).toEqual([]);
});
