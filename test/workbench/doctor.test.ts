/** Diagnosis in a real VS Code: by palette, as a document, in Problems, with a doctor.toml that is edited. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CURRENT, FLOOR, Workbench } from "./harness.ts";
import { writeLongRuns } from "./runs.ts";

const demo = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-doctor-"));
  await cp(demo, path.join(folder, "hack"), { recursive: true });
  await writeFile(path.join(folder, "hack", "doctor.toml"), "[truncation_starve]\n");
  await cp(demo, path.join(folder, "torn"), { recursive: true });
  await writeFile(path.join(folder, "torn", "steps.parquet"), "<html>not found</html>");
  await writeLongRuns(folder, 8);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Labels of the quick pick that is shown; the details below them, and separators, are left out. */
const listed = (on: Workbench): Promise<string[]> =>
  on.page
    .locator(".quick-input-list .quick-input-list-rows > .quick-input-list-row:first-child .label-name")
    .allTextContents();

/** What the text editor in front shows, one line a line; it draws spaces as no-break ones. */
async function shownText(on: Workbench): Promise<string> {
  const lines = await on.page.locator(".editor-instance .monaco-editor .view-line").allTextContents();
  return lines.join("\n").replaceAll("\u00a0", " ");
}

const problemsView = (on: Workbench): Locator => on.page.locator(".markers-panel");

/** Puts the cursor at the end of the file in front. */
async function toEnd(on: Workbench): Promise<void> {
  await on.page.locator(".editor-instance .monaco-editor .view-lines").first().click();
  await on.page.keyboard.press("Control+End");
}

/** Width of the picture on the rendered page that holds this text; 0 while there is none. */
async function pictureIn(on: Workbench, text: string): Promise<number> {
  for (const frame of on.page.frames()) {
    const shown = await frame
      .getByText(text)
      .count()
      .catch(() => 0);
    if (shown === 0) continue;
    const widths = await frame
      .locator("img")
      .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth));
    return Math.max(0, ...widths);
  }
  return 0;
}

/** A slow machine takes its time. */
const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 20_000 });

const FINDINGS = ["Reward follows length", "Answers are cut off"];

async function diagnosesFromPalette(on: Workbench): Promise<void> {
  await on.runCommand("Flight Deck: Diagnose Run");
  await on.pick("hack");
  await soon(() => listed(on)).toEqual([...FINDINGS, "Open Findings as Document", "Show in Problems"]);
}

test("the oldest VS Code that is supported diagnoses a run from the palette and shows its document", async () => {
  const oldest = await Workbench.open({ folder, version: FLOOR });
  await diagnosesFromPalette(oldest);
  await oldest.pick("Open Findings as Document");
  await soon(() => shownText(oldest)).toContain("Findings of hack");
  expect(oldest.problems()).toEqual([]);
  await oldest.close();
});

