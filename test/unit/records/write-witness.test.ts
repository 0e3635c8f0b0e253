import { describe, expect, test } from "vitest";
import { MemorySink } from "../../../src/core/io/memory-sink.ts";
import { SinkError } from "../../../src/core/io/sink.ts";
import { configHash } from "../../../src/core/records/config-hash.ts";
import { parseGpus, visibleGpu } from "../../../src/core/records/gpu.ts";
import { pythonDumps } from "../../../src/core/records/python-json.ts";
import {
  ConfigError,
  configOfText,
  float,
  isPythonObject,
  pythonTree,
} from "../../../src/core/records/python-values.ts";
import { readWitness } from "../../../src/core/records/witness.ts";
import {
  createWitness,
  nextAttempt,
  runIdOf,
  type WitnessContent,
  witnessName,
  witnessText,
} from "../../../src/core/records/write-witness.ts";

const dumps = (value: unknown) => pythonDumps(pythonTree(value));

describe("a configuration as JavaScript holds it", () => {
  test("numbers: whole ones are int, others are float", () => {
    const values = [
      0,
      1,
      -7,
      2 ** 53 - 1,
      2 ** 53,
      1e21,
      0.5,
      1e-6,
      -0,
      Number.NaN,
      -Infinity,
      5n,
      10n ** 30n,
    ];
    expect(values.map(dumps)).toEqual([
      "0",
      "1",
      "-7",
      "9007199254740991",
      "9007199254740992.0",
      "1e+21",
      "0.5",
      "1e-06",
      "-0.0",
      "NaN",
      "-Infinity",
      "5",
      "1000000000000000000000000000000",
    ]);
    expect([float(1), float(-0), float(1e16), { lr: float(2) }].map(dumps)).toEqual([
      "1.0",
      "-0.0",
      "1e+16",
      '{"lr": 2.0}',
    ]);
  });

  test("what JSON does not have, as JSON.stringify does it", () => {
    const value = {
      gone: undefined,
      fn: () => 1,
      symbol: Symbol("s"),
      list: [undefined, () => 1, 3],
      date: new Date(0),
      self: {
        toJSON() {
          return this;
        },
        a: 1,
      },
      sparse: new Array(2),
    };
    const text =
      '{"date": "1970-01-01T00:00:00.000Z", "list": [null, null, 3], "self": {"a": 1}, "sparse": [null, null]}';
    expect(dumps(value)).toBe(text);
  });

  test("keys are the configuration's own, whatever they are called", () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "z": 3}');
    expect(dumps(value)).toBe('{"__proto__": {"a": 1}, "constructor": 2, "z": 3}');
  });

  test("the same object twice is no cycle", () => {
    const shared = { a: 1 };
    expect(dumps({ x: shared, y: [shared, shared] })).toBe('{"x": {"a": 1}, "y": [{"a": 1}, {"a": 1}]}');
  });

  const cyclic: { model: { parent?: unknown } } = { model: {} };
  cyclic.model.parent = cyclic;
  let deep: unknown = 1;
  for (let i = 0; i < 300; i++) deep = [deep];
  test.each<[string, unknown, string]>([
    ["a cycle", cyclic, "a cycle at model.parent"],
    ["depth", { deep }, "nested deeper than 255 levels at deep.0.0"],
    ["a Map", { a: [new Map([["b", 1]])] }, "a Map at a.0, which JSON does not have"],
    ["a Set", { a: new Set([1]) }, "a Set at a, which JSON does not have"],
    ["a typed array", { a: new Float32Array(2) }, "a Float32Array at a, which JSON does not have"],
    [
      "a getter that throws",
      {
        a: {
          get b() {
            throw new Error("secret");
          },
        },
      },
      "a value that cannot be read at a",
    ],
  ])("%s is named with its place", (_, value, message) => {
    expect(() => pythonTree(value)).toThrow(new ConfigError(message));
  });

  test("a text keeps the spelling of its numbers", () => {
    const config = configOfText('\ufeff{"b": 1.0, "a": [1E16, -0, 1.50, NaN]}');
    expect(pythonDumps(config)).toBe('{"a": [1e+16, 0, 1.5, NaN], "b": 1.0}');
  });

  test.each([
    ["", "it is empty"],
    ['{"a":', "it is not JSON"],
    ["[1]", "it is not an object"],
    ["1.0", "it is not an object"],
    [`{"a":${"[".repeat(300)}${"]".repeat(300)}}`, "it nests deeper than 256 levels"],
  ])("text %j: %s", (text, message) => {
    expect(() => configOfText(text)).toThrow(new ConfigError(message));
  });
});

