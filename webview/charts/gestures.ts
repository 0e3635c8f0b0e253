/** What keys and pointer mean on a chart. */

export type KeyIntent =
  /** Move the crosshair by so many pixels; `extend` marks the stretch it passes over. */
  | { readonly type: "move"; readonly pixels: number; readonly extend: boolean }
  | { readonly type: "edge"; readonly end: boolean; readonly extend: boolean }
  /** Twice as near or far around the crosshair. */
  | { readonly type: "scale"; readonly factor: number }
  /** Zoom to what is marked; point out the step under the crosshair when nothing is. */
  | { readonly type: "zoom" }
  /** Point out the step under the crosshair. */
  | { readonly type: "pick" }
  /** Let go of what is marked, else of the step pointed out, else of the zoom, else of the crosshair. */
  | { readonly type: "cancel" }
  | { readonly type: "reset" };

export type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** `null` for keys that are not ours, VS Code's own shortcuts among them. */
export function keyIntent(press: KeyPress, width: number): KeyIntent | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const extend = press.shiftKey;
  const page = Math.max(1, Math.round(width / 10));
  switch (press.key) {
    case "ArrowLeft":
      return { type: "move", pixels: -1, extend };
    case "ArrowRight":
      return { type: "move", pixels: 1, extend };
    case "PageUp":
      return { type: "move", pixels: -page, extend };
    case "PageDown":
      return { type: "move", pixels: page, extend };
    case "Home":
      return { type: "edge", end: false, extend };
    case "End":
      return { type: "edge", end: true, extend };
    case "+":
    case "=":
      return { type: "scale", factor: 0.5 };
    case "-":
    case "_":
      return { type: "scale", factor: 2 };
    case "Enter":
      return { type: "zoom" };
    case " ":
      return { type: "pick" };
    case "Escape":
      return { type: "cancel" };
    case "0":
      return { type: "reset" };
    default:
      return null;
  }
}

/** A press that moves less than this is a click. */
export const DRAG_PIXELS = 4;
