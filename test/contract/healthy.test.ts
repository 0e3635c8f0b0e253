/**
 * Nothing is found in healthy runs by our own checks, and no more than rlprobe finds by its signatures. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python
 * that has rlprobe 0.1.0. 40 runs; 200 with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { CHECKS } from "../../src/core/doctor/checks/index.ts";
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { recordingsIn } from "./oracle.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const COUNT = isLong ? 200 : 40;
const OURS = new Set<string>(CHECKS.map(({ id }) => id));

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-healthy-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

async function found(folder: string): Promise<string[]> {
  const { findings } = await diagnoseRun(await openRun(nodeSource(folder)), { order: "merged", extra: true });
  return findings.map(({ signature }) => signature);
}

if (!python)
  console.warn("FLIGHT_DECK_RLPROBE_PYTHON is not set: healthy runs are those of the fixtures only.");

describe("checks of ours", () => {
  const fixtures = ["synthetic", "trl"].flatMap((set) =>
    recordingsIn(fileURLToPath(new URL(`../fixtures/oracle/${set}`, import.meta.url))),
  );

  test.each(
    fixtures.filter(({ title }) => /healthy|grpo-baseline$/.test(title)).map((r) => [r.title, r.folder]),
  )("find nothing in %s", async (_, folder) => {
    expect(await found(folder)).toEqual([]);
  });

  test(`find nothing in ${COUNT} healthy runs of varied length`, async () => {
    if (!python) return;
    const script = fileURLToPath(new URL("make_synth.py", import.meta.url));
    const args = [script, temporary, "--seed", "7", "--healthy", String(COUNT), "--findings"];
    execFileSync(python, ["-W", "ignore", ...args], { stdio: "pipe" });
    const truth = JSON.parse(readFileSync(path.join(temporary, "truth.json"), "utf8")) as {
      readonly name: string;
      readonly findings: readonly { readonly signature: string }[];
    }[];
    expect(truth.length).toBe(COUNT);
    for (const { name, findings } of truth) {
      const all = await found(path.join(temporary, "recordings", name));
      expect(
        all.filter((id) => OURS.has(id)),
        name,
      ).toEqual([]);
      expect(all, name).toEqual(findings.map(({ signature }) => signature));
    }
  }, 300_000);
});
