/** Events a page at a time, by kind and by the part of the run in view. */
import { nearestPlace } from "../core/chart/grid.ts";
import type { RunEvent } from "../core/format/event.ts";
import type { RunModel } from "../core/run/model.ts";
import type { EventsPage, EventView } from "../protocol/run.ts";
import { numberAt, type RunAxes } from "./axes.ts";
import { cut, jsonText } from "./text.ts";

const MAX_MESSAGE = 4000;
const MAX_DATA = 4000;
const MAX_KIND = 200;
/** Kinds are open strings: a hostile recording can have as many as events. */
const MAX_KINDS = 200;

export interface EventsParams {
  readonly offset: number;
  readonly limit: number;
  readonly kind: string | null;
  /** Steps, both ends included. */
  readonly range: readonly [number, number] | null;
}

/** `total` counts what matches kind and range, `kinds` what lies in the range. */
export async function eventsPage(model: RunModel, axes: RunAxes, params: EventsParams): Promise<EventsPage> {
  const inRange = params.range ? await indexesIn(model, axes, params.range) : [...model.events.keys()];
  const kinds = new Map<string, number>();
  for (const index of inRange) {
    const kind = cut(model.events[index]?.kind ?? "", MAX_KIND);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const matching =
    params.kind === null
      ? inRange
      : inRange.filter((index) => cut(model.events[index]?.kind ?? "", MAX_KIND) === params.kind);
  return {
    total: matching.length,
    kinds: [...kinds]
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_KINDS),
    rows: matching.slice(params.offset, params.offset + params.limit).flatMap((index) => {
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

/** An event without a step (a crash) stands where its time does. */
async function indexesIn(
  model: RunModel,
  axes: RunAxes,
  [from, to]: readonly [number, number],
): Promise<number[]> {
  const axis = await axes.rows();
  const time = await axes.sorted("time");
  const stepOf = (event: RunEvent): number | null => {
    if (event.step !== null) return Number(event.step);
    if (!Number.isFinite(event.timestamp)) return null;
    const place = nearestPlace(time.x, event.timestamp);
    return place < 0 ? null : numberAt(axis.step, time.rows?.[place] ?? place);
  };
  const indexes: number[] = [];
  model.events.forEach((event, index) => {
    const step = stepOf(event);
    if (step !== null && step >= from && step <= to) indexes.push(index);
  });
  return indexes;
}
