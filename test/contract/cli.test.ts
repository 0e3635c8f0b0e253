/** The command line as a process: what it prints where, and its exit codes. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCommand } from "../helpers/bundle.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runs = path.join(root, "test/fixtures/oracle/trl/recordings");
const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-cli-"));
const cli = path.join(temporary, "dist/cli.cjs");

beforeAll(() => bundleCommand(temporary));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function deck(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    cwd: temporary,
  });
  return { status, stdout, stderr };
}

/** A folder of files, made for one test. */
function folder(name: string, files: Readonly<Record<string, string>>): string {
  const dir = path.join(temporary, name);
  mkdirSync(dir, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
  return dir;
}
const MANIFEST =
  '{"schema_version":1,"run_id":"r","created_at":"2026-01-01T00:00:00+00:00","algorithm":"grpo"}';

describe("help and usage", () => {
  test("--help everywhere", () => {
    for (const args of [["--help"], ["ls", "--help"], ["inspect", "--help"], ["show", "-h"]]) {
      const { status, stdout, stderr } = deck(...args);
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^Usage: flight-deck/);
    }
    expect(deck("--version").stdout).toMatch(/^flight-deck \d+\.\d+\.\d+\n$/);
  });

  test("bad usage is one line on stderr and exit code 2", () => {
    for (const args of [
      ["fly"],
      ["inspect"],
      ["show", "x"],
      ["ls", "--what"],
      ["inspect", "a", "b"],
      ["\u001b[31m"],
    ]) {
      const { status, stdout, stderr } = deck(...args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^flight-deck: \P{Cc}+\n$/u);
    }
    expect(deck().status).toBe(2);
  });
});

