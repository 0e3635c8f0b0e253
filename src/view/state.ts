/** How a run stands, in a sentence. */
import type { LifecycleReason } from "../core/run/lifecycle.ts";
import type { Lifecycle } from "../core/run/model.ts";
import { duration } from "./text.ts";

type Facts = Lifecycle["facts"];

const atStep = (facts: Facts): string => (facts["step"] === undefined ? "" : ` at step ${facts["step"]}`);
const silence = (facts: Facts): string => duration(Number(facts["silentSeconds"] ?? 0));
const pace = (facts: Facts): string => {
  const seconds = Number(facts["stepSeconds"]);
  return seconds > 0
    ? `; a row comes every ${seconds < 10 ? `${Number(seconds.toPrecision(2))} s` : duration(seconds)}`
    : "";
};

/** What tells of a run that nobody closed. `stops` is the last step, "" where that is not known. */
const open = (stops: string, rest: string): string =>
  stops === ""
    ? `No end was recorded, and ${rest}.`
    : `Recording stops at step ${stops} and was not closed; ${rest}.`;

const REASONS: Readonly<Record<LifecycleReason, (facts: Facts, stops: string) => string>> = {
  "train-end": (facts) => `The training ended in order${atStep(facts)}.`,
  crash: (facts) => `The process crashed${atStep(facts)}; the crash event under Events says why.`,
  "crash-after-end": () => "The process crashed after the training had ended.",
  "crash-other-rank": (facts) => `Rank ${facts["rank"] ?? "?"} crashed, and rank 0 recorded no end.`,
  signal: (facts) => `The process was told to stop by signal ${facts["signal"] ?? "?"}.`,
  interrupted: () => "The training was interrupted by hand.",
  "auto-halt": (facts) => `The training was halted automatically${atStep(facts)}.`,
  closed: () => "The recording was closed in order.",
  "closed-without-end": () => "The recording was closed in order, but the training recorded no end.",
  writing: (facts) => `Last written ${silence(facts)} ago${pace(facts)}.`,
  resumed: (facts) => `Resumed; last written ${silence(facts)} ago${pace(facts)}.`,
  quiet: (facts, stops) => open(stops, `nothing was written for ${silence(facts)}${pace(facts)}`),
  silent: (facts, stops) => open(stops, `nothing was written for ${silence(facts)}`),
  "silent-before-first-step": (facts) =>
    `No step and no end were recorded, and nothing was written for ${silence(facts)}.`,
  copied: (_, stops) =>
    open(
      stops,
      "the files are much newer than their last step: this looks like a copy of a run that was going on",
    ),
  "clock-ahead": (facts, stops) =>
    open(
      stops,
      `the files are dated ${duration(Number(facts["aheadSeconds"] ?? 0))} in the future: clocks differ`,
    ),
  "no-times": (_, stops) => open(stops, "there are no file times to judge by"),
  "nothing-recorded": () => "Nothing has been recorded here yet.",
};

/** @param stops the last step that was recorded where the recording was never closed, "" otherwise or when unknown */
export function stateReason(
  { reason, facts }: Lifecycle,
  { stops = "", hasRecording }: { readonly stops?: string; readonly hasRecording: boolean },
): string {
  if (!hasRecording) return "The folder holds run records only: no training is recorded in it.";
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as LifecycleReason](facts, stops) : "";
}
