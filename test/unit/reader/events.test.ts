import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/format/event.ts";
import { EventBuffer } from "../../../src/core/reader/event-buffer.ts";
import {
  type EventsOptions,
  EventsState,
  mergeEvents,
  parseEvents,
} from "../../../src/core/reader/events.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import { random } from "../random.ts";

const encoder = new TextEncoder();
const line = (i: number, more: object = {}) =>
  JSON.stringify({
    timestamp: 1000 + i,
    kind: `k${i}`,
    step: i,
    rank: 0,
    message: `m${i}`,
    data: {},
    ...more,
  });
const LINES = [0, 1, 2, 3].map((i) => line(i));
const FOUR = `${LINES.join("\n")}\n`;

function bytesOf(...parts: (string | readonly number[] | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((p) => (typeof p === "string" ? [...encoder.encode(p)] : [...p])));
}

async function read(bytes: Uint8Array, options: Partial<EventsOptions> = {}) {
  const list = new WarningList();
  const window = async (start: number, length: number) => bytes.slice(start, start + length);
  const result = await parseEvents(window, bytes.length, list.warn, {
    file: "events.jsonl",
    conclude: true,
    ...options,
  });
  const warnings = list.list();
  return {
    ...result,
    kinds: result.events.map((e) => e.kind).join(),
    warnings,
    codes: warnings.filter((w) => w.level === "warning").map((w) => w.code),
    infos: warnings.filter((w) => w.level === "info").map((w) => w.code),
  };
}
const readText = (text: string, options?: Partial<EventsOptions>) => read(bytesOf(text), options);

test("a clean file", async () => {
  const { events, warnings, count, dropped } = await readText(FOUR);
  expect(events[1]).toEqual({ timestamp: 1001, kind: "k1", step: 1, rank: 0, message: "m1", data: {} });
  expect([count, dropped, warnings]).toEqual([4, 0, []]);
  expect((await readText("")).count).toBe(0);
});

describe("line ends", () => {
  test.each([
    ["CRLF", `${LINES.join("\r\n")}\r\n`],
    ["CR", `${LINES.join("\r")}\r`],
    ["no last one", LINES.join("\n")],
    ["blank lines", `\n\n${LINES.join("\n \t\n")}\n\n`],
  ])("%s", async (_, text) => {
    for (const window of [1, 7, 1 << 20]) {
      const { kinds, warnings } = await readText(text, { limits: { window } });
      expect([kinds, warnings]).toEqual(["k0,k1,k2,k3", []]);
    }
  });

  test("U+2028 is no line end", async () => {
    const { events, warnings } = await readText(`${line(0, { message: "a\u2028b\u2029c" })}\n`);
    expect([events[0]?.message, warnings]).toEqual(["a\u2028b\u2029c", []]);
  });

  test("line numbers count CRLF once, whatever the windows", async () => {
    for (const window of [1, 2, 3, 1000]) {
      const { warnings } = await readText(`${LINES.join("\r\n")}\r\nINFO\r\n`, { limits: { window } });
      expect(warnings).toMatchObject([{ code: "bad-line", line: 5 }]);
    }
  });
});

