/** The tab of samples: tools, filters, how rewards and lengths are spread, and the list, groups or prompts below. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Histogram, SampleFilter, SampleIndexState, Scatter } from "../../src/protocol/samples.ts";
import { problemBox } from "../panels/problem.ts";
import type { Session } from "../session.ts";
import type { XRange } from "../state.ts";
import { formatCount, plural } from "../text/numbers.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import "./fd-groups.ts";
import type { Chosen } from "./fd-length-map.ts";
import "./fd-length-map.ts";
import "./fd-prompts.ts";
import "./fd-reward-bins.ts";
import "./fd-sample-table.ts";
import { columnsButton, filterChips, filterTools, searchState } from "./filters.ts";
import { SamplesView } from "./state.ts";
import { biasWords, chipsOf, countWords, indexWords, NO_FILTER, without } from "./words.ts";

const BINS = 40;
const MAP = { columns: 64, rows: 24 };
/** Lengths are whole: up to so many have a column each. */
const MOST_COLUMNS = 96;
/** Lower than this there is room for the list alone, in pixels. */
const LEAST_HEIGHT = 440;

interface Counts {
  /** Samples in the list, and without a value to sort by. */
  readonly total: number;
  readonly without: number;
  /** Hits of the search that were counted; `null` without one. */
  readonly hits: number | null;
  /** When nothing matches: how many there are without one of the filters. */
  readonly dropped: readonly {
    readonly name: ReturnType<typeof chipsOf>[number]["name"];
    readonly total: number;
  }[];
}

