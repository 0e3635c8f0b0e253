/**
 * Made-up runs: each failure is found by rlprobe's doctor and by ours, near where it begins, and nothing in healthy runs. Set
 * FLIGHT_DECK_RLPROBE_PYTHON to a Python that has rlprobe 0.1.0; without one, what it said of the very same runs stands in. Two runs of each
 * kind; 20 of each with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { type Algorithm, PATHOLOGIES, type Pathology, synthesize } from "../../src/core/synth/index.ts";
import { Recorder } from "../../src/recorder/index.ts";
import { madeUpOptions, recordMadeUp } from "../../src/recorder/made-up.ts";
import { Command } from "./command.ts";
import "./oracle.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const COUNT = isLong ? 20 : 2;
const recorded = fileURLToPath(new URL("../fixtures/oracle/made-up.json", import.meta.url));

const STEPS = [120, 500, 200, 1000, 333] as const;
const ONSETS = [0.5, 0.3, 0.65, 0.4, 0.6] as const;

interface Kind {
  readonly name: string;
  readonly pathology: Pathology | null;
  readonly algorithm: Algorithm;
}

const kinds: readonly Kind[] = [
  { name: "healthy-grpo", pathology: null, algorithm: "grpo" },
  { name: "healthy-ppo", pathology: null, algorithm: "ppo" },
  ...PATHOLOGIES.map((pathology, i) => ({
    name: pathology.name,
    pathology,
    algorithm: pathology.algorithm ?? (i % 2 === 0 ? "grpo" : "ppo"),
  })),
];

type Findings = readonly (readonly [signature: string, firstStep: number | null])[];

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-made-up-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Made {
  readonly folder: string;
  readonly steps: number;
  readonly onset: number | null;
}

async function make({ name, pathology, algorithm }: Kind, index: number): Promise<Made> {
  const steps = STEPS[index % STEPS.length] ?? 120;
  const onsetShare = ONSETS[(index >> 1) % ONSETS.length] ?? 0.5;
  const run = synthesize({ pathology, algorithm, steps, seed: 100 + index, onsetShare });
  const folder = path.join(temporary, `set-${index}`, name);
  mkdirSync(path.dirname(folder), { recursive: true });
  const startedMs = Date.UTC(2026, 0, 2);
  const recorder = new Recorder(folder, { ...madeUpOptions(run, startedMs), exitHandlers: false });
  expect(await recordMadeUp(run, recorder, { startedMs, next: () => true })).toBe(steps);
  expect([recorder.problem, recorder.dropped]).toEqual([null, 0]);
  return { folder, steps, onset: run.onset };
}

async function ours(folder: string, extra = false): Promise<Findings> {
  const { findings } = await diagnoseRun(await openRun(nodeSource(folder)), { order: "recorded", extra });
  return findings.map(({ signature, firstStep }) => [
    signature,
    firstStep === null ? null : Number(firstStep),
  ]);
}

function rlprobe(index: number): Readonly<Record<string, Findings>> {
  if (!python) return (JSON.parse(readFileSync(recorded, "utf8")) as Record<string, Findings>[])[index] ?? {};
  const script = fileURLToPath(new URL("find.py", import.meta.url));
  const args = ["-W", "ignore", script, path.join(temporary, `set-${index}`)];
  return JSON.parse(execFileSync(python, args, { encoding: "utf8" }));
}

const isCompared = (index: number): boolean => Boolean(python) || index < 2;

if (!python)
  console.warn("FLIGHT_DECK_RLPROBE_PYTHON is not set: what it said of the made-up runs stands in.");

describe("made-up runs", () => {
  const said: Readonly<Record<string, Findings>>[] = [];

  test.each(Array.from({ length: COUNT }, (_, index) => index))(
    "set %i: every failure is found near its onset, by rlprobe and by us; healthy ones are healthy",
    async (index) => {
      const made = new Map<string, Made>();
      for (const kind of kinds) made.set(kind.name, await make(kind, index));
      const theirs = isCompared(index) ? rlprobe(index) : null;
      if (theirs) said[index] = theirs;
      for (const { name, pathology } of kinds) {
        const { folder, steps, onset } = made.get(name) as Made;
        const found = await ours(folder);
        if (theirs) expect(found, name).toEqual(theirs[name]);
        if (!pathology) {
          expect(await ours(folder, true), name).toEqual([]);
          continue;
        }
        const expected = [pathology.signature, ...pathology.alongside];
        const ids = found.map(([signature]) => signature);
        expect(expected, name).toEqual(expect.arrayContaining(ids));
        expect(ids, name).toContain(pathology.signature);
        for (const [signature, first] of found) {
          if (signature !== pathology.signature || first === null) continue;
          expect(first - (onset ?? 0), `${name}: onset`).toBeGreaterThanOrEqual(0);
          expect(first - (onset ?? 0), `${name}: onset`).toBeLessThan(Math.max(40, 0.06 * steps));
        }
      }
    },
    240_000,
  );

  test("rlprobe says of them what was recorded", async () => {
    if (python) await expect(`${JSON.stringify(said.slice(0, 2), null, 1)}\n`).toMatchFileSnapshot(recorded);
    else expect(existsSync(recorded)).toBe(true);
  });
});

describe("flight-deck synth", () => {
  let command: Command;
  beforeAll(async () => {
    command = await Command.make();
  });
  afterAll(() => command?.remove());
  const at = (...parts: string[]): string => path.join(command.folder, ...parts);

  test("names the failures that there are", async () => {
    const { code, stdout } = await command.run(["synth", "--pathology", "list"]);
    expect([
      code,
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ]).toEqual([0, PATHOLOGIES.map(({ name }) => name)]);
    const json = JSON.parse((await command.run(["synth", "--pathology", "list", "--json"])).stdout);
    expect(json[0]).toEqual({
      pathology: "kl_blowup",
      signature_id: "KL_BLOWUP",
      title: "KL blow-up",
      algorithm: null,
    });
  });

  test("writes a run that is over, the same for the same seed", async () => {
    const args = ["--pathology", "entropy-collapse", "--n-steps", "150", "--seed", "9"];
    const { code, stdout } = await command.run(["synth", "sick", ...args]);
    expect([code, stdout]).toEqual([
      0,
      "sick: 150 steps of synth-entropy_collapse-grpo-150-9, which fails from step 75 on\n",
    ]);
    const doctor = await command.run(["doctor", "sick", "--json"]);
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout)).toMatchObject([{ signature_id: "ENTROPY_COLLAPSE" }]);
    const again = await command.run(["synth", "again", ...args, "--json"]);
    expect(JSON.parse(again.stdout)).toEqual({
      folder: "again",
      run_id: "synth-entropy_collapse-grpo-150-9",
      algorithm: "grpo",
      pathology: "entropy_collapse",
      onset: 75,
      seed: 9,
      n_steps: 150,
    });
    const [one, other] = [await command.inspect("sick"), await command.inspect("again")];
    const { timestamp: _, ...columns } = one["columns"] as Record<string, unknown>;
    expect(other["columns"]).toMatchObject(columns);
    expect(one).toMatchObject({ n_steps: 150, warnings: [] });
    expect((await command.run(["inspect", "sick"])).stdout).toMatch(/state +finished/);
  });

  test.each([
    [["synth"], /OUT is missing/],
    [["synth", "x", "--pathology", "gravity"], /no pathology gravity; --pathology list/],
    [["synth", "x", "--algorithm", "sarsa"], /grpo or ppo/],
    [["synth", "x", "--pathology", "value_divergence", "--algorithm", "grpo"], /--algorithm ppo/],
    [["synth", "x", "--n-steps", "0"], /--n-steps/],
    [["synth", "dist"], /dist: it is there already/],
    [["synth", "dist/cli.cjs"], /it is there already/],
  ])("%j is refused in one line", async (args, why) => {
    const { code, stdout, stderr } = await command.run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^flight-deck: [^\n]+\n$/);
    expect(stderr).toMatch(why);
    expect(existsSync(at("x"))).toBe(false);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "--live grows until %s, and is closed in order",
    async (signal) => {
      const name = `live-${signal}`;
      const { child, ended } = command.start(
        "synth",
        name,
        "--live",
        "--pace",
        "0.01",
        "--n-steps",
        "1000000",
      );
      await expect.poll(() => existsSync(at(name, "steps/part-00000.parquet"))).toBe(true);
      const before = Number((await command.inspect(name))["n_steps"]);
      await expect.poll(async () => Number((await command.inspect(name))["n_steps"])).toBeGreaterThan(before);
      child.kill(signal);
      expect((await ended).code).toBe(0);
      expect(existsSync(at(name, "steps.parquet"))).toBe(true);
      const read = await command.inspect(name);
      expect(read).toMatchObject({ warnings: [] });
      expect((read["events"] as { kind: string }[]).at(-1)?.kind).toBe("train_end");
    },
  );

  test("--live ends by itself", async () => {
    const { code, stdout } = await command.run([
      "synth",
      "short",
      "--live",
      "--pace",
      "0",
      "--n-steps",
      "40",
    ]);
    expect([code, stdout]).toEqual([0, "short: 40 steps of synth-healthy-grpo-40-0, which is healthy\n"]);
    expect(await command.inspect("short")).toMatchObject({ n_steps: 40, warnings: [] });
  });
});
