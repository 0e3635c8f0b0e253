/** Which charts are near what can be seen, and how wide they are: one observer each for all of them. */

export interface Watched extends Element {
  /** Came near the visible part of the page, or left it. */
  near(near: boolean): void;
  /** Its width in CSS pixels changed. */
  resized(width: number): void;
}

/** Charts this far from the visible part are already drawn when they scroll in. */
const AHEAD = "400px 0px";

export class Watch {
  readonly #sight: IntersectionObserver;
  readonly #size: ResizeObserver;

  constructor() {
    this.#sight = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) (entry.target as Watched).near(entry.isIntersecting);
      },
      { rootMargin: AHEAD, scrollMargin: AHEAD } as IntersectionObserverInit,
    );
    this.#size = new ResizeObserver((entries) => {
      for (const entry of entries) (entry.target as Watched).resized(entry.contentRect.width);
    });
  }

  add(element: Watched): void {
    this.#sight.observe(element);
    this.#size.observe(element);
  }

  remove(element: Watched): void {
    this.#sight.unobserve(element);
    this.#size.unobserve(element);
  }
}
