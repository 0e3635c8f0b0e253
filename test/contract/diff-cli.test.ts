/** `flight-deck diff` as a process: what it prints where, and its exit codes. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCommand } from "../helpers/bundle.ts";
import { double, int64, parquet } from "../unit/helpers/parquet.ts";
import { diffDifferences } from "./diffs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const oracle = path.join(root, "test/fixtures/oracle");
const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-diff-"));
const cli = path.join(temporary, "dist/cli.cjs");
const trl = (name: string) => path.join(oracle, "trl/recordings", name);
const synthetic = (name: string) => path.join(oracle, "synthetic/recordings", name);

beforeAll(() => bundleCommand(temporary));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function diff(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "diff", ...args], {
    encoding: "utf8",
    cwd: temporary,
  });
  return { status, stdout, stderr };
}

/** A run of these columns, 60 steps long unless said otherwise. */
function made(name: string, columns: Record<string, (step: number) => number>, steps = 60): string {
  const folder = path.join(temporary, name);
  mkdirSync(folder);
  copyFileSync(path.join(synthetic("short"), "manifest.json"), path.join(folder, "manifest.json"));
  const all = Array.from({ length: steps }, (_, step) => step);
  const made = Object.entries(columns).map(([key, value]) => [key, double(all.map(value))] as const);
  writeFileSync(path.join(folder, "steps.parquet"), parquet(new Map([["step", int64(all)], ...made])));
  return folder;
}

describe("JSON", () => {
  test("as rlprobe prints it, key by key", () => {
    const { status, stdout, stderr } = diff(
      trl("grpo-baseline"),
      trl("grpo-length-hack"),
      "--json",
      "--as-recorded",
    );
    expect([status, stderr]).toEqual([0, ""]);
    const ours = JSON.parse(stdout);
    expect(Object.keys(ours)).toEqual([
      "run_a",
      "run_b",
      "n_common_steps",
      "n_metrics_compared",
      "metrics",
      "first_divergence",
      "config_delta",
      "prompts",
    ]);
    const expected = path.join(oracle, "trl/expected/diff/grpo-baseline--grpo-length-hack.json");
    expect(diffDifferences(JSON.parse(readFileSync(expected, "utf8")), ours)).toEqual([]);
  });

  test("--extra adds keys of ours and changes none of rlprobe's", () => {
    const runs = [trl("grpo-baseline"), trl("grpo-length-hack"), "--json", "--as-recorded"];
    const plain = JSON.parse(diff(...runs).stdout);
    const extra = JSON.parse(diff(...runs, "--extra").stdout);
    for (const key of Object.keys(plain)) expect(extra[key], key).toEqual(plain[key]);
    const added = Object.keys(extra).filter((key) => !(key in plain));
    expect(added.every((key) => key.startsWith("extra_"))).toBe(true);
    const entropy = extra.extra_separations.find((s: { metric: string }) => s.metric === "entropy_mean");
    expect(entropy).toMatchObject({ separation_step: 52, diverged: false });
    expect(extra.extra_config).toContainEqual({
      part: "trainer_config",
      path: ["learning_rate"],
      a: 5e-5,
      b: 1e-4,
    });
  });

  test("limits, ignored keys; prompts by text without --as-recorded", () => {
    const runs = [trl("grpo-baseline"), trl("grpo-length-hack"), "--json"];
    const strict = JSON.parse(diff(...runs, "--z-thresh", "1e9", "--ignore", "*_dir, run_name").stdout);
    expect(strict.metrics).toEqual([]);
    expect(Object.keys(strict.config_delta.changed)).toEqual(["learning_rate"]);
    const [first] = strict.prompts;
    expect(first).toMatchObject({ prompt_id: null, prompt_text: "tell me about the tree :" });
    expect(
      JSON.parse(diff(...runs, "--z-thresh=2.5", "--sustain", "3").stdout).first_divergence.divergence_step,
    ).toBeLessThan(76);
  });

  test("more runs are each compared with the first", () => {
    const runs = ["healthy-grpo", "kl-blowup", "short"].map(synthetic);
    const all = JSON.parse(diff(...runs, "--json", "--as-recorded").stdout);
    const [a = "", , c = ""] = runs;
    expect(all.length).toBe(2);
    expect(all[1]).toEqual(JSON.parse(diff(a, c, "--json", "--as-recorded").stdout));
  });
});

