/** Our own checks at their limits: what rlprobe cannot see, so that nothing but these tests says where the limits are. */
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../../src/core/doctor/checks/index.ts";
import { diagnose } from "../../../src/core/doctor/engine.ts";
import type { DoctorRun } from "../../../src/core/doctor/run.ts";
import { run } from "./made.ts";

const N = Number.NaN;
const check = (id: string) => CHECKS.find((one) => one.id === id) ?? expect.fail(id);
/** Findings of one check, and how far from firing it was. */
function ask(id: string, r: DoctorRun, values: Record<string, number> = {}) {
  const { findings, outcomes } = diagnose(r, { [id]: { values } }, [check(id)]);
  return { findings, outcome: outcomes[0] };
}

describe("FD_NON_FINITE", () => {
  const of = (loss: (i: number) => number | null, values = {}) =>
    ask("FD_NON_FINITE", run(40, { loss }), values).findings;

  it("counts NaN and infinities apart", () => {
    const odd = new Map([
      [10, N],
      [11, Number.POSITIVE_INFINITY],
      [20, N],
      [30, Number.NEGATIVE_INFINITY],
      [31, N],
    ]);
    const [finding] = of((i) => odd.get(i) ?? 1);
    expect(finding).toMatchObject({
      ...{ severity: "warn", confidence: 0.9, onsetRow: 10, firstStep: 100 },
      evidence: [{ metric: "loss", n_nan: 3, n_inf: 2, to_the_end: false }],
      drawings: [{ metric: "loss" }],
    });
    expect(finding?.words).toBe("loss is NaN or infinite at 5 steps.");
  });

  it("says one step in the singular", () => {
    expect(of((i) => (i === 7 ? N : 1))[0]?.words).toBe("loss is NaN or infinite at 1 step.");
  });

  it("is critical from the given number of rows at the end on", () => {
    const tail = (rows: number, values = {}) => of((i) => (i >= 40 - rows ? N : 1), values)[0];
    expect(tail(4)).toMatchObject({ severity: "warn", evidence: [{ to_the_end: false }] });
    expect(tail(5)).toMatchObject({
      severity: "critical",
      confidence: 0.99,
      evidence: [{ to_the_end: true }],
    });
    expect(tail(5)?.words).toBe("loss is NaN or infinite at 5 steps, and to the end.");
    expect(tail(6, { tail: 7 })).toMatchObject({ severity: "warn" });
    expect(tail(7, { tail: 7 })).toMatchObject({ severity: "critical" });
    expect(tail(30)).toMatchObject({ severity: "critical", onsetRow: 10 });
  });

  it("takes no rows for a tail that a number lies between or behind", () => {
    expect(of((i) => (i >= 30 && i !== 37 ? N : 1))[0]).toMatchObject({ severity: "warn" });
    expect(of((i) => (i >= 30 && i < 39 ? N : 1))[0]).toMatchObject({ severity: "warn" });
  });

  it("looks for the tail at the end of what was written", () => {
    expect(of((i) => (i >= 35 ? null : i >= 30 ? N : 1))[0]).toMatchObject({
      severity: "critical",
      onsetRow: 30,
    });
  });

  it("says nothing of numbers", () => {
    expect(of(() => 1)).toEqual([]);
  });
});

