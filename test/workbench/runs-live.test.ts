/** The Runs view beside a run that is being recorded and watched, and what it knows when the window is there again. */
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { type Recording, record } from "./recording.ts";

const demo = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
/** Steps after which the doctor calls the recording's KL blown up. */
const SICK = 180;
const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });

let folder = "";
let workbench: Workbench;
let recording: Recording | null = null;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-runs-live-"));
  await cp(demo, path.join(folder, "hack"), { recursive: true });
  recording = await record(path.join(folder, "going"), "kl_blowup");
  await recording.steps(60);
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await recording?.kill();
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

const pane = () => workbench.page.locator('.pane:has(.pane-header[aria-label^="Runs"])');
const row = (name: string) =>
  pane()
    .locator(".monaco-list-row")
    .filter({ has: workbench.page.locator(".label-name", { hasText: new RegExp(`^${name}$`) }) });
const aloud = async (name: string): Promise<string> =>
  (await row(name).first().getAttribute("aria-label", { timeout: 5000 })) ?? "";
async function show(): Promise<void> {
  await workbench.page.locator('.activitybar .action-label[aria-label^="Flight Deck"]').first().click();
  await pane().waitFor();
}

/** What is kept of the list, by the run's name. */
async function kept(): Promise<Map<string, string>> {
  const names = await readdir(workbench.userDataDir, { recursive: true });
  const file = names.find((name) => /workspaceStorage\/.*\/runs\.json$/.test(name));
  if (!file) return new Map();
  const { runs } = JSON.parse(await readFile(path.join(workbench.userDataDir, file), "utf8")) as {
    runs: { dir: string }[];
  };
  return new Map(runs.map((run) => [path.basename(run.dir), JSON.stringify(run)]));
}

test("a run that is watched goes on in the list too: steps, state, findings", async () => {
  await workbench.contextMenu(["going"], "Open Run");
  await workbench.webview("going");
  await show();
  await soon(() => aloud("going")).toMatch(/^going, running, 60 steps, .*no findings/);
  await recording?.steps(60);
  await soon(() => aloud("going")).toContain("120 steps");
  await recording?.steps(SICK - 120);
  await soon(() => aloud("going")).toContain("worst: KL blow-up");
  await workbench.screenshot("runs-live");
  await recording?.event("train_end", "done");
  await recording?.close();
  await soon(() => aloud("going")).toMatch(/^going, finished, 180 steps, .*worst: KL blow-up/);
  expect(workbench.problems()).toEqual([]);
});

test("what was known of runs that have ended is kept for the next window, outside of the runs", async () => {
  await soon(async () => [...(await kept()).keys()].toSorted()).toEqual(["going", "hack"]);
  await soon(async () => (await kept()).get("hack")).toContain("REWARD_HACK_LENGTH");
  await soon(async () => (await kept()).get("going")).toContain("KL_BLOWUP");
  await workbench.runCommand("File: Focus on Files Explorer");
  await workbench.reloadWindow();
  await show();
  await soon(() => aloud("going")).toMatch(/^going, finished, 180 steps, .*worst: KL blow-up/);
  await soon(() => aloud("hack")).toContain("worst: Reward follows length");
  const files = await readdir(path.join(folder, "hack"), { recursive: true });
  expect(files.toSorted()).toEqual((await readdir(demo, { recursive: true })).toSorted());
  expect(workbench.problems()).toEqual([]);
});
