/** Putting charts in another order by dragging them by their titles. The keyboard's way is the chart's menu. */
import { DRAG_PIXELS } from "../charts/gestures.ts";

export interface Drop {
  /** Ids of the chart that was dragged, and of its group. */
  readonly chart: string;
  readonly group: string;
  /** Its place among the others of the group. */
  readonly place: number;
}

const chartAt = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>("fd-chart") ?? null;
const idOf = (chart: HTMLElement): string => chart.dataset["metric"] ?? "";
const MARKS = ["drop-before", "drop-after"] as const;

/** Listens on the list of charts until the signal is aborted. */
export function listenDrags(list: HTMLElement, drop: (drop: Drop) => void, signal: AbortSignal): void {
  let drag: ChartDrag | null = null;
  const end = (isDropped: boolean): void => {
    const done = drag?.end(isDropped);
    drag = null;
    if (done) drop(done);
  };
  list.addEventListener(
    "pointerdown",
    (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const chart = chartAt(target);
      if (event.button !== 0 || !chart || !target?.closest(".chart-head h3")) return;
      drag = new ChartDrag(chart, event);
    },
    { signal },
  );
  addEventListener("pointermove", (event) => drag?.move(event), { signal });
  addEventListener("pointerup", () => end(true), { signal });
  addEventListener("pointercancel", () => end(false), { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") end(false);
    },
    { signal },
  );
}

class ChartDrag {
  readonly #chart: HTMLElement;
  readonly #from: { readonly x: number; readonly y: number };
  #isOn = false;
  #target: { readonly chart: HTMLElement; readonly isAfter: boolean } | null = null;

  constructor(chart: HTMLElement, { clientX, clientY }: PointerEvent) {
    this.#chart = chart;
    this.#from = { x: clientX, y: clientY };
  }

  move({ clientX, clientY }: PointerEvent): void {
    const far = Math.hypot(clientX - this.#from.x, clientY - this.#from.y) >= DRAG_PIXELS;
    if (!this.#isOn && !far) return;
    this.#isOn = true;
    this.#chart.classList.add("dragging");
    this.#unmark();
    const over = chartAt(document.elementFromPoint(clientX, clientY));
    if (!over || over === this.#chart || over.parentElement !== this.#chart.parentElement) return;
    const box = over.getBoundingClientRect();
    const isAfter = clientX > box.left + box.width / 2;
    over.classList.add(isAfter ? "drop-after" : "drop-before");
    this.#target = { chart: over, isAfter };
  }

  end(isDropped: boolean): Drop | null {
    const target = this.#target;
    this.#unmark();
    this.#chart.classList.remove("dragging");
    const group = this.#chart.closest<HTMLElement>("[data-group]")?.dataset["group"];
    if (!isDropped || !target || group === undefined) return null;
    const others = [...(this.#chart.parentElement?.children ?? [])].filter((one) => one !== this.#chart);
    const place = others.indexOf(target.chart) + (target.isAfter ? 1 : 0);
    return { chart: idOf(this.#chart), group, place };
  }

  #unmark(): void {
    this.#target?.chart.classList.remove(...MARKS);
    this.#target = null;
  }
}
