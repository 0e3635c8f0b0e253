/** The drawn part of a chart: the plot, what floats over it, and what pointer and keys do to it. */
import { t } from "../../src/protocol/l10n.ts";
import type { AtView } from "../../src/protocol/run.ts";
import { type Chart, type ChartFactory, MARGIN, plotHeight, plotWidth } from "../charts/chart.ts";
import { type Domain, logDomain, type Plot, toDataX, toPixelX, xDomain, yDomain } from "../charts/domain.ts";
import { type ChartMarks, EvidenceLayer, withThresholds } from "../charts/evidence.ts";
import { DRAG_PIXELS, type KeyIntent, keyIntent } from "../charts/gestures.ts";
import { heatWords } from "../charts/heat.ts";
import { Overlay, type OverlayPoint } from "../charts/overlay.ts";
import { type ChartTheme, seriesStyle } from "../charts/palette.ts";
import { nearestPoint, nextX } from "../charts/path.ts";
import type { Crosshair, CursorListener, CursorPlace, Values } from "../cursor.ts";
import type { XRange } from "../state.ts";
import { formatNumber } from "../text/numbers.ts";
import type { Answer } from "./chart-data.ts";

/** A point further from the crosshair than this is not under it. */
const UNDER = 3;

export interface StageEvents {
  /** Zoom to a stretch of x, or to everything. */
  zoom(range: XRange | null): void;
  /** Point out the step at a place on x, or let go of the one that is. */
  pick(x: number | null): void;
  /** Show a finding's evidence, by its id. */
  finding(id: string): void;
  /**
   * Values under the crosshair by place in the legend, and the row's place on x; `null` when there is no crosshair.
   * @param words what is under it where there is no legend: a heat map
   */
  values(values: readonly (number | null | undefined)[] | null, x: number | null, words: string): void;
}

