/** Lines of events.jsonl: their ends, what is left out between two halves of a long file, and every field at its limits. */
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/core/format/event.ts";
import type { JsonObject, JsonValue } from "../../../src/core/format/json.ts";
import { EventBuffer } from "../../../src/core/reader/event-buffer.ts";
import { toEvent } from "../../../src/core/reader/event-line.ts";
import { shareEvents } from "../../../src/core/reader/event-share.ts";
import { type EventsOptions, EventsState, parseEvents } from "../../../src/core/reader/events.ts";
import { countLineEnds, firstLineEnd, leadingBlank, trailingNuls } from "../../../src/core/reader/lines.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import { range } from "../helpers/runs.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function read(text: string | Uint8Array, options: Partial<EventsOptions> = {}) {
  const bytes = typeof text === "string" ? utf8(text) : text;
  const list = new WarningList();
  const result = await parseEvents(
    async (start, length) => bytes.slice(start, start + length),
    bytes.length,
    list.warn,
    { file: "f", conclude: true, ...options },
  );
  return {
    kinds: result.events.map(({ kind }) => kind),
    said: list
      .list()
      .map(({ code, level, count, line, column }) =>
        [code, level, count, line ?? "-", column ?? ""].join(" ").trim(),
      ),
    ...{ result, warnings: list.list() },
  };
}
const line = (kind: string, more = ""): string => `{"timestamp":1,"kind":"${kind}"${more}}`;

describe("line ends in bytes", () => {
  it("are LF, CR, and both as one", () => {
    expect(
      ["", "a", "a\nb", "a\r\nb", "a\rb\r", "\r\r\n\n", "\n\r"].map((t) => countLineEnds(utf8(t))),
    ).toEqual([...[0, 0, 1, 1, 2, 3, 2]]);
    expect(
      ["", "abc", "\n", "a\nb\n", "a\rb\n", "a\nb\r", "ab\r", "\rab"].map((t) => firstLineEnd(utf8(t))),
    ).toEqual([-1, -1, 0, 1, 1, 1, 2, 0]);
  });

  it("are told from blanks, which are spaces, tabs and byte order marks", () => {
    expect(leadingBlank(" \t\ufeffx ", 0)).toBe(3);
    expect(leadingBlank("x  ", 1)).toBe(2);
    expect(leadingBlank("x", 1)).toBe(0);
  });

  it("have NULs before the end counted, however the bytes lie", () => {
    for (const shift of range(0, 9))
      for (const length of range(0, 27))
        for (const nuls of range(0, length + 1)) {
          const bytes = new Uint8Array(shift + length).fill(0).fill(7, 0, shift + length - nuls);
          expect(trailingNuls(bytes.subarray(shift)), `${shift} ${length} ${nuls}`).toBe(nuls);
        }
    expect(trailingNuls(Uint8Array.of(0, 1))).toBe(0);
    // Minus zero as a number is a byte that is set.
    expect(trailingNuls(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(8);
  });
});

describe("a file that is too long", () => {
  /** What is whole in the first half of the limit, and what begins behind the first line end of the last half. */
  function expected(text: string, total: number): string[] {
    const kinds = (part: string) => [...part.matchAll(/"kind":"(k\d+)"/g)].map(([, kind]) => kind as string);
    if (text.length <= total) return kinds(text);
    const [first, last] = [text.slice(0, total / 2), text.slice(text.length - total / 2)];
    const whole = first.slice(0, Math.max(first.lastIndexOf("\n"), first.lastIndexOf("\r")) + 1);
    const end = /\r\n|\r|\n/.exec(last);
    return [...kinds(whole), ...(end ? kinds(last.slice(end.index + end[0].length)) : [])];
  }

  it("loses its middle and no line beside, whatever ends its lines and wherever it is cut", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = range(0, 12)
        .map((i) => line(`k${i}`) + end)
        .join("");
      for (const total of range(30, text.length / 2 + 3).map((n) => n * 2))
        for (const window of [1, 5, 4096]) {
          const { kinds } = await read(text, { limits: { total, window } });
          expect(kinds, JSON.stringify([end, total, window])).toEqual(expected(text, total));
        }
    }
  });

  it("is said to be, in megabytes, and its lines have no numbers any more", async () => {
    const MB = 1024 * 1024;
    const long = `${line("a")}\n${`${" ".repeat(1023)}\n`.repeat(3 * 1024)}no line\n${line("b")}\n`;
    const { warnings, said, kinds } = await read(long, { limits: { total: 2 * MB } });
    expect(kinds).toEqual(["a", "b"]);
    expect(said).toEqual(["size-limit warning 1 -", "bad-line warning 1 -"]);
    expect(warnings[0]?.detail).toBe("of 3 MB the first and the last 1 MB were read");
  });

  it("is not where it is as long as the limit", async () => {
    const text = range(0, 6)
      .map((i) => `${line(`k${i}`)}\n`)
      .join("");
    expect((await read(text, { limits: { total: text.length } })).said).toEqual([]);
    expect((await read(text, { limits: { total: text.length - 2 } })).said).toEqual([
      "size-limit warning 1 -",
    ]);
  });

  it("is what is new at once, not what was read before", async () => {
    const state = new EventsState();
    const text = range(0, 30)
      .map((i) => `${line(`k${i}`)}\n`)
      .join("");
    const limits = { total: 200 };
    let grown = "";
    for (const one of text.split("\n").slice(0, -1)) {
      grown += `${one}\n`;
      expect((await read(grown, { state, limits })).said).toEqual([]);
    }
    expect((await read(grown, { state })).kinds.length).toBe(30);
  });

  it("that is no text is not read on", async () => {
    const page = `<!doctype html>\n${"x\n".repeat(500)}${line("a")}\n`;
    expect(await read(page, { limits: { total: 200 } })).toMatchObject({
      ...{ kinds: [], said: ["html-page warning 1 -"] },
    });
  });

  it("ends where its source ends, whatever it was said to hold", async () => {
    const list = new WarningList();
    const bytes = utf8(`${line("a")}\n`);
    const { events } = await parseEvents(
      async (start, length) => bytes.slice(start, start + length),
      bytes.length + 100,
      list.warn,
      { file: "f" },
    );
    expect(events.length).toBe(1);
  });
});

