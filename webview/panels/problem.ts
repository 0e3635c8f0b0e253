import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { shown } from "../text/visible-html.ts";
import "../ui/controls.ts";

/** What went wrong in a tab: what, where, what to do, and a way to try again. */
export function problemBox(problem: Problem, retry: () => void): TemplateResult {
  return html`<div class="notice" role="alert">
    <p>${shown(problem.message, 600)}</p>
    ${problem.file === "" ? nothing : html`<p class="file">${shown(problem.file, 400)}</p>`}
    ${problem.remedy === "" ? nothing : html`<p class="muted">${shown(problem.remedy, 600)}</p>`}
    <fd-button label=${t("Retry")} @click=${retry}></fd-button>
  </div>`;
}
