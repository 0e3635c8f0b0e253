/** Completion length against reward: a cell for each pair, the stronger the more samples it has; a rectangle filters both. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Scatter } from "../../src/protocol/samples.ts";
import { parseColor } from "../charts/palette.ts";
import type { XRange } from "../state.ts";
import { formatCount, formatNumber, plural } from "../text/numbers.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { css } from "./css.ts";
import { lengthBands, nextBelow } from "./words.ts";

/** Columns and rows of cells. */
type Cell = readonly [number, number];

export interface Chosen {
  readonly length: XRange;
  readonly reward: XRange;
}

/** Reports "fd-cells": ranges of both, or `null` for all. */
export class FdLengthMap extends FdElement {
  static override properties = {
    scatter: { attribute: false },
    chosen: { attribute: false },
    theme: { attribute: false },
  };
  declare scatter: Scatter | null;
  declare chosen: { readonly length: XRange | null; readonly reward: XRange | null };
  declare theme: Theme;
  #at: Cell = [0, 0];
  #from: Cell | null = null;
  #isDragging = false;
  #isKeyed = false;
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.theme.subscribe(() => this.#draw());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  #report(detail: Chosen | null): void {
    this.dispatchEvent(new CustomEvent("fd-cells", { detail, bubbles: true }));
  }

  /** Values that the cells between two corners hold. */
  #ranges(a: Cell, b: Cell): Chosen | null {
    const { x, y, columns, rows } = this.scatter ?? {};
    if (!x || !y || !columns || !rows) return null;
    const span = ([from, to]: XRange, i: number, j: number, n: number): XRange => {
      const [low, high] = [Math.min(i, j), Math.max(i, j) + 1];
      const at = (edge: number): number => from + ((to - from) * edge) / n;
      return [at(low), high === n ? to : nextBelow(at(high))];
    };
    return { length: span(x, a[0], b[0], columns), reward: span(y, a[1], b[1], rows) };
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { columns, rows } = this.scatter ?? { columns: 1, rows: 1 };
    const { key, shiftKey } = event;
    const by = new Map<string, Cell>([
      ["ArrowRight", [1, 0]],
      ["ArrowLeft", [-1, 0]],
      ["ArrowUp", [0, 1]],
      ["ArrowDown", [0, -1]],
    ]).get(key);
    if (by) {
      this.#from = shiftKey ? (this.#from ?? this.#at) : null;
      const within = (value: number, most: number): number => Math.min(most - 1, Math.max(0, value));
      this.#at = [within(this.#at[0] + by[0], columns), within(this.#at[1] + by[1], rows)];
      this.#isKeyed = true;
    } else if (key === "Enter" || key === " ") {
      this.#report(this.#ranges(this.#from ?? this.#at, this.#at));
      this.#from = null;
    } else if (key === "Escape" && (this.#from || this.chosen.length || this.chosen.reward)) {
      if (!this.#from) this.#report(null);
      this.#from = null;
    } else return;
    event.preventDefault();
    this.requestUpdate();
  };

  #cellOf({ clientX, clientY }: PointerEvent): Cell | null {
    const { columns, rows } = this.scatter ?? { columns: 0, rows: 0 };
    const box = this.querySelector("canvas")?.getBoundingClientRect();
    if (!box || box.width === 0 || columns === 0) return null;
    const share = (value: number): number => Math.min(0.9999, Math.max(0, value));
    return [
      Math.floor(share((clientX - box.left) / box.width) * columns),
      Math.floor(share(1 - (clientY - box.top) / box.height) * rows),
    ];
  }

  readonly #down = (event: PointerEvent): void => {
    const cell = this.#cellOf(event);
    if (!cell || event.button !== 0) return;
    this.#isDragging = true;
    this.#isKeyed = false;
    [this.#from, this.#at] = [cell, cell];
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
    this.requestUpdate();
  };

