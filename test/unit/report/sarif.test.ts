/** SARIF that code hosts take: what the standard demands of the parts that are written. */
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeSource } from "../../../src/core/io/node.ts";
import { PAYLOADS } from "../../helpers/hostile.ts";
import { hostileRun } from "../../helpers/hostile-run.ts";
import { source } from "../helpers/runs.ts";
import { reportOf } from "./made.ts";

const RECORDINGS = path.resolve(import.meta.dirname, "../../fixtures/oracle/synthetic/recordings");
const LEVELS = ["none", "note", "warning", "error"];

interface Place {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
    readonly region: { readonly startLine: number };
  };
  readonly logicalLocations?: readonly { readonly name: string; readonly kind: string }[];
}
interface Rule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: string };
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly rank: number;
  readonly message: { readonly text: string };
  readonly locations: readonly Place[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}
interface Run {
  readonly tool: {
    readonly driver: {
      readonly name: string;
      readonly semanticVersion: string;
      readonly rules: readonly Rule[];
    };
  };
  readonly automationDetails: { readonly id: string };
  readonly columnKind: string;
  readonly invocations: readonly {
    readonly executionSuccessful: boolean;
    readonly endTimeUtc: string;
    readonly toolExecutionNotifications: readonly {
      readonly descriptor: { readonly id: string };
      readonly level: string;
      readonly message: { readonly text: string };
    }[];
  }[];
  readonly results: readonly Result[];
}
interface Log {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly Run[];
}

const logOf = async (names: readonly string[], address?: string): Promise<Log> =>
  JSON.parse(
    await reportOf(
      names.map((name) => nodeSource(path.join(RECORDINGS, name))),
      "sarif",
      address === undefined ? {} : { address },
    ),
  ) as Log;

/** What the schema wants of every log, whatever it is about. */
function expectValid(log: Log): void {
  expect(log.version).toBe("2.1.0");
  expect(log.$schema).toMatch(/sarif-schema-2\.1\.0\.json$/);
  for (const run of log.runs) {
    const { rules, name, semanticVersion } = run.tool.driver;
    expect(name).toBe("Flight Deck");
    expect(semanticVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.name).toMatch(/^([A-Z][A-Za-z0-9]*)+$/);
      for (const text of [
        rule.shortDescription.text,
        rule.fullDescription.text,
        rule.help.text,
        rule.help.markdown,
      ])
        expect(text.length).toBeGreaterThan(0);
      expect(LEVELS).toContain(rule.defaultConfiguration.level);
    }
    expect(["utf16CodeUnits", "unicodeCodePoints"]).toContain(run.columnKind);
    for (const { endTimeUtc, toolExecutionNotifications: notes } of run.invocations) {
      expect(endTimeUtc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
      for (const { level, message, descriptor } of notes) {
        expect(LEVELS).toContain(level);
        expect(message.text.length * descriptor.id.length).toBeGreaterThan(0);
      }
    }
    for (const result of run.results) {
      expect(rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(LEVELS).toContain(result.level);
      expect(result.message.text.length).toBeGreaterThan(0);
      expect(result.rank >= 0 && result.rank <= 100).toBe(true);
      for (const print of Object.values(result.partialFingerprints)) expect(print).toMatch(/^[0-9a-f]{32}$/);
      expect(result.locations.length).toBe(1);
      for (const { physicalLocation } of result.locations) {
        const { uri, uriBaseId } = physicalLocation.artifactLocation;
        // RFC 3986: only what an address may hold, and a base for one that is relative.
        expect(uri).toMatch(/^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/);
        expect(() => new URL(uri, "file:///base/")).not.toThrow();
        expect(uriBaseId === undefined).toBe(/^[a-z]+:/.test(uri));
        expect(physicalLocation.region.startLine).toBeGreaterThanOrEqual(1);
      }
    }
  }
}

describe("findings as SARIF", () => {
  let log: Log;
  beforeAll(async () => {
    log = await logOf(["mixed"]);
  });

  it("is what the standard wants", () => expectValid(log));

  it("has a rule for each signature, and a result for each finding with its level", () => {
    const [run] = log.runs;
    expect(run?.tool.driver.rules.length).toBe(18);
    expect(run?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["ENTROPY_COLLAPSE", "error"],
      ["TRUNCATION_STARVE", "warning"],
      ["THROUGHPUT_ROT", "note"],
    ]);
  });

  it("says where: the recording's file, and the step", () => {
    const [place] = log.runs[0]?.results[0]?.locations ?? [];
    expect(place?.physicalLocation.artifactLocation).toEqual({
      uri: "runs/r0/manifest.json",
      uriBaseId: "%SRCROOT%",
    });
    expect(place?.logicalLocations?.[0]).toMatchObject({ name: "step 170", kind: "step" });
  });

  it("takes a whole address as it is", async () => {
    const other = await logOf(["mixed"], "file:///data/a%20run");
    expectValid(other);
    expect(other.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation).toEqual({
      uri: "file:///data/a%20run/manifest.json",
    });
  });

  it("gives a finding the same fingerprint each time, and another one in another run", async () => {
    const prints = ({ runs }: Log) =>
      runs.flatMap(({ results }) =>
        results.map(({ partialFingerprints }) => partialFingerprints["flightDeckFinding/v1"]),
      );
    expect(prints(await logOf(["mixed"]))).toEqual(prints(log));
    const both = prints(await logOf(["mixed", "entropy-collapse"]));
    expect(new Set(both).size).toBe(both.length);
    expect(both.length).toBeGreaterThan(3);
  });

  it("has a run of the tool for each recording, and none of the findings of a healthy one", async () => {
    const both = await logOf(["healthy-grpo", "mixed"]);
    expectValid(both);
    expect(both.runs.map(({ results }) => results.length)).toEqual([0, 3]);
    expect(new Set(both.runs.map(({ automationDetails }) => automationDetails.id)).size).toBe(2);
  });

  it("stays valid whatever is recorded, on lines without control characters", async () => {
    const text = await reportOf([source(Object.fromEntries(hostileRun()), PAYLOADS[9]?.text)], "sarif");
    expectValid(JSON.parse(text) as Log);
    expect(text.split("\n").filter((line) => /[\p{Cc}\p{Cs}\u202a-\u202e]/u.test(line))).toEqual([]);
  });
});
