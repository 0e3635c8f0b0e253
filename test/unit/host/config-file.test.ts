import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ConfigFault,
  concerns,
  configPlaces,
  findConfig,
  readConfig,
} from "../../../src/host/doctor/config-file.ts";
import type { Looker } from "../../../src/host/paths.ts";

const having = (...files: string[]): Looker => ({
  kind: async (path) => (files.includes(path) ? "file" : null),
});
const IN = { workspace: "/w", setting: "" };

describe("which doctor.toml counts", () => {
  it("is the nearest, from the run's folder up to the workspace's and no farther", async () => {
    expect(configPlaces("/w/a/run", IN)).toEqual([
      "/w/a/run/doctor.toml",
      "/w/a/doctor.toml",
      "/w/doctor.toml",
    ]);
    expect(await findConfig("/w/a/run", IN, having("/w/doctor.toml", "/doctor.toml"))).toBe("/w/doctor.toml");
    expect(await findConfig("/w/a/run", IN, having("/w/doctor.toml", "/w/a/doctor.toml"))).toBe(
      "/w/a/doctor.toml",
    );
    expect(await findConfig("/w/a/run", IN, having("/doctor.toml"))).toBeNull();
  });

  it("is the run's own where it lies outside of any workspace, or is the workspace", () => {
    expect(configPlaces("/else/run", { workspace: null, setting: "" })).toEqual(["/else/run/doctor.toml"]);
    expect(configPlaces("/else/run", IN)).toEqual(["/else/run/doctor.toml"]);
    expect(configPlaces("/w", IN)).toEqual(["/w/doctor.toml"]);
  });

  it("is what the setting names, there or not", async () => {
    const around = { workspace: "/w", setting: "config/limits.toml" };
    expect(await findConfig("/w/a/run", around, having("/w/a/run/doctor.toml"))).toBe(
      "/w/config/limits.toml",
    );
    expect(configPlaces("/w/a/run", { workspace: "/w", setting: "/etc/d.toml" })).toEqual(["/etc/d.toml"]);
  });

  it("concerns the runs below it", () => {
    expect(concerns("/w/a/doctor.toml", "/w/a/run", IN)).toBe(true);
    expect(concerns("/w/b/doctor.toml", "/w/a/run", IN)).toBe(false);
    expect(concerns("/w/a/doctor.toml", "/w/a/run", { workspace: "/w", setting: "x.toml" })).toBe(false);
    expect(concerns("/w/x.toml", "/w/a/run", { workspace: "/w", setting: "x.toml" })).toBe(true);
  });
});

describe("reading it", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "fd-config-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("takes a text, whatever mark it begins with", async () => {
    const file = path.join(folder, "doctor.toml");
    writeFileSync(file, "\ufeff[kl_blowup]\n");
    expect(await readConfig(file)).toBe("[kl_blowup]\n");
  });

  it("refuses what is missing, no file or too large, and never opens a pipe", async () => {
    const pipe = path.join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const large = path.join(folder, "large.toml");
    writeFileSync(large, Buffer.alloc(300 * 1024, 32));
    await expect(readConfig(pipe)).rejects.toThrow("is no file");
    await expect(readConfig(folder)).rejects.toThrow("is no file");
    await expect(readConfig(large)).rejects.toThrow("too large");
    await expect(readConfig(path.join(folder, "nothing"))).rejects.toThrow(ConfigFault);
  });
});
