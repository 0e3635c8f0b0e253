import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import { METRICS_LIMIT, type RecordFile, readRecords } from "../../../src/core/records/read.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const hash = (text: string) => sha(text).slice(0, 16);

const CONFIG = '{"lr": 1e-06, "steps": 60}';
const witness = (attempt: unknown, more: object = {}, config = CONFIG) =>
  JSON.stringify({
    run_record_format: 1,
    run_id: 77,
    attempt,
    config: "$",
    config_hash: hash(config),
    device: "cpu",
    device_name: null,
    peak_memory_bytes: null,
    cpu_allocation: 2,
    elapsed_seconds: 12.5,
    ...more,
  }).replace('"$"', config);
const row = (more: object = {}) => ({
  benchmark: "gsm8k",
  metric: "accuracy",
  horizon: 128,
  seed: 0,
  value: 0.5,
  ...more,
});

type Content = string | Uint8Array | Error;

async function read(files: Readonly<Record<string, Content>>, manifest: string | null = null) {
  const list = new WarningList();
  const entries = Object.entries(files).map(
    ([name, content]): RecordFile => ({
      name,
      size: content instanceof Error ? 10 : content.length,
      async read() {
        if (content instanceof Error) throw content;
        return typeof content === "string" ? new TextEncoder().encode(content) : content;
      },
    }),
  );
  const records = await readRecords(
    entries,
    manifest === null ? null : new TextEncoder().encode(manifest),
    list.warn,
  );
  const warnings = list.list();
  return {
    ...records,
    warnings,
    codes: warnings.filter((w) => w.level === "warning").map((w) => w.code),
    infos: warnings.filter((w) => w.level === "info").map((w) => w.code),
  };
}

