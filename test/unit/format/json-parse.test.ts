import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../../src/core/format/json.ts";
import {
  MAX_DEPTH,
  type NumberText,
  type ParsedJson,
  parseJson,
  parseJsonNumbers,
  TOO_DEEP,
} from "../../../src/core/format/json-parse.ts";
import { random } from "../random.ts";

function parsed(text: string, options = {}) {
  const result = parseJson(text, options);
  if (!result.ok) throw new Error(`${result.reason} at ${result.at}`);
  return result;
}
const value = (text: string, options = {}) => parsed(text, options).value;

describe("what Python writes", () => {
  test("NaN and Infinity tokens are numbers and are counted", () => {
    const result = parsed('{"a":NaN,"b":[Infinity,-Infinity],"c":1e999}');
    expect(result.value).toEqual({
      a: Number.NaN,
      b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      c: Number.POSITIVE_INFINITY,
    });
    expect(result.notes.nonFinite).toBe(4);
  });

  test("integers beyond 2^53 stay exact", () => {
    const big = `1${"0".repeat(399)}`;
    const result = parsed(`[9007199254740993,-9007199254740993,9007199254740991,${big},${"9".repeat(9000)}]`);
    expect(result.value).toEqual([
      9007199254740993n,
      -9007199254740993n,
      9007199254740991,
      BigInt(big),
      Number.POSITIVE_INFINITY,
    ]);
    expect(result.notes.unsafeIntegers).toBe(4);
  });

  test("a float with many digits is no integer", () => {
    expect(value("[0.30000000000000004, 12345678901234567890.5, 12345678901234567890e2]")).toEqual([
      0.30000000000000004,
      Number("12345678901234567890.5"),
      Number("12345678901234567890e2"),
    ]);
  });

  test("minus zero, exponents", () => {
    expect(value("[-0, 1E5, 1e-06, 0.5e+3]")).toEqual([-0, 100000, 0.000001, 500]);
  });

  test("control characters inside a string", () => {
    expect(value('"a\u0001b\tc\nd"')).toBe("a\u0001b\tc\nd");
  });

  test("lone surrogates survive as they are", () => {
    expect(value('"\\ud800 x \\udc00"')).toBe("\ud800 x \udc00");
  });

  test.each([
    "NAN",
    "nan",
    "+1",
    "01",
    ".5",
    "1.",
    "1e",
    "- 1",
    "--1",
    "'a'",
    "{a:1}",
    "[1,]",
    '{"a":1,}',
    "tru",
    '"\\x"',
    "[1 2]",
  ])("%s is refused", (text) => {
    expect(parseJson(text).ok).toBe(false);
  });

  test("faults tell a reason and a place and never quote the text", () => {
    expect(parseJson("")).toEqual({ ok: false, reason: "empty", at: 0 });
    expect(parseJson('{"secret": "abc')).toEqual({ ok: false, reason: "end", at: 15 });
    expect(parseJson("{} {}")).toEqual({ ok: false, reason: "trailing", at: 3 });
    expect(parseJson("root:x:0:0")).toEqual({ ok: false, reason: "unexpected", at: 0 });
  });
});

