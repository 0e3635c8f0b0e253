/** Comparing runs in a real VS Code: opened as a person opens it, on recordings whose comparison rlprobe has made too. */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { until } from "./until.ts";

const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle");
const TITLE = "healthy ↔ blowup";
const TRL = "baseline ↔ length-hack";

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-compare-"));
  const copy = (from: string, to: string) =>
    cp(path.join(oracle, from), path.join(folder, to), { recursive: true });
  await copy("synthetic/recordings/healthy-grpo", "healthy");
  await copy("synthetic/recordings/kl-blowup", "blowup");
  await copy("trl/recordings/grpo-baseline", "baseline");
  await copy("trl/recordings/grpo-length-hack", "length-hack");
  await mkdir(path.join(folder, "nothing"));
  await grow(3);
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

const LIVE = path.join(oracle, "synthetic/recordings/live-entropy-collapse");
const part = (i: number): string => `part-${String(i).padStart(5, "0")}.parquet`;

/** A run that is being recorded has so many parts by now. */
async function grow(parts: number): Promise<void> {
  const live = path.join(folder, "live");
  await mkdir(path.join(live, "steps"), { recursive: true });
  await cp(path.join(LIVE, "manifest.json"), path.join(live, "manifest.json"));
  for (let i = 0; i < parts; i++)
    await cp(path.join(LIVE, "steps", part(i)), path.join(live, "steps", part(i)));
}

interface Expected {
  readonly metrics: readonly { readonly metric: string; readonly divergence_step: number }[];
  readonly n_common_steps: number;
  readonly n_metrics_compared: number;
}

const expected = async (name: string): Promise<Expected> =>
  JSON.parse(await readFile(path.join(oracle, name), "utf8")) as Expected;

const row = (name: string): Locator =>
  workbench.page
    .locator('.explorer-folders-view .monaco-list-row[aria-level="1"]')
    .filter({ has: workbench.page.locator(".label-name", { hasText: new RegExp(`^${name}$`) }) });

/** Selects folders in the Explorer and chooses an item of their menu. */
async function selected(names: readonly string[], item: string): Promise<void> {
  const [first = "", ...others] = names;
  const entry = workbench.page.locator(".monaco-menu .action-menu-item", { hasText: item }).first();
  await until(`"${item}" in the menu of ${names.join(", ")}`, async () => {
    await workbench.page.keyboard.press("Escape");
    await row(first).click();
    for (const name of others) await row(name).click({ modifiers: ["Control"] });
    await row(first).click({ button: "right" });
    try {
      await entry.waitFor({ timeout: 1500 });
      // A menu ignores clicks in the first moments after it opens.
      await entry.hover({ timeout: 1500 });
      await entry.click({ timeout: 1500, delay: 200 });
      await entry.waitFor({ state: "detached", timeout: 1500 });
      return true;
    } catch {
      return false;
    }
  });
}

async function compare(a: string, b: string): Promise<Frame> {
  await selected([a, b], "Compare Runs…");
  return workbench.webview(`${a} ↔ ${b}`);
}

const parted = (page: Frame): Locator => page.getByTestId("diff-metric");
const steps = (page: Frame) =>
  parted(page).evaluateAll((all) =>
    all
      .filter((one) => one.getAttribute("data-ours") !== "true")
      .map((one) => `${one.getAttribute("data-metric")} ${one.getAttribute("data-step")}`),
  );
const lead = (page: Frame): Locator => page.getByTestId("compare-lead");

test("folders selected in the Explorer are compared: each metric parts where rlprobe says", async () => {
  const page = await compare("healthy", "blowup");
  const { metrics, n_common_steps, n_metrics_compared } = await expected(
    "synthetic/expected/diff/healthy-grpo--kl-blowup.json",
  );
  expect(metrics.length).toBeGreaterThan(0);
  await expect
    .poll(() => steps(page))
    .toEqual(metrics.map(({ metric, divergence_step }) => `${metric} ${divergence_step}`));
  expect(await lead(page).textContent()).toContain(`part at step ${metrics[0]?.divergence_step}`);
  const facts = await page.getByTestId("compare-facts").textContent();
  expect(facts).toContain(`${n_common_steps} common steps`);
  expect(facts).toContain(`${n_metrics_compared} metrics`);
  await parted(page).first().locator(".canvas svg").waitFor();
  await workbench.screenshot("compare-editor");
});

