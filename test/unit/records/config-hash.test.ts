import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configHashIn } from "../../../src/core/records/config-hash.ts";
import { compareCodePoints, pythonFloat, pythonNumber } from "../../../src/core/records/python-json.ts";

const fixture = JSON.parse(
  readFileSync(new URL("../../fixtures/config-hash/cases.json", import.meta.url), "utf8"),
) as { cases: { text: string; hash: string }[]; floats: [string, string][] };

const inFile = (text: string) => new TextEncoder().encode(`{"other":1,"config":${text}}`);

test("the hash of every configuration is the one that Python gives", async () => {
  expect(fixture.cases.length).toBeGreaterThanOrEqual(200);
  for (const { text, hash } of fixture.cases) {
    expect(await configHashIn(inFile(text), "config"), text).toBe(hash);
  }
});

test("every double is written as Python writes it", () => {
  expect(fixture.floats.length).toBe(1000);
  for (const [hex, text] of fixture.floats) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${hex}`));
    expect(pythonFloat(view.getFloat64(0))).toBe(text);
  }
});

test("numbers by their text", () => {
  const texts = ["1.0", "1", "1e-06", "1E16", "123456789012345678901234567890", "-0", "-0.0", "NaN", "1e999"];
  expect(texts.map(pythonNumber)).toEqual([
    "1.0",
    "1",
    "1e-06",
    "1e+16",
    "123456789012345678901234567890",
    "0",
    "-0.0",
    "NaN",
    "Infinity",
  ]);
});

test("keys sort by code point, not by UTF-16 unit", () => {
  const sorted = [
    "",
    "A",
    "a",
    "ab",
    "\ud800",
    "\ud800\ud800",
    "\udfff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "\u{10000}a",
    "\u{1f408}",
  ];
  for (let seed = 0; seed < sorted.length; seed++) {
    const shuffled = [...sorted.slice(seed), ...sorted.slice(0, seed)].reverse();
    expect(shuffled.sort(compareCodePoints)).toEqual(sorted);
  }
});

test("no hash where it cannot be known exactly", async () => {
  expect(await configHashIn(inFile("[1]"), "config")).toBeNull();
  expect(await configHashIn(inFile("NaN"), "config")).toBeNull();
  expect(await configHashIn(inFile("{}"), "elsewhere")).toBeNull();
  expect(await configHashIn(inFile('{"a":'), "config")).toBeNull();
  expect(await configHashIn(inFile(`{"a":${"[".repeat(999)}${"]".repeat(999)}}`), "config")).toBeNull();
  const bytes = inFile('{"a":"?"}');
  bytes[bytes.indexOf(0x3f)] = 0xff;
  expect(await configHashIn(bytes, "config")).toBeNull();
});
