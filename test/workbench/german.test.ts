/** Flight Deck in German, as VS Code with the display language German asks for it, and the walkthrough. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

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
