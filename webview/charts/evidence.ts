/** Why a finding fired, drawn over a chart: threshold, windows that were compared, onset; and where findings begin. */

import type { SeverityView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { XAxis } from "../../src/protocol/run.ts";
import { formatCount, formatNumber } from "../text/numbers.ts";
import { MARGIN } from "./chart.ts";
import { type Plot, toPixelX, toPixelY } from "./domain.ts";
import type { ChartTheme } from "./palette.ts";
import { placeWords } from "./summary.ts";

type Pair = readonly [number, number];

export interface OnsetMark {
  readonly id: string;
  readonly title: string;
  readonly severity: SeverityView;
  /** In units of the x axis. */
  readonly x: number;
}

export interface DrawnWindow {
  readonly steps: Pair;
  /** In units of the x axis. */
  readonly x: Pair;
}

export interface ChartMarks {
  /** What `x` is measured on. */
  readonly axis: XAxis;
  readonly onsets: readonly OnsetMark[];
  /** The evidence of one finding. */
  readonly drawn: {
    readonly title: string;
    readonly severity: SeverityView;
    readonly thresholds: readonly number[];
    readonly early: DrawnWindow | null;
    readonly late: DrawnWindow | null;
    readonly onset: { readonly step: number; readonly x: number } | null;
  } | null;
}

/** The y range, widened so that thresholds can be seen. */
export function withThresholds(range: Pair | null, marks: ChartMarks | null, log: boolean): Pair | null {
  const levels = (marks?.drawn?.thresholds ?? []).filter((y) => Number.isFinite(y) && (!log || y > 0));
  return range && [Math.min(range[0], ...levels), Math.max(range[1], ...levels)];
}

/** What is drawn, for who cannot see it; "" when nothing is. */
export function evidenceWords(marks: ChartMarks | null): string {
  if (!marks) return "";
  const { drawn } = marks;
  if (!drawn)
    return marks.onsets
      .map(({ title, x }) => t("{0} begins at {1}", title, placeWords(x, marks.axis)))
      .join(". ");
  const parts = drawn.thresholds.map((level) => t("threshold {0}", formatNumber(level)));
  const span = (name: string, window: DrawnWindow | null): void => {
    if (window)
      parts.push(t("{0} steps {1} to {2}", name, formatCount(window.steps[0]), formatCount(window.steps[1])));
  };
  span("early", drawn.early);
  span("late", drawn.late);
  if (drawn.onset) parts.push(t("begins at {0}", placeWords(drawn.onset.step, "step")));
  return t("Evidence of {0}: {1}", drawn.title, parts.join(", "));
}

/** Plain elements over the curves and under the crosshair. */
export class EvidenceLayer {
  readonly #layer: HTMLElement;
  readonly #pick: (id: string) => void;

  constructor(host: HTMLElement, pick: (id: string) => void) {
    this.#pick = pick;
    this.#layer = document.createElement("div");
    this.#layer.className = "evidence";
    this.#layer.setAttribute("aria-hidden", "true");
    host.append(this.#layer);
  }

  draw(plot: Plot, marks: ChartMarks | null, theme: ChartTheme): void {
    this.#layer.replaceChildren();
    Object.assign(this.#layer.style, {
      left: `${MARGIN.left}px`,
      top: `${MARGIN.top}px`,
      width: `${plot.width}px`,
      height: `${plot.height}px`,
    });
    if (!marks || plot.x.empty) return;
    const { drawn, onsets } = marks;
    if (drawn) {
      this.#band(plot, "early", drawn.early, theme.early);
      this.#band(plot, "late", drawn.late, theme.late);
      if (drawn.onset) this.#onsetLine(plot, drawn.onset.x, toneOf(drawn.severity, theme));
      for (const level of drawn.thresholds) this.#threshold(plot, level, theme.threshold);
    }
    for (const onset of onsets) this.#marker(plot, onset, toneOf(onset.severity, theme));
  }

  #add(className: string, tone: string, words = ""): HTMLElement {
    const element = document.createElement("div");
    element.className = className;
    element.style.setProperty("--tone", tone);
    if (words !== "") {
      const label = document.createElement("span");
      label.textContent = words;
      element.append(label);
    }
    this.#layer.append(element);
    return element;
  }

  #band(plot: Plot, name: "early" | "late", window: DrawnWindow | null, tone: string): void {
    if (!window) return;
    const [from, to] = window.x.map((x) => Math.min(plot.width, Math.max(0, toPixelX(plot, x)))) as [
      number,
      number,
    ];
    const [end, start] = [toPixelX(plot, window.x[1]), toPixelX(plot, window.x[0])];
    if (end < 0 || start > plot.width) return;
    const band = this.#add(`ev-band ${name}`, tone, to - from > 30 ? name : "");
    band.style.left = `${from}px`;
    band.style.width = `${Math.max(1, to - from)}px`;
  }

  #threshold(plot: Plot, level: number, tone: string): void {
    const y = toPixelY(plot, level);
    if (!(y >= -0.5 && y <= plot.height + 0.5)) return;
    const line = this.#add("ev-threshold", tone, t("threshold {0}", formatNumber(level)));
    line.dataset["value"] = String(level);
    line.classList.toggle("low", y < 16);
    line.style.top = `${Math.round(y)}px`;
  }

  #onsetLine(plot: Plot, x: number, tone: string): void {
    const left = toPixelX(plot, x);
    if (left < -0.5 || left > plot.width + 0.5) return;
    this.#add("ev-onset", tone).style.left = `${Math.round(left)}px`;
  }

  #marker(plot: Plot, { id, title, x }: OnsetMark, tone: string): void {
    const left = toPixelX(plot, x);
    if (left < -0.5 || left > plot.width + 0.5) return;
    const marker = this.#add("ev-mark", tone);
    marker.dataset["finding"] = id;
    marker.title = t("{0} begins here", title);
    marker.style.left = `${Math.round(left)}px`;
    // A press on it begins no zoom. Keys reach findings through their cards and the timeline.
    for (const type of ["pointerdown", "pointerup", "dblclick"])
      marker.addEventListener(type, (event) => event.stopPropagation());
    marker.addEventListener("click", (event) => {
      event.stopPropagation();
      this.#pick(id);
    });
  }
}

function toneOf(severity: SeverityView, theme: ChartTheme): string {
  if (severity === "critical") return theme.threshold;
  return severity === "warn" ? theme.late : theme.info;
}
