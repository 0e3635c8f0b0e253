/**
 * Random runs, queried by the real rlprobe as this test runs, and by us. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python that has
 * rlprobe 0.1.0. 30 runs of one seed; 300 of three with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { type Query, query, spikeDrivers } from "../../src/core/samples/query.ts";
import { SampleStore } from "../../src/core/samples/store.ts";
import "./oracle.ts";
import { names } from "./queries.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const seeds = isLong ? [71, 72, 73] : [Number(process.env["FLIGHT_DECK_SEED"] ?? 71)];
const COUNT = isLong ? 100 : 30;

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-queries-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: no random runs were queried; the recorded answers of samples.test.ts stand in.",
  );

interface Asked {
  readonly query?: Query;
  /** Step, window, k. */
  readonly around?: readonly [number, number, number];
  readonly rows: readonly unknown[];
}

describe("random runs", () => {
  test.each(seeds)(
    `seed %i: ${COUNT} runs, no difference`,
    async (seed) => {
      if (!python) return;
      const script = fileURLToPath(new URL("make_queries.py", import.meta.url));
      const folder = path.join(temporary, String(seed));
      const args = ["-W", "ignore", script, folder, "--seed", String(seed), "--count", String(COUNT)];
      execFileSync(python, args, { stdio: "pipe" });
      const expectations = readdirSync(folder).filter((name) => name.endsWith(".json"));
      expect(expectations.length).toBe(COUNT);
      let found = 0;
      for (const name of expectations) {
        const run = path.join(folder, path.basename(name, ".json"));
        const index = await new SampleStore(await openRun(nodeSource(run))).all();
        for (const asked of JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Asked[]) {
          const rows = asked.query
            ? query(index, asked.query)
            : spikeDrivers(index, ...(asked.around ?? [0, 0, 0]));
          expect(names(index, rows), `${name} ${JSON.stringify(asked.query ?? asked.around)}`).toEqual(
            asked.rows,
          );
          found += rows.length;
        }
      }
      expect(found).toBeGreaterThan(COUNT * 20);
    },
    isLong ? 600_000 : 240_000,
  );
});
