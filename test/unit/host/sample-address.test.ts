/** Addresses of documents about samples, links of commands, and the files behind them, without a VS Code. */
import { describe, expect, it, vi } from "vitest";
import type { SampleDetail, SampleListRow } from "../../../src/protocol/samples.ts";

vi.mock("vscode", async () => {
  const { l10n } = await import("./l10n.ts");
  interface Parts {
    readonly scheme: string;
    readonly path: string;
    readonly query?: string;
  }
  const from = ({ scheme, path, query = "" }: Parts) => ({
    ...{ scheme, path, query },
    toString: () => `${scheme}:${path}?${query}`,
  });
  class MarkdownString {
    isTrusted: unknown;
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  }
  return {
    l10n,
    Uri: { from },
    Range: class {},
    CodeLens: class {
      readonly command: unknown;
      constructor(_: unknown, command: unknown) {
        this.command = command;
      }
    },
    MarkdownString,
    FileType: { File: 1, Directory: 2 },
    FileChangeType: { Changed: 1 },
    FileSystemError: { FileNotFound: () => new Error("not found") },
  };
});

const { addressOf, groupUri, promptUri, queryUri, sampleUri } = await import(
  "../../../src/host/samples/address.ts"
);
const { commandLine, commandLink } = await import("../../../src/host/command-links.ts");
const { hoverLinks, SampleTarget, StepTarget, targetOf } = await import("../../../src/host/samples/links.ts");
const { lensesOf } = await import("../../../src/host/samples/lenses.ts");
const { VirtualFiles } = await import("../../../src/host/virtual-files.ts");
const { sampleDocument } = await import("../../../src/view/sample-documents.ts");

const HOSTILE = [
  "../../etc/passwd",
  "a\0b\n",
  "\u202egpj",
  "\ud800",
  "%22,%22dir%22:%22/x",
  '"],[")](x)',
  "?#&",
  "$(zap)",
];

const sample = (more: Partial<SampleDetail> = {}): SampleDetail => ({
  ...{ row: 3, step: "120", id: "120_3", rank: 0, group: "g", promptId: "", reward: 0.25, advantage: 1 },
  ...{ kl: null, logprob: null, length: 3, truncated: null, reason: "", prompt: "p", completion: "c" },
  ...{
    file: "samples/shard-00000.parquet",
    fileRow: 7,
    components: [],
    promptLength: 1,
    completionLength: 1,
  },
  ...{ tokens: null, earlier: null, later: null },
  place: { size: 2, rank: 2, mean: 0.5, sd: 0.1, best: 9, worst: 3 },
  ...more,
});

describe("addresses", () => {
  it("hold all that a document shows behind a readable name", () => {
    const uri = sampleUri("/runs/my run", sample());
    expect(uri.path).toBe("/samples/my run/step 120 reward 0.25 120_3.fdsample");
    expect(addressOf(uri)).toEqual({
      kind: "sample",
      dir: "/runs/my run",
      sample: { rank: 0, step: "120", id: "120_3", file: "samples/shard-00000.parquet", row: 7 },
    });
    expect(groupUri("/r", sample()).path).toBe("/groups/r/step 120 group g.fdsample");
    expect(promptUri("/r", sample({ prompt: "what is\nit?" })).path).toBe(
      "/prompts/r/prompt what is-it-.fdsample",
    );
    expect(addressOf(queryUri("/r", "reward<1 %"))).toEqual({
      kind: "query",
      dir: "/r",
      query: "reward<1 %",
    });
  });

  it("are whole and safe whatever is recorded", () => {
    for (const text of HOSTILE) {
      const uri = sampleUri(
        `/runs/${text.replaceAll("\0", "")}`,
        sample({ id: text, group: text, promptId: text }),
      );
      expect(uri.path.split("/"), text).toHaveLength(4);
      expect(uri.path, text).not.toMatch(/\/\.\.?\/|\0|\n|\p{Cs}|\u202e/u);
      expect(addressOf(uri), text).toMatchObject({ sample: { id: text } });
      expect(addressOf(queryUri("/r", text))).toMatchObject({ query: text });
    }
    const long = sampleUri("/r", sample({ id: "x".repeat(100_000) }));
    expect(long.toString().length).toBeLessThan(1000);
    expect(addressOf(long)).toMatchObject({ sample: { id: null, row: 7 } });
  });

  it("name nothing when they are not ours, not absolute or broken", () => {
    const like = (query: unknown, path = "/samples/r/x.fdsample", scheme = "flightdeck") =>
      addressOf({ scheme, path, query: encodeURIComponent(JSON.stringify(query)) } as never);
    const good = { kind: "query", dir: "/r", query: "" };
    expect(like(good)).toEqual(good);
    expect(like(good, "/samples/r/x.md")).toBeNull();
    expect(like(good, "/samples/r/x.fdsample", "file")).toBeNull();
    expect(like({ ...good, dir: "r" })).toBeNull();
    expect(like({ ...good, dir: "/a\0b" })).toBeNull();
    expect(like({ ...good, kind: "other" })).toBeNull();
    expect(like({ kind: "sample", dir: "/r", sample: { rank: 0 } })).toBeNull();
    expect(addressOf({ scheme: "flightdeck", path: "/x.fdsample", query: "%E0%A4%A" } as never)).toBeNull();
  });
});

