/** The theme's colours as the charts need them, and who is told when the theme changes. */
import { type ChartTheme, chartTheme } from "./charts/palette.ts";

export class Theme {
  #current: ChartTheme;
  readonly #listeners = new Set<(theme: ChartTheme) => void>();

  constructor(page: Document) {
    this.#current = read(page);
    // VS Code changes class and theme id of the body, and the variables on the root.
    const observer = new MutationObserver(() => this.#refresh(page));
    observer.observe(page.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
    observer.observe(page.documentElement, { attributes: true, attributeFilter: ["style"] });
  }

  get current(): ChartTheme {
    return this.#current;
  }

  subscribe(listener: (theme: ChartTheme) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #refresh(page: Document): void {
    const next = read(page);
    if (JSON.stringify(next) === JSON.stringify(this.#current)) return;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }
}

function read(page: Document): ChartTheme {
  const style = getComputedStyle(page.body);
  return chartTheme((name) => style.getPropertyValue(name).trim());
}