export class FdSamplesTab extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: Session;
  declare theme: Theme;
  #counts: Asked<Counts> | null = null;
  #histogram: Asked<Histogram> | null = null;
  #scatter: Asked<Scatter> | null = null;
  #rewards: Asked<Histogram> | null = null;
  #size: XRange = [900, 600];
  #stops: (() => void)[] = [];
  readonly #sizes = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    if (width === 0 || (width === this.#size[0] && height === this.#size[1])) return;
    this.#size = [width, height];
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => {
      this.#ask();
      this.requestUpdate();
    };
    const { session } = this;
    const changed = (): void => this.requestUpdate();
    this.#counts = new Asked(session, changed);
    this.#histogram = new Asked(session, changed);
    this.#scatter = new Asked(session, update);
    this.#rewards = new Asked(session, changed);
    this.#stops = [
      session.subscribe(update),
      session.samples.subscribe(update),
      session.store.subscribe((_, { type }) => {
        if (type === "samples" || type === "zoom") update();
      }),
    ];
    this.#sizes.observe(this);
    session.samples.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    for (const asked of [this.#counts, this.#histogram, this.#scatter, this.#rewards]) asked?.stop();
    this.#sizes.disconnect();
  }

  #hasPlots(): boolean {
    return this.session.samples.state.plots ?? this.#size[1] >= LEAST_HEIGHT;
  }

  #ask(): void {
    const { samples, client, epoch } = this.session;
    const { index } = samples;
    if (!index) return;
    const filter = samples.filter();
    const hits = filter.rows?.length ?? null;
    const version = JSON.stringify([index.rows, hits]);
    const keyOf = (one: SampleFilter): string =>
      JSON.stringify([{ ...one, rows: null }, one.rows && samples.search?.query, epoch]);
    this.#counts?.ask(`${keyOf(filter)} ${JSON.stringify(samples.order())}`, version, (signal) =>
      this.#count(signal),
    );
    this.#rewards?.ask(String(epoch), String(index.rows), (signal) =>
      client.call("samples.histogram", { filter: NO_FILTER, bins: 1 }, { signal }),
    );
    if (!this.#hasPlots()) return;
    const some = { ...filter, reward: null };
    this.#histogram?.ask(keyOf(some), version, (signal) =>
      client.call("samples.histogram", { filter: some, bins: BINS }, { signal }),
    );
    if (!index.present.includes("completion_len")) return;
    const all = { ...some, length: null };
    const map = { ...MAP, columns: this.#columns() };
    this.#scatter?.ask(`${keyOf(all)} ${map.columns}`, version, (signal) =>
      client.call("samples.scatter", { filter: all, ...map }, { signal }),
    );
  }

  #columns(): number {
    const [from, to] = this.#scatter?.answer?.x ?? [0, 0];
    const span = Math.round(to - from);
    // One more than there are steps between them: whole lengths fall well inside of their columns.
    return span >= 8 && span < MOST_COLUMNS ? span + 1 : MAP.columns;
  }

  async #count(signal: AbortSignal): Promise<Counts> {
    const { samples, client, store } = this.session;
    const filter = samples.filter();
    const order = samples.order();
    const ask = (one: SampleFilter) =>
      client.call("samples.list", { filter: one, order, offset: 0, limit: 1 }, { signal });
    const { total, without: missing } = await ask(filter);
    const hits = filter.rows?.length ?? null;
    if (total + missing > 0) return { total, without: missing, hits, dropped: [] };
    const dropped = await Promise.all(
      chipsOf(samples.state, store.state.range).map(async ({ name }) => {
        const other = await ask(without(filter, name));
        return { name, total: other.total + other.without };
      }),
    );
    return { total, without: missing, hits, dropped };
  }

  override render(): TemplateResult {
    const { samples } = this.session;
    if (samples.problem) return problemBox(samples.problem, () => samples.retry());
    const { index } = samples;
    if (!index) return html`<p class="none">${t("Reading the samples…")}</p>`;
    if (index.done && index.rows === 0) return this.#nothing(index);
    return html`<h2 class="unseen">${t("Samples")}</h2>
      <div class="tools sm-tools" role="toolbar" aria-label=${t("Samples")}>
        ${this.#views()} ${filterTools(this.session, index)}
        <span class="gap"></span>
        ${samples.state.view === "list" ? columnsButton(this.session, index, this.#size[0] - 28) : nothing}
        <button
          type="button"
          class="sm-tool"
          title=${t("How rewards and lengths are spread")}
          aria-pressed=${String(this.#hasPlots())}
          @click=${() => samples.change({ plots: !this.#hasPlots() })}
        >
          ${t("Plots")}
        </button>
      </div>
      <div class="sm-line">
        ${filterChips(this.session)} ${searchState(this.session)}
        <span class="sm-told">${this.#words(index)}</span>
      </div>
      ${this.#hasPlots() ? this.#plots() : nothing}
      ${this.#body()}`;
  }

  #nothing({ problems, shards }: SampleIndexState): TemplateResult {
    const first = problems[0];
    if (first) return problemBox(first, () => this.session.samples.retry());
    return html`<p class="none" data-testid="no-samples">
      ${shards === 0 ? t("No samples were captured in this run.") : t("The sample files of this run hold no samples.")}
    </p>`;
  }

  #views(): TemplateResult {
    const { samples } = this.session;
    const names: Readonly<Record<SamplesView, string>> = {
      list: t("List"),
      groups: t("Groups"),
      prompts: t("Prompts"),
    };
    const hasGroups = samples.index?.present.includes("group_id") === true;
    return html`<span class="sm-views" role="group" aria-label=${t("Shown as")}>
      ${SamplesView.options
        .filter((view) => view !== "groups" || hasGroups || samples.state.view === view)
        .map(
          (view) => html`<button
            type="button"
            data-view=${view}
            aria-pressed=${String(samples.state.view === view)}
            @click=${() => samples.change({ view })}
          >
            ${names[view]}
          </button>`,
        )}
    </span>`;
  }

  #words(index: SampleIndexState): TemplateResult {
    const counts = this.#counts?.answer;
    const { by, view } = this.session.samples.state;
    const bias = biasWords(index);
    const growing = indexWords(index);
    const trouble = index.problems.length;
    return html`${bias === "" ? nothing : html`<span class="muted sm-bias" data-testid="sampling" title=${t("{0}; shares and means of these samples are not those of all that was generated", bias)}>${bias}</span>`}
      ${growing === "" ? nothing : html`<span class="muted" data-testid="index-state">${growing}</span>`}
      ${
        trouble === 0
          ? nothing
          : html`<span class="chip odd" title=${index.problems
              .map(({ message }) => message)
              .join("\n")
              .slice(0, 600)}>${t("{0} not read", plural(trouble, "file"))}</span>`
      }
      <span role="status" data-testid="sample-count">${counts && view === "list" && (this.#isCounted() || counts.total > 0) ? countWords(counts.total, counts.without, by) : nothing}</span>`;
  }

  /** The counts are those of all that was searched for. */
  #isCounted(): boolean {
    const { search } = this.session.samples;
    const hits = this.#counts?.answer?.hits;
    return search === null ? hits === null : !search.running && hits === search.hits.length;
  }

  #plots(): TemplateResult {
    const { samples } = this.session;
    const { reward } = samples.state;
    const hasLength = samples.index?.present.includes("completion_len") === true;
    return html`<div class=${`sm-plots ${hasLength ? "" : "one"}`}>
      <fd-reward-bins
        .histogram=${this.#histogram?.answer ?? null}
        .range=${reward}
        @fd-range=${({ detail }: CustomEvent<XRange | null>) => samples.change({ reward: detail })}
      ></fd-reward-bins>
      ${hasLength ? this.#map() : nothing}
    </div>`;
  }

  #map(): TemplateResult {
    const { samples } = this.session;
    const { reward, length } = samples.state;
    return html`<fd-length-map
        .scatter=${this.#scatter?.answer ?? null}
        .chosen=${{ length, reward: length ? reward : null }}
        .theme=${this.theme}
        @fd-cells=${({ detail }: CustomEvent<Chosen | null>) =>
          samples.change(detail ?? { length: null, reward: null })}
      ></fd-length-map>`;
  }

  #body(): TemplateResult {
    const { session } = this;
    const { view } = session.samples.state;
    const counts = this.#counts?.answer;
    if (counts && counts.total + counts.without === 0 && this.#isCounted()) return this.#empty(counts);
    if (view === "groups") return html`<fd-groups .session=${session}></fd-groups>`;
    if (view === "prompts") return html`<fd-prompts .session=${session}></fd-prompts>`;
    const { edges } = this.#rewards?.answer ?? {};
    const [low, high] = [edges?.[0], edges?.at(-1)];
    const rewards = low !== undefined && high !== undefined ? [low, high] : null;
    return html`<fd-sample-table .session=${session} .rewards=${rewards}></fd-sample-table>`;
  }

  /** Which of the filters stand in the way. */
  #empty({ dropped }: Counts): TemplateResult {
    const { samples, store } = this.session;
    const words = new Map(chipsOf(samples.state, store.state.range).map((chip) => [chip.name, chip.words]));
    const helpful = dropped.filter(({ total }) => total > 0);
    return html`<div class="none" data-testid="samples-empty">
      <p>${t("No sample matches.")}</p>
      <ul class="sm-drops">
        ${helpful.map(
          ({ name, total }) => html`<li>
            <button type="button" class="link" @click=${() => samples.drop(name)}>${t("Without “{0}”", words.get(name) ?? name)}</button>
            <span class="muted">${formatCount(total)}</span>
          </li>`,
        )}
        ${dropped.length > 1 ? html`<li><button type="button" class="link" @click=${() => samples.dropAll()}>${t("Without any filter")}</button></li>` : nothing}
      </ul>
    </div>`;
  }
}

define("fd-samples-tab", FdSamplesTab);
