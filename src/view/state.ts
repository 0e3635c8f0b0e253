/** How a run stands, in a sentence. */
import type { LifecycleReason } from "../core/run/lifecycle.ts";
import type { Lifecycle } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";
import { duration } from "./text.ts";

type Facts = Lifecycle["facts"];

/** @param at the sentence with a place for the step */
const atStep = ({ step }: Facts, plain: string, at: (step: string) => string): string =>
  step === undefined ? plain : at(String(step));
const silence = (facts: Facts): string => duration(Number(facts["silentSeconds"] ?? 0));
const pace = (facts: Facts): string => {
  const seconds = Number(facts["stepSeconds"]);
  return seconds > 0
    ? t("; a row comes every {0}", seconds < 10 ? `${Number(seconds.toPrecision(2))} s` : duration(seconds))
    : "";
};

/** What tells of a run that nobody closed. `stops` is the last step, "" where that is not known. */
const open = (stops: string, rest: string): string =>
  stops === ""
    ? t("No end was recorded, and {0}.", rest)
    : t("Recording stops at step {0} and was not closed; {1}.", stops, rest);

const REASONS: Readonly<Record<LifecycleReason, (facts: Facts, stops: string) => string>> = {
  "train-end": (facts) =>
    atStep(facts, t("The training ended in order."), (step) =>
      t("The training ended in order at step {0}.", step),
    ),
  crash: (facts) =>
    atStep(facts, t("The process crashed; the crash event under Events says why."), (step) =>
      t("The process crashed at step {0}; the crash event under Events says why.", step),
    ),
  "crash-after-end": () => t("The process crashed after the training had ended."),
  "crash-other-rank": (facts) => t("Rank {0} crashed, and rank 0 recorded no end.", facts["rank"] ?? "?"),
  signal: (facts) => t("The process was told to stop by signal {0}.", facts["signal"] ?? "?"),
  interrupted: () => t("The training was interrupted by hand."),
  "auto-halt": (facts) =>
    atStep(facts, t("The training was halted automatically."), (step) =>
      t("The training was halted automatically at step {0}.", step),
    ),
  closed: () => t("The recording was closed in order."),
  "closed-without-end": () => t("The recording was closed in order, but the training recorded no end."),
  writing: (facts) => t("Last written {0} ago{1}.", silence(facts), pace(facts)),
  resumed: (facts) => t("Resumed; last written {0} ago{1}.", silence(facts), pace(facts)),
  quiet: (facts, stops) => open(stops, t("nothing was written for {0}{1}", silence(facts), pace(facts))),
  silent: (facts, stops) => open(stops, t("nothing was written for {0}", silence(facts))),
  "silent-before-first-step": (facts) =>
    t("No step and no end were recorded, and nothing was written for {0}.", silence(facts)),
  copied: (_, stops) =>
    open(
      stops,
      t("the files are much newer than their last step: this looks like a copy of a run that was going on"),
    ),
  "clock-ahead": (facts, stops) =>
    open(
      stops,
      t("the files are dated {0} in the future: clocks differ", duration(Number(facts["aheadSeconds"] ?? 0))),
    ),
  "no-times": (_, stops) => open(stops, t("there are no file times to judge by")),
  "nothing-recorded": () => t("Nothing has been recorded here yet."),
};

/** @param stops the last step that was recorded where the recording was never closed, "" otherwise or when unknown */
export function stateReason(
  { reason, facts }: Lifecycle,
  { stops = "", hasRecording }: { readonly stops?: string; readonly hasRecording: boolean },
): string {
  if (!hasRecording) return t("The folder holds run records only: no training is recorded in it.");
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as LifecycleReason](facts, stops) : "";
}
