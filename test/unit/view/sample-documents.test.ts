/** Documents about samples: what they say, and that no recorded text can pass for a part of them. */
import { describe, expect, it } from "vitest";
import type { SampleDetail, SampleListRow } from "../../../src/protocol/samples.ts";
import { type BuiltDocument, MARK, sampleAt, sectionAt } from "../../../src/view/document-writer.ts";
import {
  failedDocument,
  groupDocument,
  promptDocument,
  queryDocument,
  sampleDocument,
} from "../../../src/view/sample-documents.ts";

const row = (more: Partial<SampleListRow> = {}): SampleListRow => ({
  row: 7,
  step: "120",
  id: "120_3",
  rank: 0,
  group: "g1",
  promptId: "",
  reward: 0.36666667461395264,
  advantage: -1.25,
  kl: null,
  logprob: null,
  length: 12,
  truncated: true,
  reason: "bottom_k",
  prompt: "what?",
  completion: "this\nand that",
  ...more,
});
const detail = (more: Partial<SampleDetail> = {}): SampleDetail => {
  const sample = { ...row(), ...more };
  return {
    ...{ file: "samples/shard-00001.parquet", fileRow: 3, tokens: 12, earlier: 1, later: null },
    components: [{ name: "__proto__", value: 1 }],
    place: { size: 8, rank: 4, mean: 0.5, sd: 0.25, best: 1, worst: 2 },
    ...sample,
    promptLength: more.promptLength ?? sample.prompt.length,
    completionLength: more.completionLength ?? sample.completion.length,
  };
};

const linesOf = ({ text }: BuiltDocument): string[] => text.split("\n");
/** All that the writer says of lines, looked up in the text. */
function check(built: BuiltDocument): void {
  const lines = linesOf(built);
  expect(lines.length).toBe(built.lineCount);
  const ours = built.sections.map(({ from }) => from);
  expect(lines.flatMap((line, i) => (line.startsWith(MARK) ? [i] : []))).toEqual(ours);
  built.sections.forEach(({ from, to }, i) => {
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThan(built.sections[i + 1]?.from ?? lines.length);
  });
  for (const { line, from, to } of built.named)
    expect(lines[line]?.slice(from, to)).toMatch(/^<(U\+[0-9A-F]{4,6}|[A-Z0-9]{2,3})>$/);
  expect(built.text.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e]/u);
}

describe("a sample", () => {
  const built = sampleDocument({
    run: "run",
    sample: detail(),
    group: [row({ row: 1, id: "120_1", reward: 1 }), row()],
  });

  it("is told by its figures, its texts and its group", () => {
    check(built);
    expect(built.text).toMatchInlineSnapshot(`
      "▌ Sample at step 120 of run
      id               120_3
      run              run
      step             120
      rank             0
      reward           0.3666667
        __proto__      1
      advantage        −1.25
      length           12 tokens
      truncated        yes
      captured as      bottom_k
      group            g1
      place in group   4 of 8, mean 0.5, sd 0.25
      recorded in      samples/shard-00001.parquet, row 3

      ▌ Prompt · 5 characters
      what?

      ▌ Completion · 13 characters, 12 tokens
      this
      and that

      ▌ Group · 8 samples, 2 shown
          reward 1 · advantage −1.25 · 12 tokens · truncated · 120_1
        ▸ reward 0.3666667 · advantage −1.25 · 12 tokens · truncated · 120_3
      "
    `);
  });

  it("knows what each line is", () => {
    expect(sectionAt(built, 19)?.kind).toBe("completion");
    expect(sampleAt(built, 19)?.row).toBe(7);
    expect(sampleAt(built, 23)?.row).toBe(1);
    expect(built.fields.find(({ field }) => field === "place in group")?.line).toBe(12);
  });

  it("without anything recorded says so, and has no empty fields", () => {
    const empty = sampleDocument({
      run: "run",
      sample: detail({
        ...{ prompt: "", completion: "", reward: null, advantage: null, length: null, truncated: null },
        ...{ reason: "", group: "", place: null, tokens: null, components: [] },
      }),
      group: [],
    });
    check(empty);
    expect(empty.sections.map(({ title }) => title)).toEqual([
      "Sample at step 120 of run",
      "Prompt · empty or not recorded",
      "Completion · empty or not recorded",
    ]);
    expect(empty.text).not.toMatch(/null|undefined|reward/);
  });

  it("of a text that was cut says how long it is", () => {
    const cut = sampleDocument({ run: "run", sample: detail({ completionLength: 40_000 }), group: [] });
    expect(cut.text).toContain("▌ Completion · 40,000 characters, 12 tokens, the first 13 shown");
  });
});