describe("FD_BEFORE_NAN", () => {
  /** Entropy collapses at row 46 of 100; from `from` on it is NaN. */
  const collapse = (from: number, also: (i: number) => number | null = () => null) =>
    ask("FD_BEFORE_NAN", run(100, { entropy_mean: (i) => also(i) ?? (i >= from ? N : i > 45 ? 0.01 : 2) }))
      .findings;

  it("finds what lies before the tail, a little less sure", () => {
    const [finding, ...others] = collapse(75);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: "critical", onsetRow: 46, firstStep: 460 });
    expect(finding?.confidence).toBeCloseTo(0.9 * 0.9, 9);
    expect(finding?.evidence[0]).toEqual({ signature: "ENTROPY_COLLAPSE", rows_before_tail: 75 });
    expect(finding?.evidence[1]).toMatchObject({ metric: "entropy_mean", early_mean: 2 });
    expect(finding?.drawings[0]).toMatchObject({ metric: "entropy_mean", late: { from: 60, to: 75 } });
  });

  it("wants a tail as long as is set, with nothing behind it", () => {
    const blow = (rows: number, tail: number) =>
      ask(
        "FD_BEFORE_NAN",
        run(60, { loss: (i) => (i >= 60 - rows ? N : 1), kl_mean: () => 0.01, clip_fraction: () => 0.9 }),
        { tail },
      ).findings.length;
    // CLIP_SATURATION fires with and without the tail: it is known.
    expect(blow(20, 5)).toBe(0);
    expect(collapse(96)).toEqual([]);
    expect(collapse(75, (i) => (i === 99 ? 1 : null))).toEqual([]);
    // A number in between: what follows it is a tail of its own, and the late window before that one is not all small.
    expect(collapse(75, (i) => (i === 90 ? 2 : null))[0]?.evidence[0]).toBe(undefined);
  });

  it("counts the rows of the tail", () => {
    // The late window is the last twelve of 60: nothing but NaN.
    const tail = (rows: number, values: Record<string, number>) =>
      ask("FD_BEFORE_NAN", run(60, { adv_std: (i) => (i >= 60 - rows ? N : i < 30 ? 1 : 0.01) }), values)
        .findings;
    expect(tail(12, { tail: 12 })).toHaveLength(1);
    expect(tail(12, { tail: 13 })).toEqual([]);
    expect(tail(12, { tail: 12 })[0]?.evidence[0]).toEqual({
      signature: "ADV_COLLAPSE",
      rows_before_tail: 48,
    });
  });

  it("takes the earliest of several tails", () => {
    const two = (a: number, b: number) =>
      ask(
        "FD_BEFORE_NAN",
        run(100, {
          loss: (i) => (i >= b ? N : 1),
          entropy_mean: (i) => (i >= a ? N : i > 45 ? 0.01 : 2),
          adv_std: (i) => (i >= b ? N : 1),
        }),
      ).findings[0]?.evidence[0];
    expect(two(75, 90)).toMatchObject({ rows_before_tail: 75 });
    expect(two(75, 70)).toMatchObject({ rows_before_tail: 70 });
  });

  it("does not judge what is left of less than thirty rows", () => {
    const short = (end: number) =>
      ask("FD_BEFORE_NAN", run(60, { entropy_mean: (i) => (i >= end ? N : i > 12 ? 0.01 : 2) })).findings
        .length;
    expect(short(29)).toBe(0);
    expect(short(30)).toBe(1);
    // No tail at all.
    expect(short(60)).toBe(0);
  });
});

describe("FD_NEVER_HEALTHY", () => {
  const LIMITS = [
    ["entropy_mean", "entropy_below", 0.25, -1],
    ["kl_mean", "kl_above", 4, 1],
    ["zero_variance_group_frac", "zero_variance_above", 0.75, 1],
    ["adv_std", "adv_below", 0.125, -1],
    ["reward_std", "reward_std_below", 0.0625, -1],
  ] as const;

  it.each(LIMITS)("%s: beyond the limit at first and at the end, not at it", (metric, param, limit, side) => {
    const beyond = limit * (1 + side / 64);
    const of = (first: number, last: number) =>
      ask("FD_NEVER_HEALTHY", run(40, { [metric]: (i) => (i < 20 ? first : last) }), { [param]: limit })
        .findings;
    expect(of(beyond, beyond)).toMatchObject([
      {
        ...{ severity: "warn", confidence: 0.7, onsetRow: 0 },
        evidence: [{ metric, early_mean: beyond, late_mean: beyond, threshold: limit }],
        drawings: [{ metric, threshold: limit, early: { from: 0, to: 10 }, late: { from: 30, to: 40 } }],
      },
    ]);
    expect(of(limit, beyond)).toEqual([]);
    expect(of(beyond, limit)).toEqual([]);
  });

  it("begins with the first value, and needs enough of them", () => {
    const of = (from: number) =>
      ask("FD_NEVER_HEALTHY", run(40, { entropy_mean: (i) => (i < from ? null : 0.001), loss: () => 1 }))
        .findings;
    expect(of(3)).toMatchObject([{ onsetRow: 3 }]);
    expect(of(31)).toEqual([]);
    const other = ask(
      "FD_NEVER_HEALTHY",
      run(40, { adv_std: () => 1, entropy_mean: (i) => (i % 5 === 0 ? 0.001 : null) }),
    );
    expect(other.findings).toEqual([]);
  });
});

