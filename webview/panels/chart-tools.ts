/** The line above the charts: what holds for all of them. */
import { html, nothing, type TemplateResult } from "lit";
import type { XAxis } from "../../src/protocol/run.ts";
import type { Arranged } from "../arrange.ts";
import type { Session } from "../session.ts";
import { formatCount } from "../text/numbers.ts";
import { type MenuItem, openMenu } from "../ui/menu.ts";
import "../ui/controls.ts";

const SIZES = [
  { size: "s", label: "Small Charts" },
  { size: "m", label: "Medium Charts" },
  { size: "l", label: "Large Charts" },
] as const;

function axes(session: Session): { value: XAxis; label: string; disabled: boolean }[] {
  const timeless = session.axis?.hasTime !== true;
  return [
    { value: "step", label: "Step", disabled: false },
    { value: "time", label: "Wall time", disabled: timeless },
    { value: "relative", label: "Relative time", disabled: timeless },
  ];
}

export function chartTools(session: Session, { shown, all, hidden }: Arranged): TemplateResult {
  const { store } = session;
  const { metricFilter, x, fullRange, log } = store.state;
  const isPart = shown < all;
  return html`<div class="tools" role="toolbar" aria-label="Charts">
    <fd-text-field
      label="Filter metrics"
      placeholder="Filter metrics"
      .value=${metricFilter}
      @fd-change=${(event: CustomEvent<string>) => store.dispatch({ type: "metricFilter", text: event.detail })}
    ></fd-text-field>
    <fd-select
      label="X axis"
      .value=${x}
      .options=${axes(session)}
      @fd-change=${(event: CustomEvent<XAxis>) => void session.changeAxis(event.detail)}
    ></fd-select>
    ${smoothing(session)}
    <fd-checkbox
      label="Log"
      ?checked=${log}
      @fd-change=${(event: CustomEvent<boolean>) => store.dispatch({ type: "logAll", on: event.detail })}
    ></fd-checkbox>
    <fd-checkbox
      label="Full range"
      ?checked=${fullRange}
      @fd-change=${(event: CustomEvent<boolean>) => store.dispatch({ type: "fullRange", on: event.detail })}
    ></fd-checkbox>
    <span class="muted" role="status"
      >${isPart ? html`${formatCount(shown)} of ${formatCount(all)}<span class="unseen"> charts</span>` : nothing}</span
    >
    <span class="gap"></span>
    <span class="readout muted"></span>
    ${hidden > 0 ? html`<span class="muted">${formatCount(hidden)} hidden</span>` : nothing}
    <button
      class="more always"
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label="How charts are shown"
      title="How charts are shown"
      @click=${(event: Event) => {
        if (event.currentTarget instanceof HTMLElement)
          openMenu(event.currentTarget, "How charts are shown", menu(session, hidden));
      }}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  </div>`;
}

/** 0 to 0.99, finer towards the end, where it matters. */
export const smoothingAt = (place: number): number =>
  Math.round((1 - (1 - place / 100) ** 2) * 0.99 * 1000) / 1000;
export const smoothingPlace = (weight: number): number =>
  Math.round((1 - Math.sqrt(Math.max(0, 1 - weight / 0.99))) * 100);

function smoothing({ prefs }: Session): TemplateResult {
  const weight = prefs.current.smoothing;
  const words = weight > 0 ? String(weight) : "off";
  return html`<label class="smoothing" title="A curve averaged over the full data; the raw one stays behind it">
    <span>Smoothing</span>
    <input
      type="range"
      min="0"
      max="100"
      step="1"
      aria-valuetext=${words}
      .value=${String(smoothingPlace(weight))}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement)
          prefs.change({ smoothing: smoothingAt(Number(event.target.value)) });
      }}
    />
    <output>${words}</output>
  </label>`;
}

function menu({ store, prefs }: Session, hidden: number): MenuItem[] {
  const { size, order, pinned } = prefs.current;
  return [
    ...SIZES.map((one) => ({
      label: one.label,
      checked: size === one.size,
      run: () => prefs.change({ size: one.size }),
    })),
    {
      label: hidden > 0 ? `List Hidden Charts (${formatCount(hidden)})` : "List Hidden Charts",
      checked: store.state.showHidden,
      apart: true,
      run: () => store.dispatch({ type: "showHidden", on: !store.state.showHidden }),
    },
    { label: "Show All Hidden Charts", disabled: hidden === 0, run: () => prefs.change({ hidden: [] }) },
    {
      label: "Reset Order and Pins",
      disabled: order.length + pinned.length === 0,
      run: () => prefs.change({ order: [], pinned: [] }),
    },
  ];
}
