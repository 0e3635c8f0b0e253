/** What package.json promises is what the extension registers. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { manifest as english } from "../../helpers/manifest.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const manifest = JSON.parse(JSON.stringify(english()));
const { contributes } = manifest;
const extension = read("src/extension.ts");

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}
const commands: readonly Command[] = contributes.commands;

/** VS Code holds a pattern with a slash against the whole path, one without against the name. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replaceAll(".", "\\.");
  });
  return new RegExp(pattern.includes("/") ? `^${parts.join("")}$` : `/${parts.join("")}$`);
}

describe("package.json", () => {
  it("lists each command that is registered, and no other", () => {
    const registered = [...extension.matchAll(/\b(?:c|sampleC)ommand\("(\w+)"/g)].map(
      ([, name]) => `flightDeck.${name}`,
    );
    expect(commands.map(({ command }) => command).sort()).toEqual(registered.sort());
  });

  it("names commands by a verb, under one category", () => {
    for (const { title, category } of commands) {
      expect(category).toBe("Flight Deck");
      expect(title).toMatch(
        /^(Open|Create|Show|Diagnose|Clear|Find|Diff|Compare with|Go to|Filter|Sort|Refresh|Stop|Reveal in|Compare|Copy|Watch|Set|Export) [A-Z]/,
      );
    }
  });

  it("uses in menus only commands that exist", () => {
    const known = new Set(commands.map(({ command }) => command));
    for (const entries of Object.values<{ command: string }[]>(contributes.menus)) {
      for (const { command } of entries) expect(known).toContain(command);
    }
  });

  it("keeps out of the palette what needs to be told what it is about", () => {
    const hidden = contributes.menus.commandPalette.filter(({ when }: { when: string }) => when === "false");
    expect(hidden.map(({ command }: { command: string }) => command)).toEqual([
      "flightDeck.explainWarning",
      "flightDeck.explainSignature",
      "flightDeck.compareSelected",
      "flightDeck.revealRun",
      "flightDeck.copyRunPath",
      "flightDeck.openEvidence",
    ]);
  });

  it("offers what is about a sample in a document about samples only", () => {
    const shown = new Map<string, string>(
      contributes.menus.commandPalette.map(({ command, when }: Record<string, string>) => [command, when]),
    );
    const about = extension.matchAll(/\bsampleCommand\("(\w+)"/g);
    const needy = [...about].map(([, name]) => `flightDeck.${name}`).slice(3);
    for (const command of needy)
      expect(shown.get(command), command).toBe("editorLangId == flight-deck-sample");
    for (const { when } of contributes.keybindings)
      expect(when).toContain("editorLangId == flight-deck-sample");
  });

  it("makes no links of what was recorded: those of VS Code are off in documents about samples", () => {
    const defaults = contributes.configurationDefaults["[flight-deck-sample]"];
    expect(defaults["editor.links"]).toBe(false);
    expect(contributes.languages.map(({ id }: { id: string }) => id)).toContain("flight-deck-sample");
  });

  it("never takes a file from another editor", () => {
    const [own, link, ...more] = contributes.customEditors;
    expect([own, ...more].map((editor) => editor.priority)).toEqual([own, ...more].map(() => "option"));
    // What is dragged from the Runs view has a scheme of its own.
    expect(link).toMatchObject({
      priority: "default",
      selector: [{ filenamePattern: "flightdeck-run:/**" }],
    });
    expect(extension).toContain(`"${contributes.customEditors[0].viewType}"`);
  });

  it("says of each setting what it does, in order; a path belongs to the machine", () => {
    const settings = Object.entries<Record<string, unknown>>(contributes.configuration.properties);
    for (const [name, setting] of settings) {
      expect(name).toMatch(/^flightDeck\./);
      expect(setting["default"]).toBeDefined();
      expect(setting["scope"]).toBeDefined();
      expect(setting["markdownDescription"]).toMatch(/\.$/);
    }
    expect(settings.map(([, { order }]) => order)).toEqual(settings.map((_, i) => i + 1));
    expect(contributes.configuration.properties["flightDeck.doctor.config"].scope).toBe(
      "machine-overridable",
    );
  });

  it("starts by itself for its own documents and for files that mention steps and samples; runs where the data is, trusted or not", () => {
    const mentioning = ["jsonl", "log", "markdown", "plaintext"];
    expect(manifest.activationEvents).toEqual([
      "onFileSystem:flightdeck",
      ...mentioning.map((language) => `onLanguage:${language}`),
      "onWebviewPanel:flightDeck.compare",
      "onWebviewPanel:flightDeck.runs",
      "onUri",
    ]);
    expect(extension).toContain('registerWebviewPanelSerializer("flightDeck.compare"');
    expect(extension).toContain(`const MENTIONING = ${JSON.stringify(mentioning).replaceAll(",", ", ")}`);
    expect(manifest.extensionKind).toEqual(["workspace"]);
    expect(manifest.capabilities.untrustedWorkspaces).toEqual({ supported: true });
    expect(manifest.browser).toBe("./dist/web.js");
  });

  it("offers the run editor on a run's files, wherever they lie", () => {
    const patterns: string[] = contributes.customEditors[0].selector.map(
      (selector: { filenamePattern: string }) => selector.filenamePattern,
    );
    const matches = (file: string) => patterns.some((pattern) => globOf(pattern).test(file));
    for (const file of [
      "/r/manifest.json",
      "/r/steps.parquet",
      "/r/steps/part-00012.parquet",
      "/r/rank-001/samples/shard-00000.parquet",
      "/r/events.jsonl",
      "/r/observed.attempt12.json",
      "/r/metrics.json",
    ]) {
      expect(matches(file), file).toBe(true);
    }
    for (const file of ["/r/package.json", "/r/data/part-0.parquet", "/r/x.jsonl"])
      expect(matches(file), file).toBe(false);
  });
});

describe("extension.ts", () => {
  it("loads nothing but VS Code before it is used", () => {
    const importsOf = (text: string) =>
      [...text.matchAll(/^import (?!type )[^;]*?from "([^"]+)"/gm)].map(([, from]) => from);
    expect(importsOf(extension)).toEqual(["vscode", "./host/agents/register.ts"]);
    expect(importsOf(read("src/host/agents/register.ts"))).toEqual(["vscode"]);
  });
});