export class ChartStage {
  readonly #host: HTMLElement;
  readonly #cursor: Crosshair;
  readonly #events: StageEvents;
  readonly #overlay: Overlay;
  readonly #evidence: EvidenceLayer;
  readonly #metrics: readonly string[];
  readonly #chart: Chart;
  readonly #listener: CursorListener = {
    metrics: () => this.#metrics,
    moved: (place) => this.#moved(place),
    exact: (at, values) => this.#exact(at, values),
  };
  readonly #stop: () => void;
  #theme: ChartTheme;
  #plot: Plot;
  #answer: Answer | null = null;
  #marks: ChartMarks | null = null;
  /** Where a drag began, in pixels of the plot; `null` when none is on. */
  #from: number | null = null;
  /** Where Shift and an arrow began to mark. */
  #anchor: number | null = null;
  /** The position of a heat map that the pointer is on; `null` when it is elsewhere. */
  #bucket: number | null = null;

  constructor(
    library: ChartFactory,
    host: HTMLElement,
    metrics: readonly string[],
    cursor: Crosshair,
    theme: ChartTheme,
    events: StageEvents,
  ) {
    this.#host = host;
    this.#metrics = metrics;
    this.#cursor = cursor;
    this.#theme = theme;
    this.#events = events;
    const { clientWidth, clientHeight } = host;
    const nothing: Domain = { lo: 0, hi: 1, empty: true };
    this.#plot = { x: nothing, y: nothing, width: plotWidth(clientWidth), height: plotHeight(clientHeight) };
    const canvas = document.createElement("div");
    canvas.className = "canvas";
    canvas.setAttribute("aria-hidden", "true");
    host.append(canvas);
    this.#chart = library.create(canvas, clientWidth, clientHeight, theme);
    this.#evidence = new EvidenceLayer(host, events.finding);
    this.#overlay = new Overlay(host);
    const stopCursor = cursor.listen(this.#listener);
    const stopPointer = this.#listenPointer();
    this.#stop = () => {
      stopCursor();
      stopPointer();
    };
  }

  /** Pixel columns of the plot. */
  get columns(): number {
    return this.#plot.width;
  }

  get x(): Domain {
    return this.#plot.x;
  }

  /** What was drawn last, for who draws over it. */
  get plot(): Plot {
    return this.#plot;
  }

  /** Draws an answer. @param full the whole y range instead of the usual one @param marks of findings */
  async draw(answer: Answer, full: boolean, marks: ChartMarks | null = null): Promise<void> {
    const { view, heat } = answer;
    const domain = view?.xDomain ?? heat?.xDomain ?? [0, 1];
    const range = heat ? ([0, Math.max(1, heat.buckets)] as const) : full ? view?.yFull : view?.yRobust;
    const log = answer.log && !heat;
    // Where steps stand on another axis may not be known yet.
    this.#marks = marks?.axis === answer.axis ? marks : null;
    const y = heat
      ? { lo: 0, hi: Math.max(1, heat.buckets), empty: heat.buckets === 0 }
      : (log ? logDomain : yDomain)(withThresholds(range ?? null, this.#marks, log));
    this.#answer = answer;
    this.#plot = { ...this.#plot, x: xDomain(domain), y, log };
    await this.#chart.draw({
      axis: answer.axis,
      x: this.#plot.x,
      y,
      log,
      series: view?.series ?? [],
      heat,
    });
    this.#evidence.draw(this.#plot, this.#marks, this.#theme);
    this.#moved(this.#cursor.place);
    // A drawn point near the crosshair is another step's: other widths keep other points.
    this.#cursor.again(this.#listener);
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    this.#plot = { ...this.#plot, width: plotWidth(clientWidth), height: plotHeight(clientHeight) };
    this.#chart.resize(clientWidth, clientHeight);
  }

  async paint(theme: ChartTheme): Promise<void> {
    this.#theme = theme;
    await this.#chart.paint(theme);
    this.#evidence.draw(this.#plot, this.#marks, theme);
    // Dots under the crosshair are coloured like their lines.
    this.#moved(this.#cursor.place);
    this.#cursor.again(this.#listener);
  }

  dispose(): void {
    this.#stop();
    this.#chart.dispose();
    this.#host.replaceChildren();
  }

  #moved({ x, pin, brush }: CursorPlace): void {
    this.#overlay.brush(this.#plot, brush);
    this.#overlay.pin(this.#plot, pin);
    this.#overlay.line(this.#plot, x === pin ? null : x);
    if (x === null) {
      this.#anchor = null;
      this.#show(null, null, null);
      return;
    }
    const under = this.#under(x);
    this.#show(
      x,
      under.map((point) => point?.y),
      under,
    );
  }

  /** The drawn point of each series under the crosshair, where there is one. */
  #under(x: number): (OverlayPoint | undefined)[] {
    const at = toPixelX(this.#plot, x);
    return (this.#answer?.view?.series ?? []).map((series, index) => {
      const i = nearestPoint(series.x, series.y, x);
      const px = series.x[i];
      const y = series.y[i];
      if (px === undefined || y === undefined || Math.abs(toPixelX(this.#plot, px) - at) > UNDER)
        return undefined;
      return { index, x: px, y, color: seriesStyle(index, this.#theme).color };
    });
  }

  #exact(at: AtView, all: Values): void {
    if (at.x === null) return;
    const place = at.x;
    const values = this.#metrics.map((metric) => all.get(metric));
    const points = values.map((y, index) =>
      typeof y === "number"
        ? { index, x: place, y, color: seriesStyle(index, this.#theme).color }
        : undefined,
    );
    const { x, pin } = this.#cursor.place;
    this.#overlay.line(this.#plot, x === pin ? null : place);
    this.#show(place, values, points);
  }

  #show(
    x: number | null,
    values: readonly (number | null | undefined)[] | null,
    points: readonly (OverlayPoint | undefined)[] | null,
  ): void {
    this.#overlay.points(
      this.#plot,
      (points ?? []).filter((point) => point !== undefined),
    );
    const only = values?.length === 1 ? values[0] : undefined;
    const heat = this.#answer?.heat;
    const words = heat && x !== null ? heatWords(heat, x, this.#bucket) : "";
    this.#overlay.tip(
      this.#plot,
      x,
      only === undefined ? words : only === null ? t("no value") : formatNumber(only),
    );
    this.#events.values(values, x, words);
  }

  #bucketAt(event: PointerEvent): number | null {
    const buckets = this.#answer?.heat?.buckets ?? 0;
    const { height } = this.#plot;
    const down = event.clientY - this.#host.getBoundingClientRect().top - MARGIN.top;
    const bucket = Math.floor(((height - down) / height) * buckets);
    return bucket >= 0 && bucket < buckets ? bucket : null;
  }

  #pixelOf(event: PointerEvent | MouseEvent): number {
    const { left } = this.#host.getBoundingClientRect();
    return Math.min(this.#plot.width, Math.max(0, event.clientX - left - MARGIN.left));
  }

  #listenPointer(): () => void {
    const stopping = new AbortController();
    const { signal } = stopping;
    const host = this.#host;
    host.addEventListener("pointerdown", (event) => this.#pressed(event), { signal });
    host.addEventListener("pointermove", (event) => this.#dragged(event), { signal });
    host.addEventListener("pointerup", (event) => this.#released(event), { signal });
    host.addEventListener("pointercancel", () => this.#letGo(), { signal });
    host.addEventListener("pointerleave", () => this.#left(), { signal });
    host.addEventListener("dblclick", () => this.#events.zoom(null), { signal });
    host.addEventListener("keydown", (event) => this.#key(event), { signal });
    host.addEventListener("blur", () => this.#left(), { signal });
    return () => stopping.abort();
  }

  #pressed(event: PointerEvent): void {
    if (event.button !== 0 || this.#plot.x.empty) return;
    this.#from = this.#pixelOf(event);
    this.#host.setPointerCapture(event.pointerId);
  }

  #marked(event: PointerEvent): XRange | null {
    const to = this.#pixelOf(event);
    if (this.#from === null || Math.abs(to - this.#from) < DRAG_PIXELS) return null;
    return [toDataX(this.#plot, Math.min(this.#from, to)), toDataX(this.#plot, Math.max(this.#from, to))];
  }

  #dragged(event: PointerEvent): void {
    if (this.#plot.x.empty) return;
    this.#bucket = this.#bucketAt(event);
    this.#cursor.move(toDataX(this.#plot, this.#pixelOf(event)), this.#marked(event));
  }

  #released(event: PointerEvent): void {
    const range = this.#marked(event);
    const isClick = this.#from !== null && !range;
    this.#letGo();
    if (range) this.#events.zoom(range);
    else if (isClick) this.#events.pick(toDataX(this.#plot, this.#pixelOf(event)));
  }

  #left(): void {
    if (this.#from !== null) return;
    this.#anchor = null;
    this.#bucket = null;
    this.#cursor.move(null);
  }

  #letGo(): void {
    this.#from = null;
    this.#anchor = null;
    this.#cursor.move(this.#cursor.place.x);
  }

  #key(event: KeyboardEvent): void {
    const intent = this.#plot.x.empty ? null : keyIntent(event, this.#plot.width);
    if (!intent) return;
    event.preventDefault();
    event.stopPropagation();
    this.#bucket = null;
    this.#do(intent);
  }

  #do(intent: KeyIntent): void {
    const { lo, hi } = this.#plot.x;
    const { x, pin, brush } = this.#cursor.place;
    switch (intent.type) {
      case "move":
        this.#place(this.#next(intent.pixels), intent.extend);
        break;
      case "edge":
        this.#place(intent.end ? hi : lo, intent.extend);
        break;
      case "scale": {
        const middle = x ?? lo / 2 + hi / 2;
        this.#events.zoom([middle - (middle - lo) * intent.factor, middle + (hi - middle) * intent.factor]);
        break;
      }
      case "zoom":
        if (brush) this.#events.zoom(brush);
        else if (x !== null) this.#events.pick(x);
        this.#letGo();
        break;
      case "pick":
        if (x !== null) this.#events.pick(x);
        break;
      case "cancel":
        if (brush) this.#letGo();
        else if (pin !== null) this.#events.pick(null);
        else if (this.#answer?.range) this.#events.zoom(null);
        else this.#cursor.move(null);
        break;
      case "reset":
        this.#events.zoom(null);
        break;
    }
  }

  /** The next recorded place at least so many pixels away. */
  #next(pixels: number): number {
    const { lo, hi } = this.#plot.x;
    const { x } = this.#cursor.place;
    if (x === null || x < lo || x > hi) return pixels > 0 ? lo : hi;
    const least = ((hi - lo) / this.#plot.width) * Math.abs(pixels);
    const points = this.#answer?.view?.series[0]?.x;
    const next = points ? nextX(points, x, pixels > 0 ? 1 : -1, least) : x + least * Math.sign(pixels);
    return Math.min(hi, Math.max(lo, next));
  }

  #place(x: number, extend: boolean): void {
    if (extend) this.#anchor ??= this.#cursor.place.x ?? x;
    else this.#anchor = null;
    const anchor = this.#anchor;
    this.#cursor.move(x, anchor === null || anchor === x ? null : [Math.min(anchor, x), Math.max(anchor, x)]);
  }
}
