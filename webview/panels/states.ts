/** The page when there is no run to show: why, and what to do next. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import type { Session } from "../session.ts";
import { sentence } from "../text/sentence.ts";
import { shown } from "../text/visible-html.ts";

function words(problem: Problem): TemplateResult {
  return html`<p class="message">${shown(problem.message, 1000)}</p>
    ${problem.file === "" ? nothing : html`<p class="file">${shown(problem.file, 600)}</p>`}
    ${problem.remedy === "" ? nothing : html`<p>${shown(problem.remedy, 1000)}</p>`}`;
}

/** A run that is there and cannot be read. */
export function refused(session: Session, label: string, problem: Problem): TemplateResult {
  return html`<main class="state" data-testid="refused-state" data-code=${problem.code}>
    <h1 tabindex="-1">${label === "" ? t("This run cannot be opened") : sentence(t("{0} cannot be opened"), shown(label, 200))}</h1>
    ${words(problem)}
    <div class="buttons">
      <fd-button kind="primary" label=${t("Retry")} @click=${() => void session.retry()}></fd-button>
      <fd-button label=${t("Show Log")} @click=${() => session.action({ action: "showLog" })}></fd-button>
    </div>
    <p class="code">${problem.code}</p>
  </main>`;
}

/** No run here. */
export function empty(session: Session, label: string, problem: Problem, loose: boolean): TemplateResult {
  return html`<main class="state" data-testid="empty-state" data-code=${problem.code}>
    <h1 tabindex="-1">${label === "" ? t("No run here") : sentence(t("No run in {0}"), shown(label, 200))}</h1>
    ${words(problem)}
    <div class="buttons">
      ${
        loose
          ? html`<fd-button kind="primary" label=${t("Open Its Step Files Anyway")} @click=${() => void session.openLoose()}></fd-button>`
          : nothing
      }
      <fd-button kind=${loose ? "secondary" : "primary"} label=${t("Open Run…")} @click=${() => session.action({ action: "openRun" })}></fd-button>
      <fd-button label=${t("Open Demo Run")} @click=${() => session.action({ action: "openDemo" })}></fd-button>
    </div>
  </main>`;
}

/** Before the first answer: the page's outline, so that nothing jumps when it arrives. */
export function loading(): TemplateResult {
  return html`<div class="page" aria-busy="true">
    <header class="run"><h1 class="bone wide">&nbsp;</h1><p class="facts bone">&nbsp;</p></header>
    <main class="bones" aria-label=${t("Loading")}>
      ${Array.from({ length: 9 }, () => html`<div class="bone box"></div>`)}
    </main>
  </div>`;
}