const CONTENT: WitnessContent = {
  runId: 77n,
  attempt: 2,
  config: null,
  configHash: null,
  device: "cuda",
  deviceName: "NVIDIA H100 80GB HBM3",
  peakMemoryBytes: 71234567890,
  cpuAllocation: 8,
  elapsedSeconds: 12,
};

async function written(config: unknown, more: Partial<WitnessContent> = {}) {
  const tree = pythonTree(config);
  if (!isPythonObject(tree)) throw new Error("no object");
  const text = witnessText({ ...CONTENT, config: tree, configHash: await configHash(tree), ...more });
  const warnings: unknown[] = [];
  const bytes = new TextEncoder().encode(text);
  const witness = await readWitness(bytes, witnessName(2), 2, (...warning) => warnings.push(warning));
  return { text, witness, warnings };
}

describe("the file", () => {
  test("its keys, in their order, and how it looks", async () => {
    const { text } = await written({ lr: 1e-6, é: ["\ud83d\udc08"] });
    expect(text).toBe(`{
  "run_record_format": 1,
  "run_id": 77,
  "attempt": 2,
  "config": {
    "lr": 1e-06,
    "\\u00e9": [
      "\\ud83d\\udc08"
    ]
  },
  "config_hash": "${(await written({ lr: 1e-6, é: ["🐈"] })).witness?.computedHash}",
  "device": "cuda",
  "device_name": "NVIDIA H100 80GB HBM3",
  "peak_memory_bytes": 71234567890,
  "cpu_allocation": 8,
  "elapsed_seconds": 12.0
}
`);
  });

  test("is read with its hash, however odd the configuration", async () => {
    const config = {
      "": -0,
      "\ud800": [1e21, 2 ** 60, 10n ** 40n, Number.NaN, Infinity],
      "\u{10000}": { "\uffff": 1e-7, empty: {}, none: [] },
      constructor: '"\\\n\u0000\u2028',
    };
    const { witness, warnings } = await written(config);
    expect(warnings).toEqual([]);
    expect(witness?.computedHash).toMatch(/^[0-9a-f]{16}$/);
    expect(witness?.statedHash).toBe(witness?.computedHash);
  });

  test("a CPU has neither name nor memory", async () => {
    const { witness } = await written({}, { device: "cpu" });
    expect(witness?.fields).toMatchObject({ device: "cpu", device_name: null, peak_memory_bytes: null });
  });

  test("what nobody knows is null; a configuration that could not be told says why", async () => {
    const unknown = { deviceName: null, peakMemoryBytes: null, cpuAllocation: null, elapsedSeconds: null };
    const { witness, warnings } = await written(
      {},
      { ...unknown, config: null, configHash: null, configProblem: "a cycle at model" },
    );
    expect(warnings).toEqual([]);
    expect(witness).toMatchObject({
      config: null,
      statedHash: null,
      computedHash: null,
      fields: {
        device: "cuda",
        device_name: null,
        peak_memory_bytes: null,
        cpu_allocation: null,
        elapsed_seconds: null,
        config_problem: "a cycle at model",
      },
    });
  });

  test("part of a processor", async () => {
    expect((await written({}, { cpuAllocation: 0.5 })).witness?.fields["cpu_allocation"]).toBe(0.5);
  });
});