describe("witnesses", () => {
  test("a right one", async () => {
    const { witnesses, warnings } = await read({ "observed.attempt1.json": witness(1), "other.json": "{" });
    expect(warnings).toEqual([]);
    expect(witnesses).toMatchObject([
      {
        file: "observed.attempt1.json",
        attempt: 1,
        config: { lr: 1e-6, steps: 60 },
        statedHash: hash(CONFIG),
        computedHash: hash(CONFIG),
      },
    ]);
    expect(Object.keys(witnesses[0]?.fields ?? {})).toContain("cpu_allocation");
  });

  test("a hash over what only Python writes so", async () => {
    const sorted =
      '{"a": [1e-06, 1e+16, 0.1, -0.0, 123456789012345678901234567890], "b": 1.0, "n": {"A": NaN}, "\\u00e9\\ud83d\\udc08": null}';
    const unsorted =
      '{"b": 1.0, "é\\ud83d\\udc08": null, "a": [0.000001, 1E16, 0.1, -0.0, 123456789012345678901234567890], "n": {"A": NaN}}';
    const { codes, witnesses } = await read({
      "observed.attempt1.json": witness(1, { config_hash: hash(sorted) }, unsorted),
    });
    expect(witnesses[0]?.computedHash).toBe(hash(sorted));
    expect(codes).toEqual([]);
  });

  test("a wrong hash, a whole digest, one that is no text", async () => {
    const codes = async (config_hash: unknown) =>
      (await read({ "observed.attempt1.json": witness(1, { config_hash }) })).codes;
    expect(await codes("0123456789abcdef")).toEqual(["config-hash-mismatch"]);
    expect(await codes(sha(CONFIG))).toEqual([]);
    expect(await codes(sha("other"))).toEqual(["config-hash-mismatch"]);
    expect(await codes(hash(CONFIG).toUpperCase())).toEqual([]);
    expect(await codes(5)).toEqual(["record-shape"]);
    expect(await codes(null)).toEqual([]);
  });

  test("others' names for the same", async () => {
    const text = witness(1)
      .replace('"config"', '"configuration"')
      .replace('"config_hash"', '"configuration_hash"');
    const { witnesses } = await read({ "observed.attempt1.json": text });
    expect(witnesses[0]).toMatchObject({ statedHash: hash(CONFIG), computedHash: hash(CONFIG) });
  });

  test.each<[string, unknown, string[], number]>([
    ["newer", 2, ["newer-record-format"], 0],
    ["older", 0, ["record-shape"], 0],
    ["text", "1", ["record-shape"], 0],
    ["missing", undefined, ["record-shape"], 1],
  ])("run_record_format %s", async (_, run_record_format, codes, count) => {
    const result = await read({
      "observed.attempt1.json": witness({ odd: 1 }, { run_record_format, config_hash: 5, attempt: 1 }),
    });
    expect(result.codes.slice(0, 1)).toEqual(codes);
    expect(result.witnesses.length).toBe(count);
    if (count === 0) expect(result.codes.length).toBe(1);
  });

  test("under an unknown run_record_format nothing else is looked at, whatever else is wrong", async () => {
    const later = [
      '{"run_record_format": 2, "attempt": 9, "config_hash": 5, "config": {"a": 1, "a": 2}, "config_hash": 6}',
      `{"run_record_format": 3, "config": {"a": ${"[".repeat(400)}${"]".repeat(400)}}}`,
      '\ufeff{"config": {}, "config_hash": "0123456789abcdef", "run_record_format": 1e9}',
      '{"run_record_format": 123456789012345678901234567890}',
    ];
    for (const text of later) {
      const { warnings, witnesses } = await read({ "observed.attempt1.json": text });
      expect([witnesses, warnings.map(({ code }) => code)]).toEqual([[], ["newer-record-format"]]);
    }
    const odd = ["null", "true", '"1"', "[1]", '{"v": 1}', "-1", "0.5", "NaN"];
    for (const format of odd) {
      const text = `{"config": {"a": 1, "a": 2}, "run_record_format": ${format}, "attempt": 7, "config_hash": 1}`;
      const { warnings, witnesses } = await read({ "observed.attempt1.json": text });
      expect([witnesses, warnings.map(({ code, column }) => [code, column])], format).toEqual([
        [],
        [["record-shape", "run_record_format"]],
      ]);
    }
  });

  test("attempts in the order of their numbers; a gap is no loss", async () => {
    const files = [10, 2, 1].map((n) => [`observed.attempt${n}.json`, witness(n)] as const);
    const { witnesses, codes, infos, warnings } = await read(Object.fromEntries(files));
    expect(witnesses.map((w) => w.attempt)).toEqual([1, 2, 10]);
    expect([codes, infos, warnings[0]?.count]).toEqual([[], ["attempt-gap"], 7]);
  });

  test("names that state no attempt", async () => {
    const names = [
      "attempt01.json",
      "attempt-1.json",
      "attemptX.json",
      "attempt1 (1).json",
      "attempt99999999999999999999.json",
    ];
    const { witnesses, codes, infos } = await read(
      Object.fromEntries([...names, "attempt1.json.tmp"].map((n) => [`observed.${n}`, witness(1)])),
    );
    expect(witnesses).toEqual([]);
    expect(codes).toEqual(names.map(() => "attempt-name"));
    expect(infos).toEqual(["stray-file"]);
  });

  test("a name that says another attempt than the file", async () => {
    const { codes, witnesses } = await read({
      "observed.attempt1.json": witness(1),
      "observed.attempt2.json": witness(1),
    });
    expect(codes).toEqual(["attempt-mismatch"]);
    expect(witnesses.map((w) => w.attempt)).toEqual([1, 2]);
  });

  test("one that cannot be read costs itself", async () => {
    const { codes, witnesses } = await read({
      "observed.attempt1.json": "{",
      "observed.attempt2.json": "[]",
      "observed.attempt3.json": new FlightDeckError("permission-denied", "x"),
      "observed.attempt4.json": witness(4),
    });
    expect(codes.sort()).toEqual(["permission-denied", "record-shape", "record-unreadable"]);
    expect(witnesses.map((w) => w.attempt)).toEqual([4]);
  });
});