describe("damage", () => {
  const [a, b, c, d] = LINES as [string, string, string, string];
  test.each<[string, Uint8Array, string, string[], number | undefined]>([
    ["the last line is cut", bytesOf(FOUR.slice(0, -20)), "k0,k1,k2", ["torn-last-line"], 4],
    [
      "cut inside a character",
      bytesOf(FOUR, '{"kind":"', [0xe6, 0xbc]),
      "k0,k1,k2,k3",
      ["torn-last-line"],
      5,
    ],
    ["appended to a torn line", bytesOf(`${a}\n${b.slice(0, 20)}${c}\n${d}\n`), "k0,k3", ["bad-line"], 2],
    ["NULs at the end", bytesOf(FOUR, new Uint8Array(4096)), "k0,k1,k2,k3", ["nul-tail"], 5],
    [
      "torn, then NULs",
      bytesOf(a, "\n", b.slice(0, 9), new Uint8Array(50)),
      "k0",
      ["torn-last-line", "nul-tail"],
      2,
    ],
    [
      "NULs before a line",
      bytesOf(`${a}\n`, new Uint8Array(512), `${b}\n${c}\n`),
      "k0,k1,k2",
      ["nul-run"],
      2,
    ],
    ["NULs inside a line", bytesOf(`${a}`, new Uint8Array(512), `\n${c}\n`), "k0,k2", ["nul-run"], 1],
    ["a log line", bytesOf(`INFO starting\n${FOUR}`), "k0,k1,k2,k3", ["bad-line"], 1],
    ["lines that are no objects", bytesOf(`[]\n42\nnull\n${FOUR}`), "k0,k1,k2,k3", ["bad-line"], 1],
    ["two objects on a line", bytesOf(`${a}${b}\n${c}\n`), "k0,k1,k2", ["bad-line"], 1],
    [
      "interleaved writers",
      bytesOf(`${a.slice(0, 12)}${b.slice(0, 12)}${a.slice(12)}\n${b.slice(12)}\n${c}\n`),
      "k2",
      ["bad-line"],
      1,
    ],
    ["no kind", bytesOf(`${a}\n{"timestamp":1}\n`), "k0", ["bad-line"], 2],
    [
      "not UTF-8",
      bytesOf(`${a}\n{"timestamp":1,"kind":"`, [0xff, 0xed, 0xa0, 0x80], `"}\n`),
      "k0,\ufffd\ufffd\ufffd\ufffd",
      ["invalid-utf8"],
      2,
    ],
    ["UTF-16", bytesOf([0xff, 0xfe, 0x7b, 0]), "", ["not-utf8"], undefined],
    ["gzip", bytesOf([0x1f, 0x8b, 8]), "", ["gzip-wrapped"], undefined],
  ])("%s", async (_, bytes, kinds, codes, at) => {
    for (const window of [1, 5, 64, 1 << 20]) {
      if (window < 5 && at === undefined) continue;
      const result = await read(bytes, { limits: { window } });
      expect(result.kinds).toBe(kinds);
      expect(result.codes).toEqual(codes);
      expect(result.warnings[0]?.line).toBe(at);
    }
  });

  test("byte order marks are noted, once and with the first line", async () => {
    const { kinds, codes, infos, warnings } = await readText(`\ufeff${a}\n${b}\n\ufeff${c}\n`);
    expect([kinds, codes, infos]).toEqual(["k0,k1,k2", [], ["bom"]]);
    expect(warnings[0]).toMatchObject({ count: 2, line: 1 });
  });

  test("repeats are counted, nothing of the file is quoted", async () => {
    const { warnings } = await readText("root:x:0:0:secret\n".repeat(1000));
    expect(warnings).toMatchObject([{ code: "bad-line", count: 1000, line: 1 }]);
    expect(JSON.stringify(warnings)).not.toContain("secret");
  });

  test("deep data is cut, the event stays", async () => {
    const { kinds, codes } = await readText(
      `${a}\n{"timestamp":1,"kind":"d","data":{"x":${"[".repeat(1e5)}${"]".repeat(1e5)}}}\n`,
    );
    expect([kinds, codes]).toEqual(["k0,d", ["too-deep"]]);
  });

  test("a line beyond the limit keeps what is whole of it, and its neighbours", async () => {
    const long = line(7, { message: "m".repeat(5000), data: { late: 1 } });
    for (const window of [1, 100, 1 << 20]) {
      const { events, codes, warnings } = await readText(`${a}\n${long}\n${b}\nx\n`, {
        limits: { window, line: 1000 },
      });
      if (window === 1 << 20) {
        expect([events.map((e) => e.kind).join(), codes]).toEqual(["k0,k7,k1", ["bad-line"]]);
        continue;
      }
      expect([events.map((e) => e.kind).join(), codes]).toEqual(["k0,k7,k1", ["size-limit", "bad-line"]]);
      expect(events[1]?.message).toMatch(/^m{800,1000}$/);
      expect(warnings[1]?.line).toBe(4);
    }
  });
});

