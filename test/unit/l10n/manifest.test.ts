/** What VS Code shows of package.json: every word in English and in German, and settings that say what they do. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { askedKeys, manifest, words } from "../../helpers/manifest.ts";

interface Setting {
  readonly type: string;
  readonly default?: unknown;
  readonly order?: number;
  readonly scope?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}
interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
  readonly walkthroughs: readonly {
    readonly steps: readonly {
      readonly description: string;
      readonly completionEvents: readonly string[];
      readonly media: {
        readonly altText?: string;
        readonly image: Readonly<Record<"dark" | "light" | "hc" | "hcLight", string>>;
      };
    }[];
  }[];
}
const { contributes } = manifest() as { readonly contributes: Contributes };
const commands = new Set(contributes.commands.map(({ command }) => command));
const marks = (text: string): string[] => (text.match(/command:[\w.?%]+|`[^`]+`|\{\d\}/g) ?? []).sort();

describe("package.nls.json", () => {
  it("has every key that package.json asks for, and no other", () => {
    expect(Object.keys(words()).sort()).toEqual([...new Set(askedKeys())].sort());
  });

  it("leaves no word of a title or description in package.json", async () => {
    const { readFileSync } = await import("node:fs");
    const raw = readFileSync("package.json", "utf8");
    const plain = [
      ...raw.matchAll(/"(title|markdownDescription|contents|altText|userDescription)": "([^%"][^"]*)"/g),
    ];
    expect(plain.map(([, , text]) => text).filter((text) => text !== "Flight Deck")).toEqual([]);
  });

  it("says in German what it says in English: same keys, commands, code", () => {
    const [english, german] = [words(), words("de")];
    expect(Object.keys(german)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      // Steps and settings that a text quotes as code are not translated.
      expect([key, marks(german[key] ?? "")]).toEqual([key, marks(text)]);
    }
  });
});

describe("settings", () => {
  it("each has a default, a description, a place and a scope of its own", () => {
    const all = Object.entries(contributes.configuration.properties);
    for (const [name, setting] of all) {
      expect(setting, name).toHaveProperty("default");
      expect(setting.markdownDescription?.length, name).toBeGreaterThan(20);
      expect(setting.scope, name).toMatch(/^(application|machine-overridable|window|resource)$/);
      expect(setting.enumDescriptions?.length, name).toBe(setting.enum?.length);
    }
    expect(all.map(([, { order }]) => order)).toEqual(all.map((_, i) => i + 1));
  });
});

describe("keybindings", () => {
  it("are few, of commands that exist, and only where they mean something", () => {
    expect(contributes.keybindings.length).toBeLessThanOrEqual(4);
    for (const { command, when } of contributes.keybindings) {
      expect(commands).toContain(command);
      expect(when).toMatch(/editorLangId|activeCustomEditorId/);
    }
  });
});

describe("the walkthrough", () => {
  it("has four or five steps, each with something to do, an event that completes it and words for its picture", () => {
    expect(contributes.walkthroughs).toHaveLength(1);
    const steps = contributes.walkthroughs[0]?.steps ?? [];
    expect(steps.length).toBeGreaterThanOrEqual(4);
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const { description, completionEvents, media } of steps) {
      const [first = ""] = description.match(/\(command:[\w.]+\)/g) ?? [];
      expect(first).not.toBe("");
      expect(media.altText).toBeTruthy();
      const { dark, light, hc, hcLight } = media.image;
      expect(dark).not.toBe(light);
      for (const picture of [dark, light, hc, hcLight]) expect(existsSync(picture)).toBe(true);
      for (const event of completionEvents) {
        const [, command] = /^onCommand:(.+)$/.exec(event) ?? [];
        if (command !== undefined) expect(commands).toContain(command);
      }
    }
  });
});