describe("inspect", () => {
  test("JSON has the keys that are promised", () => {
    const { status, stdout, stderr } = deck("inspect", path.join(runs, "grpo-baseline"), "--json");
    expect([status, stderr]).toEqual([0, ""]);
    const reading = JSON.parse(stdout);
    expect(Object.keys(reading)).toEqual([
      "kind",
      "manifest",
      "n_steps",
      "first_step",
      "last_step",
      "columns",
      "n_samples",
      "samples_by_rank",
      "events",
      "rank_dirs",
      "records",
      "warnings",
    ]);
    expect(reading).toMatchObject({ kind: "recording", n_steps: 250, first_step: 1, last_step: 250 });
    // TRL logs its last batch again at the end, and a closing row for the last step.
    expect(reading.warnings).toMatchObject([
      { code: "duplicate-steps", file: "steps.parquet" },
      { code: "duplicate-samples", count: 4, file: "samples/shard-00018.parquet" },
    ]);
    const asRecorded = JSON.parse(
      deck("inspect", path.join(runs, "grpo-baseline"), "--json", "--as-recorded").stdout,
    );
    expect(asRecorded.n_steps).toBe(251);
  });

  test("text names run, state, columns, events and warnings", () => {
    const { status, stdout } = deck("inspect", path.join(runs, "grpo-live-copy"));
    expect(status).toBe(0);
    for (const word of [
      "grpo",
      "reward_mean",
      "train_begin",
      "part-incomplete",
      "steps/part-00005.parquet",
    ]) {
      expect(stdout).toContain(word);
    }
  });

  test("a run that cannot be read: one line that names file and reason, exit code 2", () => {
    const cases: [string, RegExp][] = [
      [path.join(temporary, "nowhere"), /nowhere/],
      [folder("empty", { x: "" }), /empty\/manifest\.json: .*no run/],
      [
        folder("newer", { "manifest.json": '{"schema_version":2}' }),
        /newer\/manifest\.json: .*found 2.*up to 1/,
      ],
      [folder("never", { "manifest.json": '{"schema_version":0}' }), /never\/manifest\.json: /],
    ];
    for (const [dir, message] of cases) {
      for (const json of [[], ["--json"]]) {
        const { status, stdout, stderr } = deck("inspect", dir, ...json);
        expect([status, stdout]).toEqual([2, ""]);
        expect(stderr).toMatch(/^flight-deck: [^\n]+\n$/);
        expect(stderr).toMatch(message);
      }
    }
  });

  test("run records alone, beside a recording", () => {
    const witness = {
      "observed.attempt1.json":
        '{"run_record_format":1,"attempt":1,"config":{"lr":1e-06},"config_hash":"0123456789abcdef"}',
    };
    const alone = JSON.parse(deck("inspect", folder("records", witness), "--json").stdout);
    expect(alone).toMatchObject({ kind: "records", manifest: null, n_steps: 0 });
    expect(alone.records.witnesses).toMatchObject([
      { attempt: 1, config_hash_matches: false, fields: { config: { lr: 1e-6 } } },
    ]);
    expect(alone.warnings).toMatchObject([{ code: "config-hash-mismatch", file: "observed.attempt1.json" }]);
    const both = folder("both", { ...witness, "manifest.json": MANIFEST });
    expect(JSON.parse(deck("inspect", both, "--json").stdout).kind).toBe("recording and records");
    expect(deck("inspect", folder("records", witness)).stdout).toContain("The folder holds run records only");
    expect(deck("inspect", both).stdout).toMatch(/observed\.attempt1\.json +mismatch/);
  });

  test("says where a recording stops that nobody closed, as the editor does", () => {
    const live = path.join(runs, "grpo-live-copy");
    expect(deck("inspect", live).stdout).toMatch(
      /^state +\w+: Recording stops at step 23 and was not closed; /m,
    );
  });

  test("nothing of a recording reaches the terminal raw", () => {
    const evil = "\u001b[31m\u009b2J\u202e";
    const escaped = (text: string) =>
      text.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const dir = folder("evil", {
      "manifest.json": escaped(
        MANIFEST.replace('"r"', `"${evil}"`).replace("grpo", evil).replace("}", `,"notes":"${evil}"}`),
      ),
      "events.jsonl": escaped(
        `{"timestamp":1,"kind":"${evil}","message":"${evil}","data":{"${evil}":"${evil}"}}\n`,
      ),
      "metrics.json": escaped(
        `[{"benchmark":"${evil}","metric":"${evil}","horizon":"${evil}","seed":0,"value":1}]`,
      ),
    });
    for (const args of [
      ["inspect", dir],
      ["inspect", dir, "--json"],
      ["ls", dir],
      ["ls", dir, "--json"],
      ["show", dir, "--step", "0"],
    ]) {
      const { status, stdout, stderr } = deck(...args);
      // It has no step.
      expect(status).toBe(args[0] === "show" ? 1 : 0);
      expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    }
  });
});

