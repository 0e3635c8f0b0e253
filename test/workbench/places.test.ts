/** Windows in which not everything is allowed, or there: Restricted Mode, folders that lie on no disk. */
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { virtualExtension } from "./virtual-extension.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");

const NOT_LOCAL = expect.stringContaining("is on another kind of file system. Copy the run to a disk");

let root = "";
let folder = "";

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-places-"));
  folder = path.join(root, "runs");
  await mkdir(folder);
  for (const name of ["grpo-baseline", "grpo-length-hack"])
    await cp(path.join(recordings, name), path.join(folder, name), { recursive: true });
  // As on a cluster: the samples lie on another disk.
  const linked = path.join(folder, "linked");
  await cp(path.join(recordings, "grpo-length-hack"), linked, { recursive: true });
  await rename(path.join(linked, "samples"), path.join(root, "scratch"));
  await symlink(path.join(root, "scratch"), path.join(linked, "samples"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Header, curves and findings of a run that is open. */
async function isWhole(page: Frame): Promise<void> {
  await page.getByTestId("run-header").waitFor();
  const chart = page.locator('[data-testid="chart"][data-metric="reward_mean"]');
  await expect.poll(() => chart.getAttribute("data-last")).not.toBe(null);
  await page.locator('[data-testid="finding"]').first().waitFor();
}

describe("Restricted Mode", () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.open({ folder, restricted: true });
  });
  afterAll(() => workbench?.close());

  test("a run opens with curves and findings, and is listed: nothing is off", async () => {
    await workbench.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
    await workbench.contextMenu(["grpo-length-hack"], "Open Run");
    await isWhole(await workbench.webview("grpo-length-hack"));
    await workbench.runCommand("Flight Deck: Show Table of Runs");
    const table = await workbench.webview("Table of Runs");
    await expect.poll(() => table.locator("body").textContent()).toContain("grpo-baseline");
    expect(await workbench.notifications()).toEqual([]);
    expect(workbench.problems()).toEqual([]);
  });

  test("nothing is read through a link out of the run; once the workspace is trusted it is, where the page is", async () => {
    await workbench.contextMenu(["linked"], "Open Run");
    const page = await workbench.webview("linked");
    await isWhole(page);
    const warnings = page.locator('[data-testid="warning"][data-code^="link-"]');
    const codes = () => warnings.evaluateAll((all) => all.map((each) => each.getAttribute("data-code")));
    await expect.poll(codes).toEqual(["link-restricted"]);
    expect(await warnings.first().textContent()).toContain("samples");
    await page.getByTestId("tab-samples").click();
    await page.getByTestId("no-samples").waitFor();

    await workbench.runCommand("Workspaces: Manage Workspace Trust");
    await workbench.page
      .locator(".workspace-trust-editor")
      .getByRole("button", { name: "Trust", exact: true })
      .first()
      .click();
    await expect.poll(codes).toEqual(["link-outside"]);
    await page.getByTestId("sample-row").first().waitFor();
    // Of VS Code itself: granting trust registers an extension of its own again.
    expect(workbench.problems().filter((text) => !text.includes("is already registered"))).toEqual([]);
  });
});

describe("a folder that lies on no disk", () => {
  let vsix = "";
  beforeAll(async () => {
    const far = path.join(root, "far");
    for (const name of ["baseline", "length-hack"])
      await cp(path.join(recordings, `grpo-${name}`), path.join(far, `far-${name}`), { recursive: true });
    vsix = await virtualExtension(far, path.join(root, "virtual"));
  });

  async function open(folders: readonly object[]): Promise<Workbench> {
    const workspace = path.join(root, "mixed.code-workspace");
    await writeFile(workspace, JSON.stringify({ folders }));
    return Workbench.open({ folder, workspace, beside: [vsix] });
  }
  const VIRTUAL = { uri: "fdtest:/", name: "virtual" };

  test("beside one that does: its runs are refused in words, the others open", async () => {
    const workbench = await open([{ path: folder, name: "disk" }, VIRTUAL]);
    try {
      await workbench.contextMenu(["virtual", "far-baseline"], "Open Run");
      const page = await workbench.webview("far-baseline");
      const refused = page.locator('[data-testid="refused-state"][data-code="not-local"]');
      await refused.waitFor();
      const words = await refused.textContent();
      expect(words).toContain("this one is on another kind of file system");
      expect(words).toContain("Copy the run to a disk");
      for (const command of ["Diagnose Run", "Watch Run"]) {
        await workbench.contextMenu(["virtual", "far-length-hack"], command);
        await expect.poll(() => workbench.notifications()).toEqual([NOT_LOCAL]);
        await workbench.runCommand("Notifications: Clear All Notifications");
        await expect.poll(() => workbench.notifications()).toEqual([]);
      }
      await workbench.contextMenu(["disk", "grpo-length-hack"], "Open Run");
      await isWhole(await workbench.webview("grpo-length-hack"));
    } finally {
      await workbench.close();
    }
  });

  test("alone: its runs are refused in words too", async () => {
    const workbench = await open([VIRTUAL]);
    try {
      await workbench.contextMenu(["virtual", "far-baseline"], "Open Run");
      const page = await workbench.webview("far-baseline");
      await page.locator('[data-testid="refused-state"][data-code="not-local"]').waitFor();
    } finally {
      await workbench.close();
    }
  });
});
