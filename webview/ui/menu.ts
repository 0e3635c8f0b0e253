/**
 * A menu that is opened at a button: one at a time for the whole page, closed by choosing, Escape, Tab, or a press
 * elsewhere; focus goes back to where it came from.
 */

export interface MenuItem {
  readonly label: string;
  /** A check mark for what is on or off; `null` for what is done. */
  readonly checked?: boolean | null;
  readonly disabled?: boolean;
  /** Begins a new section. */
  readonly apart?: boolean;
  readonly run: () => void;
}

/** An anchor that moves less than this is still where it was, in pixels. */
const STILL = 4;

let close: () => void = () => {};

export function openMenu(anchor: HTMLElement, label: string, items: readonly MenuItem[]): void {
  close();
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.role = "menu";
  menu.ariaLabel = label;
  const buttons = items.map((item) => button(item, () => choose(item)));
  menu.append(...buttons);
  const listening = new AbortController();
  close = (): void => {
    close = () => {};
    listening.abort();
    menu.remove();
    anchor.ariaExpanded = "false";
  };
  const back = (): void => {
    close();
    anchor.focus();
  };
  function choose(item: MenuItem): void {
    back();
    item.run();
  }
  menu.addEventListener("keydown", (event) => keys(event, buttons, back));
  const { signal } = listening;
  const outside = (event: Event): void => {
    if (!(event.target instanceof Node && menu.contains(event.target))) close();
  };
  addEventListener("pointerdown", outside, { capture: true, signal });
  const { top } = anchor.getBoundingClientRect();
  const scrolled = (): void => {
    if (Math.abs(anchor.getBoundingClientRect().top - top) > STILL) close();
  };
  addEventListener("scroll", scrolled, { capture: true, signal });
  addEventListener("resize", () => close(), { signal });
  addEventListener("blur", () => close(), { signal });
  // Inside a landmark, and outside of whatever would hold it in place.
  (anchor.closest("main") ?? document.body).append(menu);
  anchor.ariaExpanded = "true";
  place(menu, anchor);
  buttons.find((one) => !one.disabled)?.focus();
}

/** Closes the menu that is open, if any. */
export const closeMenu = (): void => close();

function button(item: MenuItem, choose: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.tabIndex = -1;
  element.textContent = item.label;
  element.disabled = item.disabled === true;
  element.classList.toggle("apart", item.apart === true);
  if (typeof item.checked === "boolean") {
    element.role = "menuitemcheckbox";
    element.ariaChecked = String(item.checked);
  } else element.role = "menuitem";
  element.addEventListener("click", choose);
  return element;
}

function keys(event: KeyboardEvent, buttons: readonly HTMLButtonElement[], back: () => void): void {
  const able = buttons.filter((one) => !one.disabled);
  const at = able.indexOf(document.activeElement as HTMLButtonElement);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: able.length - 1,
  };
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    back();
  } else if (Object.hasOwn(moves, event.key)) {
    event.preventDefault();
    able[((moves[event.key] ?? 0) + able.length) % able.length]?.focus();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
    const letter = event.key.toLowerCase();
    const order = [...able.slice(at + 1), ...able.slice(0, at + 1)];
    order.find((one) => one.textContent?.toLowerCase().startsWith(letter))?.focus();
  }
}

/** Under the anchor's right end, or above it where there is no room. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(innerWidth - width - 4, Math.max(4, at.right - width));
  const below = at.bottom + 2;
  const top = below + height > innerHeight ? Math.max(4, at.top - height - 2) : below;
  menu.style.left = `${left}px`;
  menu.style.top = `${top}px`;
}