describe(`VS Code ${CURRENT}`, () => {
  beforeAll(async () => {
    workbench = await Workbench.open({ folder });
  });
  afterAll(() => workbench.close());
  afterEach(async () => {
    expect(workbench.problems()).toEqual([]);
    await workbench.closeAll();
  });

  test("a run is diagnosed from the palette; choosing a finding opens its run", async () => {
    await diagnosesFromPalette(workbench);
    await workbench.screenshot("diagnose-quick-pick");
    await workbench.pick("Reward follows length");
    const page = await workbench.webview("hack");
    await page.locator('[data-testid="run-header"]').waitFor();
    // At the evidence: its card is the selected one, its charts are zoomed to where it begins, and draw why.
    await page.locator('.finding.selected[data-signature="REWARD_HACK_LENGTH"]').waitFor();
    await page.getByTestId("zoom-range").waitFor();
    await page
      .locator('[data-testid="chart"][data-metric="completion_len_mean"] .ev-onset')
      .first()
      .waitFor();
  });

  test("a doctor.toml that a setting names counts, wherever it lies", async () => {
    await mkdir(path.join(folder, "conf"), { recursive: true });
    await writeFile(path.join(folder, "conf", "strict.toml"), "[truncation_starve]\nenabled = false\n");
    await workbench.setSettings({ "flightDeck.doctor.config": "conf/strict.toml" });
    const labels = async (): Promise<string[]> => {
      await workbench.runCommand("Flight Deck: Diagnose Run");
      await workbench.pick("hack");
      await soon(() => listed(workbench)).toContain("Open Findings as Document");
      const shown = await listed(workbench);
      await workbench.page.keyboard.press("Escape");
      return shown;
    };
    await soon(labels).not.toContain("Answers are cut off");
    await workbench.setSettings({ "flightDeck.doctor.config": "" });
    await soon(labels).toContain("Answers are cut off");
  });

  test("several runs are diagnosed at once; one whose steps cannot be read gets no all-clear", async () => {
    await workbench.contextMenu(["hack"], "Diagnose Run", [["torn"]]);
    await soon(() => listed(workbench)).toEqual([
      ...FINDINGS,
      "Not diagnosed: no step could be read",
      "Could not be looked at",
      "Open Findings as Document",
      "Show in Problems",
    ]);
    await workbench.screenshot("diagnose-several");
    await workbench.page.keyboard.press("Escape");
  });

  test("a diagnosis of several long runs says where it is, and can be cancelled", async () => {
    const others = Array.from({ length: 7 }, (_, i) => [`long-${i}`]);
    await workbench.contextMenu(["long-7"], "Diagnose Run", others);
    const toast = workbench.page.locator(".notification-toast");
    await toast.getByText(/Diagnosing 8 runs: long-\d \(\d of 8\)/).waitFor();
    await workbench.screenshot("diagnose-cancel");
    await toast.getByRole("button", { name: "Cancel" }).click();
    await soon(() => toast.count()).toBe(0);
    // Nothing of it is left: no list comes up afterwards, and the next diagnosis is its own.
    await diagnosesFromPalette(workbench);
    await workbench.page.keyboard.press("Escape");
  });

  test("the findings are a document that follows doctor.toml and survives a reload of the window", async () => {
    await workbench.contextMenu(["hack"], "Open Run");
    await workbench.webview("hack");
    await workbench.runCommand("Flight Deck: Open Findings as Document");
    await workbench.tab("hack.md").waitFor();
    // The first screenful: an editor draws no more than that.
    await soon(() => shownText(workbench)).toContain("2 warnings over 250 steps.");
    expect(await shownText(workbench)).toContain("REWARD\\_HACK\\_LENGTH");

    const file = path.join(folder, "hack", "doctor.toml");
    await workbench.openFile(["hack", "doctor.toml"]);
    await toEnd(workbench);
    await workbench.page.keyboard.type("threshold = 0.9\n");
    await workbench.page.keyboard.press("Control+s");
    await soon(() => readFile(file, "utf8")).toBe("[truncation_starve]\nthreshold = 0.9\n");
    await workbench.tab("hack.md").click();
    await soon(() => shownText(workbench)).toContain("1 warning over 250 steps.");

    await workbench.reloadWindow();
    await workbench.tab("hack.md").click();
    await soon(() => shownText(workbench)).toContain("1 warning over 250 steps.");
  });

  test("doctor.toml is completed, explained and checked as it is written", async () => {
    await writeFile(path.join(folder, "hack", "doctor.toml"), "[kl_blowup]\nratoi = 12\n\n");
    await workbench.openFile(["hack", "doctor.toml"]);
    await workbench.runCommand("Problems: Focus on Problems View");
    await soon(() => problemsView(workbench).textContent()).toContain("did you mean “ratio”?");
    await workbench.page.locator(".markers-panel .monaco-list-row").getByText("did you mean").dblclick();
    const suggestions = workbench.page.locator(".suggest-widget.visible .monaco-list-row");
    const offered = suggestions.filter({ hasText: "abs_floor" }).first();
    // The problem's place is selected some time after the click on it: then the cursor is there again.
    await soon(async () => {
      if (await offered.isVisible()) return true;
      await toEnd(workbench);
      await workbench.page.keyboard.press("Control+Space");
      return offered.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }).toBe(true);
    await workbench.screenshot("doctor-toml-completion");
    await workbench.page.keyboard.type("sust");
    await suggestions.filter({ hasText: "sustain" }).first().waitFor();
    await workbench.page.keyboard.press("Enter");
    await soon(() => shownText(workbench)).toContain("sustain = 3");
    await workbench.page.keyboard.press("Control+s");
    await workbench.closeAll();
    await soon(() => problemsView(workbench).textContent()).not.toContain("did you mean");
  });

  test("findings stand in Problems on request, with a way to their page, until their run is closed", async () => {
    await writeFile(path.join(folder, "hack", "doctor.toml"), "");
    await workbench.contextMenu(["hack"], "Open Run");
    await workbench.webview("hack");
    await workbench.runCommand("Flight Deck: Show Findings in Problems");
    const problems = problemsView(workbench);
    await soon(() => problems.textContent()).toContain("Reward follows length");
    expect(await problems.textContent()).toContain("manifest.json");
    await workbench.screenshot("findings-in-problems");
    await problems.getByText("REWARD_HACK_LENGTH").first().click();
    await workbench.tab("Preview REWARD_HACK_LENGTH.md").waitFor();
    await soon(() => pictureIn(workbench, "Known false alarms")).toBeGreaterThan(100);
    await workbench.screenshot("signature-page");
    await workbench.closeAll();
    await soon(() => problems.textContent()).not.toContain("Reward follows length");
  });
});
