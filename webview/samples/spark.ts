import { html, nothing, svg, type TemplateResult } from "lit";
import type { PromptTime } from "../../src/protocol/samples.ts";
import { linePath, placesOf } from "./prompt-line.ts";

const WIDTH = 110;
const HEIGHT = 22;

/** The mean reward over the steps at which a prompt was seen. */
export function sparkline(time: PromptTime): TemplateResult | typeof nothing {
  const places = placesOf(time, { width: WIDTH, height: HEIGHT, pad: 3 });
  if (places.length === 0) return nothing;
  return html`<svg class="sm-line-chart" width=${WIDTH} height=${HEIGHT} aria-hidden="true">
    ${svg`<path d=${linePath(places)} fill="none" />`}
    ${places.length < 30 ? places.map(({ x, y }) => svg`<circle cx=${x} cy=${y} r="1.6" />`) : nothing}
  </svg>`;
}
