/**
 * The reader's thread ends while a page shows its run, in a real VS Code: another one takes its place, the page says so where something
 * was lost, and the run goes on being readable. Another extension in the same process ends it, through Node's inspector.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { packTestExtension } from "./test-extension.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const RUN = "grpo-length-hack";

const NOW = "process.exit(1)";
const AT_A_QUESTION =
  'process.getBuiltinModule("node:worker_threads").parentPort.once("message", () => process.exit(1))';
const COMMANDS = {
  "reader.endNow": ["End the Reader", NOW],
  "reader.endAtQuestion": ["End the Reader at Its Next Question", AT_A_QUESTION],
} as const;

/** Evaluates a command's expression in our thread, and says in the status bar that it has. */
const MAIN = `
const inspector = require("node:inspector");
const vscode = require("vscode");
const commands = ${JSON.stringify(COMMANDS)};
function inReader(expression, done) {
  const session = new inspector.Session();
  session.connect();
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
    if (!/flight-deck.*[/]dist[/]worker[.]cjs$/.test(workerInfo.url)) return;
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } });
    session.on("NodeWorker.detachedFromWorker", (event) => {
      if (event.params.sessionId === sessionId) session.disconnect();
    });
    session.post("NodeWorker.sendMessageToWorker", { sessionId, message }, done);
  });
  session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
}
exports.activate = () => {
  for (const [id, [title, expression]] of Object.entries(commands))
    vscode.commands.registerCommand(id, () => {
      inReader(expression, () => vscode.window.setStatusBarMessage(title + ": done"));
    });
};
`;

let root = "";
let workbench: Workbench;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-reader-"));
  const folder = path.join(root, "runs");
  await cp(path.join(recordings, RUN), path.join(folder, RUN), { recursive: true });
  await mkdir(path.join(root, "scratch"));
  const contributes = {
    commands: Object.entries(COMMANDS).map(([command, [title]]) => ({ command, title })),
  };
  const ends = { name: "ends-the-reader", displayName: "Ends the Reader", contributes, main: MAIN };
  const vsix = await packTestExtension(ends, path.join(root, "scratch"));
  workbench = await Workbench.open({ folder, beside: [vsix] });
});
afterAll(async () => {
  await workbench?.close();
  await rm(root, { recursive: true, force: true });
});
afterEach(async () => {
  expect(workbench.problems()).toEqual([]);
  expect(await workbench.notifications()).toEqual([]);
  await workbench.closeAll();
});

/** Lines of our log about threads that were lost. */
async function losses(): Promise<readonly string[]> {
  const logs = path.join(workbench.userDataDir, "logs");
  const names = await readdir(logs, { recursive: true });
  const own = names.filter((name) => name.endsWith("Flight Deck.log"));
  const texts = await Promise.all(own.map((name) => readFile(path.join(logs, name), "utf8")));
  return texts.flatMap((text) => text.split("\n")).filter((line) => line.includes("worker lost"));
}

async function open(): Promise<Frame> {
  await workbench.contextMenu([RUN], "Open Run");
  const page = await workbench.webview(RUN);
  await page.getByTestId("finding").first().waitFor();
  await drawn(page);
  return page;
}

const reward = (page: Frame) => page.locator('[data-testid="chart"][data-metric="reward_mean"]');
const drawn = (page: Frame) => expect.poll(() => reward(page).getAttribute("data-last")).not.toBe(null);

async function run([title]: (typeof COMMANDS)[keyof typeof COMMANDS]): Promise<void> {
  await workbench.runCommand(title);
  await workbench.page.locator(".statusbar-item", { hasText: `${title}: done` }).waitFor();
}

/** The page's questions are answered: samples and events that it has not shown yet, and curves of a part of the run. */
async function answers(page: Frame): Promise<void> {
  await page.getByTestId("tab-samples").click();
  await page.getByTestId("sample-row").first().waitFor();
  await page.getByTestId("tab-configuration").click();
  await page.getByTestId("config-row").first().waitFor();
  await page.getByTestId("tab-charts").click();
  await drawn(page);
  await reward(page).locator("[data-drawn]").or(reward(page).locator("svg")).first().waitFor();
  const plot = reward(page).locator(".plot");
  await plot.focus();
  for (const key of ["End", "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "Enter"])
    await plot.press(key);
  const range = page.getByTestId("zoom-range");
  await range.waitFor();
  const [from = "", to = ""] =
    /^steps (\d+)–(\d+) of/.exec((await range.textContent()) ?? "")?.slice(1) ?? [];
  await expect.poll(() => reward(page).getAttribute("aria-label")).toContain(`step ${from} to step ${to}`);
}

test("nothing was asked: what is on the page stays, and the next questions are answered by another thread", async () => {
  const page = await open();
  await run(COMMANDS["reader.endNow"]);
  await expect.poll(losses).toEqual([expect.stringContaining("[error] worker lost (crash): exit code 1")]);
  await drawn(page);
  await answers(page);
  expect(await page.getByTestId("stopped").count()).toBe(0);
  expect(await page.getByTestId("run-header").textContent()).toContain("250 steps");
});

test("over a question: the page says what was being read and shows the rest; Retry reads it again", async () => {
  const page = await open();
  await run(COMMANDS["reader.endAtQuestion"]);
  await page.getByTestId("tab-samples").click();
  const stopped = page.getByTestId("stopped");
  await stopped.waitFor();
  expect(await stopped.getAttribute("data-code")).toBe("worker-stopped");
  expect(await stopped.textContent()).toMatch(
    /The reader stopped unexpectedly while reading .+; the rest of the run is open\./,
  );
  expect(await losses()).toHaveLength(2);
  await page.getByTestId("tab-charts").click();
  await drawn(page);
  await stopped.getByRole("button", { name: "Retry" }).click();
  await stopped.waitFor({ state: "detached" });
  await answers(page);
  expect(await losses()).toHaveLength(2);
});