describe("fields", () => {
  const one = async (json: string) => {
    const result = await readText(`${json}\n`);
    return { event: result.events[0] as RunEvent, codes: result.codes, infos: result.infos };
  };

  test.each<[string, number, string[]]>([
    ["1.5", 1.5, []],
    ["null", Number.NaN, ["bad-line"]],
    ["true", Number.NaN, ["bad-line"]],
    ["NaN", Number.NaN, ["non-finite"]],
    ["1e999", Number.NaN, ["non-finite"]],
    ['"2026-01-01T00:00:00Z"', 1767225600, ["coerced-type"]],
    ['"2026-01-01T01:00:00.5+01:00"', 1767225600.5, ["coerced-type"]],
    ['"2026-01-01 00:00:00"', 1767225600, ["coerced-type"]],
    ['"1750000000.5"', 1750000000.5, ["coerced-type"]],
    ['"yesterday"', Number.NaN, ["bad-line"]],
  ])("timestamp %s", async (source, seconds, codes) => {
    const result = await one(`{"timestamp":${source},"kind":"k"}`);
    expect([result.event.timestamp, result.codes]).toEqual([seconds, codes]);
  });

  test.each<[string, number | bigint | null, string[]]>([
    ["-1", -1, []],
    ["7.0", 7, []],
    ["null", null, []],
    ["1.5", null, ["bad-line"]],
    ["1e300", null, ["bad-line"]],
    ["true", null, ["bad-line"]],
    ["[]", null, ["bad-line"]],
    ['"7"', 7, ["coerced-type"]],
    ["9007199254740993", 9007199254740993n, ["unsafe-integer"]],
  ])("step %s", async (source, step, codes) => {
    const result = await one(`{"timestamp":1,"kind":"k","step":${source}}`);
    expect([result.event.step, result.codes]).toEqual([step, codes]);
  });

  test("other types", async () => {
    const { event, codes } = await one('{"timestamp":1,"kind":5,"rank":"x","message":6,"data":[1]}');
    expect(event).toEqual({
      timestamp: 1,
      kind: "5",
      step: null,
      rank: 0,
      message: "6",
      data: { value: [1] },
    });
    expect(codes).toEqual(["coerced-type", "coerced-type", "coerced-type", "coerced-type"]);
  });

  test("rank of the folder where the line names none", async () => {
    const { events } = await readText('{"timestamp":1,"kind":"a"}\n{"timestamp":1,"kind":"b","rank":0}\n', {
      rank: 3,
    });
    expect(events.map((e) => e.rank)).toEqual([3, 0]);
  });

  test("keys that the format does not know are kept", async () => {
    const { event, codes } = await one('{"timestamp":1,"kind":"k","host":"n1","__proto__":{"polluted":1}}');
    expect(Object.entries(event.extra ?? {})).toEqual([
      ["host", "n1"],
      ["__proto__", { polluted: 1 }],
    ]);
    expect(codes).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("kinds are open strings", async () => {
    const { kinds, warnings } = await readText(
      `${line(0, { kind: "__proto__" })}\n${line(1, { kind: "constructor" })}\n`,
    );
    expect([kinds, warnings]).toEqual(["__proto__,constructor", []]);
  });

  test.each<[string, string[]]>([
    ["\u001b[31m", ["control-chars"]],
    ["a\tb\nc\r\n", []],
    ["\u202eexe.gnp", ["bidi-chars"]],
    ["a\u200bb", ["invisible-chars"]],
    ["👩‍🚀 漢字 é", []],
  ])("%j is marked", async (text, codes) => {
    for (const more of [
      { message: text },
      { kind: text },
      { data: { a: [{ b: text }] } },
      { data: { [text]: 1 } },
    ]) {
      expect((await one(line(0, more))).codes).toEqual(codes);
    }
    const escaped = line(0, { message: text }).replace(
      /[^ -~]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect((await one(escaped)).codes).toEqual(codes);
  });
});

describe("a file that grows", () => {
  test("an unfinished line waits without a warning", async () => {
    const cut = FOUR.length - 10;
    const first = await readText(FOUR.slice(0, cut), { conclude: false });
    expect([first.kinds, first.warnings]).toEqual(["k0,k1,k2", []]);
    const second = await readText(FOUR, { conclude: false, state: first.state });
    expect([second.kinds, second.warnings]).toEqual(["k0,k1,k2,k3", []]);
  });

  test("only new bytes are read", async () => {
    const bytes = bytesOf(FOUR, FOUR);
    let total = 0;
    const window = async (start: number, length: number) => {
      total += Math.min(length, bytes.length - start);
      return bytes.slice(start, start + length);
    };
    const state = new EventsState();
    for (let size = 0; size <= bytes.length; size++) {
      await parseEvents(window, size, () => {}, { file: "e", state });
    }
    expect(total).toBe(bytes.length);
    expect(state.buffer.count).toBe(8);
  });

  test("a file that became smaller is read anew", async () => {
    const first = await readText(FOUR);
    const second = await readText(`${line(9)}\n`, { state: first.state });
    expect(second.kinds).toBe("k9");
  });

  test("a torn end is told once until the file changes", async () => {
    const torn = FOUR.slice(0, -10);
    const first = await readText(torn);
    expect(first.codes).toEqual(["torn-last-line"]);
    expect((await readText(torn, { state: first.state })).codes).toEqual([]);
    expect((await readText(FOUR, { state: first.state })).kinds).toBe("k0,k1,k2,k3");
  });

  test("any damage, any windows, any growth: the same events and warnings as at once", async () => {
    const rng = random(7);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(rng() * items.length)] as T;
    const chunks = [
      "\n",
      "\r\n",
      "\r",
      "\0\0",
      "\ufeff",
      " ",
      "{",
      "}",
      "x",
      "INFO\n",
      '"',
      "é",
      line(1),
      line(2),
      `${line(3)}\n`,
      '{"kind":NaN}\n',
      line(4, { message: "\u202e" }),
    ];
    for (let round = 0; round < 300; round++) {
      const bytes = bytesOf(
        ...Array.from({ length: 1 + Math.floor(rng() * 25) }, () => (rng() < 0.03 ? [0xff] : pick(chunks))),
      );
      const whole = await read(bytes);
      const list = new WarningList();
      const state = new EventsState();
      let events: readonly RunEvent[] = [];
      for (let size = 0; ; ) {
        size = Math.min(bytes.length, size + Math.floor(rng() * 40));
        const result = await parseEvents(async (s, n) => bytes.slice(s, s + n), size, list.warn, {
          file: "events.jsonl",
          state,
          conclude: size === bytes.length,
          limits: { window: 1 + Math.floor(rng() * 30) },
        });
        events = result.events;
        if (size === bytes.length) break;
      }
      const context = JSON.stringify(new TextDecoder().decode(bytes));
      // Of two objects on a line the first can have been seen whole, and read, before the second came behind it.
      const calm = (warnings: readonly { code: string }[]) =>
        new Set(warnings.map((w) => w.code).filter((code) => code !== "bad-line" && code !== "bom"));
      expect(events, context).toEqual(whole.events);
      expect(calm(list.list()), context).toEqual(calm(whole.warnings));
    }
  });
});

describe("floods", () => {
  test("the first and the last are held, the middle is counted", async () => {
    const buffer = new EventBuffer(10, 1e9);
    const event = (i: number): RunEvent => ({
      timestamp: i,
      kind: "k",
      step: i,
      rank: 0,
      message: "",
      data: {},
    });
    for (let i = 0; i < 5000; i++) buffer.push(event(i), 1);
    expect(buffer.events().map((e) => e.step)).toEqual([0, 1, 2, 3, 4, 4995, 4996, 4997, 4998, 4999]);
    expect([buffer.count, buffer.dropped]).toEqual([5000, 4990]);
  });

  test("heavy events count by weight, the newest is always held", () => {
    const buffer = new EventBuffer(1000, 100);
    const event = (i: number): RunEvent => ({
      timestamp: i,
      kind: "k",
      step: i,
      rank: 0,
      message: "",
      data: {},
    });
    for (let i = 0; i < 20; i++) buffer.push(event(i), 20);
    expect(buffer.events().map((e) => e.step)).toEqual([0, 1, 18, 19]);
    buffer.push(event(20), 1e6);
    expect(buffer.events().map((e) => e.step)).toEqual([0, 1, 20]);
    expect(buffer.count).toBe(21);
  });

  test("of a file beyond the limit both ends are read", async () => {
    const text = Array.from({ length: 1000 }, (_, i) => `${line(i)}\n`).join("");
    const { events, codes, warnings } = await readText(text, { limits: { total: 10_000 } });
    expect(codes).toEqual(["size-limit"]);
    expect(events[0]?.kind).toBe("k0");
    expect(events.at(-1)?.kind).toBe("k999");
    expect(events.length).toBeLessThan(300);
    expect(warnings[0]?.line).toBeUndefined();
  });

  test("stops when asked to", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(readText(FOUR, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  });
});

test("merging sorts by time, stable, without a time last", () => {
  const event = (timestamp: number, kind: string): RunEvent => ({
    timestamp,
    kind,
    step: null,
    rank: 0,
    message: "",
    data: {},
  });
  const merged = mergeEvents([
    [event(3, "a"), event(Number.NaN, "b"), event(1, "c")],
    [event(1, "d"), event(3, "e"), event(Number.NaN, "f"), event(2, "g")],
  ]);
  expect(merged.map((e) => e.kind).join("")).toBe("cdgaebf");
});
