/** Words in the language of VS Code, and in English without one. */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, it } from "vitest";
import { asideBy, inEnglish, isEnglish, isInEnglish, said, speak, t } from "../../../src/protocol/l10n.ts";

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

it("says what is kept as data, with sentences in sentences", () => {
  const inner = { message: "Entropy fell to {0}.", args: ["{1}"] };
  const phrase = { message: "Before that: {0} ({1})", args: [inner, 3] };
  expect(said(phrase)).toBe("Before that: Entropy fell to {1}. (3)");
  speak({ "Before that: {0} ({1})": "{1}: davor {0}", "Entropy fell to {0}.": "Entropie {0}." });
  expect(said(phrase)).toBe("3: davor Entropie {1}.");
  expect(said("Entropy fell to {0}.")).toBe("Entropie {0}.");
  expect(said("nothing known")).toBe("nothing known");
});

it("does work in English beside work in the language, however the two wait for each other", async () => {
  asideBy(new AsyncLocalStorage());
  const later = async (): Promise<string> => {
    await new Promise((resolve) => setImmediate(resolve));
    return `${t("Open")} ${isInEnglish()}`;
  };
  expect(isEnglish()).toBe(true);
  expect(await inEnglish(later)).toBe("Open false");
  speak({ Open: "Offen" });
  expect(isEnglish()).toBe(false);
  expect(await Promise.all([later(), inEnglish(later), later()])).toEqual([
    "Offen false",
    "Open true",
    "Offen false",
  ]);
});
