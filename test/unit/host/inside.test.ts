import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placeInside } from "../../../src/host/inside.ts";

let root = "";
let run = "";
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-inside-")));
  run = path.join(root, "run");
  fs.mkdirSync(path.join(run, "steps"), { recursive: true });
  fs.mkdirSync(path.join(root, "run-other"));
  fs.writeFileSync(path.join(root, "secret"), "");
  fs.writeFileSync(path.join(root, "run-other", "x"), "");
  fs.writeFileSync(path.join(run, "steps", "part-00000.parquet"), "");
  fs.writeFileSync(path.join(run, "..odd"), "");
  fs.symlinkSync(path.join(root, "secret"), path.join(run, "events.jsonl"));
  fs.symlinkSync(path.join(root, "run-other"), path.join(run, "samples"));
  fs.symlinkSync("nowhere", path.join(run, "manifest.json"));
  fs.symlinkSync(run, path.join(root, "link"));
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

it.each([
  ["", ""],
  ["steps", "steps"],
  ["steps/part-00000.parquet", "steps/part-00000.parquet"],
  ["steps/../steps/part-00000.parquet", "steps/part-00000.parquet"],
  ["..odd", "..odd"],
  // What is missing is shown by its folder.
  ["steps/part-00009.parquet", "steps"],
  ["rank-001/events.jsonl", ""],
  // A link is shown, what it leads to not.
  ["events.jsonl", "events.jsonl"],
  ["manifest.json", "manifest.json"],
  ["samples", "samples"],
  ["samples/x", "samples"],
])("%j is shown as %j", async (file, expected) => {
  expect(await placeInside(run, file)).toBe(path.join(run, expected));
});

it.each(["..", "../secret", "steps/../../secret", "/etc/passwd", "../run-other/x", "a\0b"])(
  "%j leads out of the run",
  async (file) => {
    expect(await placeInside(run, file)).toBeNull();
  },
);

it("takes a run that is reached by a link as it is named", async () => {
  const linked = path.join(root, "link");
  expect(await placeInside(linked, "steps/part-00000.parquet")).toBe(
    path.join(linked, "steps", "part-00000.parquet"),
  );
});

it("shows nothing of a run that is gone", async () => {
  expect(await placeInside(path.join(root, "gone"), "steps")).toBeNull();
});
