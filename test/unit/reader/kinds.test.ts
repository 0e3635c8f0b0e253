/** What a Parquet column is to a run, by every physical and logical type that it can have. */
import { describe, expect, it } from "vitest";
import { Physical, type SchemaNode } from "../../../src/core/reader/footer.ts";
import {
  isCoerced,
  isNullType,
  isText,
  isTimestamp,
  kindOf,
  listElement,
} from "../../../src/core/reader/kinds.ts";

const node = (more: Partial<SchemaNode> = {}): SchemaNode =>
  ({
    name: "x",
    repetition: 1,
    physical: Physical.DOUBLE,
    logical: "none",
    children: [],
    ...more,
  }) as SchemaNode;
const listOf = (element: SchemaNode): SchemaNode =>
  node({
    physical: -1,
    logical: "list",
    children: [node({ repetition: 2, physical: -1, children: [element] })],
  });
const WORDS = node({ physical: Physical.BYTE_ARRAY, logical: "string" });
const BYTES = node({ physical: Physical.BYTE_ARRAY });
const BOOL = node({ physical: Physical.BOOLEAN });
const TIME = node({ physical: Physical.INT64, logical: "timestamp" });
const NULL = node({ physical: Physical.INT32, logical: "null" });

describe("a column of numbers", () => {
  it("is any integer, float, truth value, decimal and half float", () => {
    for (const physical of [
      Physical.DOUBLE,
      Physical.FLOAT,
      Physical.INT32,
      Physical.INT64,
      Physical.BOOLEAN,
    ])
      expect(kindOf("x", node({ physical })), String(physical)).toBe("scalar");
    for (const logical of ["int", "uint"] as const)
      expect(kindOf("x", node({ physical: Physical.INT32, logical })), logical).toBe("scalar");
    for (const physical of [Physical.INT32, Physical.BYTE_ARRAY, Physical.FIXED_LEN_BYTE_ARRAY])
      expect(kindOf("x", node({ physical, logical: "decimal" }))).toBe("scalar");
    expect(kindOf("x", node({ physical: Physical.FIXED_LEN_BYTE_ARRAY, logical: "float16" }))).toBe("scalar");
  });

  it("is not what repeats, has parts, or holds bytes, dates and times", () => {
    expect(kindOf("x", node({ repetition: 2 }))).toBe("other");
    expect(kindOf("x", node({ children: [node()] }))).toBe("other");
    expect(kindOf("x", node({ logical: "decimal", repetition: 2 }))).toBe("other");
    for (const physical of [Physical.BYTE_ARRAY, Physical.FIXED_LEN_BYTE_ARRAY, Physical.INT96])
      expect(kindOf("x", node({ physical })), String(physical)).toBe("other");
    for (const one of [TIME, WORDS]) expect(kindOf("x", one)).toBe("other");
  });

  it("is words where the format has numbers, in steps and times too; bytes are none", () => {
    for (const name of ["step", "timestamp", "loss", "reward_mean"]) {
      expect(kindOf(name, WORDS), name).toBe("scalar");
      expect(kindOf(name, BYTES), name).toBe("other");
    }
    for (const name of ["extra.a", "reward_component.a", "kl_positional"])
      expect(kindOf(name, WORDS)).toBe("other");
    expect([kindOf("timestamp", TIME), kindOf("step", TIME), kindOf("loss", TIME)]).toEqual([
      ...["scalar", "other", "other"],
    ]);
    expect([kindOf("step", BOOL), kindOf("loss", BOOL)]).toEqual(["other", "scalar"]);
  });
});

describe("a column of lists", () => {
  it("is one of numbers, of nothing, or something else", () => {
    expect(kindOf("x", listOf(node()))).toBe("list");
    expect(kindOf("x", listOf(NULL))).toBe("null");
    expect(kindOf("x", listOf(WORDS))).toBe("other");
    expect(kindOf("loss", listOf(WORDS))).toBe("other");
    expect([kindOf("x", NULL), isNullType(NULL), isNullType(node())]).toEqual(["null", true, false]);
  });

  it("has its element two levels down, or one where its writer left a level out", () => {
    const element = node();
    expect(listElement(listOf(element))).toBe(element);
    const short = node({ repetition: 2 });
    const flat = node({ physical: -1, logical: "list", children: [short] });
    expect(listElement(flat)).toBe(short);
    const middle = (children: SchemaNode[], repetition = 2) => node({ physical: -1, repetition, children });
    const outer = (children: SchemaNode[], logical: SchemaNode["logical"] = "list") =>
      node({ physical: -1, logical, children });
    expect(listElement(outer([middle([element, element])]))).toBe(null);
    expect(listElement(outer([middle([element], 1)]))).toBe(null);
    expect(listElement(outer([middle([element]), middle([element])]))).toBe(null);
    expect(listElement(outer([middle([element])], "none"))).toBe(null);
    expect(listElement(outer([]))).toBe(null);
    expect(listElement(element)).toBe(null);
  });
});

describe("text and times", () => {
  it("are told by their types", () => {
    expect([WORDS, BYTES, node(), node({ ...BYTES, logical: "decimal" }), listOf(WORDS)].map(isText)).toEqual(
      [...[true, true, false, false, false]],
    );
    expect(isText(node({ ...BYTES, children: [node()] }))).toBe(false);
    expect([TIME, node()].map(isTimestamp)).toEqual([true, false]);
  });
});

describe("values that were converted", () => {
  it("are words, times, decimals, truth values, and fractions where whole numbers belong", () => {
    for (const one of [WORDS, TIME, BOOL, node({ logical: "decimal" })])
      expect(isCoerced("loss", one)).toBe(true);
    for (const name of ["step", "rank", "nan_count", "inf_count"]) {
      expect(isCoerced(name, node())).toBe(true);
      expect(isCoerced(name, node({ physical: Physical.INT32 }))).toBe(false);
      expect(isCoerced(name, node({ physical: Physical.INT64 }))).toBe(false);
    }
    expect([isCoerced("loss", node()), isCoerced("loss", node({ physical: Physical.INT64 }))]).toEqual([
      false,
      false,
    ]);
  });
});