  readonly #moved = (event: PointerEvent): void => {
    const cell = this.#isDragging ? this.#cellOf(event) : null;
    if (!cell) return;
    this.#at = cell;
    this.requestUpdate();
  };

  readonly #up = (): void => {
    if (!this.#isDragging) return;
    this.#isDragging = false;
    const { chosen } = this;
    const isClick = this.#from?.[0] === this.#at[0] && this.#from[1] === this.#at[1];
    // A click lets go of what was marked; a drag marks.
    if (isClick && (chosen.length || chosen.reward)) this.#report(null);
    else this.#report(this.#ranges(this.#from ?? this.#at, this.#at));
    this.#from = null;
    this.requestUpdate();
  };

  protected override updated(): void {
    this.#draw();
  }

  /** One pixel a cell; the browser makes them as large as there is room. */
  #draw(): void {
    const canvas = this.querySelector("canvas");
    const context = canvas?.getContext("2d");
    const { scatter } = this;
    if (!canvas || !context || !scatter) return;
    const { columns, rows, cells } = scatter;
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const [r, g, b] = parseColor(this.theme.current.series[0] ?? "") ?? [55, 148, 255];
    const most = Math.log1p(cells.reduce((high, one) => Math.max(high, one), 0));
    const image = context.createImageData(columns, rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const count = cells[row * columns + column] ?? 0;
        if (count === 0) continue;
        const at = 4 * ((rows - 1 - row) * columns + column);
        image.data.set([r, g, b, 255 * (0.3 + (0.7 * Math.log1p(count)) / most)], at);
      }
    }
    context.putImageData(image, 0, 0);
  }

  override render(): TemplateResult {
    const { scatter } = this;
    if (!scatter) return html`<div class="sm-plot skeleton"></div>`;
    if (!scatter.x || !scatter.y)
      return html`<p class="none">${t("No samples with a length and a reward.")}</p>`;
    return html`<div
        class="sm-plot sm-map"
        role="application"
        tabindex="0"
        aria-label=${this.#label(scatter)}
        aria-describedby="sm-map-help"
        data-testid="length-map"
        @keydown=${this.#pressed}
        @pointerdown=${this.#down}
        @pointermove=${this.#moved}
        @pointerup=${this.#up}
        @pointercancel=${this.#up}
      >
        <canvas></canvas>
        ${this.#frame(scatter)}
      </div>
      <span class="unseen" id="sm-map-help">${t("Arrow keys move, with Shift they mark, Enter filters, Escape lets go.")}</span>
      <span class="unseen" role="status">${this.#isKeyed ? this.#cellWords(scatter) : nothing}</span>
      ${bandTable(scatter)}
      <p class="sm-scale" aria-hidden="true">
        <span>${formatNumber(scatter.x[0])}</span><span>${t("length × reward")}</span><span>${formatNumber(scatter.x[1])}</span>
      </p>`;
  }

  #label({ x, y, cells, missing }: Scatter): string {
    const total = cells.reduce((sum, one) => sum + one, 0);
    const left = missing > 0 ? t(", {0} without one of them", formatCount(missing)) : "";
    const span = (range: XRange | null): string =>
      range ? t("{0} to {1}", formatNumber(range[0]), formatNumber(range[1])) : "";
    return t(
      "Length against reward of {0}: length {1}, reward {2}{3}",
      plural(total, "sample"),
      span(x),
      span(y),
      left,
    );
  }

  #cellWords({ columns, cells }: Scatter): string {
    const ranges = this.#ranges(this.#from ?? this.#at, this.#at);
    if (!ranges) return "";
    const [c0, c1] = sorted(this.#from?.[0] ?? this.#at[0], this.#at[0]);
    const [r0, r1] = sorted(this.#from?.[1] ?? this.#at[1], this.#at[1]);
    let count = 0;
    for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) count += cells[r * columns + c] ?? 0;
    const span = ([from, to]: XRange): string => t("{0} to {1}", formatNumber(from), formatNumber(to));
    return t(
      "length {0}, reward {1}: {2}",
      span(ranges.length),
      span(ranges.reward),
      plural(count, "sample"),
    );
  }

  /** What is marked, or chosen. */
  #frame(scatter: Scatter): TemplateResult | typeof nothing {
    const { x, y } = scatter;
    const { length, reward } = this.chosen;
    const own = this.#from || this.#isKeyed ? this.#ranges(this.#from ?? this.#at, this.#at) : null;
    const isChosen = !own && (length || reward);
    if (!x || !y || (!own && !isChosen)) return nothing;
    const share = ([from, to]: XRange, value: number): number =>
      to === from ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)));
    const [l, r] = (own?.length ?? length ?? x).map((value) => 100 * share(x, value));
    const [b, t] = (own?.reward ?? reward ?? y).map((value) => 100 * share(y, value));
    const place = {
      ...{ left: `${l ?? 0}%`, width: `${Math.max(0.5, (r ?? 0) - (l ?? 0))}%` },
      ...{ bottom: `${b ?? 0}%`, height: `${Math.max(1, (t ?? 0) - (b ?? 0))}%` },
    };
    return html`<i class=${`sm-frame ${own ? "marking" : ""}`} ${css(place)}></i>`;
  }
}

const sorted = (a: number, b: number): [number, number] => (a <= b ? [a, b] : [b, a]);

function bandTable(scatter: Scatter): TemplateResult {
  return html`<table class="unseen">
    <caption>${t("Reward by length")}</caption>
    <thead><tr><th scope="col">${t("length")}</th><th scope="col">${t("samples")}</th><th scope="col">${t("mean reward")}</th></tr></thead>
    <tbody>
      ${lengthBands(scatter).map(
        ({ from, to, count, reward }) => html`<tr>
          <th scope="row">${t("{0} to {1}", formatNumber(from), formatNumber(to))}</th>
          <td>${formatCount(count)}</td>
          <td>${reward === null ? "–" : formatNumber(reward)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

define("fd-length-map", FdLengthMap);
