/** What every chart of the compare editor does: asks while it is near the visible part, for its width, and draws. */
import type { ChartFactory } from "../charts/chart.ts";
import { plotWidth } from "../charts/chart.ts";
import { chartLibrary } from "../charts/library.ts";
import type { ChartTheme } from "../charts/palette.ts";
import type { Crosshair } from "../crosshair.ts";
import type { Answer } from "../panels/chart-data.ts";
import { ChartStage } from "../panels/chart-stage.ts";
import { inTurn } from "../panels/in-turn.ts";
import type { Watch, Watched } from "../panels/watch.ts";
import type { Theme } from "../theme.ts";
import { FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import { type CompareMarks, MarksLayer } from "./marks.ts";
import type { CompareSession } from "./session.ts";

export const MOST_COLUMNS = 4096;
/** Milliseconds that a width has to stand still. */
const SETTLED = 80;
/** With more curves than this an answer is not kept for the way back. */
const KEPT_CURVES = 400;

export interface Question<A> {
  /** Names it: the same one is not asked twice. */
  readonly key: string;
  ask(signal: AbortSignal): Promise<A>;
}

export interface Drawing {
  readonly answer: Answer;
  /** What the crosshair's values are asked by, in the order of the series. */
  readonly keys: readonly string[];
  readonly full: boolean;
  readonly marks: CompareMarks;
}

export abstract class ComparePlot<A> extends FdElement implements Watched {
  declare session: CompareSession;
  declare theme: Theme;
  declare watch: Watch;
  protected readonly asked = new Asked<A>(() => this.draw());
  protected isNear = false;
  #stage: ChartStage | null = null;
  #marks: MarksLayer | null = null;
  #keys = "";
  #width = 0;
  #later: ReturnType<typeof setTimeout> | null = null;
  #stops: (() => void)[] = [];

  protected abstract question(columns: number): Question<A>;
  protected abstract drawing(answer: A): Drawing;
  /** Values under the crosshair by place in the drawing; `null` when there is no crosshair. */
  protected abstract values(values: readonly (number | null | undefined)[] | null, x: number | null): void;
  /** How many curves the answer holds. */
  protected abstract curves(): number;

  protected crosshair(): Crosshair {
    return this.session.cursor;
  }

  protected chartTheme(): ChartTheme {
    return this.theme.current;
  }

  protected get stage(): ChartStage | null {
    return this.#stage;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "figure");
    this.watch.add(this);
    this.#stops = [
      this.session.store.subscribe((_, change) => {
        if ("full" in change || "fullRange" in change) this.draw();
        else if (!("scroll" in change)) this.request();
      }),
      this.session.subscribe(() => {
        this.request();
        this.draw();
      }),
      this.theme.subscribe(() => {
        this.requestUpdate();
        void this.#stage?.paint(this.chartTheme());
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch.remove(this);
    for (const stop of this.#stops) stop();
    this.#leave();
  }

  near(near: boolean): void {
    if (near === this.isNear) return;
    this.isNear = near;
    if (near) {
      if (this.asked.answer) this.draw();
      this.request();
    } else this.#leave();
    this.requestUpdate();
  }

  resized(width: number): void {
    if (width === this.#width || width === 0) return;
    this.#width = width;
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      this.#stage?.resize();
      this.draw();
      this.request();
    }, SETTLED);
  }

  protected retry(): void {
    this.asked.problem = null;
    this.asked.stop();
    this.request();
    this.requestUpdate();
  }

  protected request(): void {
    if (!this.isNear || this.clientWidth === 0) return;
    const columns = this.#stage?.columns ?? plotWidth(this.clientWidth);
    const { key, ask } = this.question(Math.min(MOST_COLUMNS, Math.max(1, Math.floor(columns))));
    this.asked.ask(key, ask, () => this.session.ready.begin());
  }

  protected draw(): void {
    this.requestUpdate();
    if (!this.asked.answer || !this.isNear) return;
    const done = this.session.ready.begin();
    void this.updateComplete
      .then(() => this.#drawNow())
      .catch((error: unknown) => this.session.report(error))
      .finally(done);
  }

  #leave(): void {
    this.isNear = false;
    if (this.curves() > KEPT_CURVES) this.asked.forget();
    else this.asked.stop();
    this.#drop();
  }

  #drop(): void {
    this.#stage?.dispose();
    this.#stage = null;
    this.#marks = null;
  }

  async #drawNow(): Promise<void> {
    const library = await chartLibrary();
    if (this.#stage) await this.#paint(library);
    else await inTurn(() => this.#paint(library));
  }

  async #paint(library: ChartFactory): Promise<void> {
    const host = this.querySelector<HTMLElement>(".plot");
    const { answer } = this.asked;
    if (!answer || !host || !this.isNear) return;
    const { answer: picture, keys, full, marks } = this.drawing(answer);
    const named = keys.join("\n");
    if (named !== this.#keys) this.#drop();
    this.#keys = named;
    this.#stage ??= this.#stageOn(library, host, keys);
    this.#marks ??= new MarksLayer(host);
    await this.#stage.draw(picture, full);
    this.#marks?.draw(this.#stage?.plot ?? EMPTY_PLOT, marks);
    this.requestUpdate();
  }

  #stageOn(library: ChartFactory, host: HTMLElement, keys: readonly string[]): ChartStage {
    const { session } = this;
    return new ChartStage(library, host, keys, this.crosshair(), this.chartTheme(), {
      zoom: (range) => session.zoom(range),
      pick: (x) => session.pick(x),
      finding: () => {},
      values: (values, x) => this.values(values, x),
    });
  }
}

const NOTHING = { lo: 0, hi: 1, empty: true };
const EMPTY_PLOT = { x: NOTHING, y: NOTHING, width: 1, height: 1 };
