/** Every command on runs with every payload in every field: nothing that a terminal obeys comes out, and JSON says exactly what was recorded. */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/cli/context.ts";
import { run } from "../../../src/cli/run.ts";
import { oneLine, styleFor } from "../../../src/cli/terminal.ts";
import { FOLDERS, INHERITED, OBEYED, PAYLOADS } from "../../helpers/hostile.ts";
import { writeHostileRuns } from "../../helpers/hostile-run.ts";

let root = "";
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-hostile-"));
  writeHostileRuns(root);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");

async function said(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const [out, err]: [string[], string[]] = [[], []];
  const context: Context = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    style: styleFor(false),
    columns: 200,
    nowMs: 1_800_000_000_000,
    wasm: () => fs.readFileSync(wasm),
  };
  const code = await run(args, context, "0");
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** What a link can hold of the payloads: there is none with the rest. */
const LINKABLE = PAYLOADS.map(({ text }) => text)
  .filter((text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text))
  .join("")
  .slice(0, 450);
const at = (name: string): string => path.join(root, name);
const COMMANDS: readonly (readonly [name: string, args: () => string[]])[] = [
  ["ls", () => ["ls", root]],
  ["inspect", () => ["inspect", at("a")]],
  ["doctor", () => ["doctor", at("a"), "--extra"]],
  ["diff", () => ["diff", at("a"), at("b"), "--extra"]],
  ["samples", () => ["samples", at("a"), "--no-cache", "--full", "-k", "200"]],
  ["show", () => ["show", at("a"), "--step", "30", "--window", "40", "--max-samples", "200", "--no-cache"]],
  ["watch", () => ["watch", at("a"), "--max-ticks", "1", "--poll", "0"]],
  ["witness", () => ["witness", at("a")]],
  ["metrics", () => ["metrics", at("a"), at("b")]],
  ["report", () => ["report", at("a"), "--out", "-", "--no-cache"]],
  ["report", () => ["report", at("a"), at("b"), "--out", "-", "--format", "md", "--no-cache"]],
  ["report", () => ["report", at("a"), "--out", "-", "--format", "sarif", "--no-cache"]],
  ["export", () => ["export", at("a")]],
  ["open", () => ["open", at("a"), "--sample", LINKABLE, "--print"]],
];

/** Line ends and, in texts that have lines, tabs are layout. */
const obeyed = (text: string): string[] =>
  text.split("\n").filter((line) => OBEYED.test(line.replaceAll("\t", "")));

describe.each(COMMANDS)("flight-deck %s", (name, args) => {
  it("prints no control character", async () => {
    const { out, err } = await said(...args());
    expect(obeyed(out)).toEqual([]);
    expect(obeyed(err)).toEqual([]);
    expect(out.length).toBeGreaterThan(100);
  });

  it("escapes them in JSON, which says what was recorded", async () => {
    const { out } = await said(...args(), "--json");
    expect(obeyed(out)).toEqual([]);
    const values = name === "watch" ? out.split("\n").filter(Boolean) : [out];
    for (const value of values) expect(() => JSON.parse(value)).not.toThrow();
  });
});

it("what goes wrong is said in one line, whatever the folder is called", async () => {
  for (const { text } of FOLDERS) {
    const { err, code } = await said("inspect", path.join(root, "none", text));
    expect(code).toBe(2);
    expect(obeyed(err)).toEqual([]);
    expect(err.split("\n")).toHaveLength(1);
  }
  for (const { text } of PAYLOADS) {
    const { err } = await said("ls", root, "--filter", text);
    expect(obeyed(err)).toEqual([]);
    const named = await said(text.startsWith("-") ? `x${text}` : text, `--${text}`);
    expect(obeyed(named.err)).toEqual([]);
  }
});

it("each text is there, written out", async () => {
  const { out } = await said("samples", at("a"), "--no-cache", "--full", "-k", "200");
  const flat = out.replace(/\s+/g, "");
  for (const { id, text } of PAYLOADS) {
    const lines = text.replace(/\r\n/g, "\n").split("\n").map(oneLine).join("").replaceAll("\\t", "");
    expect(flat, id).toContain(lines.replace(/\s+/g, ""));
  }
});

it("names that every object has are metrics, components and keys", async () => {
  const inspected = JSON.parse((await said("inspect", at("a"), "--json")).out);
  const columns = JSON.stringify(inspected);
  const differing = (await said("diff", at("a"), at("b"), "--extra", "--json")).out;
  const results = (await said("metrics", at("a"), at("b"), "--json")).out;
  for (const name of INHERITED) {
    expect(columns).toContain(`"extra.${name}"`);
    expect(differing).toContain(`"${name}"`);
    expect(differing).toContain(`"trainer_config.${name}"`.replace("trainer_config.", ""));
    expect(results).toContain(`"${name}"`);
  }
  const { out } = await said(
    "ls",
    root,
    "--json",
    "--filter",
    "trainer_config.__proto__:__proto__",
    "--no-findings",
  );
  expect(out).toContain("__proto__");
});
