/** Sliders for the thresholds of one signature: what is tried is diagnosed at once. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { SignatureView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import { formatNumber } from "../text/numbers.ts";

type Param = SignatureView["params"][number];

export interface ThresholdsView {
  readonly signature: SignatureView;
  /** What is tried, by name. */
  readonly tried: ReadonlyMap<string, number>;
  change(name: string, value: number): void;
  reset(): void;
  write(): void;
}

/** Places of a slider that is not even. */
const PLACES = 1000;
/** A default below this share of the range would stand at the slider's very edge. */
const SKEWED = 0.1;

/** How a slider's places and a threshold's values go together: even, or with the default in the middle. */
export function scaleOf({ min, max, default: usual, integer }: Param): {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  toPlace(value: number): number;
  toValue(place: number): number;
} {
  const share = (usual - min) / (max - min);
  if (!(share > 0 && share < SKEWED)) {
    const step = integer ? 1 : (max - min) / PLACES;
    const near = (place: number): number => (integer ? Math.round(place) : Number(place.toPrecision(6)));
    return { min, max, step, toPlace: (value) => value, toValue: near };
  }
  const power = Math.log(share) / Math.log(0.5);
  return {
    min: 0,
    max: PLACES,
    step: 1,
    toPlace: (value) => Math.round(((value - min) / (max - min)) ** (1 / power) * PLACES),
    toValue: (place) => {
      if (place * 2 === PLACES) return usual;
      const value = min + (place / PLACES) ** power * (max - min);
      return integer ? Math.round(value) : Math.min(max, Math.max(min, Number(value.toPrecision(3))));
    },
  };
}

export function thresholds(view: ThresholdsView): TemplateResult {
  const { signature, tried } = view;
  const isTried = tried.size > 0;
  return html`<div class="thresholds" role="group" aria-label=${t("Thresholds of {0}", signature.title)}>
    ${signature.params.map((param) => slider(view, param, tried.get(param.name) ?? param.value))}
    <p class="actions">
      <button type="button" class="link" ?disabled=${!isTried} @click=${() => view.reset()}>${t("Reset")}</button>
      <button type="button" class="link" ?disabled=${!isTried} @click=${() => view.write()}>${t("Write to doctor.toml…")}</button>
    </p>
    ${signature.params.length === 0 ? html`<p class="muted">${t("It has no thresholds.")}</p>` : nothing}
  </div>`;
}

function slider({ change }: ThresholdsView, param: Param, value: number): TemplateResult {
  const { name, doc } = param;
  const scale = scaleOf(param);
  const usual = (scale.toPlace(param.default) - scale.min) / (scale.max - scale.min);
  const shownName = name.replaceAll("_", " ");
  const isUsual = value === param.default;
  // Thumb and track do not begin at the same pixel: half a thumb is left free on either side.
  return html`<label class="threshold" title=${doc}>
    <span class="name">${shownName}</span>
    <output>${formatNumber(value)}${isUsual ? html` <span class="muted">${t("default")}</span>` : nothing}</output>
    <input
      type="range"
      data-param=${name}
      aria-label=${`${shownName}: ${doc}`}
      aria-valuetext=${isUsual ? t("{0}, the default", formatNumber(value)) : t("{0}, the default is {1}", formatNumber(value), formatNumber(param.default))}
      min=${scale.min}
      max=${scale.max}
      step=${scale.step}
      .value=${String(scale.toPlace(value))}
      @input=${(event: Event) => {
        if (event.target instanceof HTMLInputElement) change(name, scale.toValue(Number(event.target.value)));
      }}
    />
    <svg class="usual" height="4" aria-hidden="true">
      ${svg`<rect x=${`${Math.min(1, Math.max(0, usual)) * 100}%`} y="0" width="1.5" height="4" />`}
    </svg>
  </label>`;
}
