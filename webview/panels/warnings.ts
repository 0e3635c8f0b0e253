import { html, nothing, type TemplateResult } from "lit";
import type { WarningView } from "../../src/protocol/run.ts";
import { formatCount } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";

/** What is wrong with a recording: which file, what, how often, and what to do about it. */
export function warningList(warnings: readonly WarningView[]): TemplateResult {
  return html`<ul class="warnings">
    ${warnings.map(
      (warning) => html`<li class=${warning.level} data-testid="warning" data-code=${warning.code}>
        <p class="what">
          ${shown(warning.message, 600)}
          ${warning.count > 1 ? html`<span class="count" title="how often">×${formatCount(warning.count)}</span>` : nothing}
        </p>
        <p class="where">
          ${warning.file === "" ? nothing : html`<span class="file">${shown(warning.file, 400)}</span> `}<span class="code"
            >${warning.code}</span
          >
        </p>
        ${warning.remedy === "" ? nothing : html`<p class="remedy">${shown(warning.remedy, 600)}</p>`}
      </li>`,
    )}
  </ul>`;
}
