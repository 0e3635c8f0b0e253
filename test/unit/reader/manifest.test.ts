import { describe, expect, test } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { MANIFEST_LIMIT, parseManifest } from "../../../src/core/reader/manifest.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";

const encoder = new TextEncoder();
const GOOD = { schema_version: 1, run_id: "r1", created_at: "2026-01-01T00:00:00+00:00", algorithm: "grpo" };

function read(source: Uint8Array | string | object) {
  const bytes =
    source instanceof Uint8Array
      ? source
      : encoder.encode(typeof source === "string" ? source : JSON.stringify(source));
  const list = new WarningList();
  const manifest = parseManifest(bytes, "folder", list.warn);
  const warnings = list.list();
  return {
    manifest,
    codes: warnings.filter((w) => w.level === "warning").map((w) => w.code),
    infos: warnings.filter((w) => w.level === "info").map((w) => w.code),
    details: warnings.map((w) => w.detail),
  };
}

function refusal(source: string | object): FlightDeckError {
  try {
    read(source);
  } catch (error) {
    if (error instanceof FlightDeckError) return error;
    throw error;
  }
  throw new Error("not refused");
}

test("a whole manifest is taken as it is, unknown keys included", () => {
  const { manifest, codes, infos } = read({
    ...GOOD,
    model_name: "m",
    world_size: 8,
    trainer_config: { lr: 1e-6 },
    environment: { gpu: null },
    notes: "n",
    extra: { rank: 1 },
    future: [1],
  });
  expect({ ...manifest, raw: null }).toEqual({
    ...GOOD,
    model_name: "m",
    world_size: 8,
    trainer_config: { lr: 1e-6 },
    environment: { gpu: null },
    notes: "n",
    extra: { rank: 1 },
    raw: null,
  });
  expect(manifest.raw["future"]).toEqual([1]);
  expect([...codes, ...infos]).toEqual([]);
});

test("optional fields have defaults and need no warning", () => {
  const { manifest, codes } = read(GOOD);
  expect(manifest).toMatchObject({ model_name: null, world_size: 1, notes: null });
  expect(Object.keys(manifest.trainer_config)).toEqual([]);
  expect(codes).toEqual([]);
});

describe("version: before anything else, on the raw value", () => {
  test.each([
    [2, "newer-schema", "2"],
    [1.5, "bad-schema-version", "1.5"],
    [0, "bad-schema-version", "0"],
    [-1, "bad-schema-version", "-1"],
    [true, "bad-schema-version", "true"],
    [null, "bad-schema-version", "null"],
    ["7", "newer-schema", "7"],
    ["secret", "bad-schema-version", "text"],
    [{ secret: 1 }, "bad-schema-version", "an object"],
  ])("%j", (version, code, found) => {
    const error = refusal({ schema_version: version, id: 7 });
    expect(error).toMatchObject({ code, file: "manifest.json", facts: { found, supported: "1" } });
  });

  test.each(["1e999", "99999999999999999999", "NaN"])("%s", (version) => {
    const error = refusal(`{"schema_version": ${version}}`);
    expect(["newer-schema", "bad-schema-version"]).toContain(error.code);
  });

  test("what was stated is told as it was, but no text of the file and no endless number", () => {
    const found = (version: string) => refusal(`{"schema_version": ${version}}`);
    const of = (version: string) => [found(version).code, found(version).facts["found"]];
    expect(of("12345678901234567890")).toEqual(["newer-schema", "12345678901234567890"]);
    expect(of("123456789012345678901")).toEqual(["newer-schema", "a very large number"]);
    expect(of("-12345678901234567890")).toEqual(["bad-schema-version", "a very large number"]);
    expect(of('"123456789"')).toEqual(["newer-schema", "123456789"]);
    for (const text of ["1234567890", "1x", "x1", " 1", "2.0"])
      expect(of(JSON.stringify(text)), text).toEqual(["bad-schema-version", "text"]);
  });

  test("1.0 is 1; the text 1 is taken with a note; none is taken for 1 with a warning", () => {
    expect(read(JSON.stringify(GOOD).replace('"schema_version":1', '"schema_version":1.0')).codes).toEqual(
      [],
    );
    const text = read({ ...GOOD, schema_version: "1" });
    expect([text.codes, text.infos]).toEqual([[], ["coerced-type"]]);
    const { schema_version: _, ...without } = GOOD;
    expect(read(without).codes).toEqual(["schema-version-assumed"]);
  });
});

describe("a file that is no manifest opens under the folder's name", () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]);
  test.each<[string, Uint8Array | string, RegExp]>([
    ["empty", "", /empty/],
    ["cut", '{"run_id": "secr', /ends in the middle/],
    ["all NUL", new Uint8Array(400), /NUL/],
    ["YAML", "run_id: secret\n", /not JSON/],
    ["a list", "[]", /a list/],
    ["null", "null", /null/],
    ["UTF-16", utf16, /UTF-16.*little/],
    ["UTF-16 without a mark", new Uint8Array([0, 0x7b, 0, 0x7d]), /UTF-16.*big/],
    ["gzip", new Uint8Array([0x1f, 0x8b, 8, 0]), /gzip/],
    ["Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:x\n", /LFS/],
    ["a web page", "<!DOCTYPE html><p>404", /HTML/],
  ])("%s", (_, source, why) => {
    const { manifest, codes, details } = read(source);
    expect(manifest).toMatchObject({ run_id: "folder", algorithm: "", created_at: "" });
    expect(codes).toEqual(["manifest-unreadable"]);
    expect(details[0]).toMatch(why);
    expect(details.join()).not.toContain("secr");
  });
});

