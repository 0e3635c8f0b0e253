/**
 * 1,000 random configurations, hashed by real Python as this test runs, and by us: written as a witness from JavaScript values, and read
 * from files that Python wrote. FLIGHT_DECK_RLPROBE_PYTHON is the Python that is asked; without one, hashes that it gave stand in
 * (fixtures/config-hash/random.txt). Three more seeds with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { configHashIn } from "../../src/core/records/config-hash.ts";
import { writeWitness } from "../../src/recorder/records.ts";
import { randomConfigs } from "./configs.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const SEED = 10;
const COUNT = 1000;
const recorded = fileURLToPath(new URL("../fixtures/config-hash/random.txt", import.meta.url));

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-witness-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: configurations were not hashed by Python; its recorded hashes stand in.",
  );

/** The witness of each configuration, as it lies on the disk, and the hash that the writer gave. */
async function written(seed: number) {
  const out: { plan: unknown; witness: string; hash: string | null }[] = [];
  for (const [i, { plan, config }] of randomConfigs(seed, COUNT).entries()) {
    const folder = path.join(temporary, `${seed}-${i}`);
    const result = await writeWitness(folder, { config, runId: i, device: "cpu" });
    if (!result.written) throw new Error(result.message);
    expect(result.problems).toEqual([]);
    const witness = readFileSync(path.join(folder, result.file), "utf8");
    out.push({ plan, witness, hash: result.configHash });
  }
  return out;
}

const inFile = (text: string): Uint8Array => new TextEncoder().encode(`{"config": ${text}}`);

describe("hashes of random configurations", () => {
  test(`${COUNT} that Python gave once`, async () => {
    const hashes = readFileSync(recorded, "utf8").trim().split("\n");
    expect(hashes.length).toBe(COUNT);
    expect(new Set(hashes).size).toBeGreaterThan(COUNT * 0.9);
    const cases = await written(SEED);
    expect(cases.map(({ hash }) => hash)).toEqual(hashes);
    for (const { witness, hash } of cases)
      expect(await configHashIn(new TextEncoder().encode(witness), "config")).toBe(hash);
  });

  test.each(process.env["FLIGHT_DECK_LONG"] === "1" ? [SEED, 11, 12, 13] : [SEED])(
    `seed %i: ${COUNT}, no difference from Python`,
    async (seed) => {
      if (!python) return;
      const cases = await written(seed);
      const input = JSON.stringify(cases.map(({ plan, witness }, spelling) => ({ plan, witness, spelling })));
      const script = fileURLToPath(new URL("hash_configs.py", import.meta.url));
      const output = execFileSync(python, [script], { input, maxBuffer: 2 ** 30, encoding: "utf8" });
      const answers = JSON.parse(output) as { hash: string; witness: string; file: string }[];
      expect(answers.length).toBe(COUNT);
      for (const [i, { hash, witness, file }] of answers.entries()) {
        expect([cases[i]?.hash, witness], `configuration ${i}: ${file.slice(0, 2000)}`).toEqual([hash, hash]);
        expect(await configHashIn(inFile(file), "config"), `file ${i}: ${file.slice(0, 2000)}`).toBe(hash);
      }
      // Recorded anew with `-u`.
      if (seed === SEED)
        await expect(`${answers.map(({ hash }) => hash).join("\n")}\n`).toMatchFileSnapshot(recorded);
    },
    240_000,
  );
});
