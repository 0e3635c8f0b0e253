/** What package.json tells VS Code of the tools is what they are; the skill lies where VS Code looks for it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../src/agents/tools.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const { contributes } = JSON.parse(read("package.json"));

describe("contributes.languageModelTools", () => {
  test("are the tools, word for word", () => {
    const declared = contributes.languageModelTools.map(
      ({ name, modelDescription, inputSchema }: Record<string, unknown>) => ({
        name,
        modelDescription,
        inputSchema,
      }),
    );
    expect(declared).toEqual(
      TOOLS.map(({ name, description, inputSchema }) => ({
        name,
        modelDescription: description,
        inputSchema,
      })),
    );
  });

  test("can be referenced in a prompt, each by its own name", () => {
    const names = contributes.languageModelTools.map((tool: Record<string, unknown>) => {
      expect(tool).toMatchObject({ canBeReferencedInPrompt: true, tags: ["flight-deck", "training-run"] });
      expect(tool["displayName"]).toBeTruthy();
      expect(tool["userDescription"]).toBeTruthy();
      expect(tool["icon"]).toMatch(/^\$\([a-z-]+\)$/);
      expect(tool["toolReferenceName"]).toMatch(/^[a-z][A-Za-z]+$/);
      return tool["toolReferenceName"];
    });
    expect(new Set(names).size).toBe(TOOLS.length);
  });

  test("are all registered", () => {
    const registered = [...read("src/host/agents/register.ts").matchAll(/^ {2}(flightdeck_\w+):/gm)].map(
      ([, name]) => name,
    );
    expect(registered).toEqual(TOOLS.map(({ name }) => name));
  });
});

describe("contributes.chatSkills", () => {
  test("the folder has the skill's name, and the skill names every tool", () => {
    const [{ path: file }] = contributes.chatSkills;
    const skill = read(file);
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skill) ?? [];
    expect(path.basename(path.dirname(file))).toBe(name);
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(description?.length).toBeLessThanOrEqual(1024);
    for (const tool of TOOLS) expect(skill).toContain(tool.name);
  });
});

test("the server's id is declared and registered", () => {
  const [{ id }] = contributes.mcpServerDefinitionProviders;
  expect(read("src/host/agents/register.ts")).toContain(`"${id}"`);
});
