import { describe, expect, test } from "vitest";
import type { FindingLine, RunSummary } from "../../../src/protocol/runs.ts";
import { type ListedRun, type RUN_ORDERS, sortedRuns } from "../../../src/view/listed-run.ts";
import { matchesQuery, parseQuery, queryText, type Term } from "../../../src/view/run-query.ts";
import { configKeysOf, queryCompletions } from "../../../src/view/run-query-completion.ts";
import { random } from "../random.ts";

const finding = (signature: string, severity: FindingLine["severity"]): FindingLine => ({
  id: signature,
  signature,
  severity,
  title: signature,
  firstStep: "1",
  words: "",
});

function run(
  label: string,
  summary: Partial<RunSummary> | null,
  findings: readonly FindingLine[] | null,
): ListedRun {
  const whole: RunSummary = {
    runId: label,
    algorithm: "grpo",
    model: "",
    notes: "",
    createdAt: Date.parse("2026-01-31T12:00:00Z"),
    state: "finished",
    stateReason: "",
    steps: 100,
    lastStep: "100",
    timeFirst: null,
    timeLast: null,
    lastWrite: null,
    lastReward: 0.5,
    hasRecording: true,
    warnings: 0,
    events: 0,
    ranks: [0],
    attempts: 0,
    metricRows: 0,
    shards: 0,
    config: [],
    ...summary,
  };
  return {
    dir: `/w/${label}`,
    label,
    path: `exp/${label}`,
    kind: "recording",
    summary: summary && whole,
    findings,
    verdict: null,
    problem: null,
  };
}

const RUNS: readonly ListedRun[] = [
  run(
    "alpha",
    {
      config: [
        ["trainer_config.lr", "1e-05"],
        ["trainer_config.a b", "x"],
      ],
      state: "running",
    },
    [finding("KL_BLOWUP", "critical")],
  ),
  run(
    "beta-9",
    {
      algorithm: "ppo",
      model: "Qwen/Qwen2.5-0.5B",
      steps: 9,
      lastReward: null,
      config: [["trainer_config.lr", "0.001"]],
    },
    [],
  ),
  run("beta-10", { notes: "second try", createdAt: Date.parse("2026-02-01T00:00:00Z"), lastReward: -1 }, [
    finding("ADV_COLLAPSE", "warn"),
  ]),
  run("begun", null, null),
];
const found = (text: string): string[] => {
  const { terms, problems } = parseQuery(text, configKeysOf(RUNS));
  expect(problems, text).toEqual([]);
  return RUNS.filter((r) => matchesQuery(terms, r)).map(({ label }) => label);
};