describe("what a source gives", () => {
  it("may be the same bytes again for the next window", async () => {
    const bytes = utf8(
      range(0, 9)
        .map((i) => `${line(`k${i}`)}\n`)
        .join(""),
    );
    const shared = new Uint8Array(16);
    const list = new WarningList();
    const { events } = await parseEvents(
      async (start, length) => {
        const part = bytes.subarray(start, start + length);
        shared.set(part);
        return shared.subarray(0, part.length);
      },
      bytes.length,
      list.warn,
      { file: "f", limits: { window: 16 } },
    );
    expect(events.map(({ kind }) => kind)).toEqual(range(0, 9).map((i) => `k${i}`));
    expect(list.list()).toEqual([]);
  });

  it("may end in NULs that are counted, in the last half of a file that is too long, too", async () => {
    const nuls = (count: number) => new Uint8Array(count);
    const start = utf8(`${line("a")}\n`);
    const tail = async (...parts: readonly Uint8Array[]) => {
      const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
      const { warnings } = await read(bytes, { limits: { total: 2 * start.length, window: 7 } });
      return warnings.flatMap(({ code, detail }) => (code === "nul-tail" ? /\d+/.exec(detail)?.[0] : []));
    };
    expect(await tail(start, nuls(20))).toEqual(["20"]);
    expect(await tail(start, nuls(300))).toEqual([String(start.length)]);
    expect(await tail(start, utf8("x".repeat(300)), nuls(9))).toEqual(["9"]);
    expect(await tail(start, utf8("x".repeat(300)), nuls(9), utf8("x"), nuls(10))).toEqual(["10"]);
  });
});

describe("events that are not held", () => {
  it("are counted at each reading, those of that reading", async () => {
    const state = new EventsState();
    state.buffer.limit(4, 1e9);
    const text = (count: number) =>
      range(0, count)
        .map((i) => `${line(`k${i}`)}\n`)
        .join("");
    expect((await read(text(4), { state })).said).toEqual([]);
    expect((await read(text(7), { state })).said).toEqual(["size-limit warning 3 -"]);
    const { kinds, said, result } = await read(text(8), { state });
    expect([kinds, said]).toEqual([["k0", "k1", "k6", "k7"], ["size-limit warning 1 -"]]);
    expect([result.count, result.dropped]).toEqual([8, 4]);
  });
});

