import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/format/json.ts";
import type { Witness } from "../../../src/core/format/records.ts";
import { attemptConfigs, attemptViews, bytesText, configName } from "../../../src/view/attempts.ts";
import { fakeModel, manifest } from "./model.ts";

const witness = (attempt: number, hash: string | null, fields: JsonObject = {}): Witness => ({
  file: `observed.attempt${attempt}.json`,
  attempt,
  fields,
  config: hash === null ? null : ((fields["config"] ?? { lr: 1 }) as JsonObject),
  statedHash: hash,
  computedHash: hash,
});
const model = (witnesses: readonly Witness[], manifestConfigHash: string | null = null) =>
  fakeModel({
    manifest: manifestConfigHash === null ? null : manifest({ trainer_config: { lr: 1, new: false } }),
    records: { witnesses, metrics: [], manifestConfigHash },
  });

describe("attempts", () => {
  test("their facts, for the eye and in full", () => {
    const [one] = attemptViews(
      model([
        witness(1, "aa", {
          run_id: 4711,
          device: "cuda",
          device_name: "NVIDIA H100 80GB HBM3",
          peak_memory_bytes: 71234567890,
          cpu_allocation: 16,
          elapsed_seconds: 4985.25,
        }),
      ]),
    );
    expect(one).toMatchObject({
      previous: "first",
      runId: { text: "4711" },
      device: { text: "cuda" },
      deviceName: { text: "NVIDIA H100 80GB HBM3" },
      peakMemory: { text: "66.3 GiB", exact: "71234567890 bytes" },
      cpus: { text: "16" },
      elapsed: { text: "1 h 23 min", exact: "4985.25 seconds" },
    });
  });

  test("others' names, and values that are no amounts", () => {
    const [one, two] = attemptViews(
      model([
        witness(1, null, { peak_memory: "much", elapsed: -1, cpus: ["0-3"], device_type: "mps" }),
        witness(2, null, { peak_memory_bytes: 2n ** 64n, elapsed_seconds: Number.NaN, device: null }),
      ]),
    );
    expect([one?.peakMemory, one?.elapsed, one?.cpus, one?.device].map((fact) => fact?.text)).toEqual([
      "much",
      "-1",
      '["0-3"]',
      "mps",
    ]);
    expect([two?.peakMemory, two?.elapsed, two?.device].map((fact) => fact?.text)).toEqual([
      "16384 PiB",
      "NaN",
      "",
    ]);
    expect(two?.peakMemory.exact).toBe("18446744073709551616 bytes");
  });

  test("each against the one before", () => {
    const hashes = ["aa", "aa", "bb", null, "bb"];
    const views = attemptViews(model(hashes.map((hash, i) => witness(i, hash))));
    expect(views.map(({ previous }) => previous)).toEqual([
      "first",
      "match",
      "differs",
      "unknown",
      "unknown",
    ]);
  });
});

test("bytes", () => {
  expect([0, 1023, 1024, 1536, 1024 ** 2, 1024 ** 3 - 1, 8 * 1024 ** 4, 1e300].map(bytesText)).toEqual([
    "0 B",
    "1023 B",
    "1 KiB",
    "1.5 KiB",
    "1 MiB",
    "1 GiB",
    "8 TiB",
    "8.9e+284 PiB",
  ]);
});

describe("configurations", () => {
  test("each once, the manifest's first, with what differs", () => {
    const b = { config: { lr: 2, new: false } };
    const a = { config: { lr: 1, new: false } };
    const table = attemptConfigs(
      model(
        [
          witness(1, "bb", b),
          witness(2, "aa", a),
          witness(3, "bb", b),
          witness(5, "bb", b),
          witness(6, null),
        ],
        "aa",
      ),
    );
    expect(table.columns).toEqual([
      { name: "manifest.json, attempt 2", hash: "aa" },
      { name: "attempts 1, 3, 5", hash: "bb" },
    ]);
    expect(
      table.rows.map(({ path, differs, cells }) => [path, differs, cells.map(({ value }) => value)]),
    ).toEqual([
      ["lr", true, ["1", "2"]],
      ["new", false, ["false", "false"]],
    ]);
    expect([table.differing, table.dropped, table.droppedColumns]).toEqual([1, 0, 0]);
  });

  test("a manifest alone is nothing to compare; a key that is not there is told from null", () => {
    expect(attemptConfigs(model([witness(1, null)], "aa")).columns).toEqual([]);
    const table = attemptConfigs(
      model([witness(1, "a", { config: { x: null } }), witness(2, "b", { config: { y: "" } })]),
    );
    expect(table.rows.map(({ cells }) => cells.map(({ present, type }) => [present, type]))).toEqual([
      [
        [true, "null"],
        [false, "empty"],
      ],
      [
        [false, "empty"],
        [true, "string"],
      ],
    ]);
  });

  test("1 and 1.0 are two configurations that differ in nothing else", () => {
    const table = attemptConfigs(model([witness(1, "a"), witness(2, "b")]));
    expect([table.columns.length, table.differing]).toEqual([2, 0]);
  });

  test("stays within bounds", () => {
    const wide = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`k${i}`, i]));
    const table = attemptConfigs(
      model(Array.from({ length: 20 }, (_, i) => witness(i, `h${i}`, { config: { ...wide, lr: i } }))),
    );
    expect([table.columns.length, table.droppedColumns, table.rows.length, table.dropped]).toEqual([
      8, 12, 5000, 1001,
    ]);
    expect(table.rows.some(({ path }) => path === "lr")).toBe(true);
  });

  test("names", () => {
    expect(configName({ manifest: true, attempts: [] })).toBe("manifest.json");
    expect(configName({ manifest: false, attempts: [0, 1, 2, 4] })).toBe("attempts 0–2, 4");
    expect(configName({ manifest: true, attempts: [3] })).toBe("manifest.json, attempt 3");
  });
});
