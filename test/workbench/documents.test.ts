/** Samples as documents in a real VS Code: opened, compared and left by keyboard; hostile text; reloads; mentions in other files. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { double, int64, parquet, text } from "../unit/helpers/parquet.ts";
import { manifest, stepsFile } from "../unit/helpers/runs.ts";
import { CURRENT, FLOOR, Workbench } from "./harness.ts";
import { exactly } from "./webviews.ts";

const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const LONG = 5_000_000;
let folder = "";
let workbench: Workbench;

/** What a file that VS Code shows could act with, and what would pass for a part of our document. */
const HOSTILE = [
  "▌ Completion · 5 characters",
  "see http://127.0.0.1:9/steal file:///etc/passwd https://example.invalid/x",
  "[click](command:workbench.action.closeWindow) <img src=x onerror=alert(1)> <script>alert(1)</script>",
  "\u001b[2J\u001b]8;;http://127.0.0.1:9/\u0007link\u001b]8;;\u0007 \u0000 \u202eevil\u202c \u2028 \u2029 \r $(zap)",
  "#ff0000 ```` \u200b",
].join("\n");

async function hostileRun(dir: string): Promise<void> {
  await mkdir(path.join(dir, "samples"), { recursive: true });
  await writeFile(path.join(dir, "manifest.json"), manifest());
  await writeFile(path.join(dir, "steps.parquet"), stepsFile(1, 4));
  const ids = ["$(zap)\u202e../../x\u0000", "long line", "many lines"];
  const shard = parquet({
    step: int64([1, 2, 3]),
    sample_id: text(ids),
    rank: int64([0, 0, 0]),
    group_id: text(["▌ g\n", "b", "c"]),
    prompt_text: text([HOSTILE, "p", "p"]),
    completion_text: text([HOSTILE, "x".repeat(LONG), "a line of it\n".repeat(LONG / 13)]),
    reward_total: double([-1, 1, 2]),
  });
  await writeFile(path.join(dir, "samples", "shard-00000.parquet"), shard);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-documents-"));
  await cp(path.join(oracle, "grpo-baseline"), path.join(folder, "baseline"), { recursive: true });
  await hostileRun(path.join(folder, "hostile"));
  await writeFile(path.join(folder, "baseline", "notes.md"), "The worst was 0:1:1_0, see step 50.\n");
  await writeFile(path.join(folder, "outside.md"), "The worst was 0:1:1_0, see step 50.\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command by its title, with keys alone. */
async function byKeys(on: Workbench, title: string): Promise<void> {
  const { page } = on;
  await on.openPalette(title);
  await page
    .locator(".quick-input-list .monaco-list-row.focused .label-name", { hasText: exactly(title) })
    .waitFor();
  await page.keyboard.press("Enter");
}

/** Chooses in the list with this placeholder what holds these words, with keys alone. */
async function choose(on: Workbench, list: string, typed: string, words: string): Promise<void> {
  const { page } = on;
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await page.locator(`.quick-input-widget:visible input[placeholder^="${list}"]`).waitFor();
  await page.keyboard.type(typed);
  await rows.and(page.locator(".focused")).filter({ hasText: words }).waitFor();
  await page.keyboard.press("Enter");
}

/** What the editor in front shows; it draws spaces as no-break ones. */
async function shownText(on: Workbench): Promise<string> {
  const lines = await on.page.locator(".editor-instance .monaco-editor .view-line").allTextContents();
  return lines.join("\n").replaceAll("\u00a0", " ");
}

async function openSample(on: Workbench, run: string, id: string, words = id): Promise<void> {
  await byKeys(on, "Flight Deck: Open Sample…");
  await choose(on, "Choose a run", run, run);
  await choose(on, "Type a step", id, words);
}

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 20_000 });

const tabNamed = (on: Workbench, name: string): Locator => on.page.locator(".tab", { hasText: name }).first();

/** Puts the cursor on a text of the file in front and shows the hover there, with keys. */
async function hoverOver(on: Workbench, words: string): Promise<Locator> {
  const { page } = on;
  await page.locator(".editor-instance .monaco-editor .view-lines").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  const find = page.locator(".find-widget.visible textarea.input, .find-widget.visible input").first();
  await find.fill(words);
  await page.locator(".find-widget.visible .matchesCount", { hasText: /^\d+ of \d+/ }).waitFor();
  await page.keyboard.press("Escape");
  await byKeys(on, "Show or Focus Hover");
  const hover = page.locator(".monaco-hover:visible .monaco-hover-content").first();
  await hover.waitFor();
  return hover;
}