describe("what a filter lets through", () => {
  test.each([
    ["", ["alpha", "beta-9", "beta-10", "begun"]],
    ["algorithm:grpo trainer_config.lr>=1e-5 finding:KL_BLOWUP state:running", ["alpha"]],
    ["trainer_config.lr>=1e-5", ["alpha", "beta-9"]],
    ["trainer_config.lr=0.00001", ["alpha"]],
    ["trainer_config.lr<1e-5", []],
    ['"trainer_config.a b":x', ["alpha"]],
    ["BETA", ["beta-9", "beta-10"]],
    ["second", ["beta-10"]],
    ['"second try"', ["beta-10"]],
    ["exp/be", ["beta-9", "beta-10", "begun"]],
    ["-beta", ["alpha", "begun"]],
    ["state:running,finished", ["alpha", "beta-9", "beta-10"]],
    ["-state:running", ["beta-9", "beta-10"]],
    ["state!=running", ["beta-9", "beta-10"]],
    ["finding:any", ["alpha", "beta-10"]],
    ["finding:none", ["beta-9"]],
    ["finding:*COLLAPSE", ["beta-10"]],
    ["finding:kl_blowup", ["alpha"]],
    ["severity:critical", ["alpha"]],
    ["steps<50", ["beta-9"]],
    ["reward<0", ["beta-10"]],
    ["reward>=-5", ["alpha", "beta-10"]],
    ["model:qwen", ["beta-9"]],
    ["model=qwen", []],
    ["model:qwen*b", ["beta-9"]],
    ["name=beta-9", ["beta-9"]],
    ["created:2026-01-31", ["alpha", "beta-9"]],
    ["created>2026-01-31", ["beta-10"]],
    ["created>=2026-02-01 reward<0", ["beta-10"]],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test("what is not known yet is not let through, and neither is its opposite", () => {
    expect(found("-finding:any")).not.toContain("begun");
    expect(found("finding:any")).not.toContain("begun");
  });
});

describe("what is wrong is said, with its place", () => {
  test.each([
    ["algoritm:grpo", "algoritm", "There is no key “algoritm”; the nearest is “algorithm”."],
    ["x lr>1", "lr", "There is no key “lr”; did you mean “trainer_config.lr”?"],
    ["zzzzzz:1", "zzzzzz", "There is no key “zzzzzz”; quote it to look for it as text."],
    [
      "trainer_config.lrr=1",
      "trainer_config.lrr",
      "No run has “trainer_config.lrr”; the nearest is “trainer_config.lr”.",
    ],
    ["state:runing", "runing", "There is no state “runing”; the nearest is “running”."],
    ["finding:KL_BLOWP", "KL_BLOWP", "There is no finding “KL_BLOWP”; the nearest is “KL_BLOWUP”."],
    ["steps>many", "many", "“many” is no number."],
    ["state>running", "running", "“state” has no order; write “state:”."],
    ["model>=x", "x", "“model” is text and has no order."],
    ["created>soon", "soon", "“soon” is no date; write it as 2026-01-31."],
    ["steps>", "steps>", "“steps>” lacks a value."],
    ['state:"run', 'state:"run', "A quote is not closed."],
  ])("%s", (text, place, message) => {
    const { problems } = parseQuery(text, configKeysOf(RUNS));
    expect(problems.map((p) => [text.slice(p.from, p.to), p.message])).toEqual([[place, message]]);
  });

  test("and the rest of the filter still counts", () => {
    expect(parseQuery("state:runing beta").terms).toEqual([
      { not: false, key: null, operator: ":", values: ["beta"] },
    ]);
  });
});

describe("for any text", () => {
  const next = random(11);
  const any = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const PIECES = [
    "a",
    "-",
    '"',
    " ",
    ":",
    "=",
    "<",
    ">",
    "!",
    ",",
    "*",
    "state",
    "steps",
    "trainer_config.lr",
    "1e-5",
    "running",
    "\u0000",
    "💥",
    "__proto__",
    "constructor",
  ];
  const texts = Array.from({ length: 3000 }, () =>
    Array.from({ length: Math.floor(next() * 9) }, () => any(PIECES)).join(""),
  );

  test("a filter is read without failing, and problems lie inside the text", () => {
    for (const text of texts) {
      const { terms, problems } = parseQuery(text, configKeysOf(RUNS));
      for (const { from, to, message } of problems) {
        expect(from >= 0 && from < to && to <= text.length, text).toBe(true);
        expect(message).toMatch(/[.?]$/);
      }
      for (const one of RUNS) matchesQuery(terms, one);
      queryCompletions(text, RUNS);
    }
  });

  test("terms written out are read as the same terms", () => {
    for (const text of texts) {
      const { terms } = parseQuery(text);
      expect(parseQuery(queryText(terms)), text).toEqual({ terms, problems: [] });
    }
  });

  test("a term and its opposite divide the runs of which all is known", () => {
    const known = RUNS.filter(({ summary }) => summary);
    for (const text of texts) {
      for (const term of parseQuery(text).terms) {
        const opposite: Term = { ...term, not: !term.not };
        for (const one of known) expect(matchesQuery([term], one), text).toBe(!matchesQuery([opposite], one));
      }
    }
  });

  test("several terms let through what each of them does", () => {
    for (const text of texts) {
      const { terms } = parseQuery(text);
      for (const one of RUNS)
        expect(matchesQuery(terms, one)).toBe(terms.every((term) => matchesQuery([term], one)));
    }
  });
});

describe("completion", () => {
  const labels = (text: string): string[] => queryCompletions(text, RUNS).map(({ label }) => label);
  test("keys, those of the configuration too", () => {
    expect(labels("")).toEqual(expect.arrayContaining(["algorithm", "state", "trainer_config.lr"]));
    expect(labels("beta al")[0]).toBe("algorithm");
    expect(queryCompletions("beta -al", RUNS)[0]).toMatchObject({
      text: "beta -algorithm:",
      detail: "grpo, ppo, …",
    });
    expect(queryCompletions("lr", RUNS)[0]).toMatchObject({
      text: "trainer_config.lr=",
      detail: "0.001, 1e-05",
    });
  });
  test("values, with how many runs have them", () => {
    expect(queryCompletions("algorithm:", RUNS)).toEqual([
      { label: "grpo", detail: "2 runs", text: "algorithm:grpo" },
      { label: "ppo", detail: "1 run", text: "algorithm:ppo" },
    ]);
    expect(queryCompletions("state:running,fin", RUNS)).toEqual([
      { label: "finished", detail: "2 runs", text: "state:running,finished" },
    ]);
    expect(labels("finding:adv")).toEqual(["ADV_COLLAPSE"]);
    expect(labels("steps>")).toEqual([]);
  });
  test("what is taken can be read", () => {
    for (const begun of [
      "",
      "state:",
      "finding:",
      "algorithm:",
      "trainer_config.lr=",
      '"trainer_config.a b"=',
    ])
      for (const { text } of queryCompletions(begun, RUNS)) {
        const { problems } = parseQuery(`${text}${/[:=]$/.test(text) ? "1" : ""}`, configKeysOf(RUNS));
        expect(
          problems.filter((p) => /key|quote|No run/.test(p.message)),
          text,
        ).toEqual([]);
      }
  });
});

describe("order", () => {
  const order = (by: (typeof RUN_ORDERS)[number]) => sortedRuns(RUNS, by).map(({ label }) => label);
  test("by each of what there is; what is not known comes last", () => {
    expect(order("name")).toEqual(["alpha", "begun", "beta-9", "beta-10"]);
    expect(order("newest")).toEqual(["beta-10", "alpha", "beta-9", "begun"]);
    expect(order("severity")).toEqual(["alpha", "beta-10", "beta-9", "begun"]);
    expect(order("reward")).toEqual(["alpha", "beta-10", "begun", "beta-9"]);
    expect(order("steps")).toEqual(["alpha", "beta-10", "beta-9", "begun"]);
    expect(order("state")[0]).toBe("alpha");
  });
});