describe("ls", () => {
  test("lists runs, one that cannot be read with its reason", () => {
    const dir = folder("many", {
      "good/manifest.json": MANIFEST,
      "bad/manifest.json": "{",
      "newer/manifest.json": '{"schema_version":9}',
      "none/x": "",
      file: "x",
    });
    symlinkSync(".", path.join(dir, "loop"));
    cpSync(path.join(runs, "manual-ppo"), path.join(dir, "ppo"), { recursive: true });
    const { status, stdout } = deck("ls", dir, "--json");
    expect(status).toBe(0);
    const listed = JSON.parse(stdout) as { path: string; error: { code: string } | null }[];
    expect(listed.map((run) => path.basename(run.path))).toEqual(["bad", "good", "newer", "ppo"]);
    expect(listed).toMatchObject([
      { run_id: "bad", warnings: 1, error: null },
      { run_id: "r", algorithm: "grpo", n_steps: 0, error: null },
      { run_id: "newer", n_steps: null, error: { code: "newer-schema", file: "manifest.json" } },
      { algorithm: "ppo", n_steps: 150, state: "finished" },
    ]);
    const text = deck("ls", dir).stdout;
    for (const word of ["good", "newer-schema", "150", "1 warning"]) expect(text).toContain(word);
  });

  test("runs are found however deep, with state, last reward and findings", () => {
    const dir = folder("tree", {
      "web/app/manifest.json": '{"name": "app"}',
      "node_modules/x/manifest.json": MANIFEST,
    });
    cpSync(path.join(runs, "grpo-length-hack"), path.join(dir, "a/b/c/hack"), { recursive: true });
    cpSync(path.join(runs, "grpo-baseline"), path.join(dir, "a/good"), { recursive: true });
    const listed = JSON.parse(deck("ls", dir, "--json").stdout);
    expect(listed).toMatchObject([
      { path: path.join(dir, "a/b/c/hack"), state: "finished", last_step: 250, kind: "recording" },
      { path: path.join(dir, "a/good"), findings: [], n_steps: 250 },
    ]);
    expect(listed[0].last_reward).toBeGreaterThan(1);
    expect(listed[0].findings).toContainEqual({
      signature_id: "REWARD_HACK_LENGTH",
      severity: "warn",
      first_step: expect.any(Number),
    });
    const text = deck("ls", dir).stdout;
    expect(text).toMatch(/hack .*finished.*REWARD_HACK_LENGTH \(warning\)/);
    expect(text).toMatch(/good .*finished.*none/);
    const quick = deck("ls", dir, "--no-findings");
    expect(quick.stdout).not.toContain("REWARD_HACK_LENGTH");
    expect(JSON.parse(deck("ls", dir, "--no-findings", "--json").stdout)[0].findings).toBeUndefined();

    const filtered = (...args: string[]) => deck("ls", dir, "--filter", ...args);
    expect(JSON.parse(filtered("finding:REWARD_HACK_LENGTH", "--json").stdout).length).toBe(1);
    expect(filtered("trainer_config.learning_rate<1e-4 -hack").stdout).toContain("good");
    expect(filtered("steps>9999")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `flight-deck: no runs that the filter lets through found under ${dir}\n`,
    });
    expect(filtered("stat:running")).toMatchObject({ status: 2, stdout: "" });
    expect(filtered("stat:running").stderr).toBe(
      "flight-deck: --filter, character 1: There is no key “stat”; the nearest is “state”. (see flight-deck ls --help)\n",
    );
    expect(filtered("finding:any", "--no-findings").stderr).toContain("leave --no-findings out");
  });

  test("a run that could not be diagnosed is not one without findings", () => {
    const dir = folder("undiagnosed", {
      "empty/manifest.json": MANIFEST,
      "deep/down/zero/manifest.json": "",
    });
    cpSync(path.join(runs, "manual-reused-dir"), path.join(dir, "reused"), { recursive: true });
    const listed = JSON.parse(deck("ls", dir, "--json").stdout);
    expect(listed.map((run: { findings: unknown }) => run.findings)).toEqual([null, null, expect.any(Array)]);
    const { stdout } = deck("ls", dir);
    expect(stdout.match(/not diagnosed: no steps have been recorded$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/zero .*unknown, 1 warning: manifest\.json: The manifest could not be read/);
    expect(listed[0].state_reason).toContain("The manifest could not be read");
    // Nobody knows whether they have any.
    expect(deck("ls", dir, "--filter", "finding:none", "--json").stdout).not.toContain("empty");
    expect(deck("ls", dir, "--filter", "-finding:any", "--json").stdout).not.toContain("empty");
  });

  test("paths are whole where no terminal cuts them", () => {
    const long = "a-very-long-name-of-a-folder-of-runs/".repeat(4);
    const dir = folder("long", { [`${long}run/manifest.json`]: MANIFEST });
    const { stdout } = deck("ls", dir);
    expect(stdout).toContain(`${path.join(dir, long, "run")} `);
    expect(stdout).not.toContain("…");
  });

  test("a run itself is listed alone", () => {
    const listed = JSON.parse(deck("ls", path.join(runs, "manual-ranks"), "--json").stdout);
    expect(listed).toMatchObject([{ algorithm: "reinforce", n_steps: 120 }]);
  });

  test("nothing found is exit code 1, with --json an empty list; no such folder is 2", () => {
    const dir = folder("nothing", { x: "" });
    expect(deck("ls", dir)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `flight-deck: no runs found under ${dir}\n`,
    });
    expect(deck("ls", dir, "--json")).toMatchObject({ status: 1, stdout: "[]\n" });
    expect(deck("ls", path.join(dir, "gone"))).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("show", () => {
  const run = path.join(runs, "manual-ppo");

  test("metrics and samples around the step, best reward first", () => {
    const { steps, samples, n_samples } = JSON.parse(
      deck("show", run, "--step", "30", "--window", "2", "--max-samples", "5", "--json").stdout,
    );
    expect(steps.map((row: { step: number }) => row.step)).toEqual([28, 29, 30, 31, 32]);
    expect(steps[0].reward_mean).toBeGreaterThan(0);
    expect(samples.length).toBe(5);
    expect(n_samples).toBeGreaterThan(5);
    const rewards = samples.map((sample: { reward_total: number }) => sample.reward_total);
    expect(rewards).toEqual([...rewards].sort((a, b) => b - a));
    expect(Object.keys(samples[0])).toEqual([
      "step",
      "sample_id",
      "rank",
      "group_id",
      "prompt_id",
      "prompt_text",
      "completion_text",
      "completion_token_ids",
      "reward_total",
      "reward_components",
      "advantage",
      "logprob_mean",
      "kl_contribution",
      "completion_len",
      "truncated",
      "capture_reason",
    ]);
  });

  test("text, with whole texts on request", () => {
    const long = path.join(runs, "grpo-length-hack");
    const short = deck("show", long, "--step", "240", "--max-samples", "1").stdout;
    const full = deck("show", long, "--step", "240", "--max-samples", "1", "--full").stdout;
    expect(short).toContain("reward_mean");
    expect(full).toContain("prompt\n");
    expect(full.length).toBeGreaterThan(short.length);
  });

  test("a step that is not there is said; where nothing lies around it, nothing was found", () => {
    const said = "flight-deck: the run has no step 99999; its steps go from 1 to 150\n";
    expect(deck("show", run, "--step", "99999")).toEqual({ status: 1, stdout: "", stderr: said });
    const json = deck("show", run, "--step", "99999", "--json");
    expect([json.status, json.stderr, JSON.parse(json.stdout).steps]).toEqual([1, said, []]);
    const beside = deck("show", run, "--step", "152");
    expect([beside.status, beside.stderr]).toEqual([0, said.replace("99999", "152")]);
    expect(beside.stdout).toMatch(/^ +150 /m);
  });
});

describe("doctor", () => {
  const synthetic = path.join(root, "test/fixtures/oracle/synthetic/recordings");
  const sick = path.join(synthetic, "kl-blowup");
  const KEYS = [
    ...["signature_id", "severity", "first_step", "confidence", "explanation", "evidence"],
    ...["suggested_actions", "links_to_samples"],
  ];
  const found = (...args: string[]) =>
    JSON.parse(deck("doctor", ...args).stdout) as Record<string, unknown>[];

  test("prints rlprobe's list, key for key, and ends as it does: 1 with a critical finding, 0 without", () => {
    const { status, stdout, stderr } = deck("doctor", sick, "--json");
    expect([status, stderr]).toEqual([1, ""]);
    const findings = JSON.parse(stdout) as Record<string, unknown>[];
    expect(findings.map((one) => Object.keys(one))).toEqual(findings.map(() => KEYS));
    expect(findings[0]).toMatchObject({ signature_id: "KL_BLOWUP", severity: "critical" });
    const warned = deck("doctor", path.join(synthetic, "clip-saturation"), "--json");
    expect([warned.status, JSON.parse(warned.stdout)]).toMatchObject([
      0,
      [{ signature_id: "CLIP_SATURATION" }],
    ]);
    expect(deck("doctor", path.join(synthetic, "healthy-grpo"), "--json")).toMatchObject({
      status: 0,
      stdout: "[]\n",
    });
  });

  test("--extra adds what rlprobe does not have: our checks, and since when a finding could be known", () => {
    const extra = found(sick, "--json", "--extra")[0] ?? {};
    expect(Object.keys(extra)).toEqual([...KEYS, "detectable_step"]);
    expect(extra["detectable_step"]).toBeGreaterThanOrEqual(Number(extra["first_step"]));
    const text = deck("doctor", sick).stdout;
    expect(text).toContain(`seen from step ${String(extra["detectable_step"])}`);
    expect(text).toMatch(/^passed \d+$/m);
    // The editor looks for these, too: its counts are others.
    expect(text).toMatch(/^not looked for: the 4 checks of Flight Deck's own \(--extra\)$/m);
    expect(deck("doctor", sick, "--extra").stdout).not.toContain("not looked for");
    expect(text).toMatch(/Value divergence — no value_explained_variance, value_loss recorded/);
  });

  test("--config takes a doctor.toml; what is wrong with it ends in one line with its place", () => {
    const toml = path.join(folder("configs", { "a.toml": "[kl_blowup]\nenabled = false\n" }), "a.toml");
    expect(found(sick, "--json", "--config", toml).map((one) => one["signature_id"])).not.toContain(
      "KL_BLOWUP",
    );
    expect(deck("doctor", sick, "--config", toml).stdout).toContain("KL blow-up — switched off");
    const bad = path.join(folder("configs", { "b.toml": "[kl_blowup]\nratoi = 3\n" }), "b.toml");
    const { status, stdout, stderr } = deck("doctor", sick, "--config", bad);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/b\.toml:2: .*“ratio”/);
    expect(deck("doctor", sick, "--config", "no/such.toml")).toMatchObject({ status: 2, stdout: "" });
  });

  test("says of a run that is too short that it was not diagnosed", () => {
    const short = path.join(synthetic, "short");
    const { status, stdout } = deck("doctor", short);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Not diagnosed: \d+ steps are too few, it takes 30\./);
    // One reason, one line.
    expect(stdout).toMatch(/^skipped 14\n {2}KL blow-up, .*Steps get slower — fewer than 30 steps$/m);
    const json = deck("doctor", short, "--json");
    expect([json.status, json.stdout]).toEqual([0, "[]\n"]);
    expect(json.stderr).toMatch(/^flight-deck: \S+short: Not diagnosed: \d+ steps are too few.*\n$/);
  });
});

describe("what cannot be read does not pass", () => {
  test("doctor refuses a run whose steps cannot be read, naming the file", () => {
    const run = path.join(temporary, "unreadable-steps");
    cpSync(path.join(runs, "grpo-baseline"), run, { recursive: true });
    writeFileSync(path.join(run, "steps.parquet"), "<html>login</html>");
    const { status, stdout, stderr } = deck("doctor", run);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^flight-deck: .*unreadable-steps\/steps\.parquet: .*\n$/);
  });

  test("a part of the steps that cannot be read is said beside every diagnosis, on standard error with --json", () => {
    const synthetic = path.join(root, "test/fixtures/oracle/synthetic/recordings");
    const run = path.join(temporary, "torn-steps");
    cpSync(path.join(synthetic, "live-entropy-collapse"), run, { recursive: true });
    const whole = deck("doctor", run, "--json");
    expect([whole.stderr, whole.status]).toEqual(["", 1]);
    // The collapse lies in the last parts: without them nothing is found.
    for (const part of ["00003", "00004"])
      writeFileSync(path.join(run, `steps/part-${part}.parquet`), "<html>");
    const text = deck("doctor", run);
    expect(text.status).toBe(0);
    expect(text.stdout).toMatch(/^No findings in what could be read/);
    expect(text.stdout).not.toMatch(/No findings over/);
    expect(text.stdout).toContain("steps/part-00003.parquet: ");
    const json = deck("doctor", run, "--json");
    expect([json.status, JSON.parse(json.stdout)]).toEqual([0, []]);
    expect(
      json.stderr.match(
        /^flight-deck: .*torn-steps\/steps\/part-0000[34]\.parquet: .*Diagnosed without it\.$/gm,
      ),
    ).toHaveLength(2);
  });

  test("nor does a folder of run records alone", () => {
    const run = folder("records-only", { "metrics.json": "[]" });
    const { status, stderr } = deck("doctor", run);
    expect([status, stderr.split("\n").length]).toEqual([2, 2]);
    expect(stderr).toContain("run records only");
  });

  test("a path that leads nowhere is said to, and an empty one is bad usage", () => {
    for (const command of ["inspect", "doctor", "ls"]) {
      expect(deck(command, "no/such/folder")).toMatchObject({ status: 2, stdout: "" });
      expect(deck(command, "no/such/folder").stderr).toContain("There is nothing at this path");
      expect(deck(command, "").stderr).toContain("is empty");
    }
  });

  test("ls counts steps as inspect does, and lists run records", () => {
    const root = path.join(temporary, "listed");
    cpSync(path.join(runs, "grpo-baseline"), path.join(root, "a"), { recursive: true });
    mkdirSync(path.join(root, "b"));
    writeFileSync(path.join(root, "b", "metrics.json"), "[]");
    const listed = JSON.parse(deck("ls", root, "--json").stdout) as { path: string; n_steps: number }[];
    expect(listed.map((r) => [path.basename(r.path), r.n_steps])).toEqual([
      ["a", 250],
      ["b", 0],
    ]);
  });
});

describe("samples", () => {
  const ranks = path.join(runs, "manual-ranks");

  test("--json: ranked by what was asked for, as recorded", () => {
    const { status, stdout, stderr } = deck("samples", ranks, "--k", "3", "--json");
    expect([status, stderr]).toEqual([0, ""]);
    const { samples, n_samples: count, ...asked } = JSON.parse(stdout);
    expect(asked).toEqual({ sort: "reward", descending: true, from: null, to: null, k: 3 });
    expect(samples).toHaveLength(3);
    expect(count).toBeGreaterThan(3);
    const rewards = samples.map((sample: { reward_total: number }) => sample.reward_total);
    expect(rewards).toEqual([...rewards].sort((a, b) => b - a));
    const worst = JSON.parse(deck("samples", ranks, "-k", "1", "--asc", "--json").stdout).samples[0];
    expect(worst.reward_total).toBeLessThan(rewards[2]);
  });

  test("--around wins over --from and --to; --rank and --search choose", () => {
    const steps = (...args: string[]): number[] =>
      JSON.parse(deck("samples", ranks, "--json", "-k", "500", ...args).stdout).samples.map(
        ({ step }: { step: number }) => step,
      );
    expect(new Set(steps("--around", "7", "--window", "1", "--from", "0"))).toEqual(new Set([6, 7, 8]));
    expect(Math.min(...steps("--from", "20"))).toBeGreaterThanOrEqual(20);
    const all = JSON.parse(deck("samples", ranks, "--json", "-k", "5").stdout);
    const [{ completion_text: text }] = all.samples;
    const only = ["--rank", "2", "--search", text.toUpperCase()];
    for (const sample of JSON.parse(deck("samples", ranks, "--json", ...only).stdout).samples) {
      expect(sample.rank).toBe(2);
      expect(`${sample.prompt_text}\n${sample.completion_text}`.toLowerCase()).toContain(text.toLowerCase());
    }
  });

  test("nothing found is exit code 1, a sort that is none is 2", () => {
    const none = deck("samples", ranks, "--from", "1000000");
    expect([none.status, none.stdout]).toEqual([1, ""]);
    expect(none.stderr).toMatch(/^flight-deck: no samples .* matched\n$/);
    const bad = deck("samples", ranks, "--sort", "height");
    expect([bad.status, bad.stdout]).toEqual([2, ""]);
    expect(bad.stderr).toContain("reward, advantage, kl, length, logprob");
  });
});
