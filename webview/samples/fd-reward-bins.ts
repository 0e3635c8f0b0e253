/** How the rewards of the samples are spread: bins to choose by pointer or keyboard. */

import { html, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Histogram } from "../../src/protocol/samples.ts";
import type { XRange } from "../state.ts";
import { formatNumber, plural } from "../text/numbers.ts";
import { define, FdElement } from "../ui/element.ts";
import { css } from "./css.ts";
import { binRange, binsWithin, histogramWords } from "./words.ts";

/** Reports "fd-range": a range of rewards, or `null` for all. */
export class FdRewardBins extends FdElement {
  static override properties = { histogram: { attribute: false }, range: { attribute: false } };
  declare histogram: Histogram | null;
  declare range: XRange | null;
  /** The bin that keys move from, and the one where a stretch was begun. */
  #at = 0;
  #from: number | null = null;
  #isDragging = false;

  #choose(from: number, to: number): void {
    const { edges } = this.histogram ?? {};
    if (!edges || edges.length < 2) return;
    const now = this.range && binsWithin(edges, this.range);
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const isSame = now?.[0] === low && now[1] === high;
    this.#report(isSame ? null : binRange(edges, low, high));
  }

  #report(detail: XRange | null): void {
    this.dispatchEvent(new CustomEvent("fd-range", { detail, bubbles: true }));
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const bins = this.histogram?.counts.length ?? 0;
    const { key, shiftKey } = event;
    const to = new Map([
      ["ArrowRight", this.#at + 1],
      ["ArrowLeft", this.#at - 1],
      ["Home", 0],
      ["End", bins - 1],
    ]).get(key);
    if (to !== undefined) {
      this.#from = shiftKey ? (this.#from ?? this.#at) : null;
      this.#at = Math.min(bins - 1, Math.max(0, to));
      this.requestUpdate();
      void this.updateComplete.then(() => this.#bin(this.#at)?.focus());
    } else if (key === "Escape" && this.range) this.#report(null);
    else if (key === "Enter" || key === " ") this.#choose(this.#from ?? this.#at, this.#at);
    else return;
    event.preventDefault();
  };

  #bin(index: number): HTMLElement | null {
    return this.querySelector<HTMLElement>(`[data-bin="${index}"]`);
  }

  readonly #down = (event: PointerEvent): void => {
    const bin = binOf(event);
    if (bin === null || event.button !== 0) return;
    event.preventDefault();
    this.#at = bin;
    this.#from = bin;
    this.#isDragging = true;
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
    this.#bin(bin)?.focus({ preventScroll: true });
    this.requestUpdate();
  };

  readonly #moved = (event: PointerEvent): void => {
    if (!this.#isDragging) return;
    const bin = binOf(event);
    if (bin === null || bin === this.#at) return;
    this.#at = bin;
    this.requestUpdate();
  };

  readonly #up = (): void => {
    if (!this.#isDragging) return;
    this.#isDragging = false;
    this.#choose(this.#from ?? this.#at, this.#at);
    this.#from = null;
    this.requestUpdate();
  };

  override render(): TemplateResult {
    const { histogram } = this;
    if (!histogram) return html`<div class="sm-plot skeleton"></div>`;
    const { edges, counts } = histogram;
    if (edges.length === 0) return html`<p class="none">${t("No rewards to show.")}</p>`;
    return html`<div
        class="sm-plot sm-bins"
        role="group"
        aria-label=${histogramWords(histogram)}
        @keydown=${this.#pressed}
        @pointerdown=${this.#down}
        @pointermove=${this.#moved}
        @pointerup=${this.#up}
        @pointercancel=${this.#up}
      >
        ${[...counts].map((_, i) => this.#column(histogram, i))}
      </div>
      <p class="sm-scale" aria-hidden="true"><span>${formatNumber(edges[0] ?? 0)}</span><span>${t("reward")}</span><span>${formatNumber(edges.at(-1) ?? 0)}</span></p>`;
  }

  #column({ edges, counts }: Histogram, i: number): TemplateResult {
    const most = Math.max(...counts);
    const count = counts[i] ?? 0;
    const chosen = this.range && binsWithin(edges, this.range);
    const isIn = chosen !== null && i >= chosen[0] && i <= chosen[1];
    const from = this.#from;
    const isMarked = from !== null && i >= Math.min(from, this.#at) && i <= Math.max(from, this.#at);
    const words = t(
      "reward {0} to {1}: {2}",
      formatNumber(edges[i] ?? 0),
      formatNumber(edges[i + 1] ?? 0),
      plural(count, "sample"),
    );
    // A bin with a single sample is seen beside one with a thousand.
    const height = count === 0 ? 0 : Math.max(4, (count / most) * 100);
    return html`<button
      type="button"
      class=${`${chosen && !isIn ? "out" : ""} ${isMarked ? "marked" : ""}`}
      data-bin=${i}
      data-testid="reward-bin"
      tabindex=${i === Math.min(this.#at, counts.length - 1) ? 0 : -1}
      aria-pressed=${String(isIn)}
      aria-label=${words}
      title=${words}
    >
      <i ${css({ height: `${height}%` })}></i>
    </button>`;
  }
}

function binOf({ clientX, clientY }: PointerEvent): number | null {
  const found = document.elementsFromPoint(clientX, clientY).find((one) => one.hasAttribute("data-bin"));
  return found ? Number(found.getAttribute("data-bin")) : null;
}

define("fd-reward-bins", FdRewardBins);
