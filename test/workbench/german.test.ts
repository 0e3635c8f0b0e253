/** Flight Deck in German, as VS Code with the display language German asks for it, and the walkthrough. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const DEMO = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
/** Of two runs whose records are mixed. */
const MIXED = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings/manual-reused-dir");

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-german-"));
  await mkdir(path.join(folder, "no-run"));
  workbench = await Workbench.open({ folder, language: "de" });
});
// VS Code asks its marketplace for the words of its built-in extensions; there is none here.
const OTHERS = /No extension gallery service configured/;
afterEach(() => expect(workbench.problems().filter((problem) => !OTHERS.test(problem))).toEqual([]));
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

test("commands, the run editor and what the worker says are in German", async () => {
  await workbench.runCommand("Flight Deck: Demo-Run öffnen");
  const page = await workbench.webview("grpo-length-hack");
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await soon(() => page.locator(".facts").first().textContent()).toContain("Schritte");
  const root = page.locator("#root");
  for (const word of ["beendet", "ging bei Schritt 250", "Diagramme", "Ereignisse", "Konfiguration"])
    await soon(() => root.textContent()).toContain(word);
  await soon(() => page.getByTestId("finding").count()).toBeGreaterThan(0);
  const cards = (await page.locator("fd-findings").textContent()) ?? "";
  await workbench.screenshot("german-run-1280");
  expect(cards).toContain("Evidenz zeigen");
  expect(cards).not.toMatch(/Show evidence|What is this/);
  // What the doctor says, and its page's words.
  expect(cards).toContain("Reward folgt der Länge");
  expect(cards).toMatch(/Die Completions wuchsen auf das [\d.]+-Fache, und der Reward ging mit/);
  expect(cards).toMatch(/REWARD_HACK_LENGTH\s+· Warnung · Beginn Schritt 25/);
  await page.getByTestId("finding").first().getByText("Was man versuchen kann").click();
  await soon(() => page.locator("fd-findings").textContent()).toContain(
    "Länge bestrafen oder den Reward durch sie teilen.",
  );
  const titles = await page.locator("fd-chart h3, fd-chart .chart-title").allTextContents();
  expect(titles.join(" ")).toContain("Streuung des Rewards (Std.)");
  // A placeholder that stayed is a sentence that nobody filled.
  expect(await root.textContent()).not.toMatch(/\{\d\}|undefined/);
});

test("nothing is cut at 800 pixels", async () => {
  await workbench.page.setViewportSize({ width: 800, height: 800 });
  const page = await workbench.webview("grpo-length-hack");
  await soon(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
  await workbench.screenshot("german-run-800");
  await workbench.page.setViewportSize({ width: 1280, height: 800 });
});

test("the Runs view's welcome and the walkthrough are in German, and a step completes by its command", async () => {
  await workbench.runCommand("Flight Deck: Einführung öffnen");
  const started = workbench.page.locator(".gettingStartedContainer");
  await soon(() => started.textContent()).toContain("Ist er gesund? Einen Run öffnen");
  await workbench.screenshot("german-walkthrough");
  const done = workbench.page.locator("[data-done-step-id].complete");
  expect(await done.count()).toBe(0);
  await started.getByText("Demo-Run öffnen", { exact: true }).first().click();
  await workbench.webview("grpo-length-hack");
  await workbench.runCommand("Flight Deck: Einführung öffnen");
  await soon(() => done.count()).toBeGreaterThan(0);
  const before = await done.count();
  await workbench.runCommand("View: Show Flight Deck");
  await soon(() => workbench.page.locator(".pane-body .welcome-view").first().textContent()).toContain(
    "keine aufgezeichneten Trainings-Runs",
  );
  await workbench.screenshot("german-welcome");
  await workbench.runCommand("Flight Deck: Tabelle der Runs anzeigen");
  await workbench.runCommand("Flight Deck: Einführung öffnen");
  await soon(() => done.count()).toBeGreaterThan(before);
});

test("the Runs view, warnings, documents and help for doctor.toml are in German", async () => {
  await workbench.closeAll();
  await cp(DEMO, path.join(folder, "hack"), { recursive: true });
  await cp(MIXED, path.join(folder, "mixed"), { recursive: true });
  await workbench.runCommand("View: Show Flight Deck");
  await workbench.runCommand("Flight Deck: Runs aktualisieren");
  const row = (name: string) =>
    workbench.page.locator(".pane-body .monaco-list-row").filter({ hasText: new RegExp(`^\\s*${name}`) });
  await soon(() => row("hack").first().textContent()).toMatch(
    /250 Schritte · [\d.]+ · Reward folgt der Länge/,
  );
  await soon(async () => (await row("hack").first().getAttribute("aria-label")) ?? "").toMatch(
    /hack, beendet, 250 Schritte, letzter Reward [\d.]+, 2 Warnbefunde, schwerster: Reward folgt der Länge/,
  );
  await workbench.runCommand("Flight Deck: Tabelle der Runs anzeigen");
  const table = await workbench.webview("Tabelle der Runs");
  await soon(() => table.locator("#root").textContent()).toContain("Reward folgt der Länge");
  for (const word of ["Zustand", "beendet", "Schritte", "Dauer"])
    expect(await table.locator("#root").textContent()).toContain(word);
  await workbench.screenshot("german-table");

  await row("mixed").first().dblclick();
  const page = await workbench.webview("mixed");
  const toggle = page.getByTestId("warnings-toggle");
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  await soon(() => page.locator("#root").textContent()).toContain(
    "Der Ordner wurde für mehr als einen Run benutzt, und ihre Aufzeichnungen sind gemischt",
  );
  await soon(() => page.locator("#root").textContent()).toContain("Jedem Run einen eigenen Ordner geben");
  await workbench.screenshot("german-warnings");

  await row("hack").first().dblclick();
  await workbench.webview("hack");
  await workbench.runCommand("Flight Deck: Befunde als Dokument öffnen");
  const lines = workbench.page.locator(".editor-instance .view-lines");
  await soon(async () => (await lines.first().textContent())?.replaceAll("\u00a0", " ") ?? "").toContain(
    "Befunde von hack",
  );
  await workbench.screenshot("german-findings");
  await workbench.closeAll();

  await writeFile(path.join(folder, "doctor.toml"), "[kl_blowup]\nratoi = 3\n");
  await workbench.runCommand("View: Show Explorer");
  await workbench.openFile(["doctor.toml"]);
  await workbench.runCommand("View: Toggle Problems");
  await soon(() => workbench.page.locator(".markers-panel").textContent()).toContain(
    "KL_BLOWUP hat keinen Schlüssel „ratoi“; ist „ratio“ gemeint?",
  );
});
