/** The tab of events: a page of rows at a time, by kind; a row with a step leads to that step in the charts. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../../src/protocol/l10n.ts";
import type { PageContract } from "../../src/protocol/page.ts";
import type { EventsPage, EventView } from "../../src/protocol/run.ts";
import type { Params, Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import type { Action } from "../state.ts";
import { formatCount, formatZoned } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import "../ui/controls.ts";
import { problemBox } from "./problem.ts";
import { clockWords, eventStep, heldWords, rangeOf, stepText } from "./words.ts";

/** Actions after which other events are shown. */
const ASKS: ReadonlySet<Action["type"]> = new Set(["eventKind", "eventOffset", "zoom", "pin"]);

export const PAGE_ROWS = 200;
const ALL = "";

export class FdEvents extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #page: EventsPage | null = null;
  #problem: Problem | null = null;
  #key = "";
  #seeksPin = false;
  #asking: AbortController | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [
      this.session.store.subscribe((_, action) => {
        if (ASKS.has(action.type)) this.#ask(action.type === "pin");
      }),
      this.session.subscribe(() => this.#ask()),
    ];
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#asking?.abort();
    this.#key = "";
  }

  /** @param toPin goes to the page of the step that was pointed out */
  #ask(toPin = false): void {
    const { eventKind, eventOffset, range, pin } = this.session.store.state;
    const key = JSON.stringify([eventKind, eventOffset, range, pin, this.session.epoch]);
    if (key === this.#key) return;
    const isFirst = this.#key === "";
    this.#key = key;
    this.#seeksPin = pin !== null && (toPin || isFirst);
    void this.#fetch({
      offset: eventOffset,
      limit: PAGE_ROWS,
      kind: eventKind,
      range: range && [range[0], range[1]],
      near: this.#seeksPin ? pin : null,
    });
  }

  async #fetch(params: Params<PageContract, "events.page">): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.session.ready.begin();
    try {
      this.#page = await this.session.client.call("events.page", params, { signal: asking.signal });
      this.#problem = null;
    } catch (error) {
      if (!asking.signal.aborted) this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    if (this.#seeksPin) reveal(this.querySelector("tr.picked"), "nearest");
    done();
  }

  /** The event at the step that was pointed out, when there is one on this page. */
  #isPicked(event: EventView): boolean {
    const { pin } = this.session.store.state;
    return (
      pin !== null && (eventStep(event) === pin || (this.#seeksPin && event.index === this.#page?.nearest))
    );
  }

  #retry(): void {
    this.#key = "";
    this.#ask();
  }

  override render(): TemplateResult {
    if (this.#problem) return problemBox(this.#problem, () => this.#retry());
    const page = this.#page;
    if (!page) return html`<div class="scroller" data-scroller="events"></div>`;
    return html`${this.#tools(page)}
      <div class="scroller" data-scroller="events" tabindex="0" role="region" aria-label=${t("Events")}>
        ${page.rows.length > 0 ? this.#table(page) : html`<p class="none">${this.#none()}</p>`}
      </div>`;
  }

  #none(): string {
    return this.session.store.state.range ? t("No events in these steps.") : t("No events are recorded.");
  }

  #tools(page: EventsPage): TemplateResult {
    const { store } = this.session;
    const { eventKind, range } = store.state;
    const eventOffset = page.offset ?? store.state.eventOffset;
    // The list of kinds has an end; what matches is counted in full.
    const all = eventKind === null ? page.total : page.kinds.reduce((sum, { count }) => sum + count, 0);
    const held = range || eventKind !== null ? "" : heldWords(all, this.session.overview?.eventCount ?? all);
    const kinds = [
      { value: ALL, label: t("All kinds ({0})", formatCount(all)) },
      ...page.kinds.map(({ kind, count }) => ({
        value: `=${kind}`,
        label: `${visibleText(kind, 60)} (${formatCount(count)})`,
      })),
    ];
    const last = Math.min(page.total, eventOffset + page.rows.length);
    const go = (offset: number): void => {
      store.dispatch({ type: "eventOffset", offset });
      this.querySelector(".scroller")?.scrollTo({ top: 0 });
    };
    return html`<div class="tools" role="toolbar" aria-label=${t("Events")}>
      <fd-select
        label=${t("Kind of event")}
        .value=${eventKind === null ? ALL : `=${eventKind}`}
        .options=${kinds}
        @fd-change=${(event: CustomEvent<string>) =>
          store.dispatch({ type: "eventKind", kind: event.detail === ALL ? null : event.detail.slice(1) })}
      ></fd-select>
      ${range ? html`<span class="muted" data-testid="events-range">${t("in {0}", rangeOf(range, this.session.axis))}</span>` : nothing}
      ${held === "" ? nothing : html`<span class="muted" data-testid="events-held" title=${t("There are too many to hold: the first and the last of them are here")}>${held}</span>`}
      <span class="gap"></span>
      ${page.total > 0 ? html`<span class="muted">${t("{0}–{1} of {2}", formatCount(eventOffset + 1), formatCount(last), formatCount(page.total))}</span>` : nothing}
      ${page.total > PAGE_ROWS ? pager(eventOffset, page.total, go) : nothing}
    </div>`;
  }

  #table(page: EventsPage): TemplateResult {
    const ranked = (this.session.overview?.ranks.length ?? 1) > 1;
    return html`<table class="events">
      <thead>
        <tr>
          <th scope="col" title=${t("local time")}>${t("time")}</th>
          <th scope="col" class="num">${t("step")}</th>
          ${ranked ? html`<th scope="col" class="num">${t("rank")}</th>` : nothing}
          <th scope="col">${t("kind")}</th>
          <th scope="col">${t("message")}</th>
        </tr>
      </thead>
      <tbody>
        ${page.rows.map((event) => this.#row(event, ranked))}
      </tbody>
    </table>`;
  }

  #row(event: EventView, ranked: boolean): TemplateResult {
    const step = eventStep(event);
    const show = () => {
      if (step !== null) void this.session.showStep(step);
    };
    return html`<tr data-testid="event-row" data-kind=${event.kind} class=${`${step === null ? "" : "leads"} ${this.#isPicked(event) ? "picked" : ""}`} @click=${show}>
      <td class="when" title=${event.time === null ? "" : formatZoned(event.time)}>
        ${event.time === null ? "–" : clockWords(event.time, this.session.axis)}
      </td>
      <td class="num">
        ${step === null ? (event.step === "" ? "–" : shown(event.step, 40)) : html`<button type="button" class="link" title=${t("Show this step in the charts")}>${shown(stepText(event.step), 40)}</button>`}
      </td>
      ${ranked ? html`<td class="num">${event.rank}</td>` : nothing}
      <td class="kind">${shown(event.kind, 80)}</td>
      <td class="message">
        ${shown(event.message, 1000, true)} ${event.data === "" ? nothing : html`<code>${shown(event.data, 600)}</code>`}
      </td>
    </tr>`;
  }
}

/** First, previous, a page by its number, next, last. */
function pager(offset: number, total: number, go: (offset: number) => void): TemplateResult {
  const pages = Math.ceil(total / PAGE_ROWS);
  const page = Math.floor(offset / PAGE_ROWS);
  const button = (label: string, to: number): TemplateResult =>
    html`<fd-button label=${label} ?disabled=${to === page || to < 0 || to >= pages} @click=${() => go(to * PAGE_ROWS)}></fd-button>`;
  return html`${button(t("First"), 0)}${button(t("Previous"), page - 1)}
    <label class="muted"
      >${t("Page")}
      <input
        class="page-number"
        type="number"
        min="1"
        max=${pages}
        .value=${live(String(page + 1))}
        @change=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return;
          const asked = Math.min(pages, Math.max(1, Math.round(target.valueAsNumber)));
          if (Number.isNaN(asked)) target.value = String(page + 1);
          else {
            target.value = String(asked);
            go((asked - 1) * PAGE_ROWS);
          }
        }}
      />
      ${t("of {0}", formatCount(pages))}</label
    >
    ${button(t("Next"), page + 1)}${button(t("Last"), pages - 1)}`;
}

define("fd-events", FdEvents);
