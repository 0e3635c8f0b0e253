import { describe, expect, test } from "vitest";
import type { AttemptView, RecordsView } from "../../../src/protocol/run.ts";
import { attemptPills, attemptsWords } from "../../../webview/panels/record-words.ts";

const fact = { text: "", exact: "" };
const attempt = (more: Partial<AttemptView> = {}): AttemptView => ({
  file: `observed.attempt${more.attempt ?? 1}.json`,
  attempt: 1,
  statedHash: "aa",
  computedHash: "aa",
  hash: "match",
  manifest: "match",
  previous: "first",
  runId: fact,
  device: fact,
  deviceName: fact,
  peakMemory: fact,
  cpus: fact,
  elapsed: fact,
  fields: [],
  ...more,
});
const records = (attempts: readonly AttemptView[], unread: readonly string[] = []): RecordsView => ({
  attempts: [...attempts],
  configs: { columns: [], rows: [], differing: 0, dropped: 0, droppedColumns: 0 },
  metrics: [],
  droppedMetrics: 0,
  warnings: unread.map((file) => ({
    code: "newer-record-format",
    file,
    message: "",
    remedy: "",
    count: 1,
    level: "warning",
  })),
});

describe("the sentence over the attempts", () => {
  const other = { computedHash: "bb", manifest: "differs" } as const;
  test.each<[string, AttemptView[], string]>([
    [
      "one",
      [attempt()],
      "1 attempt, no restart. It ran the configuration of manifest.json. Its hash matches.",
    ],
    [
      "one that is not the manifest's",
      [attempt(other)],
      "1 attempt, no restart. It ran another configuration than that of manifest.json. Its hash matches.",
    ],
    [
      "one without a manifest",
      [attempt({ manifest: "unknown" })],
      "1 attempt, no restart. Its hash matches.",
    ],
    [
      "restarts",
      [attempt(), attempt({ attempt: 2 }), attempt({ attempt: 3 })],
      "3 attempts, so 2 restarts. All ran the configuration of manifest.json. Every hash matches.",
    ],
    [
      "restarts that changed something",
      [attempt(), attempt({ attempt: 2, ...other, hash: "mismatch" })],
      "2 attempts, so 1 restart. 2 configurations were run. The hash of attempt 2 does not match.",
    ],
    [
      "some without a configuration",
      [
        attempt({ manifest: "unknown" }),
        attempt({ attempt: 2, manifest: "unknown" }),
        attempt({ attempt: 3, computedHash: "", hash: "unknown" }),
      ],
      "3 attempts, so 2 restarts. Those that hold one ran the same configuration. Every hash that can be checked matches.",
    ],
    [
      "none with a configuration",
      [attempt({ computedHash: "", hash: "unknown" })],
      "1 attempt, no restart. No configuration is in the files.",
    ],
  ])("%s", (_, attempts, words) => {
    expect(attemptsWords(records(attempts))).toBe(words);
  });

  test("witnesses that cannot be read are counted", () => {
    const words = attemptsWords(
      records([attempt()], ["observed.attempt2.json", "observed.attempt2.json", "metrics.json"]),
    );
    expect(words).toContain("1 attempt, no restart. 1 witness more cannot be read. ");
  });
});

test("what stands beside an attempt", () => {
  const words = (one: AttemptView, before?: AttemptView) =>
    attemptPills(one, before).map((pill) => pill.words);
  expect(words(attempt())).toEqual(["hash matches", "as in manifest.json"]);
  expect(
    words(
      attempt({ attempt: 3, hash: "mismatch", manifest: "differs", previous: "differs" }),
      attempt({ attempt: 2 }),
    ),
  ).toEqual(["hash does not match", "not that of manifest.json", "changed since attempt 2"]);
  expect(words(attempt({ hash: "unknown", manifest: "unknown", previous: "unknown" }), attempt())).toEqual([
    "hash not checked",
  ]);
});
