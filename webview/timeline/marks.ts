/** Events and findings as shapes on the timeline: told apart by shape as well as by colour, and in words. */
import { t } from "../../src/protocol/l10n.ts";
import type { EventTone, TimelineMark } from "../../src/protocol/run.ts";
import { formatCount, formatStep } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";

/** Where a finding begins to show. */
export interface Onset {
  readonly id: string;
  readonly title: string;
  readonly severity: "critical" | "warning" | "info";
  readonly step: number;
}

/** Grave ones lie on top. */
export const TONES: readonly EventTone[] = ["other", "edge", "checkpoint", "warn", "bad"];

/** Around the middle of the mark, in pixels. */
export const SHAPES: Readonly<Record<EventTone, string>> = {
  bad: "M-4.5,-3.5L4.5,-3.5L0,4.5Z",
  warn: "M-3.5,-3.5L3.5,-3.5L3.5,3.5L-3.5,3.5Z",
  checkpoint: "M0,-4L4,0L0,4L-4,0Z",
  edge: "M-1,-5L1,-5L1,5L-1,5Z",
  other: "M-2.5,0a2.5,2.5 0 1,1 5,0a2.5,2.5 0 1,1 -5,0Z",
};

export const stepWords = (step: number): string => t("step {0}", formatStep(step));

/** "checkpoint at step 1,200", "12 events: checkpoint, eval, from step 1,200 on". */
export function markWords({ step, count, kinds, message }: TimelineMark): string {
  const names = kinds.map((kind) => visibleText(kind, 60)).join(", ");
  if (count > 1) return t("{0} events: {1}, from {2} on", formatCount(count), names, stepWords(step));
  const said = visibleText(message, 120);
  return t("{0} at {1}{2}", names, stepWords(step), said === "" ? "" : `: ${said}`);
}