/** Checks runs in the list that a command shows, the baseline first, and accepts them. */
async function check(names: readonly string[]): Promise<void> {
  const box = workbench.page.locator(".quick-input-widget:visible");
  for (const name of names) {
    const label = workbench.page.locator(".label-name", { hasText: new RegExp(`^${name}$`) });
    await box.locator(".monaco-list-row").filter({ has: label }).first().click();
    await box.locator(".quick-input-title", { hasText: `baseline ${names[0]}` }).waitFor();
  }
  await box.locator(".quick-input-count", { hasText: String(names.length) }).waitFor();
  await box.getByRole("button", { name: "OK" }).click();
}

test("runs are chosen from the palette, the first one checked is the baseline", async () => {
  await workbench.runCommand("Flight Deck: Compare Runs…");
  await check(["length-hack", "baseline"]);
  const page = await workbench.webview("length-hack ↔ baseline");
  await expect.poll(() => parted(page).count()).toBeGreaterThan(0);
  // Swapped, it is the other way round, and the same metrics part at the same steps.
  const before = await steps(page);
  await page.getByRole("button", { name: "Swap the baseline and the other run" }).click();
  const swapped = await workbench.webview(TRL);
  await expect.poll(() => swapped.getByTestId("compare-run").first().textContent()).toContain("baseline");
  await expect.poll(() => steps(swapped)).toEqual(before);
});

test("the run editor's title leads to a comparison with its run as the baseline", async () => {
  await workbench.contextMenu(["baseline"], "Open Run");
  await workbench.webview("baseline");
  await workbench.page.getByRole("button", { name: "Compare with Run…" }).first().click();
  const box = workbench.page.locator(".quick-input-widget:visible");
  await box.locator(".quick-input-title", { hasText: "baseline baseline" }).waitFor();
  await box
    .locator(".monaco-list-row")
    .filter({ has: workbench.page.locator(".label-name", { hasText: /^length-hack$/ }) })
    .first()
    .click();
  await box.locator(".quick-input-count", { hasText: "2" }).waitFor();
  await box.getByRole("button", { name: "OK" }).click();
  const page = await workbench.webview(TRL);
  const { metrics } = await expected("trl/expected/diff/grpo-baseline--grpo-length-hack.json");
  await expect
    .poll(() => steps(page))
    .toEqual(metrics.map(({ metric, divergence_step }) => `${metric} ${divergence_step}`));
});

test("the best completions of a prompt, and the configurations, open as VS Code's own diffs", async () => {
  let page = await compare("baseline", "length-hack");
  const prompt = page.getByTestId("diff-prompt-row").first();
  await prompt.scrollIntoViewIfNeeded();
  await prompt.getByRole("button", { name: /^Diff best/ }).click();
  const diff = workbench.page.locator(".monaco-diff-editor");
  await diff.locator(".modified-in-monaco-diff-editor .view-line").first().waitFor();
  await workbench.screenshot("compare-completions");
  page = await workbench.webview(TRL);
  await expect
    .poll(() => page.locator('[data-testid="diff-config-row"][data-path="learning_rate"]').textContent())
    .toContain("0.0001");
  await page.getByRole("button", { name: "Open as diff" }).click();
  await workbench.page.locator('.tab.active[aria-label^="Configuration: baseline ↔ length-hack"]').waitFor();
  const changed = diff.locator(".modified-in-monaco-diff-editor .view-lines").last();
  await expect.poll(() => changed.textContent()).toContain("grpo-length-hack");
  await workbench.screenshot("compare-configurations");
});

/** The text of one side of the diff in front, as far as it is drawn; its spaces do not break. */
const side = async (name: "original" | "modified"): Promise<string> => {
  const text = workbench.page.locator(`.monaco-diff-editor .editor.${name} .view-lines`).last();
  return ((await text.textContent()) ?? "").replaceAll("\u00a0", " ");
};

