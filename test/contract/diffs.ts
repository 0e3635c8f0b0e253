/** Our comparison of two recordings, and how it is held against rlprobe's. */
import { compareRuns } from "../../src/core/compare/index.ts";
import { type CompareSettings, DEFAULT_SETTINGS } from "../../src/core/compare/types.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { diffJson } from "../../src/view/compare-json.ts";
import { differences } from "./findings.ts";

type Json = Readonly<Record<string, unknown>>;

/** What `flight-deck diff A B --json --as-recorded` prints, with all prompts instead of ten. */
export async function diffOf(a: string, b: string, more: Partial<CompareSettings> = {}): Promise<Json> {
  const settings: CompareSettings = { ...DEFAULT_SETTINGS, order: "recorded", ...more };
  const [runA, runB] = [await openRun(nodeSource(a)), await openRun(nodeSource(b))];
  const comparison = await compareRuns(runA, runB, settings, { extra: false });
  return diffJson(comparison, { extra: false, prompts: Number.POSITIVE_INFINITY });
}

/** Prompts in rlprobe's list. */
const LISTED = 10;

/**
 * Where two comparisons differ. Which of several prompts with one gap rlprobe lists, and in which order, is arbitrary: its prompts
 * are looked up by id, and their gaps held against ours in order. So is the order of metrics whose late gap is NaN, and of keys.
 */
export function diffDifferences(expected: Json, actual: Json): string[] {
  const { prompts: theirs, metrics: theirMetrics, first_divergence: theirFirst, ...rest } = expected;
  const { prompts: ours, metrics: ourMetrics, first_divergence: ourFirst, ...same } = actual;
  return [
    ...differences(rest, same),
    ...metricDifferences(theirMetrics as Json[], ourMetrics as Json[]),
    ...(hasNaN(theirMetrics as Json[]) ? [] : differences(theirFirst, ourFirst, "first_divergence")),
    ...promptDifferences((theirs ?? []) as Json[], ours as Json[]),
  ];
}

const isNaNText = (value: unknown): boolean =>
  value === "NaN" || (typeof value === "number" && Number.isNaN(value));
const hasNaN = (metrics: readonly Json[]): boolean => metrics.some(({ z_late: z }) => isNaNText(z));

function metricDifferences(theirs: readonly Json[], ours: readonly Json[]): string[] {
  if (!hasNaN(theirs)) return differences(theirs, ours, "metrics");
  const byName = (metrics: readonly Json[]) =>
    [...metrics].sort((p, q) => String(p["metric"]).localeCompare(String(q["metric"])));
  return differences(byName(theirs), byName(ours), "metrics");
}

function promptDifferences(theirs: readonly Json[], ours: readonly Json[]): string[] {
  const out: string[] = [];
  if (theirs.length !== Math.min(LISTED, ours.length))
    out.push(`prompts: ${theirs.length} of ${ours.length}`);
  for (const prompt of theirs) {
    const { prompt_id: id } = prompt;
    const own = ours.find((p) => p["prompt_id"] === id);
    // Expectations leave some keys out.
    const shared = Object.fromEntries(Object.entries(own ?? {}).filter(([key]) => key in prompt));
    out.push(...differences(prompt, shared, `prompts/${String(id)}`));
  }
  if (theirs.some(({ gap }) => isNaNText(gap)) || ours.some(({ gap }) => isNaNText(gap))) return out;
  const sizes = (prompts: readonly Json[]) =>
    prompts
      .map(({ gap }) => Math.abs(Number(gap)))
      .map((size) => (size < Number.POSITIVE_INFINITY ? size : "∞"));
  return [...out, ...differences(sizes(theirs), sizes(ours.slice(0, LISTED)), "prompts/gaps")];
}
