/** The part of a run that is in view: given in steps, whatever stands on the x axis. */
import { type Domain, fullDomain, placesIn, type SortedX } from "../core/chart/grid.ts";
import type { XAxis } from "../protocol/run.ts";
import { numberAt, type RunAxes } from "./axes.ts";

export type Range = readonly [number, number] | null;

export interface DomainParams {
  readonly x: XAxis;
  /** In units of x. */
  readonly range: Range;
  /** In steps; takes the place of `range` where given. */
  readonly steps?: Range | undefined;
}

/** Both ends in units of x. */
export async function domainOf(axes: RunAxes, sorted: SortedX, params: DomainParams): Promise<Domain> {
  const range = params.steps ?? params.range;
  if (!range) return fullDomain(sorted.x);
  const ordered: Domain = range[0] <= range[1] ? range : [range[1], range[0]];
  if (params.x === "step" || !params.steps) return ordered;
  return (await timesOf(axes, sorted, ordered, params.x)) ?? fullDomain(sorted.x);
}

/** From the earliest to the latest time of the rows of some steps, or of the nearest row that has one. */
async function timesOf(axes: RunAxes, sorted: SortedX, steps: Domain, x: XAxis): Promise<Domain | null> {
  const { timestamp } = await axes.rows();
  const byStep = await axes.sorted("step");
  const time = await axes.sorted("time");
  if (!timestamp || sorted.x.length === 0) return null;
  const start = x === "relative" ? (time.x[0] ?? 0) - (sorted.x[0] ?? 0) : 0;
  const timeAt = (place: number): number | null => numberAt(timestamp, byStep.rows?.[place] ?? place);
  const [first, end] = placesIn(byStep.x, steps);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let place = first; place < end; place++) {
    const at = timeAt(place);
    if (at === null) continue;
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  for (let away = 0; low > high && away < byStep.x.length; away++) {
    const near = timeAt(first - 1 - away) ?? timeAt(end + away);
    if (near !== null) low = high = near;
  }
  return low > high ? null : [low - start, high - start];
}
