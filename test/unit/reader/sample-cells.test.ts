/** Cells of samples, whatever types their writer chose, and columns of text put together from pieces. */
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { type SampleCells, sampleAt, textOf } from "../../../src/core/reader/sampleRow.ts";
import { TextBuilder } from "../../../src/core/reader/texts.ts";
import { random } from "../random.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function made(cells: Record<string, unknown>, rank: number | null = null) {
  const said: string[] = [];
  const source: SampleCells = {
    names: () => Object.keys(cells),
    has: (name) => Object.hasOwn(cells, name),
    get: (name) => cells[name] ?? null,
  };
  const sample = sampleAt(source, 0, rank, "f", 7, (code, _, column) => said.push(`${code} ${column}`));
  return { sample, said };
}

describe("a sample", () => {
  it("without anything is empty, of no step", () => {
    const { sample, said } = made({});
    expect(sample).toEqual({
      ...{ step: Number.NaN, sample_id: "", rank: 0, group_id: null, prompt_id: null, prompt_text: null },
      ...{ completion_text: null, completion_token_ids: null, reward_total: null },
      ...{ reward_components: Object.create(null), advantage: null, logprob_mean: null },
      ...{ kl_contribution: null, completion_len: null, truncated: null, capture_reason: null },
      ...{ file: "f", row: 7 },
    });
    expect(said).toEqual([]);
  });

  it("has a step that is a whole number, exactly", () => {
    const step = (value: unknown) => made({ step: value }).sample.step;
    expect([step(5), step(5n), step(utf8("5")), step(2n ** 60n), step(-1n)]).toEqual([
      5,
      5,
      5,
      2n ** 60n,
      -1,
    ]);
    for (const none of [1.5, Number.POSITIVE_INFINITY, "5", true, utf8("x"), null])
      expect(step(none)).toBe(Number.NaN);
  });

  it("is of its folder's rank, or of the one that it names, where that is one", () => {
    const of = (value: unknown, folder: number | null) => {
      const { sample, said } = made({ rank: value }, folder);
      return [sample.rank, ...said];
    };
    expect([of(3n, null), of(null, null), of(3n, 3), of(null, 3), of(3n, 4)]).toEqual([
      ...[[3], [0], [3], [3], [4, "rank-mismatch rank"]],
    ]);
    expect(of(2n ** 40n, null)).toEqual([0, "bad-cell rank"]);
    expect(of(2n ** 60n, 2)).toEqual([2, "bad-cell rank"]);
    expect(of(1.5, null)).toEqual([0]);
    expect(of(-1, null)).toEqual([-1]);
  });

  it("has an id, or is said to have none where there is a column of them", () => {
    expect([made({ sample_id: null }).said, made({ sample_id: "" }).said]).toEqual([
      ["bad-row sample_id"],
      [],
    ]);
  });

  it("has numbers where numbers are; true is 1; what is not finite is said", () => {
    const value = (cell: unknown) => {
      const { sample, said } = made({ reward_total: cell });
      return [sample.reward_total, ...said];
    };
    expect([value(1.5), value(7n), value(true), value(false), value(0)]).toEqual([[1.5], [7], [1], [0], [0]]);
    expect([value("1"), value(null), value(utf8("1")), value([1])]).toEqual([[null], [null], [null], [null]]);
    expect([value(Number.NaN), value(Number.NEGATIVE_INFINITY)]).toEqual([
      [Number.NaN, "non-finite reward_total"],
      [Number.NEGATIVE_INFINITY, "non-finite reward_total"],
    ]);
  });

  it("has its components by name, whatever they are called, without those that it lacks", () => {
    const { sample, said } = made({
      "reward_component.a": 1,
      "reward_component.__proto__": 2,
      "reward_component.": 3,
      "reward_component.none": null,
      "reward_component.nan": Number.NaN,
      "x.reward_component.": 9,
      "my reward_component.b": 9,
    });
    expect(Object.entries(sample.reward_components)).toEqual([
      ["a", 1],
      ["__proto__", 2],
      ["", 3],
      ["nan", Number.NaN],
    ]);
    expect([Object.getPrototypeOf(sample.reward_components), said]).toEqual([
      null,
      ["non-finite reward_component.nan"],
    ]);
  });

  it("was cut off or not; a number is true or false, and said where it is neither", () => {
    const flag = (cell: unknown) => {
      const { sample, said } = made({ truncated: cell });
      return [sample.truncated, ...said];
    };
    expect([flag(true), flag(false), flag(1), flag(0), flag(1n), flag(0n)]).toEqual([
      ...[[true], [false], [true], [false], [true], [false]],
    ]);
    expect([flag(2), flag(-1n)]).toEqual([
      [true, "bad-cell truncated"],
      [true, "bad-cell truncated"],
    ]);
    expect([flag("true"), flag(null), flag(utf8("1"))]).toEqual([[null], [null], [null]]);
  });

  it("has token ids that are whole numbers; others are missing, and said", () => {
    const ids = (cell: unknown) => {
      const { sample, said } = made({ completion_token_ids: cell });
      return [sample.completion_token_ids, ...said];
    };
    const column = "completion_token_ids";
    expect([ids([1, 2n]), ids([]), ids(Int32Array.of(3))]).toEqual([[[1, 2]], [[]], [[3]]]);
    expect(ids([1, null, 1.5])).toEqual([[1, null, null], `bad-cell ${column}`]);
    expect(ids([1, 2n ** 60n])).toEqual([[1, 2n ** 60n], `unsafe-integer ${column}`]);
    for (const none of ["12", 5, {}, null]) expect(ids(none)).toEqual([null]);
  });
});

