/** Mutants that found a fault once (test/fixtures/fuzz): what is right to say of them. */
import path from "node:path";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { openRun } from "../../src/core/index.ts";
import type { MemoryEntry } from "../../src/core/io/memory.ts";
import { nodeSource } from "../../src/core/io/node.ts";
import type { RunSource } from "../../src/core/io/source.ts";
import { type RunContract, runContract } from "../../src/protocol/run.ts";
import type { SampleFilter } from "../../src/protocol/samples.ts";
import type { Params, Result } from "../../src/protocol/wire.ts";
import { runViews } from "../../src/view/run.ts";
import { int64, parquet, text } from "../unit/helpers/parquet.ts";
import { manifest, source } from "../unit/helpers/runs.ts";

const fixtures = path.join(import.meta.dirname, "../fixtures/fuzz");
const ALL: SampleFilter = {
  ...{ steps: null, rank: null, reason: null, truncated: null, group: null },
  ...{ prompt: null, reward: null, length: null, rows: null },
};

/** Asks as the host does: an answer that does not keep the contract is none. */
async function asking(from: RunSource) {
  const views = runViews(await openRun(from), () => 0);
  const context = { signal: new AbortController().signal };
  return async <M extends keyof RunContract & string>(
    method: M,
    params: Params<RunContract, M>,
  ): Promise<Result<RunContract, M>> => {
    const answer = await views[method](params as never, context);
    return z.parse(runContract[method].result, answer) as Result<RunContract, M>;
  };
}

async function ranksOf(
  from: RunSource,
): Promise<{ listed: number[]; shown: (number | undefined)[]; said: unknown }> {
  const ask = await asking(from);
  for (let read = 0, done = false; !done; ) ({ read, done } = await ask("samples.state", { seen: read }));
  const order = { by: "row" as const, descending: false };
  const { rows } = await ask("samples.list", { filter: ALL, order, offset: 0, limit: 500 });
  const shown: (number | undefined)[] = [];
  for (const { row } of rows) shown.push((await ask("samples.detail", { row, text: 100 }))?.rank);
  const said = (await ask("run.warnings", {})).filter(({ code }) => code === "bad-cell");
  return { listed: rows.map(({ rank }) => rank), shown, said };
}

it("rank-beyond: a rank that no process can have is none, in the list and with the text", async () => {
  const { listed, shown, said } = await ranksOf(nodeSource(path.join(fixtures, "rank-beyond")));
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.every((rank) => rank === 0)).toBe(true);
  expect(shown).toEqual(listed);
  expect(said).toMatchObject([{ file: "samples/shard-00000.parquet", level: "warning" }]);
});

it("ranks around the limits", async () => {
  const ranks = [0n, 7n, -1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
  const files = {
    "manifest.json": manifest(),
    "samples/shard-00000.parquet": parquet({
      step: int64(ranks.map(() => 1)),
      sample_id: text(ranks.map((_, i) => `s${i}`)),
      rank: int64(ranks),
    }),
  };
  const { listed, shown } = await ranksOf(source(files));
  expect(listed).toEqual([0, 7, -1, 2 ** 31 - 1, 0, 0, 0, 0]);
  expect(shown).toEqual(listed);
});

it("a rank's manifest cannot give it a number that is none", async () => {
  const folders = [1e300, 2 ** 31, -1, 0.5, 3].map((rank, i): [string, MemoryEntry] => [
    `rank-x${i}/manifest.json`,
    manifest({ extra: { rank } }),
  ]);
  const ask = await asking(source({ "manifest.json": manifest(), ...Object.fromEntries(folders) }));
  expect((await ask("run.overview", {})).ranks).toEqual([0, 0, 0, 0, 0, 3]);
});
