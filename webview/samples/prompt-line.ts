/** Where the steps of a prompt stand in a small picture of its rewards. */
import type { PromptTime } from "../../src/protocol/samples.ts";

export interface StepPlace {
  readonly step: number;
  readonly x: number;
  /** The mean, and the lowest and highest reward. */
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

interface Box {
  readonly width: number;
  readonly height: number;
  readonly pad: number;
}

/** Steps with a finite mean, in order; none where there is none. */
export function placesOf({ steps }: PromptTime, { width, height, pad }: Box): StepPlace[] {
  const known = steps.flatMap(({ step, mean, min, max }) =>
    mean !== null && Number.isFinite(mean)
      ? [{ step, mean, min: finite(min, mean), max: finite(max, mean) }]
      : [],
  );
  const [first, last] = [known[0]?.step ?? 0, known.at(-1)?.step ?? 0];
  const low = Math.min(...known.map(({ min }) => min));
  const high = Math.max(...known.map(({ max }) => max));
  const across = (step: number): number =>
    last === first ? width / 2 : pad + ((step - first) / (last - first)) * (width - 2 * pad);
  const up = (value: number): number =>
    high === low ? height / 2 : height - pad - ((value - low) / (high - low)) * (height - 2 * pad);
  const short = (value: number): number => Math.round(value * 10) / 10;
  return known.map(({ step, mean, min, max }) => ({
    step,
    ...{ x: short(across(step)), y: short(up(mean)), low: short(up(min)), high: short(up(max)) },
  }));
}

const finite = (value: number | null, fallback: number): number =>
  value !== null && Number.isFinite(value) ? value : fallback;

export const linePath = (places: readonly StepPlace[]): string =>
  places.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");

export interface Stretch {
  readonly x: number;
  readonly width: number;
}

/** Around a place that stands alone. */
const HALF = 3;

/**
 * Where the steps that everything else on the page is about stand in the picture: from the first of the prompt's to the last.
 * @returns null where that is all of them, or none
 */
export function stretchOf(
  places: readonly StepPlace[],
  steps: readonly [number, number] | null,
): Stretch | null {
  if (!steps) return null;
  const inside = places.filter(({ step }) => step >= steps[0] && step <= steps[1]);
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last || inside.length === places.length) return null;
  return { x: first.x - HALF, width: last.x - first.x + 2 * HALF };
}

/** The step nearest to a place. */
export function nearestStep(places: readonly StepPlace[], x: number): number | null {
  let best: StepPlace | null = null;
  for (const place of places) if (!best || Math.abs(place.x - x) < Math.abs(best.x - x)) best = place;
  return best?.step ?? null;
}
