/** Run records written to a real folder, by one process and by several at once. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { nodeSource, openRun } from "../../../src/core/index.ts";
import { MetricRowsError } from "../../../src/core/records/write-metrics.ts";
import { lookUpDevice } from "../../../src/recorder/device.ts";
import { float, writeMetrics, writeWitness } from "../../../src/recorder/records.ts";

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-records-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
let count = 0;
const newFolder = (): string => path.join(temporary, `run-${count++}`);

beforeEach(() => {
  for (const name of ["RANK", "CUDA_VISIBLE_DEVICES"]) vi.stubEnv(name, undefined);
  vi.stubEnv("FOUNDRY_RUN_ID", "77");
});
afterEach(() => vi.unstubAllEnvs());

const json = (folder: string, name: string) => JSON.parse(readFileSync(path.join(folder, name), "utf8"));
const CPU = { device: "cpu", elapsedSeconds: 1.5, cpuAllocation: 2 } as const;

describe("writeWitness", () => {
  test("attempt after attempt, into a folder that it makes, as the reader reads them", async () => {
    const folder = path.join(newFolder(), "below");
    const config = { lr: 1e-6, steps: 60, scale: float(1), é: ["🐈", null] };
    const first = await writeWitness(folder, { ...CPU, config });
    const text = '{"steps": 60, "lr": 0.000001, "é": ["\\ud83d\\udc08", null], "scale": 1.0}';
    const second = await writeWitness(folder, {
      configText: text,
      device: "cuda:1",
      deviceName: "H100",
      peakMemoryBytes: 2 ** 40,
    });
    expect(first).toMatchObject({ written: true, attempt: 1, file: "observed.attempt1.json", problems: [] });
    expect(second).toMatchObject({ written: true, attempt: 2, problems: [] });
    expect(readdirSync(folder).sort()).toEqual(["observed.attempt1.json", "observed.attempt2.json"]);
    const { records, warnings } = await openRun(nodeSource(folder));
    expect(warnings().filter(({ code }) => code !== "no-steps")).toEqual([]);
    const [a, b] = records.witnesses;
    expect(a?.fields).toMatchObject({
      run_record_format: 1,
      run_id: 77,
      attempt: 1,
      device: "cpu",
      device_name: null,
      peak_memory_bytes: null,
      cpu_allocation: 2,
      elapsed_seconds: 1.5,
    });
    expect(b?.fields).toMatchObject({ device: "cuda", device_name: "H100", peak_memory_bytes: 2 ** 40 });
    expect(b?.fields["elapsed_seconds"]).toBeGreaterThan(0);
    expect(b?.fields["cpu_allocation"]).toBeGreaterThan(0);
    for (const witness of [a, b]) expect(witness?.statedHash).toBe(witness?.computedHash);
    expect(a?.computedHash).toBe(b?.computedHash);
  });

  test("from a finally, and from where nothing can be awaited: with the device given it is there at once", () => {
    const folder = newFolder();
    expect(() => {
      try {
        throw new Error("the training failed");
      } finally {
        void writeWitness(folder, { ...CPU, config: { a: 1 } });
        expect(json(folder, "observed.attempt1.json")).toMatchObject({ config: { a: 1 } });
      }
    }).toThrow("the training failed");
  });

  test("never in the place of another, whatever that is", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(path.join(folder, "observed.attempt3.json"), "torn");
    symlinkSync("nowhere", path.join(folder, "observed.attempt4.json"));
    mkdirSync(path.join(folder, "observed.attempt5.json"));
    for (const attempt of [3, 4, 5]) {
      expect(await writeWitness(folder, { ...CPU, attempt })).toMatchObject({
        written: false,
        reason: "exists",
        file: `observed.attempt${attempt}.json`,
      });
    }
    expect(readFileSync(path.join(folder, "observed.attempt3.json"), "utf8")).toBe("torn");
    expect(existsSync(path.join(folder, "nowhere"))).toBe(false);
    expect(await writeWitness(folder, CPU)).toMatchObject({ written: true, attempt: 6 });
    expect(readdirSync(folder).length).toBe(4);
  });

  test("rank 0 alone", async () => {
    const folder = newFolder();
    expect(await writeWitness(folder, { ...CPU, rank: 1 })).toMatchObject({ written: false, reason: "rank" });
    vi.stubEnv("RANK", "3");
    expect(await writeWitness(folder, CPU)).toMatchObject({ written: false, reason: "rank" });
    expect(existsSync(folder)).toBe(false);
    expect(await writeWitness(folder, { ...CPU, rank: 0 })).toMatchObject({ written: true });
  });

  test("the run id is the launcher's integer", async () => {
    const folder = newFolder();
    for (const id of ["", "abc", "1.5"]) {
      vi.stubEnv("FOUNDRY_RUN_ID", id);
      expect(await writeWitness(folder, CPU)).toMatchObject({
        reason: "run-id",
        message: "the run id is no integer",
      });
    }
    vi.stubEnv("FOUNDRY_RUN_ID", undefined);
    expect(await writeWitness(folder, CPU)).toMatchObject({
      reason: "run-id",
      message: "FOUNDRY_RUN_ID is not set, and no run id was given",
    });
    expect(existsSync(folder)).toBe(false);
    await writeWitness(folder, { ...CPU, runId: 2n ** 70n });
    expect(readFileSync(path.join(folder, "observed.attempt1.json"), "utf8")).toContain(
      '"run_id": 1180591620717411303424,',
    );
  });

  test("what cannot be said is left out and named; the rest is evidence all the same", async () => {
    const folder = newFolder();
    const config: { self?: unknown } = {};
    config.self = config;
    const wrong = { device: "tpu", elapsedSeconds: Number.NaN, peakMemoryBytes: -1, cpuAllocation: "2" };
    vi.stubEnv("PATH", "");
    const result = await writeWitness(folder, { config, ...wrong } as unknown as Parameters<
      typeof writeWitness
    >[1]);
    expect(result).toMatchObject({
      written: true,
      configHash: null,
      problems: [
        "the configuration is left out: a cycle at self",
        "device is none of cuda, mps and cpu: it was looked up",
        "peakMemoryBytes is left out: it is no such number",
        "cpuAllocation is left out: it is no such number",
        "elapsedSeconds is left out: it is no such number",
      ],
    });
    expect(json(folder, "observed.attempt1.json")).toMatchObject({
      config: null,
      config_hash: null,
      config_problem: "a cycle at self",
      device: "cpu",
      elapsed_seconds: null,
    });
  });

  test("it never throws: wrong calls and places where nothing can be written", async () => {
    const file = path.join(temporary, "a-file");
    writeFileSync(file, "");

    const calls: [string, unknown, string][] = [
      [path.join(file, "run"), CPU, "not-found"],
      ["a\0b", CPU, "io-error"],
      [newFolder(), { ...CPU, attempt: -1 }, "attempt"],
      [newFolder(), { ...CPU, attempt: 1.5 }, "attempt"],
      [newFolder(), null, "io-error"],
    ];
    for (const [folder, options, reason] of calls) {
      const result = await writeWitness(folder, options as Parameters<typeof writeWitness>[1]);
      expect(result).toMatchObject({ written: false, reason });
    }
  });
});

describe("the device, when nobody says it", () => {
  /** A program in the place of nvidia-smi; PATH leads to it and nowhere else. */
  function pretend(script: string): void {
    const bin = newFolder();
    mkdirSync(bin);
    const file = path.join(bin, "nvidia-smi");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    vi.stubEnv("PATH", bin);
  }
  const TWO = 'echo "0, GPU-aa, NVIDIA H100 80GB HBM3"\necho "1, GPU-bb, NVIDIA L4"';

  test("is the first processor that CUDA shows", async () => {
    pretend(TWO);
    const folder = newFolder();
    await writeWitness(folder, { peakMemoryBytes: 5 });
    vi.stubEnv("CUDA_VISIBLE_DEVICES", "1");
    await writeWitness(folder);
    vi.stubEnv("CUDA_VISIBLE_DEVICES", "");
    await writeWitness(folder, { peakMemoryBytes: 5 });
    expect([1, 2, 3].map((n) => json(folder, `observed.attempt${n}.json`))).toMatchObject([
      { device: "cuda", device_name: "NVIDIA H100 80GB HBM3", peak_memory_bytes: 5 },
      { device: "cuda", device_name: "NVIDIA L4", peak_memory_bytes: null },
      { device: "cpu", device_name: null, peak_memory_bytes: null },
    ]);
  });

  test.each([
    ["fails", 'echo "NVIDIA-SMI has failed" >&2\nexit 9'],
    ["finds none", 'echo "No devices were found"'],
    ["prints without end", "while :; do echo 0, GPU-aa, x; done"],
  ])("is the CPU where nvidia-smi %s", async (_, script) => {
    pretend(script);
    expect(await lookUpDevice(process.env)).toEqual({ device: "cpu", deviceName: null, problem: "" });
  });

  test("is the CPU where there is no nvidia-smi, or one that PATH does not name in full", async () => {
    vi.stubEnv("PATH", "");
    expect(await lookUpDevice(process.env)).toMatchObject({ device: "cpu" });
    pretend(TWO);
    vi.stubEnv("PATH", path.relative(process.cwd(), process.env["PATH"] ?? ""));
    expect(await lookUpDevice(process.env)).toMatchObject({ device: "cpu" });
  });

  test("has no name where nvidia-smi never answers, deaf to signals too", async () => {
    pretend("trap '' TERM INT HUP\nwhile :; do :; done");
    expect(await lookUpDevice(process.env, 100)).toEqual({
      device: "cuda",
      deviceName: null,
      problem: "nvidia-smi did not answer in time",
    });
  });
});

