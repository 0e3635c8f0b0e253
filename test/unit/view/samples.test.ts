import { describe, expect, it } from "vitest";
import { SampleStore } from "../../../src/core/samples/store.ts";
import { samplesPage } from "../../../src/view/samples.ts";
import { fakeSamples } from "../samples/fake.ts";

const NEVER = new AbortController().signal;
type Numbers = Readonly<Record<string, readonly (number | null)[]>>;

function store(numbers: Numbers, texts: readonly string[] = []): SampleStore {
  const rows = Math.max(0, ...Object.values(numbers).map((values) => values.length));
  const at = (name: string, row: number): number | null => numbers[name]?.[row] ?? null;
  const samples = Array.from({ length: rows }, (_, row) => ({
    ...{ step: at("step", row) ?? 0, sample_id: `s${row}`, completion_text: texts[row] ?? null },
    ...{ reward_total: at("reward_total", row), advantage: at("advantage", row) },
  }));
  return new SampleStore({ samples: fakeSamples(samples.length > 0 ? [{ samples }] : []) });
}

const ask = (numbers: Numbers, more: object = {}, texts: readonly string[] = []) =>
  samplesPage(
    store(numbers, texts),
    { from: 0, to: 100, sort: "advantage", descending: true, k: 10, ...more },
    NEVER,
  );
const rows = async (...args: Parameters<typeof ask>) => (await ask(...args)).rows.map(({ row }) => row);

const STEPS = [1, 1, 2, 2, 3, 3];

describe("samples behind a finding", () => {
  it("are sorted either way, ties in reading order, NaN last, those without a value left out", async () => {
    const numbers = { step: STEPS, advantage: [1, Number.NaN, 2, null, 2, 1] };
    expect(await rows(numbers)).toEqual([2, 4, 0, 5, 1]);
    expect(await rows(numbers, { descending: false })).toEqual([0, 5, 2, 4, 1]);
    expect((await ask(numbers, { k: 2 })).total).toBe(5);
    expect(await rows(numbers, { k: 2 })).toEqual([2, 4]);
  });

  it("lie in the steps that were asked for, both ends included", async () => {
    const numbers = { step: STEPS, advantage: [1, 2, 3, 4, 5, 6] };
    expect(await rows(numbers, { from: 2, to: 2 })).toEqual([3, 2]);
    expect(await rows(numbers, { from: 4, to: 9 })).toEqual([]);
  });

  it("are sorted by reward, then by step, where no sample there has the value", async () => {
    const reward = [1, 3, 2, 5, 4, 6];
    const byReward = await ask({ step: STEPS, reward_total: reward });
    expect(byReward.sort).toBe("reward_total");
    expect(byReward.rows.map(({ row }) => row)).toEqual([5, 3, 4, 1, 2, 0]);
    const empty = { step: STEPS, advantage: [null, null, null, null, 1, 1], reward_total: reward };
    expect((await ask(empty, { to: 2 })).sort).toBe("reward_total");
    const bare = await ask({ step: [3, 1, 2] });
    expect(bare).toMatchObject({ sort: "step", total: 3 });
    expect(bare.rows.map(({ row }) => row)).toEqual([1, 2, 0]);
    expect(await ask({})).toEqual({ sort: "advantage", total: 0, rows: [] });
  });

  it("have texts of 20,000 characters at most, never half a character, and say how long they are", async () => {
    const long = `${"x".repeat(19_999)}😀${"y".repeat(5)}`;
    const [row] = (await ask({ step: [1], advantage: [1] }, {}, [long])).rows;
    expect(row?.completion).toBe("x".repeat(19_999));
    expect(row).toMatchObject({ completionLength: 20_006, prompt: "", promptLength: 0 });
  });
});
