/**
 * The browser's entry, in VS Code's own host for such extensions: our package without its entry for Node, so that VS Code starts it
 * in the browser. The recording lies in a file system that another extension brings, and on the server's disk.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Frame } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { virtualExtension } from "./virtual-extension.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const root = path.resolve(import.meta.dirname, "../..");

let scratch = "";
let workbench: Workbench;

/** What ships, but for Node: VS Code has no choice then. */
async function browserOnly(folder: string): Promise<string> {
  await cp(path.join(root, ".cache/package"), folder, { recursive: true });
  const file = path.join(folder, "package.json");
  const { main: _, extensionKind: __, ...manifest } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(manifest));
  const vsix = path.join(scratch, "browser.vsix");
  const vsce = path.join(root, "node_modules/@vscode/vsce/vsce");
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  await promisify(execFile)(process.execPath, [vsce, "package", ...options, "--out", vsix], { cwd: folder });
  return vsix;
}

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "fd-web-"));
  const folder = path.join(scratch, "runs");
  const far = path.join(scratch, "far");
  await cp(path.join(recordings, "grpo-length-hack"), path.join(folder, "near"), { recursive: true });
  await cp(path.join(recordings, "grpo-length-hack"), path.join(far, "far"), { recursive: true });
  await mkdir(path.join(far, "broken"));
  await writeFile(path.join(far, "broken", "manifest.json"), '{"schema_version":99,"run_id":"x"}');
  const workspace = path.join(scratch, "mixed.code-workspace");
  const folders = [
    { path: folder, name: "disk" },
    { uri: "fdtest:/", name: "virtual" },
  ];
  await writeFile(workspace, JSON.stringify({ folders }));
  const vsix = await browserOnly(path.join(scratch, "package"));
  const beside = [await virtualExtension(far, path.join(scratch, "virtual"))];
  workbench = await Workbench.open({ folder, workspace, vsix, beside });
});
afterEach(() => expect(workbench.problems()).toEqual([]));
afterAll(async () => {
  await workbench?.close();
  await rm(scratch, { recursive: true, force: true });
});

/** Header, curves, findings and samples of a run that is open. */
async function isWhole(page: Frame): Promise<void> {
  await page.getByTestId("run-header").waitFor();
  const chart = page.locator('[data-testid="chart"][data-metric="reward_mean"]');
  await expect.poll(() => chart.getAttribute("data-last")).not.toBe(null);
  const hack = page.locator('[data-testid="finding"][data-signature="REWARD_HACK_LENGTH"]');
  await hack.first().waitFor();
  await page.getByTestId("tab-samples").click();
  await page.getByTestId("sample-row").first().waitFor();
}

test("a run of a virtual file system opens: header, curves, findings, samples", async () => {
  await workbench.contextMenu(["virtual", "far"], "Open Run");
  await isWhole(await workbench.webview("far"));
});

test("a run that cannot be read is refused in words", async () => {
  await workbench.contextMenu(["virtual", "broken"], "Open Run");
  const page = await workbench.webview("broken");
  await page.locator('[data-testid="refused-state"][data-code="newer-schema"]').waitFor();
});

test("a run on the server's disk opens through the browser", async () => {
  await workbench.contextMenu(["disk", "near"], "Open Run");
  await isWhole(await workbench.webview("near"));
});

test("what needs a disk says so", async () => {
  await workbench.runCommand("Flight Deck: Create Demo Run…");
  await expect
    .poll(() => workbench.notifications())
    .toEqual([expect.stringContaining("cannot be done where VS Code runs in the browser alone")]);
  await workbench.runCommand("Notifications: Clear All Notifications");
});
