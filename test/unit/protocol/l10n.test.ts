/** Words in the language of VS Code, and in English without one. */
import { afterEach, expect, it } from "vitest";
import { speak, t } from "../../../src/protocol/l10n.ts";

afterEach(() => speak(undefined));

it("says the English sentence where no words are known", () => {
  expect(t("Open Run")).toBe("Open Run");
  expect(t("{0} of {1} held", 2, "3")).toBe("2 of 3 held");
  expect(t("{name} is gone", { name: "a" })).toBe("a is gone");
  expect(t({ message: "Open {0}", comment: "a command", args: ["x"] })).toBe("Open x");
});

it("says it in the language, its placeholders in that language's order", () => {
  speak({ "{0} of {1} held": "von {1} sind {0} da", "Open/a command": "Öffnen", Open: "Offen" });
  expect(t("{0} of {1} held", 2, 3)).toBe("von 3 sind 2 da");
  expect(t("Open")).toBe("Offen");
  expect(t({ message: "Open", comment: "a command" })).toBe("Öffnen");
  expect(t("Close")).toBe("Close");
});

it("leaves what a recording says as it is", () => {
  expect(t("{0}, {1}", "{1}", "$&")).toBe("{1}, $&");
  expect(t("{0}", "{constructor} {__proto__}")).toBe("{constructor} {__proto__}");
  expect(t("{constructor} {0}", "a")).toBe("{constructor} a");
  speak({ a: "b" });
  expect(t("constructor")).toBe("constructor");
});