describe("writeMetrics", () => {
  const row = { benchmark: "gsm8k", metric: "accuracy", horizon: 128, seed: 0, value: 0.5 };

  test("the whole file, in the place of the one before", async () => {
    const folder = newFolder();
    writeMetrics(folder, [row]);
    writeMetrics(folder, [row, { ...row, seed: 1, value: 1 }]);
    expect(readdirSync(folder)).toEqual(["metrics.json"]);
    const { records, warnings } = await openRun(nodeSource(folder));
    expect(records.metrics).toEqual([row, { ...row, seed: 1, value: 1 }]);
    expect(warnings().filter(({ level }) => level === "warning")).toEqual([]);
  });

  test("or nothing: a bad row leaves what was there", () => {
    const folder = newFolder();
    const bad = [row, { ...row, value: Number.NaN }];
    expect(() => writeMetrics(folder, bad)).toThrow(MetricRowsError);
    expect(existsSync(folder)).toBe(false);
    writeMetrics(folder, [row]);
    expect(() => writeMetrics(folder, bad)).toThrow("value is not finite (row 2)");
    expect(json(folder, "metrics.json")).toEqual([row]);
  });

  test("a place where it cannot be written is named by its file, and nothing is left behind", () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, "metrics.json/in-the-way"), { recursive: true });
    expect(() => writeMetrics(folder, [row])).toThrow(expect.objectContaining({ file: "metrics.json" }));
    expect(readdirSync(folder)).toEqual(["metrics.json"]);
  });
});

