import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/host/worker/client.ts";
import { readCases } from "../../reliability/corpus.ts";
import { pageOf, ROOT } from "./sections.ts";

const page = fs.readFileSync(pageOf("reliability.md"), "utf8");

/** Folders of many runs are the business of listings. */
const cases = readCases().filter((c) => c.id !== "x-root-mixed");
const families = [...new Set(cases.map((c) => c.id[0] ?? ""))];

test("docs/reliability.md counts the runs as cases.json does", () => {
  expect(page).toContain(`\n${cases.length} runs, each with one thing wrong`);
  const rows = [...page.matchAll(/^\| `([a-z])-` [^|]+\| (\d+) \| (\d+) \/ (\d+) \/ (\d+) \/ (\d+) \|/gm)];
  const told = rows.map(([, family, ...counts]) => [family, ...counts.map(Number)]);
  const counted = families.map((family) => {
    const own = cases.filter((c) => c.id.startsWith(`${family}-`));
    const of = (verdict: string) => own.filter((c) => c.verdict === verdict).length;
    return [family, own.length, of("open"), of("warn"), of("refuse"), of("any")];
  });
  expect(told.toSorted()).toEqual(counted.toSorted());
});

test("and gives the limits that hold", () => {
  const MB = 2 ** 20;
  const { call, slow, lossesPerMinute, memory } = LIMITS;
  for (const limit of [
    `| ${call / 1000} s without a sign of life (${slow / 1000} s where`,
    `| ${memory.growth / MB} MB | what a thread may grow by`,
    `| ${memory.decoder / MB} MB | what the decoder may keep`,
    `| after ${memory.idle / 1000} s the thread is replaced`,
    `| ${lossesPerMinute} a minute | lost threads`,
  ])
    expect(page).toContain(limit);
  const decoder = fs.readFileSync(path.join(ROOT, "src/core/reader/decode.ts"), "utf8");
  expect(decoder).toContain("DECODER_LIMIT = 512 * 1024 * 1024");
  expect(page).toContain("| 512 MB | the decoder's memory");
});