describe("FD_SPIKE", () => {
  const of = (loss: (i: number) => number | null, values: Record<string, number> = {}, rows = 200) =>
    ask("FD_SPIKE", run(rows, { loss }), { ratio: 8, above_usual: 4, ...values });
  const one = (v: number) => (i: number) => (i === 100 ? v : 2);

  it("is above the given number of medians, not at it", () => {
    expect(of(one(16)).findings).toEqual([]);
    expect(of(one(16.001)).findings).toMatchObject([
      {
        ...{ severity: "warn", confidence: 0.8, onsetRow: 100 },
        evidence: [{ metric: "loss", n_spikes: 1, median: 2, max: 16.001, threshold: 16 }],
        drawings: [{ metric: "loss", threshold: 16 }],
      },
    ]);
    expect(of(one(17)).findings[0]?.words).toBe("loss jumps to 17, 8.5× its median, at one step.");
    expect(of((i) => (i === 5 || i === 9 ? 20 : 2)).findings[0]?.words).toBe(
      "loss jumps to 20, 10× its median, at 2 steps.",
    );
  });

  it("and above the given number of times what 99 of 100 steps stay below", () => {
    // Of 200 rows three are 10: the 198th of them in order is one of these.
    const three = (v: number) => (i: number) => (i === 100 ? v : i < 2 ? 10 : 2);
    expect(of(three(40)).findings).toEqual([]);
    expect(of(three(41)).findings).toMatchObject([{ evidence: [{ n_spikes: 1, threshold: 40 }] }]);
    // Of two it is not.
    const two = (v: number) => (i: number) => (i === 100 ? v : i < 1 ? 10 : 2);
    expect(of(two(17)).findings).toMatchObject([{ evidence: [{ threshold: 16 }] }]);
  });

  it("of a short run the highest is what is usual: it never fires", () => {
    expect(of((i) => (i === 20 ? 1e6 : 2), { above_usual: 1 }, 40).findings).toMatchObject([
      { onsetRow: 20 },
    ]);
  });

  it("more of them than are set are no single spikes", () => {
    const many = (n: number) => (i: number) => (i < n ? 100 : 2);
    const roomy = { above_usual: 1, max_spikes: 2 };
    expect(of(many(2), roomy, 400).findings).toMatchObject([{ evidence: [{ n_spikes: 2 }] }]);
    expect(of(many(3), roomy, 400).findings).toEqual([]);
    expect(of(many(3), { ...roomy, max_spikes: 3 }, 400).findings).toMatchObject([
      { evidence: [{ n_spikes: 3 }] },
    ]);
  });

  it("sizes count, infinities do not, nor do holes", () => {
    expect(of(one(-20)).findings).toMatchObject([{ onsetRow: 100, evidence: [{ max: 20 }] }]);
    expect(of(one(Number.POSITIVE_INFINITY)).findings).toEqual([]);
    expect(of(one(Number.NEGATIVE_INFINITY)).findings).toEqual([]);
    expect(of((i) => (i === 100 ? 20 : i % 3 === 0 ? null : 2)).findings).toMatchObject([
      { evidence: [{ median: 2 }] },
    ]);
  });

  it("a median of zero says nothing, and thin values neither", () => {
    expect(of((i) => (i === 100 ? 5 : 0)).findings).toEqual([]);
    const thin = run(200, { grad_norm: () => 1, loss: (i) => (i % 20 === 0 ? (i === 100 ? 1e6 : 1) : null) });
    expect(ask("FD_SPIKE", thin).findings).toEqual([]);
  });

  it("says of the metric that came nearest how near", () => {
    const r = run(200, { grad_norm: one(4), loss: one(12), kl_mean: one(8) });
    expect(ask("FD_SPIKE", r, { ratio: 8, above_usual: 4 }).outcome).toMatchObject({
      state: "passed",
      distance: { ratio: 0.75 },
    });
  });
});
