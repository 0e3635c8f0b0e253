/** Scrolls the list that something lies in. A browser's own way moves everything around the list too, the page itself with it. */

export type Stand = "start" | "center" | "nearest";

/** The nearest that a reader can scroll; the page as a whole is none. */
function listAround(target: Element): Element | null {
  for (let at = target.parentElement; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

/** Pixels to scroll by, of a target and the room for it from `top` to `bottom`. */
export function wayTo(target: Room, room: Room, stand: Stand): number {
  const [above, below] = [target.top - room.top, target.bottom - room.bottom];
  if (stand === "start") return above;
  if (stand === "center") return (above + below) / 2;
  if (above >= 0 && below <= 0) return 0;
  // Of what is higher than the room its beginning is seen.
  return above < 0 ? above : Math.min(above, below);
}

export interface Room {
  readonly top: number;
  readonly bottom: number;
}

/** Brings an element into view within its list, below what stays at the list's top. */
export function reveal(target: Element | null | undefined, stand: Stand): void {
  const list = target ? listAround(target) : null;
  if (!target || !list) return;
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(list);
  const top = list.getBoundingClientRect().top + list.clientTop;
  const room = {
    top: top + (Number.parseFloat(scrollPaddingTop) || 0),
    bottom: top + list.clientHeight - (Number.parseFloat(scrollPaddingBottom) || 0),
  };
  list.scrollTop += wayTo(target.getBoundingClientRect(), room, stand);
}
