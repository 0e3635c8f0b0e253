/** The harness itself: both versions of the workbench start with the packaged extension installed and its commands listed. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CURRENT, FLOOR, Workbench } from "./harness.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-smoke-"));
  await writeFile(path.join(folder, "note.txt"), "a note\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["the current VS Code", CURRENT],
  ["the oldest VS Code that is supported", FLOOR],
])("%s (%s) starts with the extension installed", async (_, version) => {
  const workbench = await Workbench.open({ folder, version });
  await workbench.openFile(["note.txt"]);
  await workbench.runCommand("Flight Deck: Show Log");
  expect(workbench.problems()).toEqual([]);
  await workbench.close();
});
