/** What the signatures are made of: figures, distances, thresholds from a file, names that are nearly right, how a run is loaded. */
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../../src/core/doctor/checks/index.ts";
import { headerOf, keyOf, parseConfig } from "../../../src/core/doctor/config.ts";
import { diagnose, whySkipped } from "../../../src/core/doctor/engine.ts";
import { diagnoseRun } from "../../../src/core/doctor/index.ts";
import { loadDoctorRun, longestRewarded } from "../../../src/core/doctor/load.ts";
import { above, below, figure, margin, percent } from "../../../src/core/doctor/measures.ts";
import { nearest } from "../../../src/core/doctor/nearest.ts";
import { SIGNATURES } from "../../../src/core/doctor/signatures/index.ts";
import { column, fakeModel } from "../view/model.ts";
import { run } from "./made.ts";

const N = Number.NaN;

describe("figures", () => {
  it("have three digits, and an exponent where they are very large or very small", () => {
    const words = [0, 1.2345, -1.2345, 99_999, 100_000, -123_456, 1e-4, 9.99e-5, -9.99e-5, 1.5e300];
    expect(words.map(figure)).toEqual([
      ...["0", "1.23", "-1.23", "100000", "1.00e5", "-1.23e5", "0.0001", "9.99e-5", "-9.99e-5", "1.50e300"],
    ]);
    expect([N, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(figure)).toEqual([
      ...["NaN", "Infinity", "-Infinity"],
    ]);
    expect([0.004, 0.005, 0.5, 1].map(percent)).toEqual(["0%", "1%", "50%", "100%"]);
  });

  it("say how far a value is from a limit", () => {
    expect(below(3, 4)).toMatchObject({ ratio: 0.75, words: "3 of 4" });
    expect(above(4, 1)).toMatchObject({ ratio: 0.25, words: "4, limit 1" });
    expect(below(-1, 4)).toMatchObject({ ratio: 0 });
    expect(below(-1, -0.5)).toMatchObject({ ratio: 1 });
    expect([below(1, 0), below(N, 1), below(Number.POSITIVE_INFINITY, 9), above(1, 2), above(N, 1)]).toEqual(
      Array.from({ length: 5 }),
    );
  });

  it("grow surer the farther beyond the limit, within bounds", () => {
    expect(margin(2, 2, 0.7)).toBe(0.7);
    expect(margin(3, 2, 0.7)).toBeCloseTo(0.85, 12);
    expect(margin(-3, 2, 0.7)).toBeCloseTo(0.85, 12);
    expect([
      margin(100, 2, 0.7),
      margin(0, 2, 0.6),
      margin(5, 0, 0.6),
      margin(0, 0, 0.6),
      margin(N, 2, 0.6),
    ]).toEqual([...[0.99, 0.5, 0.6, 0.6, 0.99]]);
  });
});

describe("a name that is nearly right", () => {
  const KNOWN = ["ratio", "abs_floor", "sustain", "enabled"];
  it("is the one with the fewest changed letters, the first of equals", () => {
    expect(nearest("ratoi", KNOWN)).toBe("ratio");
    expect(nearest("RATIO", KNOWN)).toBe("ratio");
    expect(nearest("atio", KNOWN)).toBe("ratio");
    expect(nearest("rratio", KNOWN)).toBe("ratio");
    expect(nearest("ratix", KNOWN)).toBe("ratio");
    expect(nearest("absfloor", KNOWN)).toBe("abs_floor");
    expect(nearest("ab", ["abcd", "abc", "abd"])).toBe("abc");
  });
  it("has at most a third of its letters changed, or two", () => {
    expect(nearest("raxxx", ["ratio"])).toBe(null);
    expect(nearest("ratxx", ["ratio"])).toBe("ratio");
    expect(nearest("abcdefghi", ["abcdefxxx"])).toBe("abcdefxxx");
    expect(nearest("abcdefghi", ["abcdexxxx"])).toBe(null);
    expect(nearest("abcdefghi", ["abcdefghijkl"])).toBe("abcdefghijkl");
    expect(nearest("abcdefghi", ["abcdefghijklm"])).toBe(null);
    expect(nearest("", KNOWN)).toBe(null);
    expect(nearest("ratio", [])).toBe(null);
  });
});

describe("doctor.toml", () => {
  const parse = (text: string) => parseConfig(text, [...SIGNATURES, ...CHECKS]);
  const said = (text: string) => parse(text).problems.map((p) => [p.line, p.section, p.key, p.message]);

  it("takes values at both ends of a range, and none beyond", () => {
    const { min, max } =
      SIGNATURES.find(({ id }) => id === "KL_BLOWUP")?.params["abs_floor"] ?? expect.fail();
    expect(parse(`[kl_blowup]\nabs_floor = ${min}\n`)).toMatchObject({
      ...{ problems: [], config: { KL_BLOWUP: { values: { abs_floor: min } } } },
    });
    expect(parse(`[kl_blowup]\nabs_floor = ${max}\n`).problems).toEqual([]);
    expect(parse(`[kl_blowup]\nabs_floor = ${max + 1}\n`).problems).toHaveLength(1);
    expect(said("[kl_blowup]\nabs_floor = -0.1\n")).toEqual([
      [2, "kl_blowup", "abs_floor", `KL_BLOWUP: abs_floor must be a number from ${min} to ${max}.`],
    ]);
    for (const odd of ["nan", "inf", "true", "[1]", '"1"', "9223372036854775807"])
      expect(parse(`[kl_blowup]\nabs_floor = ${odd}\n`).problems, odd).toHaveLength(1);
  });

  it("wants sections", () => {
    for (const odd of ["1", '"x"', "[1]", "2026-01-02", "true"])
      expect(said(`kl_blowup = ${odd}\n`), odd).toEqual([
        [null, "kl_blowup", "", "“kl_blowup” must be a section, [kl_blowup]."],
      ]);
    expect(parse("kl_blowup = {ratio = 3}\n")).toMatchObject({
      config: { KL_BLOWUP: { values: { ratio: 3 } } },
    });
  });

  it("says where: the key's line in its section, else the section's, else that of a dotted key", () => {
    const line = (text: string) => parse(text).problems[0]?.line;
    expect(line("# a\n[kl_blowup]\n\n  ratio = -1\n")).toBe(4);
    expect(line('[kl_blowup]\n"ratio" = -1\n')).toBe(2);
    expect(line("[fd_spike]\nratio = 3\n[kl_blowup]\nratio = -1\n")).toBe(4);
    expect(line("[kl_blowup]\nsustain = 3\n[fd_spike]\nratio = -1\n")).toBe(4);
    expect(line("kl_blowup.sustain = 2\n  kl_blowup.ratio = -1\n")).toBe(2);
    expect(line("kl_blowup = {ratio = -1}\n")).toBe(null);
    expect(line("\n[nothing]\n")).toBe(2);
    expect(line("\n[ 'nothing' ]\n")).toBe(2);
    expect(line("[kl_blowup]\n[kl_blowup.ratio]\na = 1\n")).toBe(1);
  });

  it("tells sections and keys of a line", () => {
    expect(["[a]", "  [ a ] # x", '["a"]', "['a b']", "a = [1]", "", "x [a]"].map(headerOf)).toEqual([
      ...["a", "a", "a", "a b", null, null, null],
    ]);
    expect(
      ["a = 1", "  a=1", '"a" = 1', "'a'=1", "= 1", "a b = 1", "# a", "x.y = 1", "[a]"].map(keyOf),
    ).toEqual([...["a", "a", "a", "a", null, null, null, "x.y", null]]);
  });

  it("words what is no TOML in one line, and cuts what is long", () => {
    expect(said("a = \n")[0]?.[3]).toMatch(/^This is not TOML: [^\n]+\.$/);
    expect(said("a = \n")[0]?.[3]).not.toContain("Invalid TOML document");
    const name = "x".repeat(61);
    expect(said(`[${name}]\n`)[0]?.[3]).toBe(`There is no signature “${"x".repeat(60)}…”.`);
    expect(said(`[${name.slice(1)}]\n`)[0]?.[3]).toBe(`There is no signature “${name.slice(1)}”.`);
  });
});

describe("what is enough to judge by", () => {
  const skipped = (id: string, r: ReturnType<typeof run>) =>
    whySkipped([...SIGNATURES, ...CHECKS].find((s) => s.id === id) ?? expect.fail(id), r);
  const some = (n: number) => (i: number) => (i < n ? 1 : null);

  it("is a quarter of the rows, and ten", () => {
    expect(skipped("KL_BLOWUP", run(30, { kl_mean: some(10) }))).toBe(null);
    expect(skipped("KL_BLOWUP", run(30, { kl_mean: some(9) }))).toEqual({
      reason: "too-few",
      metrics: ["kl_mean"],
    });
    expect(skipped("KL_BLOWUP", run(83, { kl_mean: some(20) }))).toBe(null);
    expect(skipped("KL_BLOWUP", run(84, { kl_mean: some(20) }))).toMatchObject({ reason: "too-few" });
    expect(skipped("KL_BLOWUP", run(29, { kl_mean: some(29) }))).toEqual({
      reason: "short-run",
      metrics: [],
    });
    expect(skipped("KL_BLOWUP", run(30, {}))).toEqual({ reason: "missing", metrics: ["kl_mean"] });
  });

  it("is one count of gradient values that are no numbers, one list, two components", () => {
    expect(skipped("GRAD_PATHOLOGY", run(30, { nan_count: some(1) }))).toBe(null);
    expect(skipped("GRAD_PATHOLOGY", run(30, { inf_count: some(1) }))).toBe(null);
    expect(skipped("GRAD_PATHOLOGY", run(30, { grad_norm: some(1) }))).toMatchObject({ reason: "too-few" });
    expect(skipped("GRAD_PATHOLOGY", run(30, { nan_count: () => null }))).toMatchObject({
      reason: "missing",
    });
    expect(skipped("REF_POLICY_DRIFT_ASYMMETRY", run(30, {}))).toMatchObject({ reason: "missing" });
    expect(skipped("REF_POLICY_DRIFT_ASYMMETRY", run(30, {}, [1]))).toBe(null);
    const components = { "reward_component.a": some(1), "reward_component.b": some(1) };
    expect(skipped("FORMAT_GAMING", run(30, components))).toBe(null);
    expect(skipped("FORMAT_GAMING", run(30, { "reward_component.a": () => 1 }))).toMatchObject({
      reason: "missing",
    });
  });

  it("is asked of the beginning of a run as of a run", () => {
    const whole = run(
      100,
      { loss: (i) => (i % 2 === 0 ? i : null), "reward_component.a": (i) => (i < 50 ? N : 1) },
      [1, 2],
    );
    const part = whole.prefix(50);
    expect([part.rows, part.present("loss"), whole.present("loss"), part.lastWritten("loss")]).toEqual([
      50, 25, 50, 48,
    ]);
    expect([part.components.length, whole.components.length]).toEqual([0, 1]);
    expect(part.positional?.values.length).toBe(100);
    expect(part.nonFinite("loss")).toEqual([]);
    expect([...part.series("nothing")]).toEqual(Array(50).fill(N));
    expect([whole.lastWritten("nothing"), whole.nonFinite("nothing"), whole.present("nothing")]).toEqual([
      -1,
      [],
      0,
    ]);
    expect(run(20, {}).prefix(10).positional).toBe(null);
  });
});

describe("a run is loaded", () => {
  const rows = 40;
  const step = column(Array.from({ length: rows }, (_, i) => i));
  const cells = (at: (i: number) => number | null) => column(Array.from({ length: rows }, (_, i) => at(i)));

  it("with components by the first row that holds each, without those that none does", async () => {
    const names = async (columns: Record<string, ReturnType<typeof cells>>) => {
      const r = await loadDoctorRun(fakeModel({ columns: { step, ...columns } }), "merged");
      return r.components.map(([name]) => name);
    };
    expect(
      await names({
        // Read along with them, and none of them.
        reward_mean: cells((i) => (i < 30 ? null : 1)),
        "reward_component.late": cells((i) => (i < 5 ? null : 1)),
        "reward_component.never": cells(() => null),
        "reward_component.first": cells((i) => (i < 1 ? null : 1)),
        "reward_component.same": cells((i) => (i < 1 ? null : 2)),
        "reward_component.all": cells(() => 1),
      }),
    ).toEqual(["all", "first", "same", "late"]);
  });

  it("with what is written told from what is no number", async () => {
    const r = await loadDoctorRun(
      fakeModel({
        columns: { step, loss: cells((i) => (i === 3 ? null : i === 4 ? N : 1)), other: cells(() => 1) },
      }),
      "merged",
      CHECKS,
    );
    expect(r.nonFinite("loss")).toEqual([4]);
    expect(r.isRecorded("other")).toBe(false);
    expect(r.rows).toBe(rows);
  });
});

describe("a run is loaded with KL by part of the answer", () => {
  const load = async (rows: readonly (readonly number[])[]) => {
    const offsets = [0];
    for (const row of rows) offsets.push((offsets.at(-1) as number) + row.length);
    const list = {
      ...{ values: Float64Array.from(rows.flat()), offsets: Int32Array.from(offsets), valid: null },
    };
    const step = column(rows.map((_, i) => i));
    const model = fakeModel({ columns: { step }, lists: { kl_positional: list } });
    const { positional } = await loadDoctorRun(model, "merged");
    return positional && [positional.width, ...positional.values];
  };

  it("as a table, as wide as the longest row; what a row lacks is missing", async () => {
    expect(
      await load([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([2, 1, 2, 3, 4]);
    expect(await load([[1], [2, 3, 4], [5, 6]])).toEqual([3, 1, N, N, 2, 3, 4, 5, 6, N]);
    expect(await load([[1, 2, 3], [4]])).toEqual([3, 1, 2, 3, 4, N, N]);
    expect(await load([[], [1]])).toEqual([1, N, 1]);
    expect(await load([[1], []])).toEqual([1, 1, N]);
    expect(await load([[], []])).toBe(null);
    expect(await load([])).toBe(null);
  });

  it("and without what is no column of numbers", async () => {
    const asked: string[] = [];
    const model = fakeModel({
      columns: { step: column([0, 1]), loss: column([1, 2]), "reward_component.a": column([1, 2]) },
      lists: {
        "reward_component.b": { values: Float64Array.of(), offsets: Int32Array.of(0, 0, 0), valid: null },
      },
      onRead: (names) => asked.push(...names),
    });
    const { components } = await loadDoctorRun(model, "merged");
    expect(components.map(([name]) => name)).toEqual(["a"]);
    expect(asked).not.toContain("reward_component.b");
    const empty = fakeModel({ columns: { step: column([]), "reward_component.a": column([]) } });
    expect((await loadDoctorRun(empty, "merged")).components).toEqual([]);
  });
});

describe("samples that a finding links to", () => {
  it("are the five longest, those of better reward first, then in the order of reading", async () => {
    const lengths = [5, 9, 9, null, 7, 9, 1, 8, 8];
    const rewards = [1, 1, 2, 9, 0, 1, 5, null, 3];
    const asked: number[][] = [];
    const model = {
      ...fakeModel({ columns: { step: column([0]) } }),
      samples: {
        readNumbers: async () => [column(lengths), column(rewards)],
        atRows: async (at: number[]) => {
          asked.push(at);
          return [];
        },
      },
    } as unknown as Parameters<typeof longestRewarded>[0];
    await longestRewarded(model);
    expect(asked).toEqual([[2, 1, 5, 8, 4]]);
    const bare = {
      ...model,
      samples: { ...model.samples, readNumbers: async () => [column(lengths), null] },
    };
    expect(await longestRewarded(bare as unknown as typeof model)).toEqual([]);
  });
});

describe("a finding that links to samples", () => {
  it("has the ids of the longest; the others have none", async () => {
    const rows = 120;
    const at = (f: (i: number) => number) => column(Array.from({ length: rows }, (_, i) => f(i)));
    const model = {
      ...fakeModel({
        columns: {
          step: at((i) => i),
          reward_mean: at((i) => i / 100),
          completion_len_mean: at((i) => 100 + i * 3),
          clip_fraction: at(() => 0.9),
        },
      }),
      samples: {
        readNumbers: async (names: readonly string[]) => {
          expect(names).toEqual(["completion_len", "reward_total"]);
          return [column([3, 9]), column([1, 1])];
        },
        atRows: async (chosen: number[]) => chosen.map((row) => ({ sample_id: `s${row}` })),
      },
    } as unknown as Parameters<typeof longestRewarded>[0];
    const { findings, links } = await diagnoseRun(model, { order: "merged" });
    expect(findings.map((f) => [f.signature, links.get(f)])).toEqual([
      ["REWARD_HACK_LENGTH", ["s1", "s0"]],
      ["CLIP_SATURATION", undefined],
    ]);
  });
});

describe("a signature that does not fire", () => {
  /** How near each came. */
  const ratio = (id: string, metrics: Parameters<typeof run>[1]) => {
    const outcome = diagnose(run(40, metrics)).outcomes.find(({ signature }) => signature === id);
    return outcome?.state === "passed" ? outcome.distance?.ratio : outcome?.state;
  };
  const from = (a: number, b: number) => (i: number) => (i < 10 ? a : i < 30 ? (a + b) / 2 : b);

  it("says how near it came, in the measure of its limit", () => {
    expect(ratio("TRUNCATION_STARVE", { truncation_rate: from(0.4, 0.6) })).toBeCloseTo(0.6 / 0.8, 9);
    expect(ratio("TRUNCATION_STARVE", { truncation_rate: from(0.1, 0.4) })).toBeCloseTo(0.4 / 0.5, 9);
    expect(ratio("VALUE_DIVERGENCE", { value_loss: from(2, 5) })).toBeCloseTo(2.5 / 3, 9);
    expect(ratio("THROUGHPUT_ROT", { step_time_s: from(2, 2.5) })).toBeCloseTo(1.25 / 1.4, 9);
    const hack = { reward_mean: from(0, 1), completion_len_mean: from(100, 120) };
    expect(ratio("REWARD_HACK_LENGTH", hack)).toBeCloseTo(0.2 / 0.4, 9);
    const values = { value_explained_variance: from(0.9, 0.5) };
    const config = { VALUE_DIVERGENCE: { values: { ev_floor: 0.25 } } };
    const { outcomes } = diagnose(run(40, values), config);
    expect(outcomes.find(({ signature }) => signature === "VALUE_DIVERGENCE")).toMatchObject({
      distance: { ratio: 0.5, words: "0.5, limit 0.25" },
    });
    expect(ratio("REPETITION_SPIRAL", { repetition_rate: (i) => (i < 10 ? null : 0.9) })).toBe(undefined);
    expect(ratio("KL_BLOWUP", { kl_mean: (i) => (i < 10 ? null : 9) })).toBe(undefined);
    expect(ratio("KL_BLOWUP", { kl_mean: (i) => (i < 30 ? 9 : null) })).toBe(undefined);
  });

  it("says what kept it quiet, never a value beyond its limit", () => {
    const words = (id: string, metrics: Parameters<typeof run>[1]) => {
      const outcome = diagnose(run(40, metrics)).outcomes.find(({ signature }) => signature === id);
      return outcome?.state === "passed" ? (outcome.distance?.words ?? null) : outcome?.state;
    };
    const spiky = (i: number) => (i === 5 ? Number.POSITIVE_INFINITY : i === 9 ? 1000 : 1);
    expect(words("GRAD_PATHOLOGY", { grad_norm: spiky })).toBe("2 of 3");
    expect(words("GRAD_PATHOLOGY", { grad_norm: () => 1 })).toBe("0 of 3");
    expect(words("KL_BLOWUP", { kl_mean: (i) => (i < 10 ? 0.001 : 60 - i) })).toBe(null);
    expect(words("ADV_COLLAPSE", { adv_std: () => 0.001 })).toMatch(/^0\.001 of /);
    expect(words("ENTROPY_COLLAPSE", { entropy_mean: () => 0.001 })).toMatch(/^0\.001 of /);
    expect(words("REWARD_STD_DEATH", { reward_std: () => 0.0001 })).toMatch(/^0\.0001 of /);
    expect(words("REPETITION_SPIRAL", { repetition_rate: () => 0.9 })).toMatch(/^0\.9, limit /);
  });

  it("says how far the nearest reward component is from its ceiling", () => {
    const rise = (to: number) => (i: number) => (i < 20 ? i / 100 : i < 40 - to ? 0.5 : 1);
    const { outcomes } = diagnose(
      run(40, {
        "reward_component.a": rise(3),
        "reward_component.b": rise(9),
        "reward_component.c": rise(6),
      }),
    );
    // The late window has fifteen rows; nine of them against eight tenths.
    expect(outcomes.find(({ signature }) => signature === "FORMAT_GAMING")).toMatchObject({
      state: "passed",
      distance: { ratio: expect.closeTo(9 / 15 / 0.8, 9) },
    });
  });
});

describe("findings of one severity", () => {
  it("come surest first, whatever the order of the signatures; each signature says that it fired", () => {
    const r = run(60, { clip_fraction: () => 0.31, zero_variance_group_frac: () => 0.9 });
    const { findings, outcomes } = diagnose(r);
    expect(findings.map((f) => f.signature)).toEqual(["DEGENERATE_GROUPS", "CLIP_SATURATION"]);
    expect(outcomes.filter(({ state }) => state === "fired").map(({ signature }) => signature)).toEqual([
      ...["CLIP_SATURATION", "DEGENERATE_GROUPS"],
    ]);
  });
});