describe("a line", () => {
  it("that is too long keeps what is whole by then; one that just fits is whole", async () => {
    const long = line("a", `,"message":"${"x".repeat(100)}","data":{"n":1}`);
    const fits = await read(`${long}\n${line("b")}\n`, { limits: { line: long.length, window: 16 } });
    expect([fits.kinds, fits.said]).toEqual([["a", "b"], []]);
    const cut = await read(`${long}\n${line("b")}\n`, { limits: { line: long.length - 40, window: 16 } });
    expect(cut.kinds).toEqual(["a", "b"]);
    expect(cut.said).toEqual(["size-limit warning 1 1"]);
  });

  it("behind one that is too long is whole, whatever ends them", async () => {
    for (const end of ["\n", "\r\n", "\r"])
      for (const window of range(1, 20)) {
        const text =
          [line("a", `,"message":"${"x".repeat(90)}"`), line("b"), "no line", line("c")].join(end) + end;
        const { kinds, said } = await read(text, { limits: { line: 60, window } });
        expect([kinds, said], JSON.stringify([end, window])).toEqual([
          ["a", "b", "c"],
          ["size-limit warning 1 1", "bad-line warning 1 3"],
        ]);
      }
  });

  it("of two objects has both; what is no object among them is none", async () => {
    const { kinds, said } = await read(`${line("a")} ${line("b")}\n${line("c")}[1]\n${line("d")}{"x\n[1]\n`);
    expect(kinds).toEqual(["a", "b", "c", "d"]);
    expect(said).toEqual(["bad-line warning 4 1"]);
  });

  it("is the same with blanks and byte order marks around", async () => {
    for (const [front, back] of [
      [" ", ""],
      ["", " \t"],
      ["\t ", " "],
    ])
      expect(await read(`${front}${line("a")}${back}\n`)).toMatchObject({ kinds: ["a"], said: [] });
    expect(await read(`${line("a")}\n\ufeff${line("b")}\n`)).toMatchObject({
      ...{ kinds: ["a", "b"], said: ["bom info 1 2"] },
    });
    expect((await read(`${line("a")}\n\ufeff \n`)).said).toEqual(["bom info 1 2"]);
  });

  it("has its number beside what is said of it, and its column", async () => {
    const text = `${line("a")}\n\n${line("b", ',"step":"7"')}\n{"timestamp":1,"kind":5}\n`;
    expect((await read(text)).said).toEqual([
      "coerced-type warning 1 3 step",
      "coerced-type warning 1 4 kind",
    ]);
  });

  it("holds integers that are kept exactly, of which a step is said as a step", async () => {
    const big = "9007199254740993";
    expect((await read(`${line("a", `,"step":${big}`)}\n`)).said).toEqual([
      "unsafe-integer warning 1 1 step",
    ]);
    expect((await read(`${line("a", `,"data":{"n":${big}}`)}\n`)).said).toEqual(["unsafe-integer info 1 1"]);
    expect((await read(`${line("a", `,"step":${big},"data":{"n":${big}}`)}\n`)).said).toEqual([
      "unsafe-integer info 1 1",
      "unsafe-integer warning 1 1 step",
    ]);
  });

  it("at the end that is none is torn where it begins like one, and bad where it does not", async () => {
    expect((await read(`${line("a")}\n  {"kind`)).said).toEqual(["torn-last-line warning 1 2"]);
    expect((await read(`${line("a")}\nno line`)).said).toEqual(["bad-line warning 1 2"]);
    expect((await read(`${line("a")}\n[1]`)).said).toEqual(["bad-line warning 1 2"]);
    expect((await read(`${line("a")}\n  `)).said).toEqual([]);
    expect(await read(`${line("a")}\n${line("b")} ${line("c")} {"k`)).toMatchObject({
      ...{ kinds: ["a", "b", "c"], said: ["torn-last-line warning 1 2"] },
    });
    expect((await read(`${line("a")}\n${line("b")}x`)).kinds).toEqual(["a", "b"]);
    expect((await read(`${line("a")}\n}${line("b")}`)).kinds).toEqual(["a"]);
  });

  it("at the end is said once where nothing came, and not before it is asked for", async () => {
    const state = new EventsState();
    const torn = `${line("a")}\n{"kind`;
    expect((await read(torn, { state, conclude: false })).said).toEqual([]);
    expect((await read(torn, { state })).said).toEqual(["torn-last-line warning 1 2"]);
    expect((await read(torn, { state })).said).toEqual([]);
    expect((await read(`${torn}":"b`, { state })).said).toEqual(["torn-last-line warning 1 2"]);
  });
});

