/** Page headers that speak against decoding: sizes, counts and checksums at their limits; and the Arrow schema of a footer. */
import { crc32 as zlibCrc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkArrowSchema } from "../../../src/core/reader/arrowSchema.ts";
import { FOOTER_LIMITS, Physical, type RowGroup, type SchemaNode } from "../../../src/core/reader/footer.ts";
import { checkPages, crc32 } from "../../../src/core/reader/pages.ts";
import type { ParquetFile } from "../../../src/core/reader/parquetFiles.ts";
import { openParquet } from "../../../src/core/reader/parquetFiles.ts";
import { T, ThriftWriter } from "../../../src/core/reader/thrift.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import { double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";
import { manifest, source } from "../helpers/runs.ts";

const [DATA, INDEX, DICTIONARY, DATA_V2] = [0, 1, 2, 3] as const;
const BUDGET = FOOTER_LIMITS.chunkBytes;

interface Page {
  readonly type?: number;
  readonly uncompressed?: number;
  /** Bytes behind the header; `claimed` when the header says otherwise. */
  readonly body?: Uint8Array;
  readonly claimed?: number;
  readonly crc?: number;
  readonly values?: number;
}

function page({
  type = DATA,
  uncompressed = 8,
  body = new Uint8Array(5),
  claimed,
  crc,
  values = 1,
}: Page): Uint8Array {
  const w = new ThriftWriter();
  w.begin();
  w.int(1, T.I32, type);
  w.int(2, T.I32, uncompressed);
  w.int(3, T.I32, claimed ?? body.length);
  if (crc !== undefined) w.int(4, T.I32, crc | 0);
  const head = { [DATA]: 5, [INDEX]: 6, [DICTIONARY]: 7, [DATA_V2]: 8 }[type] ?? 5;
  w.field(head, T.STRUCT);
  w.begin();
  w.int(1, T.I32, values);
  // A field that nobody asks for, as statistics are.
  w.int(2, T.I32, 99);
  w.end();
  w.end();
  return Uint8Array.from([...w.bytes(), ...body]);
}

function verdict(pages: readonly (Page | Uint8Array)[], values: number, physical: number = Physical.DOUBLE) {
  const chunk = Uint8Array.from(pages.flatMap((p) => [...(p instanceof Uint8Array ? p : page(p))]));
  const fault = checkPages(chunk, { numValues: () => values } as unknown as RowGroup, 0, physical);
  return fault && `${fault.code}: ${fault.message}`;
}