test("the next attempt is behind all that left a file", () => {
  expect(nextAttempt([])).toBe(1);
  expect(nextAttempt(["observed.attempt0.json"])).toBe(1);
  expect(
    nextAttempt(["observed.attempt3.json", "observed.attempt1.json", "observed.attempt9.json.tmp"]),
  ).toBe(4);
});

test("run ids are integers of any size", () => {
  expect(["7", " +7\n", "-7", "123456789012345678901234567890"].map(runIdOf)).toEqual([
    7n,
    7n,
    -7n,
    123456789012345678901234567890n,
  ]);
  expect([undefined, "", "x", "1.0", "0x10", "1e3", "1 2"].map(runIdOf)).toEqual(Array(7).fill(null));
});

describe("nvidia-smi", () => {
  const A = { index: "0", uuid: "GPU-aaaa-1", name: "NVIDIA H100 80GB HBM3" };
  const B = { index: "1", uuid: "GPU-bbbb-2", name: "NVIDIA A100-SXM4-40GB, odd" };
  const C = { index: "2", uuid: "GPU-cccc-3", name: null };

  test("its lines", () => {
    const csv = [
      "0, GPU-aaaa-1, NVIDIA H100 80GB HBM3\r",
      "1, GPU-bbbb-2, NVIDIA A100-SXM4-40GB, odd",
      "2, GPU-cccc-3, [Not Supported]",
      "No devices were found",
      "",
    ].join("\n");
    expect(parseGpus(csv)).toEqual([A, B, C]);
    expect(
      parseGpus("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."),
    ).toEqual([]);
  });

  test.each([
    [undefined, A],
    ["1,0", B],
    [" 2 ", C],
    ["GPU-bbb", B],
    ["", null],
    ["-1", null],
    ["7", null],
    ["-1,0", null],
    ["MIG-ffff", { index: "", uuid: "MIG-ffff", name: null }],
  ])("CUDA_VISIBLE_DEVICES=%s", (visible, gpu) => {
    expect(visibleGpu([A, B, C], visible)).toEqual(gpu);
    expect(visibleGpu([], visible)).toBeNull();
  });
});

describe("where it is written", () => {
  const text = (sink: MemorySink, name: string) => new TextDecoder().decode(sink.files.get(name));

  test("the folder is made, and each attempt is behind the last", () => {
    const sink = new MemorySink();
    expect([createWitness(sink, CONTENT, null), createWitness(sink, CONTENT, null)]).toEqual([1, 2]);
    expect(createWitness(sink, CONTENT, 7)).toBe(7);
    expect(createWitness(sink, CONTENT, null)).toBe(8);
    expect(text(sink, "observed.attempt8.json")).toContain('"attempt": 8,');
  });

  test("a number that is taken meanwhile is passed over; one that was asked for is not", () => {
    const sink = new (class extends MemorySink {
      override list(): readonly string[] {
        return [];
      }
    })();
    sink.makeFolder("");
    for (const n of [1, 2]) sink.files.set(`observed.attempt${n}.json`, new TextEncoder().encode("theirs"));
    expect(createWitness(sink, CONTENT, null)).toBe(3);
    expect(() => createWitness(sink, CONTENT, 2)).toThrow(expect.objectContaining({ code: "exists" }));
    expect([1, 2].map((n) => text(sink, `observed.attempt${n}.json`))).toEqual(["theirs", "theirs"]);
  });

  test("a disk that takes nothing, and one that always says that the name is taken, come to an end", () => {
    const codes: [SinkError["code"], number][] = [
      ["no-space", 1],
      ["exists", 1001],
    ];
    for (const [code, most] of codes) {
      let tried = 0;
      const sink = new (class extends MemorySink {
        override createExclusive(path: string): void {
          tried++;
          throw new SinkError(code, path);
        }
      })();
      expect(() => createWitness(sink, CONTENT, null)).toThrow(expect.objectContaining({ code }));
      expect(tried).toBe(most);
    }
  });
});
