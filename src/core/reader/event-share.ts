/** A run of many ranks holds no more events than a run of one: what one file may hold is shared. */
import { type EventBuffer, MAX_EVENTS, MAX_WEIGHT } from "./event-buffer.ts";

/** Those that hold little keep all of it; the others give up their middle until the rest is shared evenly. */
export function shareEvents(
  buffers: readonly EventBuffer[],
  maxEvents = MAX_EVENTS,
  maxWeight = MAX_WEIGHT,
): void {
  if (buffers.length < 2) return;
  const events = levelOf(
    buffers.map(({ held }) => held),
    maxEvents,
  );
  const weight = levelOf(
    buffers.map((buffer) => buffer.weight),
    maxWeight,
  );
  if (events === null && weight === null) return;
  for (const buffer of buffers) {
    const isLong = events !== null && buffer.held > events;
    const isHeavy = weight !== null && buffer.weight > weight;
    if (isLong || isHeavy) buffer.limit(isLong ? events : MAX_EVENTS, isHeavy ? weight : MAX_WEIGHT);
  }
}

/** The height at which all, cut there, come to `total`; `null` where nothing has to be cut. */
function levelOf(sizes: readonly number[], total: number): number | null {
  let left = total;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [i, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - i));
    if (size > level) return level;
    left -= size;
  }
  return null;
}
