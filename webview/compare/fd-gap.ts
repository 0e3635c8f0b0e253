/** The gap between the baseline and one run in one metric, with the band of its early noise. */

import { html, type TemplateResult } from "lit";
import type { GapView } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { AtView, ChartView } from "../../src/protocol/run.ts";
import type { ChartTheme } from "../charts/palette.ts";
import { placeWords } from "../charts/summary.ts";
import type { Crosshair, CursorListener, CursorPlace, Values } from "../crosshair.ts";
import type { Answer } from "../panels/chart-data.ts";
import { chartState } from "../panels/chart-head.ts";
import type { XRange } from "../state.ts";
import { formatNumber } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { define } from "../ui/element.ts";
import { keyOf } from "./cursor.ts";
import { ComparePlot, type Drawing, type Question } from "./plot.ts";
import { axisOf, type Listed } from "./words.ts";

/** The shared crosshair, whose values of both runs become one of their gap. */
class GapCrosshair implements Crosshair {
  readonly #shared: Crosshair;
  readonly #keys: () => readonly [string, string];
  readonly #wrapped = new Map<CursorListener, CursorListener>();

  constructor(shared: Crosshair, keys: () => readonly [string, string]) {
    this.#shared = shared;
    this.#keys = keys;
  }

  get place(): CursorPlace {
    return this.#shared.place;
  }

  listen(listener: CursorListener): () => void {
    const wrapped: CursorListener = {
      metrics: () => this.#keys(),
      moved: (place) => listener.moved(place),
      exact: (at: AtView, values: Values) => {
        const [a, b] = this.#keys().map((key) => values.get(key) ?? null);
        const gap = typeof a === "number" && typeof b === "number" ? b - a : null;
        listener.exact(at, new Map([["gap", gap]]));
      },
    };
    this.#wrapped.set(listener, wrapped);
    const stop = this.#shared.listen(wrapped);
    return () => {
      stop();
      this.#wrapped.delete(listener);
    };
  }

  move(x: number | null, brush?: XRange | null): void {
    this.#shared.move(x, brush);
  }

  again(listener: CursorListener): void {
    const wrapped = this.#wrapped.get(listener);
    if (wrapped) this.#shared.again(wrapped);
  }
}

export class FdGap extends ComparePlot<GapView> {
  static override properties = {
    item: { attribute: false },
    session: { attribute: false },
    theme: { attribute: false },
    watch: { attribute: false },
  };
  declare item: Listed;
  #crosshair: GapCrosshair | null = null;

  protected override crosshair(): Crosshair {
    this.#crosshair ??= new GapCrosshair(this.session.cursor, () => {
      const { metric } = this.item.metric;
      return [keyOf(0, metric), keyOf(this.session.other, metric)];
    });
    return this.#crosshair;
  }

  /** A gap is nobody's: it has the colour of text. */
  protected override chartTheme(): ChartTheme {
    const { current } = this.theme;
    return { ...current, series: [current.series.at(-1) ?? current.label] };
  }

  protected override question(width: number): Question<GapView> {
    const { client, store, epoch, other } = this.session;
    const { options, range } = store.state;
    const { metric } = this.item.metric;
    const params = { metric, other, options, align: options.align, range, width };
    return {
      key: JSON.stringify([params, this.session.runs.map(({ uri }) => uri), epoch]),
      ask: (signal) => client.call("compare.gap", params, { signal }),
    };
  }

  protected override curves(): number {
    return this.asked.answer?.series ? 1 : 0;
  }

  #band({ gap }: GapView): [number, number] | null {
    if (!gap) return null;
    const reach = this.session.store.state.options.z * gap.noise;
    return [gap.gapEarly - reach, gap.gapEarly + reach];
  }

  #answer(view: GapView): Answer {
    const { options, range } = this.session.store.state;
    const { metric, series, xDomain, outside, problems } = view;
    const band = this.#band(view);
    const seen = (y: readonly [number, number] | null): [number, number] | null =>
      y && [Math.min(y[0], 0, ...(band ?? [])), Math.max(y[1], 0, ...(band ?? []))];
    const chart: ChartView = {
      ...{ id: metric, series: series ? [series] : [], xDomain, outside, problems },
      yFull: seen(view.yFull),
      yRobust: seen(view.yRobust),
    };
    return { axis: axisOf(options.align), range, log: false, view: chart, heat: null };
  }

  protected override drawing(view: GapView): Drawing {
    const { gap } = view;
    return {
      answer: this.#answer(view),
      keys: ["gap"],
      full: this.session.store.state.fullRange,
      marks: {
        early: gap?.early ?? null,
        band: this.#band(view),
        divergence: gap?.divergence?.x ?? null,
        separation: gap?.separation?.at.x ?? null,
      },
    };
  }

  protected override values(values: readonly (number | null | undefined)[] | null, x: number | null): void {
    const plot = this.querySelector<HTMLElement>(".plot");
    if (x === null || !plot || document.activeElement !== plot) return;
    const [gap] = values ?? [];
    const words = typeof gap === "number" ? t("gap {0}", formatNumber(gap)) : t("no gap");
    plot.setAttribute("aria-valuenow", String(x));
    const axis = axisOf(this.session.store.state.options.align);
    plot.setAttribute("aria-valuetext", `${placeWords(x, axis)}, ${words}`);
  }

  protected override updated(): void {
    this.dataset["metric"] = this.item.metric.metric;
    const view = this.asked.answer;
    const band = view && this.#band(view);
    const words = band
      ? t("noise band from {0} to {1}", formatNumber(band[0]), formatNumber(band[1]))
      : t("no band");
    const title = visibleText(this.item.metric.title, 120);
    this.setAttribute("aria-label", t("Gap in {0}, other minus baseline, {1}", title, words));
  }

  override render(): TemplateResult {
    const { other, runs } = this.session;
    const name = (run: number): string => visibleText(runs[run]?.label ?? "", 60);
    const view = this.asked.answer;
    return html`<header class="chart-head cmp-head">
        <h3>${t("Gap: {0} − {1}", name(other), name(0))}</h3>
        <span class="chips"><span class="chip">${t("band: ± {0} noise units", formatNumber(this.session.store.state.options.z))}</span></span>
      </header>
      <div
        class="plot"
        tabindex=${this.stage ? 0 : -1}
        role="slider"
        aria-label=${t("Crosshair in the gap of {0}", visibleText(this.item.metric.title, 120))}
        aria-valuemin=${this.stage?.x.lo ?? 0}
        aria-valuemax=${this.stage?.x.hi ?? 0}
        aria-valuenow=${this.stage?.x.lo ?? 0}
        aria-valuetext=${t("no crosshair")}
      ></div>
      ${chartState(view && this.#answer(view), this.asked.problem, this.isNear, () => this.retry())}`;
  }
}

define("fd-gap", FdGap);
