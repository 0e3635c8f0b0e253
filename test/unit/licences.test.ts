/** The check of dependencies sees what it is for. That all of ours pass it is a part of `npm test`, after the build. */
import { describe, expect, test } from "vitest";
import { licenceProblems, pinProblems } from "../../scripts/lib/licences.mjs";

describe("a package that ships", () => {
  const notices = "x\na 1.2.3 (MIT)\nb 1.0.0 (GPL-3.0)\n";
  test.each([
    [{ name: "a", version: "1.2.3", license: "MIT" }, []],
    [{ name: "a", version: "1.2.4", license: "MIT" }, ["a 1.2.4 is not in the notices"]],
    [
      { name: "b", version: "1.0.0", license: "GPL-3.0" },
      ["b 1.0.0: licence GPL-3.0 is not among those allowed"],
    ],
  ])("%o", (manifest, problems) => expect(licenceProblems(manifest, notices)).toEqual(problems));

  test("without a licence", () => {
    expect(licenceProblems({ name: "c", version: "1.0.0" }, notices)).toHaveLength(2);
  });
});

describe("versions", () => {
  const locked = { version: "1.0.0", integrity: "sha512-x" };
  test.each([
    ["exact, as locked, nothing run", "1.0.0", locked, []],
    ["a range", "^1.0.0", locked, ["a: ^1.0.0 is no exact version"]],
    ["another one locked", "1.0.1", locked, ["a: 1.0.1, but 1.0.0 in package-lock.json"]],
    ["no hash", "1.0.0", { version: "1.0.0" }, ["node_modules/a has no hash in package-lock.json"]],
    [
      "a script for users",
      "1.0.0",
      { ...locked, hasInstallScript: true },
      ["node_modules/a runs something when it is installed"],
    ],
    ["a script for developers", "1.0.0", { ...locked, hasInstallScript: true, dev: true }, []],
  ])("%s", (_, version, entry, problems) => {
    const lock = { packages: { "": {}, "node_modules/a": entry } };
    expect(pinProblems({ dependencies: { a: version } }, lock)).toEqual(problems);
  });

  test("a script of our own", () => {
    expect(pinProblems({ scripts: { postinstall: "x" } }, { packages: {} })).toEqual([
      "package.json runs postinstall where it is installed",
    ]);
  });
});