describe("an event", () => {
  function event(more: Record<string, JsonValue>, rank = 0) {
    const said: string[] = [];
    const made = toEvent({ timestamp: 1, kind: "k", ...more } as JsonObject, rank, (code, detail, column) =>
      said.push(`${code} ${column ?? "-"}: ${detail}`),
    );
    return { made, said };
  }

  it("has a kind, which any plain value can be", () => {
    for (const [kind, taken] of [
      [5, "5"],
      [true, "true"],
      [5n, "5"],
    ] as const)
      expect(event({ kind })).toMatchObject({
        made: { kind: taken },
        said: ["coerced-type kind: kind is not text"],
      });
    for (const kind of [null, {}, []] as JsonValue[])
      expect(event({ kind })).toEqual({ made: null, said: ["bad-line -: the line has no kind: left out"] });
  });

  it("has a time in seconds, or as a date of any zone, in UTC where it names none", () => {
    const time = (timestamp: JsonValue) => event({ timestamp }).made?.timestamp;
    expect(time(5n)).toBe(5);
    expect(time(" 12.5 ")).toBe(12.5);
    expect(time("-3")).toBe(-3);
    expect(time("2026-01-01")).toBe(1767225600);
    expect(time("2026-01-01 01:00")).toBe(1767229200);
    expect(time("2026-01-01T01:00:00+0100")).toBe(1767225600);
    expect(time("2026-01-01T00:00:00.25")).toBe(1767225600.25);
    for (const none of [
      "",
      "1e5",
      "0x10",
      "1.",

      "x2026-01-01",
      "2026-01-01x",
      "2026-13-01",
      null,
      {},
    ])
      expect(time(none), String(none)).toBe(Number.NaN);
  });

  it("has a step that is a whole number of 64 bits, or its text", () => {
    const step = (value: JsonValue) => {
      const { made, said } = event({ step: value });
      return [made?.step, ...said.map((words) => words.split(":")[0])];
    };
    const [low, high] = [-(2n ** 63n), 2n ** 64n];
    expect(step(low)).toEqual([low, "unsafe-integer step"]);
    expect(step(low - 1n)).toEqual([null, "bad-line step"]);
    expect(step(high - 1n)).toEqual([high - 1n, "unsafe-integer step"]);
    expect(step(high)).toEqual([null, "bad-line step"]);
    expect(step("123456789012345")).toEqual([123456789012345, "coerced-type step"]);
    expect(step("-12")).toEqual([-12, "coerced-type step"]);
    for (const text of ["1234567890123456", "1x", "x1", "1.0", ""])
      expect(step(text)).toEqual([null, "bad-line step"]);
    expect(event({ step: 1.5 }).said).toEqual([
      "bad-line step: step is no whole number that fits: the event has no step",
    ]);
    expect(event({ step: high }).said).toEqual([
      "bad-line step: step is no whole number that fits: the event has no step",
    ]);
    expect(event({ step: "x" }).said).toEqual(["bad-line step: step is text: the event has no step"]);
  });

  it("has the rank that it names where that is one", () => {
    expect(event({ rank: 3 }, 1)).toMatchObject({ made: { rank: 3 }, said: [] });
    expect(event({ rank: null }, 1)).toMatchObject({ made: { rank: 1 }, said: [] });
    expect(event({ rank: 1.5 }, 1).made?.rank).toBe(1);
    expect(event({ rank: "3" }, 1)).toMatchObject({
      made: { rank: 1 },
      said: ["coerced-type rank: rank is text"],
    });
  });

  it("has words and data, whatever stands in their place", () => {
    expect(event({ message: true }).made?.message).toBe("true");
    expect(event({ message: { a: 1 } }).made?.message).toBe("");
    expect(event({ data: [1] }).made?.data).toEqual({ value: [1] });
    const empty = [event({ data: {} }), event({}), event({ data: null })].map(({ made }) => made?.data);
    expect(empty[0]).toBe(empty[1]);
    expect(empty[2]).toBe(empty[1]);
    expect(event({ data: { a: 1 } }).made?.data).toEqual({ a: 1 });
  });

  it("is marked for what misleads wherever it shows text: in unknown fields and lists too", async () => {
    const marked = async (more: object) =>
      (await read(`${JSON.stringify({ timestamp: 1, kind: "k", ...more })}\n`)).said;
    const odd = "a\u202eb";
    for (const more of [
      { host: odd },
      { data: { a: [odd] } },
      { data: { a: [[{ b: odd }]] } },
      { data: { [odd]: 1 } },
    ])
      expect(await marked(more)).toEqual(["bidi-chars warning 1 1"]);
    expect(await marked({ data: { a: [1, null, true, { b: 2 }] }, message: "é" })).toEqual([]);
  });
});