describe("hostile text", () => {
  const hostile = [
    `${MARK} Completion · 5 characters`,
    `${MARK}${MARK} Group`,
    "▌ Sample at step 1 of run",
    "\u001b[2J\u0000\u202e evil \u202c\r\u2028\u2029\u0085\ud800 \udc00",
    "[click](command:workbench.action.quit) <script>alert(1)</script> $(zap)",
    "reward           99",
  ].join("\n");

  it("in a completion makes no section, field or sample of its own", () => {
    const plain = sampleDocument({ run: "r", sample: detail({ completion: "x" }), group: [row()] });
    const built = sampleDocument({
      run: "r",
      sample: detail({ completion: hostile, prompt: hostile }),
      group: [row()],
    });
    check(built);
    expect(built.sections.map(({ kind }) => kind)).toEqual(plain.sections.map(({ kind }) => kind));
    expect(built.fields.length).toBe(plain.fields.length);
    expect(built.samples.length).toBe(1);
    expect(built.text).toContain("<U+258C> Completion · 5 characters");
    // Only the first mark of a line could pass for ours.
    expect(built.text).toContain(`<U+258C>${MARK} Group`);
    expect(built.text).toContain(
      "<ESC>[2J<NUL><U+202E> evil <U+202C><CR><U+2028><U+2029><U+0085><U+D800> <U+DC00>",
    );
  });

  it("in names and ids stays on its line", () => {
    const bad = { id: hostile, group: hostile, reason: hostile, promptId: hostile };
    const sample = detail({ ...bad, components: [{ name: hostile, value: 1 }], file: hostile });
    const time = {
      text: "",
      steps: [{ step: 120, stepText: "120", n: 1, mean: 1, min: 1, max: 1, rows: [7] }],
    };
    const rows = [row({ ...bad, completion: hostile, prompt: hostile })];
    const group = {
      ...{ step: "120", group: hostile, size: 1, mean: 1, sd: 0, min: 1, max: 1 },
      ...{ verdict: "equal" as const, prompt: hostile, rows: [7] },
    };
    const list = { total: 1, without: 2, offset: 0, rows, indexed: 1 };
    for (const built of [
      sampleDocument({ run: hostile, sample, group: rows }),
      groupDocument({ run: hostile, group, samples: [sample] }),
      queryDocument({ run: hostile, query: hostile, order: hostile, list }),
      promptDocument({ run: hostile, sample, time, rows }),
      failedDocument(hostile, hostile),
    ])
      check(built);
  });
});

describe("other documents", () => {
  it("show a group side by side, its verdict and its prompt once", () => {
    const group = {
      ...{ step: "120", group: "g1", size: 3, mean: 0.5, sd: 0.5, min: 0, max: 1 },
      ...{ verdict: "wrong" as const, prompt: "", rows: [1, 7] },
    };
    const samples = [
      detail({ row: 1, id: "a", completion: "first" }),
      detail({ id: "b", completion: "second" }),
    ];
    const built = groupDocument({ run: "run", group, samples });
    check(built);
    expect(built.sections.map(({ kind }) => kind)).toEqual(["about", "prompt", "completion", "completion"]);
    expect(built.text).toContain("verdict          no variance: all at the lowest reward of the run");
    expect(built.text).toContain("samples          3, 2 shown");
    expect(sampleAt(built, built.lineCount - 2)?.id).toBe("b");
  });

  it("list what a query found, and what could not be sorted", () => {
    const list = {
      total: 900,
      without: 4,
      offset: 0,
      rows: [row(), row({ row: 8, id: "x" })],
      indexed: 1000,
    };
    const built = queryDocument({ run: "run", query: "reward<1", order: "reward, smallest first", list });
    check(built);
    expect(built.text).toContain("samples          900, the first 2 shown");
    expect(built.text).toContain("note             4 samples more without a value to sort by");
    expect(built.sections[1]?.title).toMatch(/^1 · step 120 · rank 0 · reward/);
    expect(sampleAt(built, built.lineCount - 2)?.row).toBe(8);
  });

  it("cut a beginning between characters, not within one", () => {
    const cut = row({ prompt: `${"p".repeat(299)}\u{1f41d}!`, completion: `${"c".repeat(299)}\u{1f41d}!` });
    const list = { total: 1, without: 0, offset: 0, rows: [cut], indexed: 1 };
    const found = queryDocument({ run: "run", query: "", order: "", list });
    const steps = [{ step: 120, stepText: "120", n: 1, mean: 1, min: 1, max: 1, rows: [7] }];
    const time = promptDocument({ run: "run", sample: detail(), time: { text: "", steps }, rows: [cut] });
    for (const { text } of [found, time]) {
      expect(text).toContain("c".repeat(299));
      expect(text).not.toMatch(/[\ud800-\udfff]|U\+D8/);
    }
  });

  it("show a prompt over time, step by step", () => {
    const steps = [120, 240].map((step) => ({
      ...{ step, stepText: String(step), n: 1, mean: 0.5, min: 0.5, max: 0.5, rows: [step] },
    }));
    const built = promptDocument({
      run: "run",
      sample: detail(),
      time: { text: "what?", steps },
      rows: [row(), row({ step: "240", row: 9 })],
    });
    check(built);
    expect(built.sections.map(({ kind }) => kind)).toEqual(["about", "prompt", "step", "step"]);
    expect(sampleAt(built, built.lineCount - 2)?.row).toBe(9);
    expect(sampleAt(built, 0)).toBeNull();
  });

  it("hold a completion of 5 MB, one line or many", () => {
    for (const completion of ["x".repeat(5_000_000), "a line\u0007\n".repeat(625_000)]) {
      const built = sampleDocument({ run: "run", sample: detail({ completion }), group: [row()] });
      expect(built.text.length).toBeGreaterThan(4_900_000);
      expect(built.sections.map(({ kind }) => kind)).toEqual(["sample", "prompt", "completion", "group"]);
      expect(built.named.length).toBeLessThanOrEqual(20_000);
    }
  });
});
