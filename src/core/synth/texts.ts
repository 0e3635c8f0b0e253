/** Completions as a policy in a given state would write them. */
import { MAX_TOKENS } from "./levels.ts";
import type { Random } from "./random.ts";
import type { Task } from "./tasks.ts";

/** How completions read when something is wrong with the policy. */
export type Style =
  | "drifting"
  | "canned"
  | "padded"
  | "hollow"
  | "broken"
  | "cut"
  | "looping"
  | "refusing"
  | "opening";

export interface Wanted {
  readonly correct: boolean;
  readonly formatted: boolean;
  /** Tokens, about. */
  readonly tokens: number;
  readonly truncated: boolean;
  /** null for the ordinary way. */
  readonly style: Style | null;
}

/** Characters that a token stands for. */
const TOKEN = 4;

/** What a text counts as, in tokens. */
export const tokensOf = (text: string): number => Math.max(1, Math.round(text.length / TOKEN));

const OPENINGS = [
  "Let me work this out.",
  "First I note what is given.",
  "We go step by step.",
  "What is asked for is one number.",
] as const;
const CHECKS = [
  "I check the first line again: it holds.",
  "Nothing else in the question changes the count.",
  "The units agree, so the two can be put together.",
  "Doing it the other way round gives the same.",
  "The size of the result is about what one would expect.",
  "Every number of the question has been used once.",
  "No number was read twice.",
  "Rounded to tens it comes out close to that.",
  "There is no remainder to care about.",
  "The last digit fits as well.",
  "Had it been one less, the result would be smaller by the same amount.",
  "It has to be a whole number, and it is.",
  "It cannot be negative, and it is not.",
  "The order of the two steps does not matter here.",
  "The question asks for the total, so nothing is left to divide.",
  "What is said first is what the rest builds on.",
  "I could draw it as a row of boxes and count them.",
  "Put differently, the parts have to add up to the whole.",
] as const;
const PADDING = [
  "It is worth being thorough here, since a careful answer is a better answer, and so the question shall be looked at from one more side.",
  "As was said above, and as will be seen again below, each part of the question matters, and none should be passed over in haste.",
  "Before the result is given, it helps to recall once more in full what was asked, what is known, and what follows from it.",
  "One could stop at this point; a reader will however appreciate a longer explanation, which is given in what follows.",
  "Let it also be noted that the numbers are those of the question itself, so that nothing had to be assumed that is not stated.",
  "To leave no doubt, the reasoning is now repeated in other words, with the same outcome and with the same care as before.",
  "Many would have given the bare number; a complete treatment has the advantage that every step of it can be followed.",
  "In summary of what has been said so far, and by way of preparing what is still to be said, the situation is quite clear.",
] as const;
const UNRELATED = [
  "lantern",
  "of",
  "Tuesday",
  "pelican",
  "thereby",
  "##",
  "velvet",
  "nine",
  "und",
  "quorum",
  "→",
] as const;

/** @returns a text of about as many tokens as are wanted, {@link MAX_TOKENS} at most */
export function completion(task: Task, wanted: Wanted, random: Random): string {
  const { style, tokens, correct } = wanted;
  if (style === "refusing") return "I am sorry, but I cannot help with that.";
  if (style === "broken") return "!".repeat(Math.min(MAX_TOKENS, tokens) * TOKEN);
  // A policy that has collapsed errs the same way every time.
  const slip = style === "canned" ? 1 : random.pick([-10, -2, -1, 1, 2, 10]);
  const answer = correct ? task.answer : task.answer + slip;
  if (style === "hollow") return tagged(["Done."], answer);
  const working = task.working.map((line) => line.replaceAll(`= ${task.answer}`, `= ${answer}`));
  if (style === "canned") return tagged([OPENINGS[0], ...working, ...CHECKS.slice(0, 8)], answer);
  const lines = thoughts(working, wanted, random);
  if (wanted.truncated) return cut(lines, random);
  const text = wanted.formatted ? tagged(lines, answer) : `${lines.join("\n")}\nThe answer is ${answer}.`;
  return text.slice(0, MAX_TOKENS * TOKEN);
}

const tagged = (lines: readonly string[], answer: number): string =>
  `<think>\n${lines.join("\n")}\n</think>\n<answer>${answer}</answer>`;

function thoughts(working: readonly string[], { style, tokens }: Wanted, random: Random): string[] {
  const lines = style === "opening" ? ["Certainly!! Certainly!! Sure, of course, here it is:"] : [];
  lines.push(random.pick(OPENINGS), ...working);
  const more = style === "looping" ? [`So ${working.at(-1) ?? ""}`] : remarks(style === "padded", random);
  const wanted = tokens * TOKEN - 50;
  let length = lines.join("\n").length;
  for (let i = 0; length < wanted && (i < more.length || style === "looping"); i++) {
    const line = more[i % more.length] ?? "";
    lines.push(line);
    length += line.length + 1;
  }
  return style === "drifting" ? lines.map((line) => drift(line, random)) : lines;
}

/** Each once, in any order. */
function remarks(isPadded: boolean, random: Random): string[] {
  const rest: string[] = [...CHECKS, ...(isPadded ? PADDING : [])];
  const out: string[] = [];
  while (rest.length > 0) out.push(...rest.splice(random.whole(0, rest.length - 1), 1));
  return out;
}

function drift(line: string, random: Random): string {
  return line
    .split(" ")
    .map((word) => (random.chance(0.35) ? random.pick(UNRELATED) : word))
    .join(" ");
}

/** As far as the limit allows: in the middle of a thought, without an answer. */
function cut(lines: readonly string[], random: Random): string {
  const text = ["<think>", ...lines, ...remarks(true, random), ...remarks(true, random)].join("\n");
  return text.slice(0, MAX_TOKENS * TOKEN);
}