describe("pages", () => {
  it("may be decoded where they hold what the footer says, of both kinds, with an index and a dictionary", () => {
    expect(verdict([{ values: 3 }], 3)).toBe(null);
    expect(verdict([{ values: 3 }, { type: DATA_V2, values: 4 }], 7)).toBe(null);
    expect(verdict([{ type: DICTIONARY, values: 9 }, { values: 3 }], 3)).toBe(null);
    expect(verdict([{ type: INDEX, values: 9 }, { values: 3 }], 3)).toBe(null);
    expect(verdict([], 0)).toBe(null);
    // What lies behind the last value is not looked at.
    expect(verdict([{ values: 3 }, new Uint8Array([255, 255])], 3)).toBe(null);
    expect(verdict([{ values: 0, uncompressed: 0, body: new Uint8Array(0) }, { values: 1 }], 1)).toBe(null);
  });

  it("must hold as many values as the footer says", () => {
    expect(verdict([{ values: 2 }], 3)).toBe("page-corrupt: its pages hold 2 values, the footer says 3");
    expect(verdict([{ values: 4 }], 3)).toContain("hold 4 values");
    expect(verdict([{ type: INDEX, values: 3 }], 3)).toContain("hold 0 values");
    expect(verdict([], 1)).toContain("hold 0 values");
  });

  it("are of a known type, with sizes that are none below zero and lie in the chunk", () => {
    for (const type of [-1, 4]) expect(verdict([{ type, values: 1 }], 1)).toContain("no known type");
    for (const wrong of [{ uncompressed: -1 }, { claimed: -1 }, { values: -1 }])
      expect(verdict([wrong], 1)).toContain("negative size");
    expect(verdict([{ body: new Uint8Array(5), claimed: 6 }], 1)).toContain("longer than its column chunk");
    expect(verdict([{ body: new Uint8Array(5), claimed: 5 }], 1)).toBe(null);
    expect(verdict([{ values: 1 }, { claimed: 6 }], 2)).toContain("longer than its column chunk");
  });

  it("stay within the budget, each and all together", () => {
    expect(verdict([{ uncompressed: BUDGET }], 1)).toBe(null);
    expect(verdict([{ uncompressed: BUDGET + 1 }], 1)).toContain("size-limit: a page claims");
    expect(verdict([{ uncompressed: BUDGET - 8 }, {}], 2)).toBe(null);
    expect(verdict([{ uncompressed: BUDGET - 7 }, {}], 2)).toContain("size-limit: its pages claim");
  });

  it("match their checksum where they have one, zero too", () => {
    const body = new TextEncoder().encode("the bytes of a page");
    expect(verdict([{ body, crc: zlibCrc32(body) }], 1)).toBe(null);
    expect(verdict([{ body, crc: zlibCrc32(body) ^ 1 }], 1)).toContain("checksum");
    expect(verdict([{ body, crc: 0 }], 1)).toContain("checksum");
    expect(verdict([{ values: 1 }, { body, crc: zlibCrc32(body) }], 2)).toBe(null);
    for (const bytes of [new Uint8Array(0), body, Uint8Array.from({ length: 999 }, (_, i) => i * 7)])
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  });

  it("have one dictionary at most, of as many entries as it has room for", () => {
    const dictionary = { type: DICTIONARY, values: 1 };
    expect(verdict([dictionary, dictionary, {}], 1)).toContain("two dictionaries");
    const of = (values: number) => verdict([{ type: DICTIONARY, values, uncompressed: 2 }, {}], 1);
    expect([of(17), of(18)]).toEqual([null, "page-corrupt: a dictionary claims 18 entries"]);
    // Values that are packed can be more than bytes: of data pages that says nothing.
    expect(verdict([{ values: 99, uncompressed: 2 }], 99)).toBe(null);
  });

  it("of text do not blow up a dictionary beyond the budget", () => {
    const blown = (values: number, entries: number, physical: number) =>
      verdict([{ type: DICTIONARY, values: entries, uncompressed: 1 << 20 }, { values }], values, physical);
    const most = BUDGET / 2 ** 20;
    for (const physical of [Physical.BYTE_ARRAY, Physical.FIXED_LEN_BYTE_ARRAY]) {
      expect(blown(most, 1, physical)).toBe(null);
      expect(blown(most + 1, 1, physical)).toBe(`size-limit: its dictionary decodes to some ${most + 1} MB`);
      expect(blown(2 * most, 2, physical)).toBe(null);
      expect(blown(2 * most + 2, 2, physical)).toContain("size-limit");
      expect(blown(most + 1, 0, physical)).toBe(null);
    }
    expect(blown(most + 1, 1, Physical.DOUBLE)).toBe(null);
    expect(verdict([{ values: most + 1 }], most + 1, Physical.BYTE_ARRAY)).toBe(null);
  });

  it("that end within a header are damaged", () => {
    const whole = page({ values: 1 });
    for (const at of [1, 3, 5])
      expect(verdict([whole.subarray(0, at)], 1)).toMatch(/^page-corrupt: a page header /);
  });
});