describe("a flood of events", () => {
  const event = (step: number): RunEvent => ({
    timestamp: step,
    kind: "k",
    step,
    rank: 0,
    message: "",
    data: {},
  });
  const steps = (buffer: EventBuffer) => buffer.events().map((e) => e.step);

  it("of different weights keeps the newest that fit, long after the first were let go", () => {
    const weights = range(0, 6000).map((i) => 1 + (i % 7));
    const buffer = new EventBuffer(1e9, 400);
    let newest: number[] = [];
    for (const [i, weight] of weights.entries()) {
      buffer.push(event(i), weight);
      if (i % 500 !== 499) continue;
      newest = [];
      let left = 200;
      for (let n = i; n >= 0 && left - (weights[n] as number) >= 0; n--) {
        left -= weights[n] as number;
        newest.unshift(n);
      }
      expect(steps(buffer).slice(-newest.length)).toEqual(newest);
      expect(buffer.weight).toBeLessThanOrEqual(400);
    }
    const held = steps(buffer);
    const head = held.length - newest.length;
    expect(held.slice(0, head)).toEqual(range(0, head));
    expect(buffer.weight).toBe(
      held.reduce<number>((sum, step) => sum + (weights[Number(step)] as number), 0),
    );
    // Cut to half, the same rule holds, and what that costs is counted.
    const before = buffer.dropped;
    buffer.limit(1e9, 200);
    expect(buffer.weight).toBeLessThanOrEqual(200);
    expect([buffer.count, buffer.lost]).toEqual([6000, buffer.dropped - before]);
    expect(buffer.lost).toBe(held.length - buffer.held);
    expect(buffer.weight).toBe(
      steps(buffer).reduce<number>((sum, step) => sum + (weights[Number(step)] as number), 0),
    );
    expect(steps(buffer).at(-1)).toBe(5999);
    buffer.limit(1e9, 400);
    expect(buffer.weight).toBeLessThanOrEqual(200);
  });

  it("of many ranks: those at the level keep what they have", () => {
    const filled = (count: number, weight: number) => {
      const buffer = new EventBuffer();
      for (const i of range(0, count)) buffer.push(event(i), weight);
      return buffer;
    };
    const both = [filled(4, 1), filled(6, 1)];
    shareEvents(both, 10, 1e9);
    expect(both.map(({ held }) => held)).toEqual([4, 6]);
    shareEvents(both, 8, 1e9);
    expect(both.map(({ held, lost }) => [held, lost])).toEqual([
      [4, 0],
      [4, 2],
    ]);
    const heavy = [filled(4, 1), filled(2, 10)];
    shareEvents(heavy, 1e9, 14);
    expect(heavy.map(({ held, lost }) => [held, lost])).toEqual([
      [4, 0],
      [1, 1],
    ]);
    const alone = [filled(9, 1)];
    shareEvents(alone, 2, 2);
    expect(alone[0]?.held).toBe(9);
  });
});
