/** What is said of columns, shards and samples beside their values. */
import { describe, expect, it } from "vitest";
import type { Sample } from "../../../src/core/format/sample.ts";
import { isKnownColumn } from "../../../src/core/reader/columnChecks.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import { SampleChecker, SCREEN_LIMITS } from "../../../src/core/reader/sampleChecks.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import { bool, type Cells, double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";
import { manifest, source } from "../helpers/runs.ts";

type Columns = Record<string, Cells> | Map<string, Cells>;
const part = (n: number): string => `steps/part-${String(n).padStart(5, "0")}.parquet`;

async function learned(...files: readonly Columns[]) {
  const parts = files.map((columns, n) => [part(n), parquet(columns)] as const);
  const model = await openRun(source({ "manifest.json": manifest(), ...Object.fromEntries(parts) }));
  return {
    kinds: Object.fromEntries(model.steps.columns.map(({ name, kind }) => [name, kind])),
    said: model
      .warnings()
      .map(
        ({ code, file, column, level }) =>
          `${code} ${parts.findIndex(([p]) => p === file)} ${column ?? "-"} ${level}`,
      ),
  };
}
const step = int64([1]);

describe("columns of step files", () => {
  it("are known by their name or their prefix", () => {
    expect(["step", "timestamp", "rank", "loss", "reward_component.a", "extra.b"].map(isKnownColumn)).toEqual(
      new Array<boolean>(6).fill(true),
    );
    expect(
      ["steps", "a.extra.", "reward_component", "extra", "x.reward_component."].map(isKnownColumn),
    ).toEqual(new Array<boolean>(5).fill(false));
  });

  it("that the format does not name are said lightly, once, whatever they hold", async () => {
    const odd = { step, mine: double([1]), words: text(["x"]), empty: nulls(1) };
    expect(await learned(odd, odd)).toEqual({
      kinds: { step: "scalar", mine: "scalar", words: "other", empty: "null" },
      said: ["unknown-column 0 mine info", "unknown-column 0 words info"],
    });
    // Null says nothing yet: the first file that says something is the one to name.
    expect((await learned({ step, mine: nulls(1) }, { step, mine: double([1]) })).said).toEqual([
      "unknown-column 1 mine info",
    ]);
  });

  it("with a structure beside columns of its name are somebody's mistake", async () => {
    const beside = (name: string) =>
      learned({ step, extras: list([[1]]), thing: text(["x"]), [name]: double([1]) });
    expect((await beside("thing.a")).said).toEqual([
      "unknown-column 0 extras info",
      "type-mismatch 0 thing warning",
      "unknown-column 0 thing.a info",
    ]);
    expect((await beside("a.thing.")).said).toContain("unknown-column 0 thing info");
    expect((await beside("extra.thing.")).said).toContain("unknown-column 0 thing info");
    // Numbers beside columns of their name are none.
    expect((await learned({ step, mine: double([1]), "mine.a": double([1]) })).said).toEqual([
      "unknown-column 0 mine info",
      "unknown-column 0 mine.a info",
    ]);
  });

  it("that hold no numbers where numbers belong, or no list where one does, are of the wrong type", async () => {
    expect(
      await learned({ step, "extra.a": text(["x"]), loss: list([[1]]), kl_positional: double([1]) }),
    ).toEqual({
      kinds: { step: "scalar", "extra.a": "other", loss: "list", kl_positional: "other" },
      said: [
        "type-mismatch 0 extra.a warning",
        "type-mismatch 0 loss warning",
        "type-mismatch 0 kl_positional warning",
      ],
    });
    expect((await learned({ step, loss: double([1]), kl_positional: list([[1]]) })).said).toEqual([]);
  });

  it("of other types in other files are what the first that is usable says", async () => {
    const numbers = { step, "extra.a": double([1]) };
    const words = { step, "extra.a": text(["x"]) };
    const lists = { step, "extra.a": list([[1]]) };
    const nothing = { step, "extra.a": nulls(1) };
    const kind = async (...files: readonly Columns[]) => {
      const { kinds, said } = await learned(...files);
      return [kinds["extra.a"], ...said];
    };
    expect(await kind(nothing, numbers, nothing)).toEqual(["scalar"]);
    expect(await kind(numbers, words)).toEqual(["scalar", "type-mismatch 1 extra.a warning"]);
    expect(await kind(words, numbers)).toEqual([
      ...["scalar", "type-mismatch 0 extra.a warning", "type-mismatch 1 extra.a warning"],
    ]);
    expect(await kind(numbers, lists)).toEqual(["scalar", "type-mismatch 1 extra.a warning"]);
    expect(await kind(lists, numbers)).toEqual([
      ...["list", "type-mismatch 0 extra.a warning", "type-mismatch 1 extra.a warning"],
    ]);
    expect(await kind(words, words)).toEqual(["other", "type-mismatch 0 extra.a warning"]);
  });

  it("with names that mislead are said lightly, once", async () => {
    const names = {
      "extra.a\u0007": double([1]),
      "extra.b\u202e": double([1]),
      "extra.c\u200b": double([1]),
    };
    expect((await learned({ step, ...names }, { step, ...names })).said).toEqual([
      "control-chars 0 extra.a\u0007 info",
      "bidi-chars 0 extra.b\u202e info",
      "invisible-chars 0 extra.c\u200b info",
    ]);
  });

  it("without steps are said of each file", async () => {
    expect((await learned({ step }, { loss: double([1]) }, { step: nulls(1) })).said).toEqual([
      "missing-step-column 1 - warning",
      "missing-step-column 2 - warning",
    ]);
  });

  it("are many from a thousand and one on", async () => {
    const wide = (count: number) =>
      learned({
        step,
        ...Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`extra.${i}`, double([1])])),
      });
    expect((await wide(1000)).said).toEqual([]);
    expect((await wide(1001)).said).toEqual(["column-limit 0 - info"]);
  });
});