describe("the Arrow schema of a footer", () => {
  const bytes = parquet({
    step: int64([1]),
    loss: double([1]),
    words: text(["x"]),
    lists: list([[1]]),
    empty: nulls(1),
  });

  /** What is said of the footer with another Arrow schema, or with other columns. */
  async function said(
    change: (arrow: Uint8Array) => Uint8Array | undefined,
    columns: (all: Map<string, { node: SchemaNode }>) => void = () => {},
  ): Promise<string[]> {
    const files = { "manifest.json": manifest(), f: bytes };
    const file = await openParquet(source(files), "f", bytes.length, true);
    const all = new Map(file.footer.columns) as Map<string, { node: SchemaNode }>;
    columns(all);
    const footer = {
      ...file.footer,
      columns: all,
      arrowSchema: change(file.footer.arrowSchema as Uint8Array),
    };
    const warnings = new WarningList();
    checkArrowSchema({ ...file, footer } as unknown as ParquetFile, warnings.warn);
    return warnings.list().map(({ code, column, level }) => [code, column ?? "-", level].join(" "));
  }
  const same = (arrow: Uint8Array): Uint8Array => arrow;

  it("that says the same as the file, or is missing, is nothing to say", async () => {
    expect(await said(same)).toEqual([]);
    expect(await said(() => undefined)).toEqual([]);
  });

  it("that is damaged is told from one that never was one", async () => {
    expect(
      await said((arrow) => {
        const odd = arrow.slice();
        odd[20] = 0x2a;
        return odd;
      }),
    ).toEqual(["footer-corrupt - warning"]);
    const strange = (share: number) => (arrow: Uint8Array) =>
      arrow.map((b, i) => (i < arrow.length * share ? 0x2a : b));
    expect(await said(strange(0.5))).toEqual(["arrow-schema-ignored - info"]);
    const odd = (stars: number) => Uint8Array.from({ length: 200 }, (_, i) => (i < stars ? 0x2a : 0x41));
    expect([await said(() => odd(1)), await said(() => odd(2))]).toEqual([
      ["footer-corrupt - warning"],
      ["arrow-schema-ignored - info"],
    ]);
  });

  it("that lists more than it has room for is not decoded, whichever of its counts says so", async () => {
    let decoded = "";
    await said((arrow) => {
      decoded = atob(String.fromCharCode(...arrow));
      return arrow;
    });
    const message = Uint8Array.from(decoded, (c) => c.charCodeAt(0));
    const view = new DataView(message.buffer);
    const fives: string[] = [];
    let tried = 0;
    for (let at = 8; at + 4 <= message.length; at += 4) {
      const before = view.getUint32(at, true);
      // Its five fields, and the one child of a list.
      if (before !== 5 && before !== 1) continue;
      view.setUint32(at, 0x10000000 + before, true);
      const spoilt = new TextEncoder().encode(btoa(String.fromCharCode(...message)));
      view.setUint32(at, before, true);
      const [first = ""] = await said(() => spoilt);
      if (before === 5) fives.push(first);
      tried++;
    }
    // The first of them is how many fields there are.
    expect(fives[0]).toBe("footer-corrupt - warning");
    expect(tried).toBeGreaterThan(1);
  });

  it("that names other columns is passed over", async () => {
    const ignored = ["arrow-schema-ignored - info"];
    expect(await said(same, (all) => all.delete("loss"))).toEqual(ignored);
    expect(await said(same, (all) => all.set("more", all.get("loss") as { node: SchemaNode }))).toEqual(
      ignored,
    );
    expect(
      await said(same, (all) => {
        all.set("other", all.get("loss") as { node: SchemaNode });
        all.delete("loss");
      }),
    ).toEqual(ignored);
  });

  it("with numbers where the file has bytes is a contradiction; other differences are none", async () => {
    const swap = (a: string, b: string) => (all: Map<string, { node: SchemaNode }>) => {
      const [x, y] = [all.get(a), all.get(b)] as [{ node: SchemaNode }, { node: SchemaNode }];
      all.set(a, y);
      all.set(b, x);
    };
    expect(await said(same, swap("loss", "words"))).toEqual(["footer-corrupt loss warning"]);
    expect(await said(same, swap("step", "words"))).toEqual(["footer-corrupt step warning"]);
    expect(await said(same, swap("step", "loss"))).toEqual([]);
    expect(await said(same, swap("lists", "words"))).toEqual([]);
    expect(await said(same, swap("empty", "words"))).toEqual([]);
    expect(await said(same, swap("empty", "loss"))).toEqual([]);
    expect(await said(same, swap("lists", "loss"))).toEqual([]);
  });
});
