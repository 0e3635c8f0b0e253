import { describe, expect, it } from "vitest";
import { type LinkedFolder, linksInLine, linkTo, parseLink, type RunLink } from "../../../src/view/links.ts";
import { PAYLOADS } from "../../helpers/hostile.ts";

const at = (path: string, authority = ""): LinkedFolder => ({ path, authority });
const link = (more: Partial<RunLink>): RunLink => ({
  run: at("/runs/a"),
  step: null,
  sample: null,
  other: null,
  ...more,
});

/** As VS Code hands an address over: its parts, the query decoded once. */
function handedOver(text: string): [path: string, query: string] {
  const [, path = "", query = ""] = /^[\w-]+:\/\/flight-deck\.flight-deck(\/[^?]*)\?(.*)$/.exec(text) ?? [];
  return [decodeURIComponent(path), decodeURIComponent(query)];
}

function made(text: ReturnType<typeof linkTo>): string {
  if (typeof text !== "string") throw new Error(text.refused);
  return text;
}

describe("a link", () => {
  it("reads as what it is about", () => {
    expect(linkTo("vscode", link({ step: "12" }))).toBe(
      "vscode://flight-deck.flight-deck/open?run=/runs/a&step=12",
    );
  });

  it.each<Partial<RunLink>>([
    {},
    { step: "0" },
    { step: "9223372036854775807" },
    { step: "-5" },
    { step: "12", sample: { rank: 3, id: "s12_4" } },
    { sample: { rank: null, id: "a&b=c#d%20e+f?g/h" } },
    { other: at("/runs/b & c") },
    { run: at("C:\\runs\\my run") },
    { run: at("/home/üñí/100 %/a=b&c#d") },
    { run: at("/runs/a", "ssh-remote+box"), other: at("/runs/b", "ssh-remote+box") },
  ])("comes back as it was: %j", (more) => {
    expect(parseLink(...handedOver(made(linkTo("vscode-insiders", link(more)))))).toEqual(link(more));
  });

  const ODD = [
    "a\u202eb",
    "a\u2066b",
    "a\nb",
    "a\u2028b",
    "a\ud800b",
    "100 %",
    "%2F",
    "a&b=c#d+e?f",
    "é😀",
    "x".repeat(5000),
  ];
  it.each([...ODD, ...PAYLOADS.map(({ text }) => text)].map((text) => [text]))(
    "is only made where it comes back as it was, wherever %j stands",
    (text) => {
      const folder = `/runs/${text.replaceAll(/[\\/]/g, "")}`;
      const cases: Partial<RunLink>[] = [
        { run: at(folder) },
        { run: at(folder, "ssh-remote+box") },
        { run: at("/runs/a", `ssh-remote+${text}`) },
        { other: at(folder) },
        { sample: { rank: 0, id: text }, step: "1" },
      ];
      const isOdd = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
      for (const more of cases) {
        const text = linkTo("vscode", link(more));
        if (typeof text === "string") expect(parseLink(...handedOver(text))).toEqual(link(more));
        else expect(text.refused).toMatch(/^Its? .*\.$/);
        if (isOdd) expect(text).toHaveProperty("refused");
      }
    },
  );

  it.each([
    ["file:///runs/a%20b", at("/runs/a b")],
    ["file:///C:/runs/a", at("C:/runs/a")],
    ["vscode-remote://wsl%2Bubuntu/runs/a", at("/runs/a", "wsl+ubuntu")],
  ])("takes an address of a folder: %s", (run, folder) => {
    expect(parseLink("/open", `run=${run}`)).toEqual(link({ run: folder }));
  });

  it.each([
    ["", ""],
    ["/run", "run=/a"],
    ["/open/../x", "run=/a"],
    ["/open", ""],
    ["/open", "run="],
    ["/open", "run=a/b"],
    ["/open", "run=./a"],
    ["/open", "run=/a/../../etc"],
    ["/open", "run=/a/%2e%2e/etc"],
    ["/open", "run=//host/share"],
    ["/open", "run=\\\\host\\share"],
    ["/open", "run=/\\host/share"],
    ["/open", "run=file://host/share"],
    ["/open", "run=file:////host/share"],
    ["/open", "run=vscode-remote://box//host/share"],
    ["/open", "run=vscode-remote:///a"],
    ["/open", "run=http://host/a"],
    ["/open", "run=untitled:/a"],
    ["/open", "run=command:workbench.action.terminal.new"],
    ["/open", "run=/a%00b"],
    ["/open", "run=/a%0Ab"],
    ["/open", "run=/a%E2%80%AEb"],
    ["/open", "run=/a%"],
    ["/open", `run=/${"a".repeat(5000)}`],
    ["/open", "run=/a&run=/b"],
    ["/open", "run=/a&command=x"],
    ["/open", "run=/a&__proto__=x"],
    ["/open", "run=/a&step=1e9"],
    ["/open", "run=/a&step="],
    ["/open", "run=/a&step=1;2"],
    ["/open", "run=/a&sample="],
    ["/open", `run=/a&sample=${"x".repeat(501)}`],
    ["/open", "run=/a&rank=0"],
    ["/open", "run=/a&sample=s&rank=-1"],
    ["/open", "run=/a&with=b"],
    ["/open", "run=/a&with=//host/b"],
    ["/open", "run=/a&with=/b&step=1"],
    ["/open", "=/a"],
    ["/open", "run"],
  ])("is refused with a sentence: %s ?%s", (path, query) => {
    const refusal = parseLink(path, query);
    expect("refused" in refusal ? refusal.refused : JSON.stringify(refusal)).toMatch(/^Its? .*\.$/);
    expect(JSON.stringify(refusal)).not.toContain("host");
  });

  it.each(PAYLOADS.map(({ id, text }) => [id, text] as const))(
    "takes %s for a name or refuses it, and nothing else",
    (_, text) => {
      for (const query of [
        text,
        `run=${text}`,
        `run=/a&step=${text}`,
        `run=/a&${text}=1`,
        `run=/${encodeURIComponent(text.replace(/\p{Cs}/gu, ""))}`,
      ]) {
        const parsed = parseLink("/open", query);
        if ("refused" in parsed) continue;
        expect(parsed.run.path).toMatch(/^(\/(?!\/)|[A-Z]:\\)/);
        expect(parsed.run.path).not.toMatch(/[\p{Cc}\u202e]|(^|\/)\.\.(\/|$)/u);
        expect(Object.keys(parsed)).toEqual(["run", "step", "sample", "other"]);
      }
    },
  );
});

