/** What hovers say of samples and steps, as Markdown that is not trusted: recorded text stands in code, where nothing acts. */
import type { SampleDetail, SampleListRow } from "../protocol/samples.ts";
import { asCode } from "./markdown.ts";
import { counted, factsOf, figure, placeText } from "./sample-words.ts";
import { startOf, visibleLabel, visibleLine } from "./visible.ts";

const MAX_START = 600;
const MAX_LINES = 12;

/** Recorded text as a block of code that it cannot end, its first lines. */
export function codeBlock(text: string): string {
  const lines = startOf(text, MAX_START).split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => visibleLine(line).text);
  if (lines.length > MAX_LINES || text.length > MAX_START) shown.push("…");
  const longest = Math.max(
    2,
    ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${shown.join("\n")}\n${fence}`;
}

const code = (text: string): string => asCode(visibleLabel(text, 80));

/** @param run the run folder's name, "" where it goes without saying */
export function sampleHover(sample: SampleDetail | SampleListRow, run = ""): string {
  const where = run === "" ? "" : ` of ${code(run)}`;
  const place = "place" in sample ? placeText(sample) : "";
  return [
    `Step ${sample.step}, rank ${sample.rank}, ${code(sample.id)}${where}`,
    `${factsOf(sample)}${place === "" ? "" : ` · ${place}`}`,
    codeBlock(sample.completion),
  ].join("\n\n");
}

export interface StepFacts {
  readonly run: string;
  readonly step: string;
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
  readonly samples: number;
  /** Lowest and highest reward among them. */
  readonly worst: number | null;
  readonly best: number | null;
}

export function stepHover({ run, step, metrics, samples, worst, best }: StepFacts): string {
  const figures = metrics.map(({ name, value }) => `${code(name)} ${figure(value)}`);
  const rewards = worst === null || best === null ? "" : `, rewards ${figure(worst)} to ${figure(best)}`;
  return [
    `Step ${step} of ${code(run)}`,
    ...(figures.length === 0 ? [] : [figures.join(" · ")]),
    samples === 0
      ? "No samples were captured at this step."
      : `${counted(samples, "captured sample")}${rewards}.`,
  ].join("\n\n");
}