/** Nothing that asks, tells, leads somewhere or runs: what hostile text would like. */
async function expectNoEffects(on: Workbench): Promise<void> {
  const { page } = on;
  expect(
    await page.locator(".editor-instance .detected-link, .editor-instance .detected-link-active").count(),
  ).toBe(0);
  expect(await page.locator(".monaco-dialog-box").count()).toBe(0);
  expect(await page.locator(".editor-banner, .monaco-editor .message-controller").count()).toBe(0);
  expect(
    await page.locator(".editor-instance img, .editor-instance .colorpicker-color-decoration").count(),
  ).toBe(0);
  expect(await on.notifications()).toEqual([]);
}

describe("the oldest VS Code that is supported", () => {
  test("shows a sample as a document, and hovers in events.jsonl", async () => {
    const oldest = await Workbench.open({ folder, version: FLOOR });
    await openSample(oldest, "hostile", "1", "reward −1");
    await soon(() => shownText(oldest)).toContain("<ESC>[2J");
    await expectNoEffects(oldest);
    await oldest.closeAll();
    await oldest.openFile(["baseline", "events.jsonl"]);
    const hover = await hoverOver(oldest, '"step":50');
    await soon(() => hover.textContent()).toContain("reward_mean");
    expect(oldest.problems()).toEqual([]);
    await oldest.close();
  });
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

  test("a sample is opened, compared with the best of its group, and left, by keyboard alone", async () => {
    const { page } = workbench;
    await openSample(workbench, "baseline", "1_0", "step 1 · reward 0.3666667");
    await tabNamed(workbench, "step 1 reward 0.3666667 1_0.fdsample").waitFor();
    await soon(() => shownText(workbench)).toContain("place in group   7 of 7");
    const lenses = page.locator(".codelens-decoration");
    await soon(async () => (await lenses.allInnerTexts()).join(" ")).toContain("Compare with Best of Group");
    await workbench.screenshot("sample-document");
    await workbench.setSettings({ "flightDeck.samples.codeLens": false });
    await soon(() => lenses.count()).toBe(0);
    await workbench.setSettings({ "flightDeck.samples.codeLens": true });
    await soon(() => lenses.count()).toBeGreaterThan(0);
    await byKeys(workbench, "Flight Deck: Compare with Best of Group");
    await tabNamed(workbench, "step 1, 1_1 ↔ step 1, 1_0").waitFor();
    await soon(() => page.locator(".monaco-diff-editor .char-insert").count()).toBeGreaterThan(0);
    await workbench.screenshot("sample-diff");
    await byKeys(workbench, "Go Back");
    await soon(() => page.locator(".tab.active").textContent()).toContain("1_0.fdsample");
    await page.keyboard.press("Alt+n");
    await tabNamed(workbench, "1_1.fdsample").waitFor();
    await soon(() => shownText(workbench)).toContain("a wheel needs the wheel .");
    await page.keyboard.press("Alt+p");
    await soon(() => page.locator(".tab.active").textContent()).toContain("1_0.fdsample");
  });

  test("a document has an outline, folds, leads to its siblings, and to its run", async () => {
    const { page } = workbench;
    await openSample(workbench, "baseline", "1_0", "step 1 · reward 0.3666667");
    await soon(() => shownText(workbench)).toContain("Group · 7 samples");
    await page.keyboard.press("Control+Shift+o");
    const symbols = page.locator(".quick-input-list-rows > .quick-input-list-row:first-child .label-name");
    await soon(async () => (await symbols.allInnerTexts()).map((name) => name.trim())).toEqual([
      "Sample at step 1 of baseline",
      "Prompt · 22 characters",
      "Completion · 46 characters",
      "Group · 7 samples",
    ]);
    await page.keyboard.press("Escape");
    await byKeys(workbench, "Fold All");
    await soon(() => shownText(workbench)).not.toContain("what meets the house ?");
    await byKeys(workbench, "Unfold All");
    await page.locator(".view-line", { hasText: /1_2$/ }).click();
    await page.locator(".statusbar-item", { hasText: "Ln 26" }).waitFor();
    await page.keyboard.press("F12");
    await soon(() => page.locator(".tab.active").textContent()).toContain("1_2.fdsample");
    await byKeys(workbench, "Flight Deck: Show Sample in Run");
    const run = await workbench.webview("baseline");
    await run.locator('[data-testid="sample-detail"]', { hasText: "1_2" }).waitFor();
    await workbench.screenshot("sample-in-run");
  });

  test("samples are found by a query, whose answer is a document that leads to each", async () => {
    const { page } = workbench;
    await workbench.contextMenu(["baseline"], "Open Run");
    await workbench.webview("baseline");
    await byKeys(workbench, "Flight Deck: Find Samples…");
    await page.locator('.quick-input-widget:visible input[placeholder^="For example"]').waitFor();
    await page.keyboard.type("step:1..2 sort:-reward wheel");
    await page.keyboard.press("Enter");
    await soon(() => shownText(workbench)).toContain("order            reward, largest first");
    await workbench.screenshot("sample-query");
    const first = page.locator(".view-line", { hasText: "completion  a wheel" }).first();
    await first.click();
    await byKeys(workbench, "Flight Deck: Compare with Worst of Group");
    await soon(() => page.locator(".tab.active").textContent()).toContain("↔");
  });

  test("a group is compared at once, and a prompt is followed over the run, by keyboard alone", async () => {
    const { page } = workbench;
    await openSample(workbench, "baseline", "1_0", "step 1 · reward 0.3666667");
    await soon(() => shownText(workbench)).toContain("place in group   7 of 7");
    await byKeys(workbench, "Flight Deck: Diff Group of Sample");
    await tabNamed(workbench, "Group at step 1: the Best against the Others").waitFor();
    const entries = page.locator(".multi-diff-editor .multiDiffEntry, .multiDiffEntry");
    await soon(() => entries.count()).toBeGreaterThan(1);
    await soon(() => page.locator(".multiDiffEntry .char-insert").count()).toBeGreaterThan(0);
    expect((await entries.allTextContents()).join(" ")).toMatch(/step 1 reward [\d.]+ 1_\d\.fdsample/);
    await workbench.screenshot("group-diff");
    await workbench.closeAll();
    await openSample(workbench, "baseline", "1_0", "step 1 · reward 0.3666667");
    await soon(() => shownText(workbench)).toContain("place in group   7 of 7");
    await byKeys(workbench, "Flight Deck: Open Prompt over Time");
    await tabNamed(workbench, "prompt what meets the house").waitFor();
    await soon(() => shownText(workbench)).toContain("A prompt over time in baseline");
    await workbench.screenshot("prompt-over-time");
    await page.keyboard.press("Control+Shift+o");
    const symbols = page.locator(".quick-input-list-rows > .quick-input-list-row .label-name");
    await soon(async () => (await symbols.allInnerTexts()).join(" ")).toMatch(/[Ss]tep 1\b/);
    await page.keyboard.press("Escape");
  });

  test("an id that was typed in full is what Enter opens, however fast it comes", async () => {
    const { page } = workbench;
    for (const id of ["1_3", "0:1:1_5", "2_1"]) {
      await byKeys(workbench, "Flight Deck: Open Sample…");
      await choose(workbench, "Choose a run", "baseline", "baseline");
      await page.locator('.quick-input-widget:visible input[placeholder^="Type a step"]').waitFor();
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "reward" }).first().waitFor();
      await page.keyboard.insertText(id);
      await page.keyboard.press("Enter");
      await tabNamed(workbench, ` ${id.split(":").at(-1)}.fdsample`).waitFor();
      await workbench.closeAll();
    }
  });

  test("hostile text is shown as text: it acts in no way, and nothing of it passes for ours", async () => {
    const { page } = workbench;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await openSample(workbench, "hostile", "1", "reward −1");
    await soon(() => shownText(workbench)).toContain("<ESC>[2J");
    const shown = await shownText(workbench);
    expect(shown).toContain("<U+258C> Completion · 5 characters");
    // Long lines are wrapped.
    const joined = shown.replaceAll("\n", "");
    expect(joined).toContain("<NUL> <U+202E>evil<U+202C> <U+2028> <U+2029> <CR> $(zap)");
    expect(shown).toContain("<script>alert(1)</script>");
    await soon(() => page.locator(".codelens-decoration").count()).toBe(4);
    await workbench.screenshot("sample-hostile");
    await expectNoEffects(workbench);
    // With the key that makes links of what leads somewhere.
    await page.keyboard.down("Control");
    await page.locator(".view-line", { hasText: "127.0.0.1:9/steal" }).first().hover();
    await page.locator(".view-line", { hasText: "command:workbench" }).first().hover();
    await expectNoEffects(workbench);
    await page.keyboard.up("Control");
    const hover = await hoverOver(workbench, "<U+202E>");
    expect(await hover.textContent()).toContain("right-to-left override");
    expect(requests.filter((url) => /127\.0\.0\.1:9\b|example\.invalid|passwd/.test(url))).toEqual([]);
  });

  test("completions of 5 MB open, as one line and as many", async () => {
    for (const [id, words] of [
      ["long line", "xxxxxxxxxx"],
      ["many lines", "a line of it"],
    ] as const) {
      await openSample(workbench, "hostile", id, `${id} · rank`);
      await soon(() => shownText(workbench)).toMatch(/Completion · (5,000,000|4,999,995) characters/);
      await soon(() => shownText(workbench)).toContain(words);
      await workbench.page.keyboard.press("Control+End");
      await soon(() => shownText(workbench)).toContain("Group · 1 sample");
      await workbench.closeAll();
    }
  });

  test("documents survive a reload, beside one another", async () => {
    await openSample(workbench, "baseline", "1_1", "step 1 · reward 0.5684211");
    await soon(() => shownText(workbench)).toContain("a wheel needs the wheel .");
    await byKeys(workbench, "Flight Deck: Open Group of Sample");
    await soon(() => shownText(workbench)).toContain("Group 1_g0 at step 1 of baseline");
    await byKeys(workbench, "View: Split Editor");
    await workbench.reloadWindow();
    const groups = workbench.page.locator(".editor-group-container");
    await soon(() => groups.count()).toBe(2);
    await soon(() => shownText(workbench)).toContain("Group 1_g0 at step 1 of baseline");
    await tabNamed(workbench, "1_1.fdsample").click();
    await soon(() => shownText(workbench)).toContain("a wheel needs the wheel .");
    const lenses = workbench.page.locator(".codelens-decoration");
    await soon(async () => (await lenses.allInnerTexts()).join(" ")).toContain("Compare with Worst of Group");
  });

  test("events, logs and notes inside a run have links and hovers to what they mention", async () => {
    const { page } = workbench;
    await workbench.openFile(["baseline", "events.jsonl"]);
    await soon(() => page.locator(".editor-instance .detected-link").count()).toBeGreaterThan(0);
    const events = await hoverOver(workbench, '"step":50');
    await soon(() => events.textContent()).toContain("reward_mean");
    expect(await events.textContent()).toMatch(/captured samples, rewards .* to /);
    await workbench.screenshot("hover-events");
    await workbench.openFile(["baseline", "notes.md"]);
    const notes = await hoverOver(workbench, "0:1:1_0");
    await soon(() => notes.textContent()).toContain("the boat likes the old quiet steep tall boat .");
    expect(await notes.textContent()).toContain("reward 0.3666667");
    await workbench.screenshot("hover-notes");
    await notes.getByText("Open Sample").click();
    await tabNamed(workbench, "1_0.fdsample").waitFor();
  });

  test("files outside of a run mention nothing, unless a setting widens it to runs that are open", async () => {
    const { page } = workbench;
    await workbench.contextMenu(["baseline"], "Open Run");
    await workbench.webview("baseline");
    await workbench.openFile(["outside.md"]);
    const links = page.locator(".editor-instance .detected-link");
    await workbench.setSettings({ "flightDeck.inline": "workspace" });
    await workbench.openFile(["baseline", "notes.md"]);
    await soon(() => links.count()).toBeGreaterThan(0);
    await tabNamed(workbench, "outside.md").click();
    await soon(() => page.locator(".tab.active").textContent()).toContain("outside.md");
    const hover = await hoverOver(workbench, "0:1:1_0");
    await soon(() => hover.textContent()).toContain("steep tall boat");
    await workbench.setSettings({ "flightDeck.inline": "off" });
    await tabNamed(workbench, "notes.md").click();
    await soon(() => page.locator(".tab.active").textContent()).toContain("notes.md");
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type(" ");
    await soon(() => links.count()).toBe(0);
    await page.keyboard.press("Control+z");
    await workbench.setSettings({ "flightDeck.inline": "insideRuns" });
  });
});