describe("a cell as text", () => {
  it("is what it says, bytes and numbers too", () => {
    expect([
      textOf("a"),
      textOf(""),
      textOf(5),
      textOf(5n),
      textOf(true),
      textOf(0),
      textOf(Number.NaN),
    ]).toEqual([...["a", "", "5", "5", "true", "0", "NaN"]]);
    expect([textOf(null), textOf(undefined)]).toEqual([null, null]);
    expect([textOf(utf8("é")), textOf(utf8("\ufeffa")), textOf(Uint8Array.of())]).toEqual([
      "é",
      "\ufeffa",
      "",
    ]);
    expect([made({ group_id: Uint8Array.of(0xff) }), made({ group_id: utf8("a") })]).toMatchObject([
      { sample: { group_id: "\ufffd" }, said: ["invalid-utf8 group_id"] },
      { sample: { group_id: "a" }, said: [] },
    ]);
  });

  it("is JSON of what is made of parts, sixteen levels of it", () => {
    expect(textOf({ a: [1, 2n, null, undefined, true, utf8("x")], __proto: "y" })).toBe(
      '{"a":[1,"2",null,null,true,"x"],"__proto":"y"}',
    );
    expect(textOf({ toJSON: () => [{ role: "user" }] })).toBe('[{"role":"user"}]');
    expect(textOf([])).toBe("[]");
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(textOf(nested(16))).toBe(`${"[".repeat(16)}1${"]".repeat(16)}`);
    expect(textOf(nested(17))).toBe(`${"[".repeat(17)}null${"]".repeat(17)}`);
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });
    expect(textOf(deep(17))).toContain('{"a":null}');
    expect(textOf(() => 1)).toBe(null);
  });
});

describe("a column of text", () => {
  const shown = (builder: TextBuilder, rows: number): (string | null)[] => {
    const { bytes, offsets, valid } = builder.finish();
    expect(offsets.length).toBe(rows + 1);
    return Array.from({ length: rows }, (_, i) => {
      const text = new TextDecoder().decode(bytes.subarray(offsets[i], offsets[i + 1]));
      if (valid?.[i] !== 0) return text;
      expect(text).toBe("");
      return null;
    });
  };
  const binary = (texts: readonly (string | null)[]): arrow.Vector =>
    arrow.vectorFromArray(
      texts.map((text) => (text === null ? null : utf8(text))),
      new arrow.Binary(),
    );

  it("is put together from pieces in any order, of text and of anything else, cut out of larger ones", () => {
    const draw = random(17);
    const pick = (n: number): number => Math.floor(draw() * n);
    for (let round = 0; round < 300; round++) {
      const rows = pick(9);
      const expected: (string | null)[] = new Array<null>(rows).fill(null);
      const pieces: { vector: arrow.Vector; row: number }[] = [];
      for (let row = 0; row < rows; ) {
        const length = 1 + pick(rows - row);
        const cells = Array.from({ length }, () => (pick(4) === 0 ? null : "é".repeat(pick(4))));
        const kind = pick(5);
        if (kind === 0) {
          // Nothing was written here.
        } else if (kind === 1) {
          const numbers = cells.map((text) => text?.length ?? null);
          pieces.push({ row, vector: arrow.vectorFromArray(numbers, new arrow.Int32()) });
          for (const [i, n] of numbers.entries()) expected[row + i] = n === null ? null : String(n);
        } else {
          const whole = pick(3) === 0 ? cells.map((text) => text ?? "") : cells;
          const before = pick(3);
          const around = [...["x", "yy", "z"].slice(0, before), ...whole, "w"];
          const vector = binary(around).slice(before, before + length);
          const half = pick(length + 1);
          const joined = kind === 2 ? vector.slice(0, half).concat(vector.slice(half)) : vector;
          pieces.push({ row, vector: joined });
          for (const [i, text] of whole.entries()) expected[row + i] = text;
        }
        row += length;
      }
      if (pick(2) === 0) pieces.reverse();
      const builder = new TextBuilder(rows);
      for (const { vector, row } of pieces) builder.append(vector, row);
      expect(shown(builder, rows), `round ${round}`).toEqual(expected);
    }
  });

  it("has no word of what is missing where nothing is", () => {
    const builder = new TextBuilder(2);
    builder.append(binary(["a"]), 0);
    builder.append(binary(["b"]), 1);
    expect(builder.finish().valid).toBe(null);
    const holes = new TextBuilder(3);
    holes.append(binary(["a", "b"]), 0);
    expect(holes.finish().valid).toEqual(Uint8Array.of(1, 1, 0));
  });
});
