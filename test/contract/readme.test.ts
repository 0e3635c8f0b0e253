/** What the readme says to type into a shell does what it says. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "./command.ts";

const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");

let command: Command;
beforeAll(async () => {
  command = await Command.make();
});
afterAll(() => command?.remove());

test("a shell records by a pipe", async () => {
  const example = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code ?? "");
  const [script, ...others] = example.filter((code) => code.includes("| flight-deck record "));
  expect(others).toEqual([]);
  const bin = path.join(command.folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, "flight-deck"),
    `#!/bin/sh\nexec "${process.execPath}" "${command.file}" "$@"\n`,
  );
  chmodSync(path.join(bin, "flight-deck"), 0o755);
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
  const { status, stderr } = spawnSync("sh", ["-euc", script ?? ""], {
    cwd: command.folder,
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    0,
    "flight-deck: runs/from-a-shell is recorded: 200 steps, 1 event, and what was chosen of 1 sample\n",
  ]);
  expect(await command.inspect("runs/from-a-shell")).toMatchObject({
    n_steps: 200,
    n_samples: 1,
    manifest: { run_id: "from-a-shell", algorithm: "grpo", trainer_config: { lr: 1e-6 } },
    columns: { reward_mean: { present: 200 }, kl_mean: { present: 200 } },
    events: [{ kind: "train_end", step: 199 }],
    warnings: [],
  });
});
