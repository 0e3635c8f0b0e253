/** Events a page at a time, by kind and by the part of the run in view. */
import { nearestPlace } from "../core/chart/grid.ts";
import type { RunEvent } from "../core/format/event.ts";
import type { RunModel } from "../core/run/model.ts";
import type { EventsPage, EventView } from "../protocol/run.ts";
import { numberAt, type RunAxes } from "./axes.ts";
import { cut, jsonText } from "./text.ts";

export const MAX_MESSAGE = 4000;
const MAX_DATA = 4000;
export const MAX_KIND = 200;
/** Kinds are open strings: a hostile recording can have as many as events. */
const MAX_KINDS = 200;

export interface EventsParams {
  readonly offset: number;
  readonly limit: number;
  readonly kind: string | null;
  /** Steps, both ends included. */
  readonly range: readonly [number, number] | null;
  /** Answer the page that holds the event nearest to this step, whatever `offset` says. */
  readonly near?: number | null | undefined;
}

/** `total` counts what matches kind and range, `kinds` what lies in the range. */
export async function eventsPage(model: RunModel, axes: RunAxes, params: EventsParams): Promise<EventsPage> {
  const { range, near = null } = params;
  const steps = range || near !== null ? await eventSteps(model, axes) : null;
  const inRange = [...model.events.keys()].filter((index) => {
    const step = steps?.[index] ?? Number.NaN;
    return !range || (step >= range[0] && step <= range[1]);
  });
  const kinds = new Map<string, number>();
  for (const index of inRange) {
    const kind = cut(model.events[index]?.kind ?? "", MAX_KIND);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const matching =
    params.kind === null
      ? inRange
      : inRange.filter((index) => cut(model.events[index]?.kind ?? "", MAX_KIND) === params.kind);
  const found = near === null || !steps ? -1 : nearestTo(near, matching, steps);
  const offset = found < 0 ? params.offset : found - (found % params.limit);
  return {
    total: matching.length,
    offset,
    nearest: matching[found] ?? null,
    kinds: [...kinds]
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_KINDS),
    rows: matching.slice(offset, offset + params.limit).flatMap((index) => {
      const event = model.events[index];
      return event ? [eventView(event, index)] : [];
    }),
  };
}

function eventView(event: RunEvent, index: number): EventView {
  return {
    index,
    time: Number.isFinite(event.timestamp) ? event.timestamp : null,
    kind: cut(event.kind, MAX_KIND),
    step: event.step === null ? "" : String(event.step),
    rank: event.rank,
    message: cut(event.message, MAX_MESSAGE),
    data: Object.keys(event.data).length === 0 ? "" : jsonText(event.data, MAX_DATA),
  };
}

/** Place among `matching` of the event whose step is nearest; the first of equally near ones, -1 without any. */
function nearestTo(step: number, matching: readonly number[], steps: Float64Array): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  matching.forEach((index, place) => {
    const away = Math.abs((steps[index] ?? Number.NaN) - step);
    if (away < least) {
      least = away;
      best = place;
    }
  });
  return best;
}

/** Step of each event; one without a step (a crash) stands where its time does. NaN where neither is known. */
export async function eventSteps(model: RunModel, axes: RunAxes): Promise<Float64Array> {
  const axis = await axes.rows();
  const time = await axes.sorted("time");
  return Float64Array.from(model.events, (event) => {
    if (event.step !== null) return Number(event.step);
    if (!Number.isFinite(event.timestamp)) return Number.NaN;
    const place = nearestPlace(time.x, event.timestamp);
    return place < 0 ? Number.NaN : (numberAt(axis.step, time.rows?.[place] ?? place) ?? Number.NaN);
  });
}