describe("fields that do not fit are named and replaced", () => {
  test("with what was found and what was expected, of which field", () => {
    const list = new WarningList();
    parseManifest(encoder.encode(JSON.stringify({ ...GOOD, run_id: "", notes: 5 })), "folder", list.warn);
    expect(list.list().map(({ column, detail }) => [column, detail])).toEqual([
      ["run_id", "run_id is empty; text was expected"],
      ["notes", "notes is a number; text or null was expected"],
    ]);
    const missing = new WarningList();
    parseManifest(encoder.encode('{"schema_version":1,"run_id":null}'), "folder", missing.warn);
    expect(missing.list().map(({ column, detail }) => [column, detail])).toEqual([
      ["run_id", "run_id is null; text was expected"],
      ["created_at", "created_at is missing"],
      ["algorithm", "algorithm is missing"],
    ]);
  });

  test.each([
    ["run_id", 7],
    ["run_id", ""],
    ["created_at", null],
    ["algorithm", ["grpo"]],
    ["model_name", 3],
    ["world_size", -8],
    ["world_size", 1.5],
    ["world_size", "8"],
    ["trainer_config", []],
    ["environment", "x"],
    ["notes", {}],
    ["extra", null],
  ])("%s: %j", (field, value) => {
    const { manifest, codes, details } = read({ ...GOOD, [field]: value });
    expect(codes).toEqual(["manifest-field"]);
    expect(details[0]).toContain(field);
    expect((manifest as unknown as Record<string, unknown>)[field]).not.toEqual(value);
    expect(manifest.raw[field]).toEqual(value);
  });

  test("each missing required field is named", () => {
    expect(read({ schema_version: 1 }).details).toEqual([
      "run_id is missing",
      "created_at is missing",
      "algorithm is missing",
    ]);
  });

  test("odd but legal values pass", () => {
    const odd = { ...GOOD, created_at: "yesterday", world_size: 1e9, run_id: "../../etc/passwd" };
    expect(read(odd)).toMatchObject({ codes: [], infos: [], manifest: odd });
  });
});

describe("text", () => {
  test("a byte order mark is noted, nothing more", () => {
    const { codes, infos, manifest } = read(`\ufeff${JSON.stringify(GOOD)}`);
    expect([codes, infos, manifest.run_id]).toEqual([[], ["bom"], "r1"]);
  });

  test("a byte that is not UTF-8 costs itself", () => {
    const bytes = encoder.encode(JSON.stringify({ ...GOOD, notes: "a?b" }));
    bytes[bytes.indexOf(0x3f)] = 0xff;
    const { codes, manifest } = read(bytes);
    expect([codes, manifest.notes]).toEqual([["invalid-utf8"], "a\ufffdb"]);
  });

  test("NaN, integers beyond 2^53, __proto__", () => {
    const { codes, infos, manifest } = read(
      JSON.stringify(GOOD).replace(
        "{",
        '{"__proto__":{"polluted":1},"trainer_config":{"__proto__":2,"lr":NaN,"seed":9007199254740993},',
      ),
    );
    expect(manifest.trainer_config["seed"]).toBe(9007199254740993n);
    expect(manifest.trainer_config["lr"]).toBeNaN();
    expect(Object.keys(manifest.raw)).toContain("__proto__");
    expect([codes, infos]).toEqual([["non-finite"], ["unsafe-integer"]]);
  });

  test("250 levels are fine, 5,000 are cut with a warning", () => {
    const deep = (n: number) =>
      JSON.stringify({ ...GOOD, trainer_config: { x: 0 } }).replace(
        ":0}",
        `:${"[".repeat(n)}${"]".repeat(n)}}`,
      );
    expect(read(deep(250)).codes).toEqual([]);
    expect(read(deep(5000))).toMatchObject({ codes: ["manifest-too-deep"], manifest: { run_id: "r1" } });
  });

  test("of a manifest beyond the limit the fields at its beginning are used", () => {
    const long = encoder.encode(JSON.stringify({ ...GOOD, notes: "n".repeat(MANIFEST_LIMIT) }));
    const { codes, manifest } = read(long.subarray(0, MANIFEST_LIMIT + 1));
    expect([codes, manifest.run_id, manifest.algorithm]).toEqual([["size-limit"], "r1", "grpo"]);
    const newer = encoder.encode(`{"schema_version":2,"notes":"${"n".repeat(MANIFEST_LIMIT)}"}`);
    expect(() => read(newer)).toThrow("newer-schema");
  });
});
