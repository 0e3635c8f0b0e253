/** Recordings of our own: by a pipe, shown while it is written; and demo runs that the editor makes. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { synthesize } from "../../src/core/synth/index.ts";
import { Workbench } from "./harness.ts";

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });
const text = async (place: Locator): Promise<string> => (await place.first().textContent())?.trim() ?? "";
const facts = (page: Frame) => text(page.locator(".facts"));
const state = (page: Frame) => text(page.getByTestId("run-state"));
const last = (page: Frame, metric: string) =>
  text(page.locator(`[data-testid="chart"][data-metric="${metric}"] .last`));
const steps = async (page: Frame) =>
  Number(/([\d,]+) steps/.exec(await facts(page))?.[1]?.replace(",", "") ?? 0);

const cli = path.resolve(import.meta.dirname, "../../dist/cli.cjs");

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-demo-"));
  await mkdir(path.join(folder, "runs"));
  workbench = await Workbench.open({ folder });
});
afterEach(() => expect(workbench.problems()).toEqual([]));
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("flight-deck record", () => {
  let recorder: ChildProcessWithoutNullStreams | null = null;
  afterAll(() => recorder?.kill("SIGKILL"));

  test("writes a run that grows in the editor while the pipe is open", async () => {
    recorder = spawn(process.execPath, [
      cli,
      "record",
      path.join(folder, "piped"),
      "--flush-interval",
      "0.3",
    ]);
    const say = (line: object) => recorder?.stdin.write(`${JSON.stringify(line)}\n`);
    const run = synthesize({ pathology: null, steps: 200, seed: 1 });
    const ticks = run.ticks();
    /** As the loop of somebody who writes JSON. */
    const train = (count: number) => {
      for (let n = 0; n < count; n++) {
        const { value } = ticks.next();
        if (!value) throw new Error("the run is over");
        say({ type: "step", step: value.step, ...value.metrics });
        if (value.samples.length > 0) say({ type: "samples", step: value.step, samples: value.samples });
      }
    };
    say({ type: "run", run_id: "from-a-pipe", algorithm: "grpo", trainer_config: { lr: 1e-6 } });
    train(60);
    await soon(() => existsSync(path.join(folder, "piped/steps"))).toBe(true);
    await workbench.contextMenu(["piped"], "Open Run");
    const page = await workbench.webview("piped");
    await soon(() => steps(page)).toBe(60);
    expect(await state(page)).toBe("running");
    expect(await text(page.getByTestId("run-header"))).toContain("from-a-pipe");
    await soon(() => last(page, "reward_mean")).not.toBe("");
    const before = await last(page, "reward_mean");
    await page.evaluate(() => {
      document.body.dataset["kept"] = "the same page";
    });

    train(60);
    await soon(() => steps(page)).toBe(120);
    await soon(() => last(page, "reward_mean")).not.toBe(before);
    say({ type: "event", kind: "checkpoint", step: 119, message: "saved by a pipe" });
    recorder.stdin.write("this is no record\n");
    await page.getByTestId("tab-events").click();
    await soon(() => page.getByTestId("event-row").allTextContents()).toEqual([
      expect.stringContaining("saved by a pipe"),
      expect.stringMatching(/line \d+: it is no JSON/),
    ]);
    train(20);
    await soon(() => steps(page)).toBe(140);

    const ended = new Promise((resolve) => recorder?.once("exit", resolve));
    say({ type: "event", kind: "train_end", step: 139 });
    recorder.stdin.end();
    expect(await ended).toBe(0);
    await soon(() => state(page)).toBe("finished");
    expect(await steps(page)).toBe(140);
    expect(await page.evaluate(() => document.body.dataset["kept"])).toBe("the same page");
    await workbench.closeAll();
  });
});

describe("Create Demo Run…", () => {
  const create = async (kind: string, manner: string, parent: string): Promise<void> => {
    await workbench.runCommand("Flight Deck: Create Demo Run…");
    await workbench.pick(kind);
    await workbench.pick(manner);
    await workbench.chooseFolder(parent);
  };

  test("writes a whole run with the failure that was chosen, and opens it", async () => {
    await create("KL blow-up", "All at once", path.join(folder, "runs"));
    const page = await workbench.webview("demo-kl-blowup");
    await soon(() => steps(page)).toBe(400);
    expect(await state(page)).toBe("finished");
    await page.locator('[data-testid="finding"][data-signature="KL_BLOWUP"]').waitFor();
    expect(await page.getByTestId("warning").count()).toBe(0);
    await workbench.closeAll();
  });

  test("writes a live one that grows, and is closed in order when it is stopped", async () => {
    await create("Healthy GRPO run", "Live", path.join(folder, "runs"));
    const page = await workbench.webview("demo-healthy-grpo");
    const before = await steps(page);
    expect(await state(page)).toBe("running");
    await soon(() => steps(page)).toBeGreaterThan(before + 8);
    const status = workbench.page.locator('.statusbar-item[id$="flightDeck.demo"]');
    expect(await text(status)).toMatch(/demo-healthy-grpo: step \d+ of 400/);
    await status.locator("a").click();
    await soon(() => state(page)).toBe("finished");
    await soon(() => status.count()).toBe(0);
    expect((await readdir(path.join(folder, "runs/demo-healthy-grpo"))).sort()).toEqual([
      "events.jsonl",
      "manifest.json",
      "samples",
      "steps.parquet",
    ]);
    await workbench.closeAll();
  });

  test("takes a name that is free, and never a run's own folder", async () => {
    await create("Healthy GRPO run", "Live", path.join(folder, "runs"));
    const page = await workbench.webview("demo-healthy-grpo-2");
    await create("Healthy PPO run", "Live", path.join(folder, "runs/demo-kl-blowup"));
    await soon(() => workbench.notifications()).toEqual([
      expect.stringContaining("That is the folder of a run, and nothing is ever written into one"),
    ]);
    await workbench.runCommand("Flight Deck: Stop Demo Run");
    await soon(() => state(page)).toBe("finished");
    await workbench.closeAll();
  });

  test("needs no workspace; a live one is closed in order when the window goes", async () => {
    const address = workbench.page.url();
    await workbench.page.goto(`${new URL(address).origin}/?ew=true`);
    await create("Degenerate groups", "Live", path.join(folder, "runs"));
    const page = await workbench.webview("demo-degenerate-groups");
    await soon(() => steps(page)).toBeGreaterThan(8);
    await workbench.page.goto(address);
    await soon(() => existsSync(path.join(folder, "runs/demo-degenerate-groups/steps.parquet"))).toBe(true);
    await workbench.contextMenu(["runs", "demo-degenerate-groups"], "Open Run");
    const again = await workbench.webview("demo-degenerate-groups");
    await soon(() => state(again)).toBe("finished");
    await soon(() => steps(again)).toBeGreaterThan(8);
  });
});
