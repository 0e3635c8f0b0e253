/** Markdown for issues: whatever was recorded, a reader of Markdown finds text, and no one is called. */
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeSource } from "../../../src/core/io/node.ts";
import { fenced, inIssue } from "../../../src/report/markdown-text.ts";
import { visibleLine } from "../../../src/view/visible.ts";
import { PAYLOADS } from "../../helpers/hostile.ts";
import { hostileRun, smallRun } from "../../helpers/hostile-run.ts";
import { source } from "../helpers/runs.ts";
import { reportOf } from "./made.ts";

const RECORDINGS = path.resolve(import.meta.dirname, "../../fixtures/oracle/synthetic/recordings");

interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
}
interface Reader {
  parse(markdown: string, env: object): readonly Token[];
  renderInline(markdown: string): string;
}
const MarkdownIt = createRequire(import.meta.url)("markdown-it") as new (
  options: Readonly<Record<string, boolean>>,
) => Reader;
const reader = new MarkdownIt({ html: true, linkify: true });

/** Kinds of what a reader of Markdown finds. */
const kinds = (markdown: string): Set<string> =>
  new Set(
    reader
      .parse(markdown, {})
      .flatMap((token) => [token.type, ...(token.children ?? []).map(({ type }) => type)]),
  );
/** Links, pictures, HTML and rules are never ours. */
const FOREIGN = ["link_open", "image", "html_inline", "html_block", "hr", "blockquote_open", "s_open"];
const foreign = (markdown: string): string[] => FOREIGN.filter((kind) => kinds(markdown).has(kind));

/** Text outside of code, as a host searches it for mentions. */
const running = (markdown: string): string =>
  reader
    .parse(markdown, {})
    .flatMap(({ children }) =>
      (children ?? []).filter(({ type }) => type === "text").map(({ content }) => content),
    )
    .join("\n");

describe("a report as Markdown", () => {
  it("says the same as the page: findings, evidence, what to try, samples, what passed", async () => {
    const text = await reportOf([nodeSource(path.join(RECORDINGS, "mixed"))], "md");
    for (const words of [
      "**1 critical finding, 1 warning, 1 note over 240 steps.**",
      "## 1. Entropy collapse",
      "onset step 170",
      "| collapse threshold | `0.25` |",
      "1. Add an entropy bonus or raise it.",
      "```text\n",
      "Passed: ",
    ])
      expect(text.includes(words), words).toBe(true);
    expect(foreign(text)).toEqual([]);
  });

  it("of a comparison: where the runs part, what is configured differently", async () => {
    const text = await reportOf(
      ["healthy-grpo", "kl-blowup"].map((name) => nodeSource(path.join(RECORDINGS, name))),
      "md",
    );
    expect(text).toContain("**The runs part at step 100, first in Highest KL to reference.**");
    expect(text).toContain("## Configured differently");
    expect(foreign(text)).toEqual([]);
  });

  it("makes nothing of hostile text but text", async () => {
    const a = source(Object.fromEntries(hostileRun(0)), PAYLOADS[9]?.text);
    const b = source(Object.fromEntries(hostileRun(1)), PAYLOADS[24]?.text);
    for (const text of [await reportOf([a], "md"), await reportOf([a, b], "md")]) {
      expect(foreign(text)).toEqual([]);
      expect(running(text).match(/(^|\W)@\w+|#\d|\bGH-\d|https?:\/\/\w|www\.\w/g)).toBeNull();
    }
  });

  it.each(PAYLOADS.map(({ id, text }) => [id, text] as const))(
    "%s is the name of everything, and stays a name",
    async (_, payload) => {
      const text = await reportOf([source(Object.fromEntries(smallRun(payload)), payload)], "md");
      expect(foreign(text)).toEqual([]);
      expect(text.split("\n").some((line) => /[\p{Cc}\u202a-\u202e]/u.test(line))).toBe(false);
      // The headings are the report's own.
      const headings = reader.parse(text, {}).filter(({ type }) => type === "heading_open").length;
      expect(headings).toBe(
        text.split("\n").filter((line) => /^#{1,2} (Run `|What passed|Events|About the|\d+\. )/.test(line))
          .length,
      );
    },
  );
});

describe("text for an issue", () => {
  it.each([
    ["ping @octocat and @org/team"],
    ["see #12, org/repo#12, GH-12"],
    ["http://a.example/x www.a.example mailto:a@b.example"],
  ])("calls nobody: %s", (words) => {
    const html = reader.renderInline(inIssue(words));
    expect(html).not.toMatch(/<a |@\w|#\d|GH-\d/);
    // Apart from what keeps it apart, it reads the same.
    expect(html.replaceAll("\u200b", "")).toBe(words);
  });

  it.each(PAYLOADS.map(({ id, text }) => [id, text] as const))(
    "%s cannot close the fence around it",
    (_, payload) => {
      for (const text of [payload, `\`\`\`\n${payload}\n\`\`\`\``, `${payload}\n~~~`]) {
        const [only, ...more] = reader.parse(fenced(text, 5000), {});
        expect(more).toEqual([]);
        const lines = text.replace(/\r\n?/g, "\n").split("\n");
        expect(only?.content).toBe(`${lines.map((line) => visibleLine(line).text).join("\n")}\n`);
      }
    },
  );

  it("says what was cut", () => {
    expect(fenced("😀".repeat(3), 3)).toBe("```text\n😀\n```\n\n_Cut: 2 of 6 characters._");
  });
});