describe("text", () => {
  test("where they part, what separates, configuration, prompts", () => {
    const { status, stdout } = diff(trl("grpo-baseline"), trl("grpo-length-hack"));
    expect(status).toBe(0);
    for (const words of [
      "250 common steps, 14 metrics compared",
      "The runs part at step 76, first in kl_mean.",
      "entropy_mean around step 52",
      "learning_rate",
      "matched by text",
      "tell me about the tree :",
    ])
      expect(stdout).toContain(words);
    // Above zero the other run is higher: in metrics as in prompts. The JSON is rlprobe's, which has metrics the other way round.
    expect(stdout).toContain("gaps are B - A: above zero B is higher\n");
    expect(stdout).toMatch(/^kl_mean +76 +\+[\d.]+ +\+[\d.]+ +B$/m);
    expect(stdout).toMatch(/^tell me about the tree : +0\.\d+ +0\.9\d+ +\+0\.5\d+ /m);
    expect(stdout).not.toContain("A-B");
    const { metrics } = JSON.parse(diff(trl("grpo-baseline"), trl("grpo-length-hack"), "--json").stdout) as {
      metrics: { metric: string; gap_late: number }[];
    };
    expect(metrics.find(({ metric }) => metric === "kl_mean")?.gap_late).toBeLessThan(0);
  });

  test("what only Flight Deck compares is counted apart, or said to be left out", () => {
    const [a, b] = [trl("grpo-baseline"), trl("grpo-length-hack")];
    const [, left = ""] =
      /14 metrics compared; (\d+) columns that only Flight Deck compares are left out \(--extra\)/.exec(
        diff(a, b).stdout,
      ) ?? [];
    const { stdout } = diff(a, b, "--extra");
    const [, own = ""] = /14 metrics compared, (\d+) more by Flight Deck only/.exec(stdout) ?? [];
    const [, thin = ""] = /not compared, fewer than 30 common values: (.*)/.exec(stdout) ?? [];
    expect(Number(own)).toBeGreaterThan(0);
    expect(Number(left)).toBe(Number(own) + thin.split(", ").length);
  });

  test("a run with itself", () => {
    const { stdout } = diff(synthetic("healthy-grpo"), synthetic("healthy-grpo"));
    expect(stdout).toContain("No metric diverges");
    expect(stdout).not.toContain("separate for good");
    expect(stdout).not.toContain("trainer configuration");
  });

  test("metrics.json: spread over seeds and the difference with its interval", () => {
    const folders = ["one", "two"].map((name, i) => {
      const folder = path.join(temporary, name);
      cpSync(synthetic("short"), folder, { recursive: true });
      const rows = [0.5, 0.52, 0.48].map((value, seed) => ({
        benchmark: "gsm8k",
        metric: "acc",
        horizon: 1,
        seed,
        value: value + i / 10,
      }));
      writeFileSync(path.join(folder, "metrics.json"), JSON.stringify(rows));
      return folder;
    });
    const { stdout } = diff(...folders);
    expect(stdout).toMatch(
      /gsm8k acc 1\s+0\.5 ± 0\.02 \(3\)\s+0\.6 ± 0\.02 \(3\)\s+\+0\.1 \[0\.05466, 0\.1453\]/,
    );
    expect(stdout).toContain("Welch");
  });

  test("one seed has no spread; folders of records alone have no steps to compare", () => {
    const folders = [0.5, 0.75].map((value, i) => {
      const folder = path.join(temporary, `records-${i}`);
      mkdirSync(folder);
      const row = { benchmark: "gsm8k", metric: "acc", horizon: 1, seed: 0, value };
      writeFileSync(path.join(folder, "metrics.json"), JSON.stringify([row]));
      return folder;
    });
    const { stdout } = diff(...folders);
    expect(stdout).toMatch(/gsm8k acc 1\s+0\.5 \(1\)\s+0\.75 \(1\)\s+\+0\.25/);
    expect(stdout).toContain("No rows meet, it takes 30 to compare metrics.");
    expect(stdout).not.toContain("NaN");
  });

  test("what cannot be compared is named and does not track", () => {
    const nan = made("nan", { kl_mean: () => Number.NaN, loss: (step) => (step < 20 ? 1 : Number.NaN) });
    const whole = made("whole", { kl_mean: (step) => step % 3, loss: (step) => step % 5, lr: () => 1 });
    const all = diff(whole, nan).stdout;
    expect(all).toContain("No metric has 30 values in both runs: none is compared.");
    expect(all).not.toContain("track");
    expect(all).toContain("not compared, fewer than 30 common values: kl_mean, loss");
    expect(all).toContain("not compared, only in A: lr");
  });

  test("runs do not track where what only Flight Deck looks at parts", () => {
    const [one, two] = [0, 9].map((jump) =>
      made(`own-${jump}`, {
        loss: (step) => step % 5,
        "extra.x": (step) => (step % 3) + (step > 40 ? jump : 0) + ((jump * step) % 2),
      }),
    );
    const { stdout } = diff(one ?? "", two ?? "", "--extra");
    expect(stdout).toContain("No metric diverges by rlprobe's rule.");
    expect(stdout).toMatch(/extra\.x\s+41/);
    expect(stdout).not.toContain("track each other");
  });

  test("nothing of a recording reaches the terminal raw", () => {
    const { stdout } = diff(
      path.join(oracle, "random/recordings/random-1-00"),
      path.join(oracle, "random/recordings/random-1-01"),
    );
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });
});

describe("what goes wrong", () => {
  test.each([
    [["--json"]],
    [["A"]],
    [["A", "B", "--z-thresh", "much"]],
    [["A", "B", "--sustain", "0"]],
    [["A", "B", "--align", "colour"]],
    [["", "B"]],
  ])("%j is bad usage: one line, exit code 2", (args) => {
    const { status, stdout, stderr } = diff(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^flight-deck: [^\n]+ \(see flight-deck diff --help\)\n$/);
  });

  test("the run that cannot be read is named, whichever it is", () => {
    const missing = path.join(temporary, "nowhere");
    for (const runs of [
      [synthetic("short"), missing],
      [missing, synthetic("short")],
    ]) {
      const { status, stdout, stderr } = diff(...runs);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^flight-deck: [^\n]*nowhere[^\n]*\n$/);
    }
  });

  test("a run whose steps are damaged is no run that tracks", () => {
    const folder = path.join(temporary, "damaged");
    cpSync(synthetic("short"), folder, { recursive: true });
    writeFileSync(path.join(folder, "steps.parquet"), "nothing");
    const { status, stderr } = diff(synthetic("short"), folder);
    expect(status).toBe(2);
    expect(stderr).toContain("damaged/steps.parquet");
  });
});
