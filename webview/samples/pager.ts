import { html, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { formatCount } from "../text/numbers.ts";
import type { Samples } from "./model.ts";

/** First, previous, next and last page of something. */
export function pager(
  name: string,
  { offset, shown, total, size }: { offset: number; shown: number; total: number; size: number },
  go: (offset: number) => void,
): TemplateResult {
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size;
  const button = (label: string, to: number): TemplateResult => html`<button
    type="button"
    class="link"
    ?disabled=${to === offset || to < 0 || to > last}
    @click=${() => go(to)}
  >
    ${label}
  </button>`;
  const words = total === 0 ? "none" : `${formatCount(offset + 1)}–${formatCount(offset + shown)}`;
  return html`<nav class="pages" aria-label=${t("Pages of {0}", name)}>
    ${button(t("First"), 0)}${button(t("Previous"), offset - size)}
    <span class="muted" role="status">${t("{0} of {1}", words, formatCount(total))}</span>
    ${button(t("Next"), offset + size)}${button(t("Last"), last)}
  </nav>`;
}

/** Pages of the table, where it is not one that scrolls. */
export function rowsPager(samples: Samples, total: number, size: number): TemplateResult {
  const offset = Math.min(samples.state.rowsAt, Math.max(0, total - 1));
  const start = offset - (offset % size);
  const shown = Math.min(size, total - start);
  return pager("samples", { offset: start, shown, total, size }, (to) => samples.change({ rowsAt: to }));
}
