/** What dragging and keys do to the stretch of the timeline that is shown. Without a page. */
import type { XRange } from "../state.ts";

/** What the pointer has hold of. */
export type Grip = "new" | "move" | "start" | "end";

/** How near to an end the pointer takes hold of it, in pixels. */
const REACH = 7;

/** @param brush both ends in pixels; `null` when the whole run is shown */
export function gripAt(pixel: number, brush: XRange | null, width: number): Grip {
  const [from, to] = brush ?? [0, width];
  const near = Math.abs(pixel - from) <= Math.abs(pixel - to) ? "start" : "end";
  if (Math.abs(pixel - (near === "start" ? from : to)) <= REACH) return near;
  return brush && pixel > from && pixel < to ? "move" : "new";
}

export interface Drag {
  readonly grip: Grip;
  /** Where it began, in pixels. */
  readonly from: number;
  /** Both ends as they were, in pixels. */
  readonly brush: XRange;
}

/** Both ends in pixels, in order, inside the strip. */
export function dragged({ grip, from, brush }: Drag, to: number, width: number): XRange {
  const inside = (pixel: number): number => Math.min(width, Math.max(0, pixel));
  const ordered = (a: number, b: number): XRange => [inside(Math.min(a, b)), inside(Math.max(a, b))];
  switch (grip) {
    case "new":
      return ordered(from, to);
    case "start":
      return ordered(brush[0] + to - from, brush[1]);
    case "end":
      return ordered(brush[0], brush[1] + to - from);
    case "move": {
      const by = Math.min(width - brush[1], Math.max(-brush[0], to - from));
      return [brush[0] + by, brush[1] + by];
    }
  }
}

export type Handle = "start" | "end" | "move";

/** Fewest steps between the two ends. */
const LEAST = 2;

/**
 * The range after a key on a handle; `null` for keys that are not ours, "reset" for those that show everything.
 * Arrows go by `unit` steps, with Shift by ten times as many, Page keys by a tenth of the run.
 */
export function keyed(
  handle: Handle,
  press: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">,
  range: XRange,
  full: XRange,
  unit: number,
): XRange | "reset" | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const step = press.shiftKey ? unit * 10 : unit;
  const page = Math.max(unit, (full[1] - full[0]) / 10);
  switch (press.key) {
    case "ArrowLeft":
    case "ArrowDown":
      return shifted(handle, range, full, -step);
    case "ArrowRight":
    case "ArrowUp":
      return shifted(handle, range, full, step);
    case "PageDown":
      return shifted(handle, range, full, -page);
    case "PageUp":
      return shifted(handle, range, full, page);
    case "Home":
      return shifted(handle, range, full, Number.NEGATIVE_INFINITY);
    case "End":
      return shifted(handle, range, full, Number.POSITIVE_INFINITY);
    case "Escape":
    case "Delete":
      return "reset";
    default:
      return null;
  }
}

function shifted(handle: Handle, [from, to]: XRange, full: XRange, by: number): XRange {
  const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
  if (handle === "start") return [within(from + by, full[0], Math.max(full[0], to - LEAST)), to];
  if (handle === "end") return [from, within(to + by, Math.min(full[1], from + LEAST), full[1])];
  const move = within(by, full[0] - from, full[1] - to);
  return [from + move, to + move];
}
