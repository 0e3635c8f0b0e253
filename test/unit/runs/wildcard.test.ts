import { describe, expect, test } from "vitest";
import { excluder, matchesWildcard } from "../../../src/core/runs/wildcard.ts";
import { random as seeded } from "../random.ts";

describe("wildcards", () => {
  test.each([
    ["*", "", true],
    ["a*c", "abbc", true],
    ["a*c", "abb", false],
    ["?", "", false],
    ["a?c", "abc", true],
    ["*a*", "xxaxx", true],
    [".*", ".git", true],
    [".*", "git", false],
    ["**", "a", true],
  ])("%s and %s: %s", (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });

  test("as the regular expression that it stands for", () => {
    const random = seeded(7);
    const word = (letters: string, most: number): string =>
      Array.from(
        { length: Math.floor(random() * most) },
        () => letters[Math.floor(random() * letters.length)],
      ).join("");
    for (let i = 0; i < 5000; i++) {
      const pattern = word("ab*?", 8);
      const text = word("ab", 10);
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(text);
      expect(matchesWildcard(pattern, text), `${pattern} ${text}`).toBe(expected);
    }
  });

  test("no pattern takes long", () => {
    expect(matchesWildcard(`${"*a".repeat(2000)}b`, "a".repeat(4000))).toBe(false);
  });
});

describe("what is left out", () => {
  test.each([
    ["node_modules", "a/b/node_modules", true],
    ["node_modules", "a/node_modules_2", false],
    ["**/.*", "a/.venv", true],
    ["**/.*", "a/b", false],
    ["runs/old", "runs/old", true],
    ["runs/old", "x/runs/old", false],
    ["**/runs/old", "x/y/runs/old", true],
    ["runs/**/tmp", "runs/tmp", true],
    ["runs/**/tmp", "runs/a/b/tmp", true],
    ["runs/old/**", "runs/old", true],
    ["checkpoint-*", "a/checkpoint-100", true],
    ["/top", "top", true],
    ["/top", "a/top", false],
    ["", "a", false],
    ["**", "a", false],
  ])("%s: %s %s", (pattern, path, expected) => {
    expect(excluder([pattern])(path)).toBe(expected);
  });
});
