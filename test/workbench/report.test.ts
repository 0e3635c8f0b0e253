/** Reports and data that the editor writes, and links into it, in a real VS Code. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const RECORDINGS = path.resolve(import.meta.dirname, "../fixtures/oracle/synthetic/recordings");
const DEMO = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");

let root = "";
let folder = "";
let workbench: Workbench;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-report-"));
  folder = path.join(root, "work");
  await mkdir(folder);
  // Elsewhere, so that the Explorer stays as it is.
  await mkdir(path.join(root, "out", "empty"), { recursive: true });
  await cp(DEMO, path.join(folder, "hack"), { recursive: true });
  await cp(path.join(RECORDINGS, "healthy-grpo"), path.join(folder, "healthy"), { recursive: true });
  await cp(path.join(RECORDINGS, "kl-blowup"), path.join(root, "elsewhere"), { recursive: true });
  workbench = await Workbench.open({ folder });
});
afterEach(() => expect(workbench.problems()).toEqual([]));
afterAll(async () => {
  await workbench?.close();
  await rm(root, { recursive: true, force: true });
});

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });
const written = (file: string) => soon(() => readFile(file, "utf8").catch(() => ""));
const header = async (label: string) =>
  (await (await workbench.webview(label)).getByTestId("run-header").textContent()) ?? "";
const dialog = () => workbench.page.locator(".monaco-dialog-box");

/** Follows a link as a browser would have VS Code follow it, and lets it in. */
async function follow(link: string | null): Promise<void> {
  await workbench.runCommand("Developer: Open URL");
  const input = workbench.page.locator(".quick-input-widget:visible input");
  if (link === null) await input.press("ControlOrMeta+V");
  else await input.fill(link);
  await input.press("Enter");
  await dialog().getByRole("button", { name: "Open", exact: true }).click();
}
const link = (query: string) => `vscode://flight-deck.flight-deck/open?${query}`;

async function openRun(name: string): Promise<void> {
  await follow(link(`run=${folder}/${name}`));
  await workbench.webview(name);
}

describe("Export Report", () => {
  test("writes the run in front as one page, and offers to open it", async () => {
    await openRun("hack");
    const before = await readdir(path.join(folder, "hack"), { recursive: true });
    await workbench.runCommand("Flight Deck: Export Report…");
    const file = path.join(root, "out", "hack.html");
    await workbench.saveAs(file);
    await written(file).toMatch(/<\/html>\n$/);
    const html = await readFile(file, "utf8");
    expect(html.includes("Reward follows length")).toBe(true);
    expect(html.includes("Made by Flight Deck 0.1.0")).toBe(true);
    const notice = workbench.page.locator(".notification-toast", { hasText: "hack.html is written." });
    await notice.getByRole("button", { name: "Open", exact: true }).click();
    await workbench.tab("hack.html").waitFor();
    expect(await readdir(path.join(folder, "hack"), { recursive: true })).toEqual(before);
  });

  test("writes Markdown and SARIF where the file is called so", async () => {
    await workbench.closeAll();
    await openRun("hack");
    for (const [name, start] of [
      ["hack.md", /^# Run `/],
      ["hack.sarif", /"uri": "hack\/manifest.json"/],
    ] as const) {
      await workbench.runCommand("Flight Deck: Export Report…");
      const file = path.join(root, "out", name);
      await workbench.saveAs(file);
      await written(file).toMatch(start);
    }
  });

  test("writes a comparison that is in front", async () => {
    await workbench.closeAll();
    await follow(link(`run=${folder}/healthy&with=${folder}/hack`));
    await workbench.webview("healthy ↔ hack");
    await workbench.runCommand("Flight Deck: Export Report…");
    const file = path.join(root, "out", "both.html");
    await workbench.saveAs(file);
    await written(file).toContain("Comparison of 2 runs");
  });

  test("asks before it writes into a run", async () => {
    await workbench.closeAll();
    await openRun("hack");
    await workbench.runCommand("Flight Deck: Export Report…");
    await workbench.saveAs(path.join(folder, "hack", "report.html"));
    await dialog().waitFor();
    expect(await dialog().textContent()).toContain("inside the run's folder");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await readdir(path.join(folder, "hack"))).not.toContain("report.html");
  });
});