describe("columns of shards", () => {
  const shardOf = async (columns: Record<string, Cells>) => {
    const files = { "manifest.json": manifest(), "steps.parquet": parquet({ step }) };
    const model = await openRun(source({ ...files, "samples/shard-00000.parquet": parquet(columns) }));
    await model.samples.counts();
    return model.warnings().map(({ code, column }) => `${code} ${column}`);
  };
  const id = text(["a"]);

  it("lack a step or an id, or hold other types than they should", async () => {
    expect(await shardOf({ step, sample_id: id, truncated: bool([true]), group_id: text(["g"]) })).toEqual(
      [],
    );
    expect(await shardOf({ sample_id: id })).toEqual(["missing-column step"]);
    expect(await shardOf({ step })).toEqual(["missing-column sample_id"]);
    expect(await shardOf({ step, sample_id: int64([1]), prompt_id: double([2]) })).toEqual([
      ...["coerced-type sample_id", "coerced-type prompt_id"],
    ]);
    expect(await shardOf({ step, sample_id: id, prompt_text: list([[1]]) })).toEqual([
      "type-mismatch prompt_text",
    ]);
    expect(await shardOf({ step, sample_id: id, truncated: int64([1]) })).toEqual(["coerced-type truncated"]);
    expect(await shardOf({ step, sample_id: id, truncated: nulls(1), prompt_text: nulls(1) })).toEqual([]);
  });
});