/** The tab in front; VS Code says more behind its title ("Read-only", how many files). */
const front = (title: string): Locator =>
  workbench.page.locator(`.tab.active[aria-label^=${JSON.stringify(title)}]`);

/** The files of the editor of changes in front that it draws: it keeps others, hidden, for later. */
const changes = (): Locator => workbench.page.locator(".multiDiffEditor .multiDiffEntry:visible");

test("the best completions of all prompts open as one editor of changes", async () => {
  const page = await compare("baseline", "length-hack");
  const all = page.getByRole("button", { name: "Open all as changes" });
  await all.scrollIntoViewIfNeeded();
  await all.click();
  await front("Best Completions: baseline ↔ length-hack").waitFor();
  // The first completions are drawn, others when they are scrolled to.
  const first = changes().first();
  await first.locator(".modified-in-monaco-diff-editor .view-line").first().waitFor();
  await workbench.screenshot("compare-all-completions");
  expect(await first.locator(".file-path").allTextContents()).toEqual([
    expect.stringMatching(/length-hack.*baseline/),
  ]);
});

test("configurations are compared from the palette, and from the Explorer with more than two runs", async () => {
  await workbench.runCommand("Flight Deck: Compare Configurations…");
  await check(["length-hack", "baseline"]);
  await front("Configuration: length-hack ↔ baseline").waitFor();
  await expect.poll(() => side("original")).toContain("grpo-length-hack");
  await expect.poll(() => side("modified")).toContain("grpo-baseline");
  // Moments are others in every run: by default they are left out.
  expect(await side("modified")).not.toContain("created_at");
  await workbench.closeAll();
  await selected(["baseline", "length-hack", "healthy"], "Compare Configurations…");
  await front("Configuration: baseline against 2 runs").waitFor();
  await expect.poll(() => changes().count()).toBe(2);
});

test("a folder that is no run says so on its side of the configurations, and takes nothing from the other", async () => {
  await selected(["healthy", "nothing"], "Compare Configurations…");
  await front("Configuration: healthy ↔ nothing").waitFor();
  await expect.poll(() => side("modified")).toContain("cannot be read");
  await expect.poll(() => side("original")).toContain("trainer_config");
});

test("runs, thresholds, zoom and what is large survive a reload of the window", async () => {
  let page = await compare("healthy", "blowup");
  await parted(page).first().waitFor();
  await page.getByRole("spinbutton", { name: /^z:/ }).fill("1000000");
  await expect.poll(() => lead(page).textContent()).toContain("None of");
  await page.getByRole("spinbutton", { name: /^z:/ }).fill("6");
  await expect.poll(() => parted(page).count()).toBeGreaterThan(0);
  await page.locator('.ruler-mark[data-metric="kl_mean"]').click();
  await page.locator('fd-overlay[data-metric="kl_mean"] .cmp-title').first().click();
  await page.locator(".cmp-large fd-gap .cmp-band").waitFor();
  const zoomed = await page.getByTestId("zoom-range").textContent();
  // With the focus in the large chart Escape, which goes before every command, would close it.
  await workbench.tab(TITLE).click();
  await workbench.reloadWindow();
  page = await workbench.webview(TITLE);
  await page.locator(".cmp-large fd-gap .cmp-band").waitFor();
  expect(await page.getByTestId("zoom-range").textContent()).toBe(zoomed);
  expect(await page.getByRole("spinbutton", { name: /^z:/ }).inputValue()).toBe("6");
  await expect.poll(() => parted(page).count()).toBeGreaterThan(0);
});

test("a run that grows is compared again, and a run that cannot be opened says why beside the others", async () => {
  await selected(["healthy", "live"], "Compare Runs…");
  const page = await workbench.webview("healthy ↔ live");
  const facts = page.getByTestId("compare-facts");
  const common = async () => Number(/^(\d+) common/.exec((await facts.textContent()) ?? "")?.[1] ?? 0);
  await expect.poll(common).toBeGreaterThan(0);
  const before = await common();
  await grow(5);
  await expect.poll(common).toBeGreaterThan(before);
  await rm(path.join(folder, "live"), { recursive: true, force: true });
  await page.getByTestId("refused-state").waitFor();
  await expect.poll(() => page.getByTestId("refused-state").textContent()).toContain("live");
});
