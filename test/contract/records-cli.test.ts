/** `flight-deck witness` and `flight-deck metrics` as processes: what they print where, what they write, and their exit codes. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCommand } from "../helpers/bundle.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const recording = path.join(root, "test/fixtures/oracle/synthetic/recordings/short");
const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-records-cli-"));
const cli = path.join(temporary, "dist/cli.cjs");

beforeAll(() => bundleCommand(temporary));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** PATH leads nowhere: no nvidia-smi of this machine has a say. */
function deck(args: readonly string[], env: Record<string, string> = { FOUNDRY_RUN_ID: "4711" }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    cwd: temporary,
    env: { PATH: "", HOME: temporary, ...env },
  });
  return { status, stdout, stderr };
}

const file = (name: string, text: string): string => {
  const full = path.join(temporary, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
};

const CONFIG = '{"lr": 1e-06, "scale": 1.0, "n": {"seed": 12345678901234567890, "é": "\\ud800"}}';

describe("witness --write", () => {
  test("writes attempt after attempt, each number as it is spelled", () => {
    const config = file("loaded.json", CONFIG);
    const args = ["witness", "w/new", "--write", "--config", config];
    const first = deck([...args, "--elapsed", "3.5", "--cpus", "2"]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(/^observed\.attempt1\.json written, config_hash [0-9a-f]{16}\n$/);
    const text = readFileSync(path.join(temporary, "w/new/observed.attempt1.json"), "utf8");
    for (const part of [
      '"lr": 1e-06',
      '"scale": 1.0',
      '"seed": 12345678901234567890',
      '"\\u00e9": "\\ud800"',
      '"run_id": 4711',
    ])
      expect(text).toContain(part);
    expect(JSON.parse(text)).toMatchObject({
      device: "cpu",
      device_name: null,
      cpu_allocation: 2,
      elapsed_seconds: 3.5,
    });
    const gpu = [
      "--device",
      "cuda:0",
      "--device-name",
      "H100",
      "--peak-memory",
      "71234567890",
      "--run-id=-8",
    ];
    const second = deck([...args, ...gpu, "--json"]);
    expect(JSON.parse(second.stdout)).toMatchObject({
      written: true,
      file: "observed.attempt2.json",
      attempt: 2,
    });
    const written = JSON.parse(readFileSync(path.join(temporary, "w/new/observed.attempt2.json"), "utf8"));
    expect(written).toMatchObject({
      run_id: -8,
      device: "cuda",
      device_name: "H100",
      peak_memory_bytes: 71234567890,
      elapsed_seconds: null,
    });
  });

  test("never replaces one, and says which", () => {
    const old = file("w/taken/observed.attempt7.json", "torn");
    const { status, stdout, stderr } = deck(["witness", "w/taken", "--write", "--attempt", "7", "--json"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^flight-deck: w\/taken\/observed\.attempt7\.json: [^\n]*none is ever replaced\n$/,
    );
    expect(readFileSync(old, "utf8")).toBe("torn");
    expect(readdirSync(path.join(temporary, "w/taken"))).toEqual(["observed.attempt7.json"]);
  });

  test("of other ranks writes nothing, and is no failure", () => {
    const { status, stdout } = deck(["witness", "w/rank", "--write"], { FOUNDRY_RUN_ID: "1", RANK: "3" });
    expect([status, stdout]).toEqual([0, "nothing written: rank 0 alone writes the witness\n"]);
    expect(readdirSync(path.join(temporary, "w"))).not.toContain("rank");
    expect(JSON.parse(deck(["witness", "w/rank", "--write", "--rank", "1", "--json"]).stdout)).toMatchObject({
      written: false,
      reason: "rank",
    });
  });

  test("what cannot be used is one line on stderr, and nothing is written", () => {
    const bad = file("bad.json", '{"a":');
    const list = file("list.json", "[1]");
    const latin = path.join(temporary, "latin.json");
    writeFileSync(latin, Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d));
    const cases: [string[], Record<string, string>, RegExp][] = [
      [["--write"], {}, /FOUNDRY_RUN_ID is not set/],
      [["--write"], { FOUNDRY_RUN_ID: "7.5" }, /run id is no integer/],
      [["--write", "--attempt", "-1"], { FOUNDRY_RUN_ID: "1" }, /--attempt wants a whole number from 0/],
      [["--write", "--device", "tpu"], { FOUNDRY_RUN_ID: "1" }, /--device is one of cuda, mps, cpu/],
      [["--write", "--config", bad], { FOUNDRY_RUN_ID: "1" }, /bad\.json cannot be used: it is not JSON/],
      [
        ["--write", "--config", list],
        { FOUNDRY_RUN_ID: "1" },
        /list\.json cannot be used: it is not an object/,
      ],
      [
        ["--write", "--config", latin],
        { FOUNDRY_RUN_ID: "1" },
        /latin\.json cannot be used: it is not UTF-8/,
      ],
      [["--write", "--config", "none.json"], { FOUNDRY_RUN_ID: "1" }, /none\.json cannot be read/],
      [["--attempt", "1"], {}, /--attempt goes with --write/],
    ];
    for (const [args, env, message] of cases) {
      const { status, stdout, stderr } = deck(["witness", "w/never", ...args], env);
      expect([status, stdout], args.join(" ")).toEqual([2, ""]);
      expect(stderr).toMatch(/^flight-deck: [^\n]+\n$/);
      expect(stderr).toMatch(message);
    }
    expect(readdirSync(path.join(temporary, "w"))).not.toContain("never");
    const { stderr } = deck(["witness", `${bad}/run`, "--write", "--device", "cpu"]);
    expect(stderr).toMatch(
      /^flight-deck: [^\n]*bad\.json\/run: the folder is gone, or its name leads nowhere\n$/,
    );
  });
});

describe("witness", () => {
  beforeAll(() => {
    for (const [config, device] of [
      [CONFIG, "cuda"],
      [CONFIG, "cpu"],
      [CONFIG.replace("1e-06", "2e-06"), "cpu"],
    ] as const) {
      const { status } = deck([
        "witness",
        "w/seen",
        "--write",
        "--device",
        device,
        "--config",
        file("c.json", config),
      ]);
      expect(status).toBe(0);
    }
    writeFileSync(
      path.join(temporary, "w/seen/observed.attempt4.json"),
      '{"run_record_format":1,"config":{"lr":1},"config_hash":"0123456789abcdef","device":"\\u001b[31m","elapsed":"long"}',
    );
  });

  test("holds attempts against their hash, the one before, and what was asked for", () => {
    const { status, stdout, stderr } = deck([
      "witness",
      "w/seen",
      "--json",
      "--config",
      file("asked.json", CONFIG),
    ]);
    expect([status, stderr]).toEqual([0, ""]);
    const seen = JSON.parse(stdout);
    expect(Object.keys(seen)).toEqual([
      "run",
      "manifest_config_hash",
      "requested_config_hash",
      "attempts",
      "configurations",
      "differences",
      "warnings",
    ]);
    expect(
      seen.attempts.map((a: Record<string, unknown>) => [
        a["attempt"],
        a["config_hash_matches"],
        a["same_config_as_previous"],
        a["same_config_as_requested"],
        a["device"],
        a["elapsed_seconds"],
      ]),
    ).toEqual([
      [1, true, null, true, "cuda", null],
      [2, true, true, true, "cpu", null],
      [3, true, false, false, "cpu", null],
      [4, false, false, false, "\u001b[31m", "long"],
    ]);
    expect(seen.configurations.map(({ attempts }: { attempts: number[] }) => attempts)).toEqual([
      [1, 2],
      [3],
      [4],
    ]);
    expect(seen.differences[0]).toMatchObject({
      path: ["lr"],
      values: [{ value: 1e-6 }, { value: 2e-6 }, { value: 1 }],
    });
    expect(seen.warnings).toMatchObject([{ code: "config-hash-mismatch", file: "observed.attempt4.json" }]);
  });

  test("as text, nothing of it raw", () => {
    const { status, stdout } = deck(["witness", "w/seen"]);
    expect(status).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toMatch(/^1 +[0-9a-f]{16} +matches +4711 +cuda /m);
    expect(stdout).toMatch(/^4 +[0-9a-f]{16} +mismatch .*\\u001b\[31m.* long$/m);
    expect(stdout).toMatch(/^configuration +attempts 1–2 +attempt 3 +attempt 4$/m);
    expect(stdout).toMatch(/^lr +0\.000001 +0\.000002 +1$/m);
    expect(stdout).toContain("config-hash-mismatch");
  });

  test("beside a recording, with the manifest's configuration", () => {
    const both = path.join(temporary, "w/both");
    cpSync(recording, both, { recursive: true });
    const { trainer_config } = JSON.parse(readFileSync(path.join(both, "manifest.json"), "utf8"));
    const config = file("same.json", JSON.stringify(trainer_config));
    expect(deck(["witness", both, "--write", "--device", "cpu", "--config", config]).status).toBe(0);
    const seen = JSON.parse(deck(["witness", both, "--json"]).stdout);
    expect(seen.attempts).toMatchObject([{ same_config_as_manifest: true }]);
    expect(seen.configurations).toMatchObject([{ attempts: [1], manifest: true }]);
    expect(deck(["witness", both]).stdout).toMatch(/^1 .* matches +same /m);
    // A folder may hold a recording, run records, or both.
    const kinds = [recording, "w/seen", both].map(
      (run) => JSON.parse(deck(["inspect", run, "--json"]).stdout).kind,
    );
    expect(kinds).toEqual(["recording", "records", "recording and records"]);
  });

  test("none is exit code 1; none that can be read, and no run, are 2", () => {
    expect(deck(["witness", recording])).toEqual({
      status: 1,
      stdout: "",
      stderr: "no attempt of this run left a witness\n",
    });
    const empty = deck(["witness", recording, "--json"]);
    expect([empty.status, JSON.parse(empty.stdout).attempts]).toEqual([1, []]);
    file("w/newer/observed.attempt1.json", '{"run_record_format": 2, "config_hash": 5}');
    for (const args of [[], ["--json"]]) {
      const { status, stdout, stderr } = deck(["witness", "w/newer", ...args]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^flight-deck: w\/newer\/observed\.attempt1\.json: [^\n]+\n$/);
    }
    expect(deck(["witness", "w/nowhere"])).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("metrics", () => {
  const rows = (values: readonly number[], more: object = {}) =>
    values.map((value, seed) => ({
      benchmark: "gsm8k",
      metric: "accuracy",
      horizon: 128,
      seed,
      value,
      ...more,
    }));
  beforeAll(() => {
    file(
      "m/a/metrics.json",
      JSON.stringify([...rows([1, 2, 3, 4]), ...rows([5], { metric: "length", horizon: null })]),
    );
    file(
      "m/b/metrics.json",
      JSON.stringify([...rows([3, 4, 5, 6]), { ...rows([9])[0], value: "\u001b[31m" }]),
    );
    file("m/c/metrics.json", "[]");
  });

  test("of one run: n, mean and spread over seeds", () => {
    const { status, stdout, stderr } = deck(["metrics", "m/a", "--json"]);
    expect([status, stderr]).toEqual([0, ""]);
    const seen = JSON.parse(stdout);
    expect(Object.keys(seen)).toEqual(["runs", "method", "rows", "warnings"]);
    expect(seen.rows).toMatchObject([
      {
        benchmark: "gsm8k",
        metric: "accuracy",
        horizon: 128,
        results: [{ n: 4, mean: 2.5, min: 1, max: 4, seeds: [0, 1, 2, 3] }],
        differences: [null],
      },
      { metric: "length", horizon: null, results: [{ n: 1, mean: 5, sd: null }] },
    ]);
    expect(seen.rows[0].results[0].sd).toBeCloseTo(Math.sqrt(5 / 3));
    expect(deck(["metrics", "m/a"]).stdout).toMatch(
      /^gsm8k +accuracy +128 +4 +2\.5 +1\.291 +1 +4 +0, 1, 2, 3$/m,
    );
  });

  test("of several: each against the first, with its uncertainty", () => {
    const { status, stdout } = deck(["metrics", "m/a", "m/b", "m/c", "--json"]);
    expect(status).toBe(0);
    const { runs, rows: found, warnings } = JSON.parse(stdout);
    expect(runs.map(({ folder }: { folder: string }) => folder)).toEqual(["m/a", "m/b", "m/c"]);
    const [, difference, none] = found[0].differences;
    // Welch's t for equal spreads and sizes: two means 2 apart, standard error sqrt(2 · (5/3) / 4), 6 degrees of freedom.
    expect(difference.value).toBe(2);
    expect(difference.df).toBeCloseTo(6);
    expect(difference.low).toBeCloseTo(2 - 2.4469 * Math.sqrt(5 / 6), 3);
    expect(difference.p).toBeCloseTo(0.0711, 3);
    expect([none, found[0].results[2], found[1].results[1]]).toEqual([null, null, null]);
    expect(warnings).toMatchObject([{ folder: "m/b", code: "record-shape", file: "metrics.json", count: 1 }]);
    const text = deck(["metrics", "m/a", "m/b"]).stdout;
    expect(text).toMatch(
      /^gsm8k +accuracy +128 +2\.5 ± 1\.291 \(4\) +4\.5 ± 1\.291 \(4\) +\+2 \[-0\.2337, 4\.234\]$/m,
    );
    expect(text).toContain("Welch");
    expect(text).not.toContain("\u001b");
  });

  test("none is exit code 1; rows that cannot be read, and no run, are 2 and named", () => {
    expect(deck(["metrics", "m/c"])).toEqual({
      status: 1,
      stdout: "",
      stderr: "no row of metrics is recorded here\n",
    });
    expect(JSON.parse(deck(["metrics", "m/c", recording, "--json"]).stdout)).toMatchObject({
      rows: [],
      warnings: [],
    });
    file("m/bad/metrics.json", "[{");
    for (const [folder, message] of [
      ["m/bad", /^flight-deck: m\/bad\/metrics\.json: [^\n]+\n$/],
      ["m/nowhere", /^flight-deck: m\/nowhere: [^\n]+\n$/],
    ] as const) {
      const { status, stdout, stderr } = deck(["metrics", "m/a", folder, "--json"]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(message);
    }
    expect(deck(["metrics"])).toMatchObject({ status: 2, stdout: "" });
  });
});