describe("samples", () => {
  const SAMPLE: Sample = {
    ...{ step: 1, sample_id: "s1", rank: 0, group_id: null, prompt_id: null, prompt_text: null },
    ...{ completion_text: null, completion_token_ids: null, reward_total: null, reward_components: {} },
    ...{ advantage: null, logprob_mean: null, kl_contribution: null, completion_len: null },
    ...{ truncated: null, capture_reason: null, file: "samples/shard-00000.parquet", row: 0 },
  };
  const said = (...samples: readonly (Partial<Sample> & { readonly mtimeMs?: number })[]) => {
    const warnings = new WarningList();
    const checker = new SampleChecker(warnings.warn);
    for (const { mtimeMs = 0, ...more } of samples) checker.check({ ...SAMPLE, ...more }, mtimeMs);
    return warnings
      .list()
      .map(
        ({ code, file, column, level, count }) =>
          `${code} ${file.slice(-9, -8)} ${column ?? "-"} ${level} ${count}`,
      );
  };
  const file = (n: number): string => `samples/shard-0000${n}.parquet`;

  it("are the same where step, rank and id are, an empty id is none", () => {
    expect(said({}, { sample_id: "s2" }, { rank: 1 }, { step: 2 })).toEqual([]);
    expect(said({}, { file: file(1) }, { file: file(1) })).toEqual(["duplicate-samples 1 - info 2"]);
    expect(said({ sample_id: "" }, { sample_id: "" })).toEqual([]);
  });

  it("are of two runs where a shard is older than the one before and its ids have another form", () => {
    const two = (a: string, b: string, before: number, after: number, path = file(1)) =>
      said({ sample_id: a, file: file(0), mtimeMs: before }, { sample_id: b, file: path, mtimeMs: after });
    expect(two("run-1", "other_1", 5000, 3999)).toEqual(["mixed-attempts 1 - warning 1"]);
    expect(two("run-1", "other_1", 5000, 4000)).toEqual([]);
    expect(two("run-1", "other_1", 5000, 6001)).toEqual([]);
    // Numbers are not the form of an id.
    expect(two("run-1", "run-22", 5000, 0)).toEqual([]);
    expect(two("a1b", "a22b", 5000, 0)).toEqual([]);
    expect(two("run-1", "other_1", 5000, 0, "rank-001/samples/shard-00001.parquet")).toEqual([]);
    expect(two("", "other_1", 5000, 0)).toEqual([]);
    expect(two("run-1", "", 5000, 0)).toEqual([]);
    // An id in between that is none changes nothing.
    expect(
      said(
        { sample_id: "run-1", mtimeMs: 5000 },
        { sample_id: "", mtimeMs: 0 },
        { sample_id: "other_1", file: file(1), mtimeMs: 0 },
      ),
    ).toEqual(["mixed-attempts 1 - warning 1"]);
  });

  it("have texts that mislead, by column", () => {
    expect(said({ prompt_text: "a\nb\r\nc\td" }, { sample_id: "s2", prompt_text: "" })).toEqual([]);
    for (const odd of ["a\u0007", "a\rb", "\r"])
      expect(said({ completion_text: odd }), JSON.stringify(odd)).toEqual([
        "control-chars 0 completion_text info 1",
      ]);
    expect(said({ group_id: "\u202ea", prompt_id: "\u200ba" })).toEqual([
      "bidi-chars 0 group_id info 1",
      "invisible-chars 0 prompt_id info 1",
    ]);
  });

  it("are cut on the screen beyond so many characters, lines, marks or tokens", () => {
    const cut = (completion_text: string) => said({ completion_text }).length > 0;
    const { characters, lines, marks, tokens } = SCREEN_LIMITS;
    expect([cut("x".repeat(characters)), cut("x".repeat(characters + 1))]).toEqual([false, true]);
    expect([cut("\n".repeat(lines)), cut("\n".repeat(lines + 1))]).toEqual([false, true]);
    expect([cut(`x${"\n".repeat(lines)}x`), cut(`x${"\n".repeat(lines + 1)}`)]).toEqual([false, true]);
    const pile = (n: number) => `a${"\u0301".repeat(n)}`;
    expect([cut(pile(marks - 1)), cut(pile(marks))]).toEqual([false, true]);
    expect(cut(`${pile(marks / 2)} ${pile(marks / 2)} and more`)).toBe(false);
    const ids = (n: number) => said({ completion_token_ids: new Array<number>(n).fill(1) });
    expect([ids(tokens), ids(tokens + 1)]).toEqual([[], ["text-truncated 0 completion_token_ids info 1"]]);
  });
});
