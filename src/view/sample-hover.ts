/** What hovers say of samples and steps, as Markdown that is not trusted: recorded text stands in code, where nothing acts. */
import { t } from "../protocol/l10n.ts";
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
  const place = "place" in sample ? placeText(sample) : "";
  return [
    run === ""
      ? t("Step {0}, rank {1}, {2}", sample.step, sample.rank, code(sample.id))
      : t("Step {0}, rank {1}, {2} of {3}", sample.step, sample.rank, code(sample.id), code(run)),
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
  const count = counted(samples, "captured sample");
  const found =
    worst === null || best === null
      ? `${count}.`
      : t("{0}, rewards {1} to {2}.", count, figure(worst), figure(best));
  return [
    t("Step {0} of {1}", step, code(run)),
    ...(figures.length === 0 ? [] : [figures.join(" · ")]),
    samples === 0 ? t("No samples were captured at this step.") : found,
  ].join("\n\n");
}
