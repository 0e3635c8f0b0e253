import { html, nothing, svg, type TemplateResult } from "lit";
import type { PromptTime } from "../../src/protocol/samples.ts";
import { linePath, placesOf, stretchOf } from "./prompt-line.ts";

const WIDTH = 110;
const HEIGHT = 22;

/** The mean reward over all steps at which a prompt was seen; those that the figures beside it are about are marked. */
export function sparkline(
  time: PromptTime,
  steps: readonly [number, number] | null,
): TemplateResult | typeof nothing {
  const places = placesOf(time, { width: WIDTH, height: HEIGHT, pad: 3 });
  if (places.length === 0) return nothing;
  const stretch = stretchOf(places, steps);
  return html`<svg class="sm-line-chart" width=${WIDTH} height=${HEIGHT} aria-hidden="true">
    ${stretch ? svg`<rect class="stretch" x=${stretch.x} width=${stretch.width} y="0" height=${HEIGHT} />` : nothing}
    ${svg`<path d=${linePath(places)} fill="none" />`}
    ${places.length < 30 ? places.map(({ x, y }) => svg`<circle cx=${x} cy=${y} r="1.6" />`) : nothing}
  </svg>`;
}