/** What VS Code makes of a command's address: it decodes what it has decoded already. */
function argumentOf(link: string): unknown {
  const query = decodeURIComponent(link.slice(link.indexOf("?") + 1));
  const [argument] = JSON.parse(decodeURIComponent(query)) as unknown[];
  return argument;
}

describe("links of commands", () => {
  it("tell a command just what they were told, and cannot be ended early", () => {
    for (const id of HOSTILE) {
      const link = commandLink("openSample", { dir: "/r", id });
      expect(link, id).toMatch(/^command:flightDeck\.openSample\?[\w%.-]+$/);
      expect(argumentOf(link), id).toEqual({ dir: "/r", id });
    }
  });

  it("are trusted for their own commands only, in a text without anything recorded", () => {
    for (const id of HOSTILE) {
      const line = hoverLinks("/r", sample({ id }));
      expect(line.value).toMatch(
        /^\[Open Sample\]\(command:[\w.?%-]+\) · \[Show in Run\]\(command:[\w.?%-]+\)$/,
      );
      expect(line.isTrusted).toEqual({ enabledCommands: ["flightDeck.openSample", "flightDeck.showInRun"] });
    }
    expect(commandLine([]).value).toBe("");
  });

  it("name a sample by row where its id is too long, and are checked when they come back", () => {
    expect(targetOf("/r", sample())).toEqual({ dir: "/r", row: 3, step: "120", rank: 0, id: "120_3" });
    expect(targetOf("/r", sample({ id: "x".repeat(1000) }))).toEqual({ dir: "/r", row: 3 });
    const ok = (value: unknown) => SampleTarget.safeParse(value).success;
    expect(ok({ dir: "/r", row: 3 })).toBe(true);
    expect(ok({ dir: "/r", rank: null, step: null, id: "x" })).toBe(true);
    for (const bad of [{}, null, "x", { dir: "r", row: 1 }, { dir: "/r", row: -1 }, { dir: "/r", step: "1" }])
      expect(ok(bad), JSON.stringify(bad)).toBe(false);
    expect(StepTarget.safeParse({ dir: "/r", step: "1" }).success).toBe(true);
    expect(StepTarget.safeParse({ dir: "/r", step: "1", row: 1 }).success).toBe(false);
  });
});

describe("lenses", () => {
  const titles = (detail: SampleDetail, group: readonly SampleListRow[] = [detail]) => {
    const built = sampleDocument({ run: "r", sample: detail, group });
    const address = {
      kind: "sample" as const,
      dir: "/r",
      sample: { rank: 0, step: "1", id: "", file: "", row: 0 },
    };
    return lensesOf(built, address).map(({ command }) => command?.title ?? "");
  };

  it("stand above the sections and say what there is to compare with", () => {
    expect(titles(sample({ earlier: 1 }))).toEqual([
      ...["Previous", "Next", "Show in Run"],
      ...["Prompt over Time", "Compare with Same Prompt Earlier"],
      ...["reward 0.25 · advantage 1", "Compare with Best of Group"],
      ...["Open Group", "Diff Group"],
    ]);
    expect(titles(sample({ group: "", place: null }), [])).not.toContain("Compare with Best of Group");
  });

  it("have no text of the recording in them", () => {
    const text = HOSTILE.join(" ");
    const hostile = sample({
      id: text,
      group: text,
      promptId: text,
      prompt: text,
      completion: text,
      reason: text,
    });
    expect(titles(hostile)).toEqual(titles(sample()));
  });
});

describe("files of flightdeck:", () => {
  it("keep large texts within bounds, and the one that is read whatever its size", async () => {
    const asked: string[] = [];
    const text = "x".repeat(12_000_000);
    const textAt = async (uri: { path: string }) => {
      asked.push(uri.path);
      return text;
    };
    const files = new VirtualFiles(textAt as never, { fire: () => {} } as never);
    const uris = ["a", "b", "c", "d"].map((id) => sampleUri("/r", sample({ id })));
    for (const uri of uris) expect(await files.stat(uri)).toMatchObject({ type: 1, size: 12_000_000 });
    for (const uri of uris.slice(-2)) await files.readFile(uri);
    expect(asked).toHaveLength(4);
    const [first] = uris;
    if (first) await files.readFile(first);
    expect(asked).toHaveLength(5);
  });
});
