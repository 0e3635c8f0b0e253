import { html, type TemplateResult } from "lit";
import { textParts } from "./visible.ts";

/** Recording text for the page: kept from changing the direction of what is around it, invisible characters named. */
export function shown(text: string, limit?: number, lines?: boolean): TemplateResult {
  const parts = textParts(text, limit, lines);
  return html`<bdi class="rec"
    >${parts.map((part) => (part.name === "" ? part.text : html`<span class="ctl" title=${part.name}>${part.text}</span>`))}</bdi
  >`;
}