test("Export Data writes the ticked metrics as CSV or JSON", async () => {
  for (const [name, start] of [
    ["data.csv", /^step,timestamp,reward_mean,/],
    ["data.json", /^\{"run": "hack",\n"columns": \["step", "timestamp", "reward_mean"/],
  ] as const) {
    await workbench.runCommand("Flight Deck: Export Data…");
    const pick = workbench.page.locator(".quick-input-widget:visible");
    await pick.getByRole("button", { name: "OK" }).click();
    const file = path.join(root, "out", name);
    await workbench.saveAs(file);
    await written(file).toMatch(start);
  }
});

describe("links", () => {
  test("a run and its step are opened; a comparison; a sample", async () => {
    await workbench.closeAll();
    await follow(link(`run=${folder}/hack&step=139`));
    await soon(() => header("hack")).toContain("250 steps");
    await follow(link(`run=${folder}/healthy&with=${folder}/hack`));
    await workbench.webview("healthy ↔ hack");
    await follow(link(`run=${folder}/hack&sample=129_11&rank=0&step=129`));
    await soon(async () => (await workbench.page.locator(".tab").allTextContents()).join(" ")).toContain(
      "129_11",
    );
  });

  test("Copy Link copies what leads back", async () => {
    await workbench.closeAll();
    await openRun("healthy");
    await workbench.runCommand("Flight Deck: Copy Link");
    await soon(async () => (await workbench.notifications()).join(" ")).toContain(
      "The link is in the clipboard.",
    );
    await workbench.closeAll();
    await follow(null);
    await soon(() => header("healthy")).toContain("200 steps");
  });

  test("Copy Link leads to the step that the page points out", async () => {
    await workbench.closeAll();
    await openRun("hack");
    const page = await workbench.webview("hack");
    const plot = page.locator('[data-testid="chart"][data-metric="reward_mean"] .plot');
    await plot.locator("svg").waitFor();
    await plot.click({ position: { x: 180, y: 60 } });
    const readout = page.locator(".readout", { hasText: "pinned step" });
    await readout.waitFor();
    const step = /pinned step\s*([\d,]+)/.exec((await readout.textContent()) ?? "")?.[1];
    expect(Number(step)).toBeGreaterThan(0);
    // An Escape goes before each command here, and in a chart it lets go of the step.
    await page.locator("h1").focus();
    await workbench.runCommand("Notifications: Clear All Notifications");
    await soon(() => workbench.notifications()).toEqual([]);
    await workbench.runCommand("Flight Deck: Copy Link");
    await soon(async () => (await workbench.notifications()).join(" ")).toContain("in the clipboard");
    // Without what the page keeps: its pin is let go of, and the editor is closed.
    await plot.focus();
    await plot.press("Escape");
    await readout.waitFor({ state: "hidden" });
    await workbench.closeAll();
    await follow(null);
    const again = await workbench.webview("hack");
    await soon(() => again.locator(".readout", { hasText: "pinned step" }).textContent()).toContain(
      `pinned step ${step}`,
    );
  });

  test("a folder outside of the workspace is asked about first", async () => {
    await workbench.closeAll();
    await follow(link(`run=${root}/elsewhere`));
    await soon(() => dialog().textContent()).toContain("outside of this workspace");
    expect(await dialog().textContent()).toContain(`${root}/elsewhere`);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await workbench.page.locator(".tab").count()).toBe(0);
    await follow(link(`run=${root}/elsewhere`));
    await soon(() => dialog().textContent()).toContain("outside of this workspace");
    await dialog().getByRole("button", { name: "Open Run" }).click();
    await soon(() => header("elsewhere")).toContain("200 steps");
  });

  test("what is no link to a run is refused, and opens nothing", async () => {
    await workbench.closeAll();
    for (const query of ["run=relative", "run=/a/../etc", `run=${folder}/hack&command=x`]) {
      await follow(link(query));
      await soon(async () => (await workbench.notifications()).join(" ")).toContain(
        "The link cannot be opened.",
      );
    }
    expect(await workbench.page.locator(".tab").count()).toBe(0);
  });
});