describe("objects", () => {
  test("have no prototype, so that every key is a key", () => {
    for (const fast of [true, false]) {
      const result = value('{"__proto__":{"polluted":1},"constructor":2,"a":{"b":{}}}', { fast });
      if (!isJsonObject(result)) throw new Error("no object");
      expect(Object.keys(result)).toEqual(["__proto__", "constructor", "a"]);
      expect(Object.getPrototypeOf(result)).toBeNull();
      expect(Object.getPrototypeOf(result["a"])).toBeNull();
      expect(result["toString"]).toBeUndefined();
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("the last of equal keys wins, and they are counted on request", () => {
    const result = parsed('{"a":1,"b":{"x":1,"x":2},"a":3}', { countDuplicates: true });
    expect(result.value).toEqual({ a: 3, b: { x: 2 } });
    expect(result.notes.duplicateKeys).toBe(2);
    expect(parsed('{"__proto__":1,"__proto__":2}', { countDuplicates: true }).notes.duplicateKeys).toBe(1);
  });
});

describe("depth", () => {
  const nest = (n: number) => "[".repeat(n) + "]".repeat(n);

  test(`${MAX_DEPTH} levels are kept, deeper ones replaced and counted`, () => {
    for (const fast of [true, false]) {
      expect(parsed(nest(MAX_DEPTH), { fast }).notes.tooDeep).toBe(0);
      const deep = parsed(nest(MAX_DEPTH + 1), { fast });
      expect(deep.notes.tooDeep).toBe(1);
      let inner = deep.value;
      for (let i = 0; i < MAX_DEPTH; i++) inner = (inner as readonly (typeof inner)[])[0] ?? null;
      expect(inner).toBe(TOO_DEEP);
    }
  });

  test("a million levels neither overflow nor hide what stands beside them", () => {
    const result = value(
      `{"x":${nest(1_000_000)},"y":[${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}],"z":7}`,
    );
    expect((result as Record<string, unknown>)["z"]).toBe(7);
  });

  test("brackets inside strings do not count", () => {
    const text = JSON.stringify(["[".repeat(1000), '"[{\\'.repeat(300)]);
    expect(parsed(text).notes.tooDeep).toBe(0);
    const behind = parsed(`[${"[".repeat(400)}"]]\\"]"${"]".repeat(400)},1]`);
    expect(behind.notes.tooDeep).toBe(1);
    expect((behind.value as readonly unknown[])[1]).toBe(1);
  });

  test("a deep value that never ends is a fault", () => {
    expect(parseJson("[".repeat(5000)).ok).toBe(false);
  });
});

describe("a text that ends too early", () => {
  test("keeps what is whole", () => {
    const text = '{"a":1,"b":[true,"xy\\u00e9z"],"c":12.5,"d":null}';
    for (let end = 1; end < text.length; end++) {
      const result = parsed(text.slice(0, end), { cut: true });
      expect(result.notes.cut).toBe(true);
      const object = result.value as Record<string, unknown>;
      for (const key of Object.keys(object)) expect(["a", "b", "c", "d"]).toContain(key);
      // A number that touches the end may lack digits: it is left out.
      if ("a" in object && end > 6) expect(object["a"]).toBe(1);
      if (end === 6) expect(object["a"]).toBeNull();
    }
    expect(value('{"m":"abc\\', { cut: true })).toEqual({ m: "abc" });
    expect(value('{"m":"abc\\\\', { cut: true })).toEqual({ m: "abc\\" });
    expect(value('{"m":"abc\\u00', { cut: true })).toEqual({ m: "abc" });
    expect(value('{"m":"abcu00', { cut: true })).toEqual({ m: "abcu00" });
  });

  test("hostile tails cost no more than their length", () => {
    const slashes = `"${"\\".repeat(2_000_001)}`;
    expect(parsed(slashes, { cut: true }).value).toHaveLength(1_000_000);
    expect(parseJson(`[${"1".repeat(1_000_000)}x`, { cut: true }).ok).toBe(false);
    expect(parseJson(`[${"1".repeat(299).concat(" ").repeat(20_000)}`).ok).toBe(false);
  });
});

test("one value is read, what follows is left", () => {
  const first = parsed('  {"a":1} {"b":2}', { prefix: true });
  expect(first.end).toBe(9);
  expect(value('{"a":1}{"b":2}', { prefix: true, from: 7 })).toEqual({ b: 2 });
});

test("numbers keep their own text on request", () => {
  const result = parseJsonNumbers("[1.0, 1e-06, 123456789012345678901234567890, NaN, -0]");
  expect(result.ok && (result.value as readonly NumberText[]).map((n) => n.text)).toEqual([
    "1.0",
    "1e-06",
    "123456789012345678901234567890",
    "NaN",
    "-0",
  ]);
});

describe("the fast way and the long way give the same", () => {
  const rng = random(20250101);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(rng() * items.length)] as T;
  const space = () => pick(["", "", "", " ", "\n", "\t ", "\r\n"]);
  const key = () =>
    pick(['"a"', '"b"', '"__proto__"', '"constructor"', '"1"', '"é"', '"\\ud83d\\ude00"', '""']);
  const scalar = () =>
    pick<() => string>([
      () => String(Math.floor(rng() * 100) - 50),
      () => String((rng() - 0.5) * 10 ** Math.floor(rng() * 40 - 20)),
      () => `${Math.floor(rng() * 1e15)}${Math.floor(rng() * 100)}`,
      () =>
        pick(["9007199254740991", "9007199254740992", "-9007199254740993", "1e308", "1e309", "1e400", "-0"]),
      () => pick(["true", "false", "null", "NaN", "Infinity", "-Infinity"]),
      () =>
        pick(['"x"', '"\\n\\u0000"', '"[[["', '"12345678901234567890"', '"\\\\"', '"\u2028"', '"\\ud800"']),
      () => pick(["", "nul", "'x'", "1.", "01", '"', "{", "]", '"\\x"', '"\u0001"']),
    ])();
  const tree = (depth: number): string => {
    const kind = rng();
    if (depth > 5 || kind < 0.4) return scalar();
    const items = Array.from({ length: Math.floor(rng() * 4) }, () =>
      kind < 0.7 ? space() + tree(depth + 1) : `${space()}${key()}${space()}:${space()}${tree(depth + 1)}`,
    );
    const inner = items.join(`${space()},`) + space();
    return kind < 0.7 ? `[${inner}]` : `{${inner}}`;
  };

  test("20,000 random texts, good and bad", () => {
    let good = 0;
    for (let i = 0; i < 20_000; i++) {
      const text = space() + tree(0) + space();
      const fast = parseJson(text);
      const long = parseJson(text, { fast: false });
      if (fast.ok !== long.ok) throw new Error(JSON.stringify(text));
      if (!fast.ok || !long.ok) continue;
      good++;
      expect(same(fast), text).toEqual(same(long));
    }
    expect(good).toBeGreaterThan(5_000);
  });

  /** Whether the dropped ones of equal keys are counted as values is left open. */
  const same = (result: ParsedJson<unknown>) => ({
    value: result.value,
    notes: { ...result.notes, values: 0 },
  });
});
