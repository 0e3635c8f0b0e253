import { expect, test } from "vitest";
import { KeyIndex } from "../../../src/core/compare/keys.ts";
import type { TextColumn } from "../../../src/core/run/model.ts";

const utf8 = new TextEncoder();

function texts(...rows: (string | null)[]): TextColumn {
  const parts = rows.map((row) => utf8.encode(row ?? ""));
  const offsets = new Int32Array(rows.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] as number) + part.length;
  });
  const bytes = new Uint8Array(offsets[rows.length] as number);
  parts.forEach((part, i) => {
    bytes.set(part, offsets[i]);
  });
  const valid = rows.includes(null) ? Uint8Array.from(rows, (row) => (row === null ? 0 : 1)) : null;
  return { bytes, offsets, valid };
}
const codes = (keys: KeyIndex, ...rows: (string | null)[]) => {
  const column = texts(...rows);
  return rows.map((_, row) => keys.add(column, row));
};

test("a text has one number, in the order in which texts first appear; the empty one too, what was not written has none", () => {
  const keys = new KeyIndex();
  expect(codes(keys, "b", "a", null, "b", "", "ab", "a")).toEqual([0, 1, -1, 0, 2, 3, 1]);
  expect([0, 1, 2, 3].map((code) => keys.text(code))).toEqual(["b", "a", "", "ab"]);
  expect([keys.size, keys.dropped]).toEqual([4, 0]);
  expect(codes(keys, "ab", "c")).toEqual([3, 4]);
});

test("texts of one hash are told apart", () => {
  // Pairs that FNV-1a of 32 bits gives one value: of one length, and of two.
  const pairs = ["declinate", "macallums", "costarring", "liquid", "altarage", "zinke"];
  const keys = new KeyIndex();
  expect(codes(keys, ...pairs, ...pairs)).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
  expect(pairs.map((text) => keys.codeOf(utf8.encode(text)))).toEqual([0, 1, 2, 3, 4, 5]);
  const one = new KeyIndex();
  codes(one, "declinate", "liquid");
  expect(
    ["macallums", "costarring", "liqui", "liquids"].map((text) => one.codeOf(utf8.encode(text))),
  ).toEqual([-1, -1, -1, -1]);
});

test("texts are kept up to the limit, byte for byte; what has no room is counted, what is known is still found", () => {
  const keys = new KeyIndex(5);
  expect(codes(keys, "ab", "cde", "f", "ab", "", "cde", "g")).toEqual([0, 1, -1, 0, 2, 1, -1]);
  expect([keys.size, keys.dropped]).toEqual([3, 2]);
  const other = new KeyIndex(5);
  expect(codes(other, "ab", "cdef", "cde")).toEqual([0, -1, 1]);
});

test("keys are copies: the column they came from can be let go", () => {
  const keys = new KeyIndex();
  const column = texts("abc");
  keys.add(column, 0);
  column.bytes.fill(0);
  expect(keys.text(0)).toBe("abc");
});
