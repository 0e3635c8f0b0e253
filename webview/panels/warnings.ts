import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import type { WarningView } from "../../src/protocol/run.ts";
import type { Session } from "../session.ts";
import { formatCount } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";

const LEVELS = ["warning", "info"] as const;

/** What is wrong with a recording, grave things first: what, in which file, how often, what to do, and where to read more. */
export function warningList(session: Session, warnings: readonly WarningView[]): TemplateResult {
  const sorted = LEVELS.flatMap((level) => warnings.filter((warning) => warning.level === level));
  return html`<ul class="warnings">
    ${repeat(
      sorted,
      ({ code, file }) => `${code} ${file}`,
      (warning) => item(session, warning),
    )}
  </ul>`;
}

function item(session: Session, warning: WarningView): TemplateResult {
  const { code, file, message, remedy, count, level } = warning;
  return html`<li class=${level} data-testid="warning" data-code=${code} tabindex="-1">
    <p class="what">
      ${shown(message, 600)}
      ${count > 1 ? html`<span class="count" title=${t("how often")}>×${formatCount(count)}</span>` : nothing}
    </p>
    <p class="where">
      ${file === "" ? nothing : html`<span class="file">${shown(file, 400)}</span> `}<span class="code">${code}</span>
    </p>
    ${remedy === "" ? nothing : html`<p class="remedy">${shown(remedy, 600)}</p>`}
    <p class="actions">
      ${
        file === ""
          ? nothing
          : action(t("Reveal"), t("Reveal {0}", visibleText(file, 200)), () =>
              session.action({ action: "revealFile", file }),
            )
      }
      ${action(t("Copy"), t("Copy what is said of {0}", code), () => session.action({ action: "copy", code, file }))}
      ${action(t("What this means"), t("What {0} means", code), () => session.action({ action: "explain", code }))}
    </p>
  </li>`;
}

const action = (label: string, title: string, run: () => void): TemplateResult =>
  html`<button type="button" class="link" title=${title} @click=${run}>${label}</button>`;
