/** The line above the charts: what holds for all of them. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { XAxis } from "../../src/protocol/run.ts";
import type { Arranged } from "../arrange.ts";
import type { Session } from "../session.ts";
import { formatCount } from "../text/numbers.ts";
import { type MenuItem, openMenu } from "../ui/menu.ts";
import "../ui/controls.ts";

const SIZES = [
  { size: "s", label: t("Small Charts") },
  { size: "m", label: t("Medium Charts") },
  { size: "l", label: t("Large Charts") },
] as const;

function axes(session: Session): { value: XAxis; label: string; disabled: boolean }[] {
  const timeless = session.axis?.hasTime !== true;
  return [
    { value: "step", label: t("Step"), disabled: false },
    { value: "time", label: t("Wall time"), disabled: timeless },
    { value: "relative", label: t("Relative time"), disabled: timeless },
  ];
}

export function chartTools(session: Session, { shown, all, hidden }: Arranged): TemplateResult {
  const { store } = session;
  const { metricFilter, x, fullRange, log } = store.state;
  const isPart = shown < all;
  return html`<div class="tools" role="toolbar" aria-label=${t("Charts")}>
    <fd-text-field
      label=${t("Filter metrics")}
      placeholder=${t("Filter metrics")}
      .value=${metricFilter}
      @fd-change=${(event: CustomEvent<string>) => store.dispatch({ type: "metricFilter", text: event.detail })}
    ></fd-text-field>
    <fd-select
      label=${t("X axis")}
      .value=${x}
      .options=${axes(session)}
      @fd-change=${(event: CustomEvent<XAxis>) => void session.changeAxis(event.detail)}
    ></fd-select>
    ${smoothing(session)}
    <fd-checkbox
      label=${t("Log")}
      ?checked=${log}
      @fd-change=${(event: CustomEvent<boolean>) => store.dispatch({ type: "logAll", on: event.detail })}
    ></fd-checkbox>
    <fd-checkbox
      label=${t("Full range")}
      ?checked=${fullRange}
      @fd-change=${(event: CustomEvent<boolean>) => store.dispatch({ type: "fullRange", on: event.detail })}
    ></fd-checkbox>
    <span class="muted" role="status"
      >${isPart ? html`${t("{0} of {1}", formatCount(shown), formatCount(all))}<span class="unseen"> ${t("charts")}</span>` : nothing}</span
    >
    <span class="gap"></span>
    <span class="readout muted"></span>
    ${hidden > 0 ? html`<span class="muted">${t("{0} hidden", formatCount(hidden))}</span>` : nothing}
    <button
      class="more always"
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${t("How charts are shown")}
      title=${t("How charts are shown")}
      @click=${(event: Event) => {
        if (event.currentTarget instanceof HTMLElement)
          openMenu(event.currentTarget, t("How charts are shown"), menu(session, hidden));
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
  const words = weight > 0 ? String(weight) : t("off");
  return html`<label class="smoothing" title=${t("A curve averaged over the full data; the raw one stays behind it")}>
    <span>${t("Smoothing")}</span>
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
      label: hidden > 0 ? t("List Hidden Charts ({0})", formatCount(hidden)) : t("List Hidden Charts"),
      checked: store.state.showHidden,
      apart: true,
      run: () => store.dispatch({ type: "showHidden", on: !store.state.showHidden }),
    },
    { label: t("Show All Hidden Charts"), disabled: hidden === 0, run: () => prefs.change({ hidden: [] }) },
    {
      label: t("Reset Order and Pins"),
      disabled: order.length + pinned.length === 0,
      run: () => prefs.change({ order: [], pinned: [] }),
    },
  ];
}
