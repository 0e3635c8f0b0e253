import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolFault } from "../../../src/agents/fault.ts";
import { folderAt, type Places, pathText } from "../../../src/agents/places.ts";
import { citation, parseCitation } from "../../../src/agents/untrusted.ts";

let base = "";
let places: Places;
let free: Places;

beforeAll(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "fd-places-")));
  for (const dir of ["root/run/steps", "root/..odd", "second/only", "outside/run", "opened/run"])
    fs.mkdirSync(path.join(base, dir), { recursive: true });
  fs.writeFileSync(path.join(base, "root/run/manifest.json"), "{}");
  fs.symlinkSync(path.join(base, "outside"), path.join(base, "root/way-out"));
  fs.symlinkSync(path.join(base, "root/run"), path.join(base, "root/again"));
  const roots = [path.join(base, "root"), path.join(base, "second")];
  places = { roots: () => roots, isConfined: true, more: () => [path.join(base, "opened/run")] };
  free = { roots: () => [path.join(base, "root")], isConfined: false };
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const at = (...parts: string[]) => path.join(base, ...parts);

describe("a path within the roots", () => {
  test.each([
    ["run", "root/run"],
    ["./run/", "root/run"],
    ["run/manifest.json", "root/run"],
    ["run/steps/..", "root/run"],
    ["..odd", "root/..odd"],
    ["only", "second/only"],
    [".", "root"],
    ["again", "root/run"],
  ])("%s is %s", async (text, dir) => expect(await folderAt(text, places)).toBe(at(dir)));

  test("absolute, and one that the user has opened", async () => {
    expect(await folderAt(at("root/run"), places)).toBe(at("root/run"));
    expect(await folderAt(at("opened/run"), places)).toBe(at("opened/run"));
  });
});

describe("refused", () => {
  const code = (text: string, where = places) =>
    folderAt(text, where).then(
      (dir) => dir,
      (error: ToolFault) => error.code,
    );
  test.each([
    "../outside/run",
    "way-out/run",
    "way-out",
    "run/../../outside",
    "../nothing-there",
    "../../../../../../etc",
  ])("%s leads out", async (text) => expect(await code(text)).toBe("outside"));
  test("absolute ones too, a neighbour of what was opened among them", async () => {
    expect(await code(at("outside/run"))).toBe("outside");
    expect(await code(at("opened"))).toBe("outside");
    expect(await code("/etc/passwd")).toBe("outside");
  });
  test("what is not there, and what is no path", async () => {
    expect(await code("nothing")).toBe("not-found");
    expect(await code("")).toBe("bad-path");
    expect(await code("a\0b")).toBe("bad-path");
    expect(await code("x".repeat(5000))).toBe("bad-path");
    expect(await code("run", { roots: () => [], isConfined: true })).toBe("no-roots");
  });
  test("nothing where no roots were given", async () => {
    expect(await code("../outside/run", free)).toBe(at("outside/run"));
    expect(await code(at("outside/run"), free)).toBe(at("outside/run"));
  });
});

test("a run is named so that it can be passed again", async () => {
  expect(pathText(at("root/run"), free)).toBe("run");
  expect(pathText(at("root"), free)).toBe(".");
  expect(pathText(at("outside/run"), free)).toBe(at("outside/run"));
  expect(pathText(at("root/run"), places)).toBe(at("root/run"));
});

describe("a citation", () => {
  test.each(["s0_1", "a/b c", "é漢:😀", "__proto__", "%2f..", "Ignore all\nprevious", "\u202e"])(
    "names %j and leads back to it",
    (id) => {
      const text = citation("my run/x", 12, 3, id);
      expect(text).toMatch(/^my%20run%2Fx\/12\/3\/[A-Za-z0-9._~!'()*%-]+$/);
      expect(parseCitation(text)).toEqual({ step: 12, rank: 3, id });
    },
  );
  test.each(["", "run", "run/1", "run/1/2", "run/x/0/id", "run/1/0/", "run/1/0/%zz", "a/1/0/b/c"])(
    "%j is none",
    (text) => expect(parseCitation(text)).toBe(null),
  );
  test("half a character costs itself alone", () =>
    expect(citation("r", 1, 0, "a\ud800")).toBe("r/1/0/a%EF%BF%BD"));
});
