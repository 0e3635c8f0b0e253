import { describe, expect, test } from "vitest";
import { type InputLine, LineSplitter } from "../../../src/cli/record-lines.ts";
import { random } from "../random.ts";

function split(chunks: readonly Uint8Array[], limit?: number): InputLine[] {
  const splitter = new LineSplitter(limit);
  return [...chunks.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()];
}

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const texts = (lines: readonly InputLine[]) => lines.map(({ text }) => text);

describe("lines of a pipe", () => {
  test("end in LF or CRLF, or with the input; an empty end is no line", () => {
    expect(texts(split([bytes("a\nb\r\nc")]))).toEqual(["a", "b\r", "c"]);
    expect(texts(split([bytes("a\n\nb\n")]))).toEqual(["a", "", "b"]);
    expect(split([])).toEqual([]);
    expect(split([bytes("x\ny")]).map(({ number }) => number)).toEqual([1, 2]);
  });

  test("are the same however the pipe cuts them, in the middle of characters too", () => {
    const whole = bytes('{"t":"é猫🐈"}\n{"b":1}\r\nlast, without an end');
    const next = random(7);
    for (let round = 0; round < 200; round++) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < whole.length; ) {
        const length = 1 + Math.floor(next() * 6);
        chunks.push(whole.subarray(at, at + length));
        at += length;
      }
      expect(split(chunks)).toEqual(split([whole]));
    }
  });

  test("may begin with a byte order mark, which is no part of them, and only there", () => {
    expect(texts(split([bytes("\ufeff{}\n\ufeff{}")]))).toEqual(["{}", "\ufeff{}"]);
  });

  test("that are not UTF-8 say so", () => {
    const lines = split([Buffer.concat([bytes("ok\n"), Buffer.from([0x61, 0xff, 0x62])])]);
    expect(lines.map(({ isUtf8 }) => isUtf8)).toEqual([true, false]);
    expect(lines[1]?.text).toBe("a\ufffdb");
  });

  test("beyond the limit are skipped and counted, and what follows is read", () => {
    const long = "x".repeat(100);
    const chunks = [bytes(`a\n${long.slice(0, 50)}`), bytes(`${long.slice(50)}\nb\n${long}`)];
    expect(split(chunks, 60).map(({ number, text, bytes: size }) => [number, text, size])).toEqual([
      [1, "a", 1],
      [2, null, 100],
      [3, "b", 1],
      [4, null, 100],
    ]);
  });

  test("of 50 MB come through whole", () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    const lines = split([...Array.from({ length: 800 }, () => chunk), bytes("\nb")]);
    expect(lines.map(({ text }) => text?.length)).toEqual([800 * 64 * 1024, 1]);
  });
});
