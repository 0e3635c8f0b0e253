import { describe, expect, test } from "vitest";
import { COMMANDS, type Command, parse, UsageError, usage, usageOf } from "../../../src/cli/args.ts";

const command = (name: string) => COMMANDS.find((c) => c.name === name) as Command;

describe("show", () => {
  const show = command("show");

  test("defaults", () => {
    const args = parse(show, ["run", "--step", "7"]);
    expect([
      args.argument,
      args.integer("step"),
      args.integer("window"),
      args.integer("max-samples"),
    ]).toEqual(["run", 7, 5, 10]);
    expect([args.flag("full"), args.flag("json"), args.help]).toEqual([false, false, false]);
  });

  test("every way to write a value", () => {
    expect(parse(show, ["--step=12", "run", "--full"]).integer("step")).toBe(12);
    expect(parse(show, ["--step", "-3", "run"]).integer("step")).toBe(-3);
    expect(parse(show, ["--step", "1", "--", "--help"]).argument).toBe("--help");
  });

  test.each<[string[], RegExp]>([
    [["run"], /--step is missing/],
    [[], /RUN is missing/],
    [["a", "b", "--step", "1"], /one RUN/],
    [["run", "--step", "x"], /--step wants a whole number/],
    [["run", "--step", "1.5"], /--step wants a whole number/],
    [["run", "--step", "1", "--window", "-1"], /--window wants a whole number from 0/],
    [["run", "--step"], /--step/],
    [["run", "--stepp", "1"], /--stepp/],
    [["run", "--json=1", "--step", "1"], /--json/],
  ])("%j is refused in one line", (args, message) => {
    expect(() => parse(show, args)).toThrow(UsageError);
    expect(() => parse(show, args)).toThrow(message);
    try {
      parse(show, args);
    } catch (error) {
      expect((error as Error).message).not.toContain("\n");
    }
  });
});

test("help wins over what is missing", () => {
  for (const c of COMMANDS) expect(parse(c, ["--help"]).help).toBe(true);
});

test("ls is here by default", () => {
  expect(parse(command("ls"), []).argument).toBe(".");
});

test("the help names every command and option and fits a terminal", () => {
  for (const c of COMMANDS) {
    expect(usage()).toContain(c.name);
    for (const option of Object.keys(c.options)) expect(usageOf(c)).toContain(`--${option}`);
  }
  for (const text of [usage(), ...COMMANDS.map(usageOf)]) {
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
});