describe("metrics", () => {
  const metrics = async (content: Content | object) => {
    const text =
      content instanceof Uint8Array || typeof content === "string" || content instanceof Error
        ? content
        : JSON.stringify(content);
    const { metrics: rows, ...rest } = await read({ "metrics.json": text as Content });
    return { rows, ...rest };
  };

  test("rows", async () => {
    const { rows, warnings } = await metrics([
      row(),
      row({ seed: 1, horizon: "long" }),
      row({ seed: null, value: -0 }),
    ]);
    expect(rows.map((r) => [r.seed, r.horizon, r.value])).toEqual([
      [0, 128, 0.5],
      [1, "long", 0.5],
      [null, 128, 0],
    ]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, Content, string]>([
    ["empty", "", "record-unreadable"],
    ["cut", JSON.stringify([row()]).slice(0, -9), "record-unreadable"],
    ["all NUL", new Uint8Array(300), "record-unreadable"],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x5b, 0), "record-unreadable"],
    ["an object", '{"accuracy": 0.5}', "record-shape"],
    ["a text", '"ok"', "record-shape"],
    ["cannot be opened", new FlightDeckError("io-error", "metrics.json"), "io-error"],
  ])("%s", async (_, content, code) => {
    const { rows, codes } = await metrics(content);
    expect([rows, codes]).toEqual([[], [code]]);
  });

  test("JSON Lines are named and read", async () => {
    const { rows, codes } = await metrics([row(), row({ seed: 1 })].map((r) => JSON.stringify(r)).join("\n"));
    expect([rows.length, codes]).toEqual([2, ["record-shape"]]);
    expect((await metrics("[] x")).codes).toEqual(["record-unreadable"]);
  });

  test("the wrong field is named with its rows, the other rows are kept", async () => {
    const { rows, warnings } = await metrics([
      row({ value: "0.5" }),
      row({ value: null }),
      row({ value: true }),
      row({ value: { e: [1] } }),
      row({ benchmark: 3 }),
      row({ horizon: [] }),
      7,
      row({ seed: undefined }),
      row({ extra: "secret" }),
      row({ benchmark: "<script>" }),
    ]);
    expect(rows.map((r) => r.benchmark)).toEqual(["gsm8k", "<script>"]);
    expect(warnings.map((w) => [w.code, w.detail, w.count, w.row])).toEqual([
      ["record-shape", "value is not a number (rows 1, 2, 3, 4)", 4, 0],
      ["record-shape", "benchmark is not text (row 5)", 1, 4],
      ["record-shape", "horizon is not a number or text (row 6)", 1, 5],
      ["record-shape", "the row is a number, not an object (row 7)", 1, 6],
      ["record-shape", "seed is missing (row 8)", 1, 7],
      ["record-shape", "a field that the format does not know (row 9)", 1, 8],
    ]);
  });

  test("keys of Object.prototype are keys", async () => {
    const { rows, codes } = await metrics(
      '[{"__proto__":{"polluted":1},"constructor":5,"benchmark":"b","metric":"m","horizon":1,"seed":0,"value":1},{"__proto__":{"value":1,"seed":1,"horizon":1,"metric":"m","benchmark":"b"}}]',
    );
    expect([rows.length, new Set(codes)]).toEqual([1, new Set(["record-shape"])]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("NaN, byte order mark, big seeds, a value twice", async () => {
    const text = JSON.stringify([row()]);
    expect(await metrics(text.replace("0.5", "NaN"))).toMatchObject({
      codes: ["non-finite"],
      rows: [{ value: Number.NaN }],
    });
    expect(await metrics(`\ufeff${text}`)).toMatchObject({ codes: [], infos: ["bom"], rows: [{}] });
    const big = await metrics(text.replace('"seed":0', '"seed":9007199254740993'));
    expect(big).toMatchObject({ codes: [], infos: ["unsafe-integer"], rows: [{ seed: 9007199254740993n }] });
    const twice = await metrics(text.replace('"value":0.5', '"value":0.1,"value":0.9'));
    expect(twice).toMatchObject({ codes: ["duplicate-key"], rows: [{ value: 0.9 }] });
  });

  test("a file beyond the limit is not even opened", async () => {
    const list = new WarningList();
    const huge: RecordFile = {
      name: "metrics.json",
      size: METRICS_LIMIT + 1,
      read: () => Promise.reject(new Error("read")),
    };
    expect((await readRecords([huge], null, list.warn)).metrics).toEqual([]);
    expect(list.list()).toMatchObject([{ code: "size-limit", file: "metrics.json" }]);
  });
});

test("the manifest's configuration is hashed by the same rule", async () => {
  const manifest = `{"schema_version":1,"trainer_config":${CONFIG}}`;
  expect((await read({}, manifest)).manifestConfigHash).toBe(hash(CONFIG));
  expect((await read({}, "{")).manifestConfigHash).toBeNull();
  expect((await read({}, "{}")).manifestConfigHash).toBeNull();
  expect((await read({})).manifestConfigHash).toBeNull();
});