describe("links in a terminal's line", () => {
  const seen = (line: string) =>
    linksInLine(line).map(({ from, to, run, step, sample }) => [
      line.slice(from, to),
      run,
      step,
      sample?.id ?? null,
    ]);

  it("are paths and citations, without what ends a sentence", () => {
    expect(seen("runs/good  finished  200 steps")).toEqual([["runs/good", "runs/good", null, null]]);
    expect(seen('see "/data/run 1/x" and (/data/b/).')).toContainEqual(["/data/b", "/data/b", null, null]);
    expect(seen("grpo/139/0/139_4.")).toEqual([
      ["grpo/139/0/139_4", "grpo", "139", "139_4"],
      ["grpo/139/0/139_4", "grpo/139/0/139_4", null, null],
    ]);
    expect(seen("runs/grpo/139")[0]).toEqual(["runs/grpo/139", "runs/grpo", "139", null]);
    expect(seen("a/1/0/s%2F1")[0]?.[3]).toBe("s/1");
  });

  it("are no addresses, no fractions of nothing, and few", () => {
    expect(seen("https://host.invalid/a/1/0/x")).toEqual([]);
    expect(seen("no slash here")).toEqual([]);
    expect(linksInLine("a/b ".repeat(5000)).length).toBeLessThanOrEqual(17);
    expect(linksInLine(`${"/".repeat(100_000)}`)).toEqual([]);
  });

  it("keep their places in a line that is told in UTF-16", () => {
    expect(seen("😀 runs/a")).toEqual([["runs/a", "runs/a", null, null]]);
  });
});