describe("two processes at once", () => {
  const script = path.join(temporary, "racer.cjs");
  const children: ChildProcess[] = [];
  let round = 0;
  beforeAll(async () => {
    const source = fileURLToPath(new URL("../../../src/recorder/records.ts", import.meta.url));
    await build({
      stdin: {
        contents: `import { writeMetrics, writeWitness } from ${JSON.stringify(source)};
// In containers on two machines both can have the same number.
Object.defineProperty(process, "pid", { value: 1 });
process.on("message", ({ folder, options, rows }) => {
  if (rows) process.send(writeMetrics(folder, rows) ?? {});
  else writeWitness(folder, options).then((result) => process.send(result));
});
process.send("ready");`,
        resolveDir: temporary,
      },
      outfile: script,
      bundle: true,
      platform: "node",
      format: "cjs",
      logLevel: "error",
    });
    for (let i = 0; i < 2; i++) {
      const child = fork(script, { env: { ...process.env, FOUNDRY_RUN_ID: "77", RANK: "0" } });
      children.push(child);
      await once(child, "message");
    }
  });
  afterAll(() => {
    for (const child of children) child.kill();
  });

  /** The same call in both, as close together as two processes get; their answers. */
  async function both(
    messages: readonly object[],
  ): Promise<{ written: boolean; attempt: number; reason: string }[]> {
    const answers = children.map(async (child) => (await once(child, "message"))[0]);
    // Who is told first is another one each time.
    const order = [...children.entries()];
    for (const [i, child] of round++ % 2 === 0 ? order : order.reverse()) child.send(messages[i] ?? {});
    return Promise.all(answers);
  }

  test("one of them writes an attempt, the other is told, and what was written stays", async () => {
    const folder = newFolder();
    const winners = [0, 0];
    for (let attempt = 1; attempt <= 200; attempt++) {
      const results = await both(
        children.map((_, i) => ({
          folder,
          options: { ...CPU, attempt, config: { writer: i, filler: "x".repeat(4000) } },
        })),
      );
      const winner = results.findIndex(({ written }) => written);
      expect(results.map(({ written }) => written).sort(), `attempt ${attempt}`).toEqual([false, true]);
      expect(results[1 - winner]?.reason).toBe("exists");
      expect(json(folder, `observed.attempt${attempt}.json`).config.writer).toBe(winner);
      winners[winner] = (winners[winner] ?? 0) + 1;
    }
    expect(readdirSync(folder).length).toBe(200);
    // Were one always first, nothing would have been raced for.
    expect(Math.min(...winners)).toBeGreaterThan(0);
  });

  test("without a number each gets its own", async () => {
    const folder = newFolder();
    const attempts: number[] = [];
    for (let i = 0; i < 100; i++) {
      const results = await both(children.map(() => ({ folder, options: { ...CPU, config: {} } })));
      for (const { written, attempt } of results) {
        expect(written).toBe(true);
        attempts.push(attempt);
      }
    }
    expect(attempts.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(readdirSync(folder).length).toBe(200);
  });

  test("metric rows are those of one or of the other, whole", async () => {
    const folder = newFolder();
    for (let i = 0; i < 50; i++) {
      const rows = (writer: number) =>
        Array.from({ length: 200 + writer * 300 }, (_, seed) => ({
          benchmark: "b",
          metric: "m",
          horizon: null,
          seed,
          value: writer,
        }));
      await both(children.map((_, i) => ({ folder, rows: rows(i) })));
      const found = json(folder, "metrics.json") as { value: number }[];
      expect(found).toEqual(rows(found[0]?.value ?? 0));
    }
    expect(readdirSync(folder)).toEqual(["metrics.json"]);
  });
});
