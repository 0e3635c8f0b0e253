import { describe, expect, test } from "vitest";
import { compareRuns, pairPrompts } from "../../../src/core/compare/index.ts";
import { promptPairs, promptsOf } from "../../../src/core/compare/prompts.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/compare/types.ts";
import type { Sample } from "../../../src/core/format/sample.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { fakeSamples } from "../samples/fake.ts";
import { fakeModel } from "../view/model.ts";
import { run, series, steps } from "./runs.ts";

const sample = (
  prompt_id: string | null,
  reward_total: number | null,
  prompt_text: string | null = null,
): Partial<Sample> => ({
  prompt_id,
  reward_total,
  prompt_text,
});
const model = (...shards: Partial<Sample>[][]): RunModel =>
  fakeModel({ samples: fakeSamples(shards.map((samples) => ({ samples }))) });

async function found(a: RunModel, b: RunModel, isRecorded = false) {
  const prompts = await pairPrompts(a, b, isRecorded);
  return {
    by: prompts.by,
    pairs: prompts.pairs.map(({ codeA, codeB, gap }) => [
      prompts.a.keys.text(codeA),
      gap,
      prompts.a.best[codeA],
      prompts.b.best[codeB],
    ]),
  };
}

describe("prompts of two runs", () => {
  const a = model(
    [sample("p", 1), sample("p", 3), sample("q", 2)],
    [sample("p", 3), sample(null, 9), sample("only a", 1)],
  );
  const b = model([sample("q", 1), sample("q", null), sample("p", 5), sample("only b", 1)]);

  test("mean rewards, gap B − A, the first of the best, rows over all shards; without id or reward in none", async () => {
    expect(await found(a, b)).toEqual({
      by: "id",
      pairs: [
        ["p", 5 - 7 / 3, 1, 2],
        ["q", -1, 2, 0],
      ],
    });
  });

  test("largest gap first, whichever way; equal ones by id, NaN last", async () => {
    const one = model([sample("d", 0), sample("c", 0), sample("b", 0), sample("a", Number.NaN)]);
    const two = model([sample("a", 1), sample("b", 5), sample("c", -7), sample("d", -5)]);
    expect((await found(one, two)).pairs.map(([id]) => id)).toEqual(["c", "b", "d", "a"]);
  });

  test("a NaN reward is never the best, except as rlprobe has it when it comes first", async () => {
    const one = model([sample("p", Number.NaN), sample("p", 1), sample("p", 2)]);
    expect((await promptsOf(one, "prompt_id", false)).best[0]).toBe(2);
    expect((await promptsOf(one, "prompt_id", true)).best[0]).toBe(0);
    const two = model([sample("p", 1), sample("p", Number.NaN), sample("p", 2)]);
    expect((await promptsOf(two, "prompt_id", true)).best[0]).toBe(2);
  });

  test("without ids in one of them, by the exact text; as recorded, not at all", async () => {
    const one = model([sample(null, 1, "who?"), sample(null, 2, "who? "), sample(null, 3, "é")]);
    const two = model([sample("x", 4, "who?"), sample("y", 5, "é")]);
    expect(await found(one, two)).toEqual({
      by: "text",
      pairs: [
        ["who?", 3, 0, 0],
        ["é", 2, 2, 1],
      ],
    });
    expect((await found(one, two, true)).by).toBe("none");
    expect((await found(model(), model())).by).toBe("none");
  });

  test("where they have ids and none in common (ids made anew in each run), by the exact text too", async () => {
    const one = model([sample("1-a", 1, "who?"), sample("1-b", 1, "why?")]);
    const two = model([sample("2-a", 4, "why?"), sample("2-b", 2, "other")]);
    expect(await found(one, two)).toEqual({ by: "text", pairs: [["why?", 3, 1, 0]] });
    expect(await found(one, two, true)).toEqual({ by: "none", pairs: [] });
  });

  test("ids that objects have by nature, empty ones and a byte order mark are ids", async () => {
    const ids = ["__proto__", "constructor", "", "\ufeffx", "x"];
    const one = model(ids.map((id) => sample(id, 1)));
    const { pairs } = await found(one, one);
    expect(pairs.map(([id]) => id)).toEqual(["", "__proto__", "constructor", "x", "\ufeffx"]);
  });

  test("swapping the runs turns the gaps round", async () => {
    const there = promptPairs(await promptsOf(a, "prompt_id", false), await promptsOf(b, "prompt_id", false));
    const back = promptPairs(await promptsOf(b, "prompt_id", false), await promptsOf(a, "prompt_id", false));
    expect(back.map(({ gap }) => -gap)).toEqual(there.map(({ gap }) => gap));
  });

  test("rows count over all shards, however many readings they take", async () => {
    const many = model(
      ...Array.from({ length: 130 }, (_, i) => [sample("p", i === 128 ? 2 : 1), sample(`p${i}`, i)]),
    );
    const { keys, n, best, mean } = await promptsOf(many, "prompt_id", false);
    expect([keys.size, n[0], best[0], mean[0]]).toEqual([131, 130, 256, 131 / 130]);
    expect(best[130]).toBe(259);
  });

  test("gaps without an end come first, those that are no numbers last and by name", async () => {
    const one = model([sample("b", Number.NaN), sample("a", Number.NaN), sample("c", 9), sample("d", 0)]);
    const two = model([
      sample("a", 1),
      sample("b", 1),
      sample("c", 0),
      sample("d", Number.NEGATIVE_INFINITY),
    ]);
    expect((await found(one, two)).pairs.map(([id]) => id)).toEqual(["d", "c", "a", "b"]);
  });

  test("stops between shards where it is told to", async () => {
    await expect(promptsOf(a, "prompt_id", false, AbortSignal.abort())).rejects.toThrow();
  });
});

describe("prompts of a comparison", () => {
  test("go by their text where no id is in both, but not as recorded", async () => {
    const withPrompts = async (id: string): Promise<RunModel> =>
      ({
        ...run({ step: steps(40), reward_mean: series(40, (i) => i) }),
        samples: fakeSamples([
          {
            samples: ["x", "y"].map((text, row) => ({
              ...{ step: 0, sample_id: `${id}${row}`, prompt_id: `${id}${row}`, prompt_text: text },
              ...{ reward_total: row },
            })),
          },
        ]),
      }) as RunModel;
    const [a, b] = [await withPrompts("a"), await withPrompts("b")];
    const by = async (order: "merged" | "recorded") =>
      (await compareRuns(a, b, { ...DEFAULT_SETTINGS, order }, { extra: false })).prompts.by;
    expect([await by("merged"), await by("recorded")]).toEqual(["text", "none"]);
  });
});
