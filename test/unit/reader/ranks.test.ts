/** Rank folders: which are ranks, of which number, and what is left out and said. */
import { describe, expect, it } from "vitest";
import type { EntryStat } from "../../../src/core/io/source.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import { type Altered, altered, locked } from "../helpers/altered.ts";
import { type Files, manifest, source, stepsFile } from "../helpers/runs.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const rank = (extra: unknown = {}): Uint8Array => manifest({ extra });

async function ranks(folders: Files, stats: Altered = {}, faults: Record<string, Error> = {}) {
  const files = { "manifest.json": manifest(), "steps.parquet": stepsFile(0, 3), ...folders };
  const model = await openRun(altered(source(files), stats, faults));
  return {
    ranks: model.ranks.slice(1).map(({ dir, rank }) => `${dir} ${rank}`),
    said: model.warnings().map(({ code, file }) => `${code} ${file}`),
    words: model.warnings().map(({ detail }) => detail),
  };
}

describe("rank folders", () => {
  it("are listed by name, whatever the folder lists first", async () => {
    const folders = Object.fromEntries(
      ["rank-3", "rank-001", "rank-2", "rank-010"].map((dir) => [`${dir}/manifest.json`, rank()]),
    );
    expect((await ranks(folders)).ranks).toEqual(["rank-001 1", "rank-010 10", "rank-2 2", "rank-3 3"]);
  });

  it("of one number are both there, and said to be; the run folder itself is rank 0", async () => {
    expect(
      await ranks({
        "rank-1/manifest.json": rank(),
        "rank-01/manifest.json": rank(),
        "rank-000/manifest.json": rank(),
        "rank-2/manifest.json": rank(),
      }),
    ).toMatchObject({
      ranks: ["rank-000 0", "rank-01 1", "rank-1 1", "rank-2 2"],
      said: ["rank-duplicate rank-000", "rank-duplicate rank-1"],
    });
  });

  it("without a number have that of their manifest, or none that is one", async () => {
    const number = async (stated: unknown) =>
      (await ranks({ "rank-x/manifest.json": rank({ rank: stated }) })).ranks;
    for (const [stated, taken] of [
      [5, 5],
      [2 ** 31 - 1, 2 ** 31 - 1],
      [2 ** 31, 0],
      [-1, 0],
      [1.5, 0],
      ["5", 0],
      [null, 0],
    ])
      expect(await number(stated), String(stated)).toEqual([`rank-x ${taken}`]);
    expect((await ranks({ "rank-x/manifest.json": rank({ rank: 5 }) })).said).toEqual(["rank-name rank-x"]);
    // A number in the name is the number.
    expect(await ranks({ "rank-4/manifest.json": rank({ rank: 5 }) })).toMatchObject({
      ...{ ranks: ["rank-4 4"], said: [] },
    });
  });

  it("that are links, locked, gone or no folders are left out and said", async () => {
    const folders = { "rank-1/manifest.json": rank(), "rank-2/manifest.json": rank() };
    const link = (target: "inside" | "outside" | "dangling" | "loop"): Partial<EntryStat> => ({
      link: { target },
    });
    const cases: [string[], Partial<EntryStat> | Error | null][] = [
      [["link-loop rank-1"], link("loop")],
      [["dangling-link rank-1"], link("dangling")],
      [["link-outside rank-1"], link("outside")],
      [["link-outside rank-1"], link("inside")],
      [["permission-denied rank-1"], locked("rank-1")],
      [["stray-file rank-1"], { kind: "file" }],
      [[], null],
    ];
    for (const [said, stat] of cases)
      expect(await ranks(folders, { "rank-1": stat }), said.join()).toMatchObject({
        ranks: ["rank-2 2"],
        said,
      });
    expect((await ranks(folders, {}, { "rank-1": locked("rank-1") })).said).toEqual([
      "permission-denied rank-1",
    ]);
    // An error that names no file is one of the folder.
    expect((await ranks(folders, { "rank-1": locked("") })).said).toEqual(["permission-denied rank-1"]);
    await expect(ranks(folders, { "rank-1": new TypeError("no") })).rejects.toThrow(TypeError);
  });

  it("whose manifest cannot be read are left out; one behind a link that leads out is read, and said", async () => {
    const folders = { "rank-1/manifest.json": rank(), "rank-2/manifest.json": rank() };
    const path = "rank-1/manifest.json";
    for (const [said, stat] of [
      [[`not-a-regular-file ${path}`], { kind: "directory" as const }],
      [[`dangling-link ${path}`], { link: { target: "dangling" as const } }],
      [[`permission-denied ${path}`], locked(path)],
      [["rank-no-manifest rank-1"], null],
    ] as const)
      expect(await ranks(folders, { [path]: stat })).toMatchObject({ ranks: ["rank-2 2"], said });
    expect(await ranks(folders, { [path]: { link: { target: "outside" } } })).toMatchObject({
      ranks: ["rank-1 1", "rank-2 2"],
      said: [`link-outside ${path}`],
    });
  });

  it("of another schema are left out with the version that they state", async () => {
    const of = (version: unknown) => ranks({ "rank-1/manifest.json": manifest({ schema_version: version }) });
    expect(await of(2)).toMatchObject({ ranks: [], said: ["newer-schema rank-1/manifest.json"] });
    expect((await of(2)).words[0]).toContain(" 2:");
    expect(await of(0)).toMatchObject({ ranks: [], said: ["bad-schema-version rank-1/manifest.json"] });
  });

  it("in rank folders are left out and said, files named so are not", async () => {
    expect(
      await ranks({
        "rank-1/manifest.json": rank(),
        "rank-1/rank-2/manifest.json": rank(),
        "rank-1/rank-3": utf8("x"),
      }),
    ).toMatchObject({ ranks: ["rank-1 1"], said: ["rank-nested rank-1/rank-2"] });
  });
});
