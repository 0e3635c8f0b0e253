/** The table of samples by keyboard. */

export interface TableKeys {
  /** The row that keys move from. */
  readonly place: number;
  readonly last: number;
  /** Rows of a screen. */
  readonly screen: number;
  readonly isOpen: boolean;
  /** The focus is in the head. */
  readonly isHead: boolean;
  go(place: number): void;
  toggle(): void;
  /** Opens the sample as a document. */
  open(): void;
  /** Moves to the head of the column that is sorted by. */
  head(): void;
}

/** @returns whether the key was one of the table's */
export function keysOf(event: KeyboardEvent, table: TableKeys): boolean {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (altKey) return false;
  if (table.isHead) return headKeys(event, table);
  if (key === "Enter" && (ctrlKey || metaKey)) table.open();
  else if (ctrlKey || metaKey) return false;
  else if (key === "ArrowUp" && table.place === 0) table.head();
  else if (key === "ArrowRight" && !table.isOpen) table.toggle();
  else if ((key === "ArrowLeft" || key === "Escape") && table.isOpen) table.toggle();
  else if (key === "Enter" || key === " ") table.toggle();
  else return moves(key, table);
  return true;
}

function moves(key: string, { place, last, screen, go }: TableKeys): boolean {
  const to = new Map([
    ["ArrowDown", place + 1],
    ["ArrowUp", place - 1],
    ["PageDown", place + screen],
    ["PageUp", place - screen],
    ["Home", 0],
    ["End", last],
  ]).get(key);
  if (to === undefined) return false;
  go(to);
  return true;
}

function headKeys({ key, target }: KeyboardEvent, { place, go }: TableKeys): boolean {
  if (key === "ArrowDown") {
    go(place);
    return true;
  }
  const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (by === 0 || !(target instanceof HTMLElement)) return false;
  const buttons = [...(target.closest(".sm-head")?.querySelectorAll<HTMLElement>("button") ?? [])];
  const at = buttons.indexOf(target);
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
  return true;
}
