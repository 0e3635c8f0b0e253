/** Which part of the run everything below shows, and the way back to all of it; alone in following every zoom. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Session } from "../session.ts";
import { define, FdElement } from "../ui/element.ts";
import { rangeOf } from "./words.ts";

export class FdRange extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [
      this.session.subscribe(() => this.requestUpdate()),
      this.session.store.subscribe((_, { type }) => {
        if (type === "zoom") this.requestUpdate();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    const { range } = session.store.state;
    if (!range) return nothing;
    return html`<p class="range">
      <span data-testid="zoom-range">${rangeOf(range, session.axis)}</span>
      <button type="button" class="link" title=${t("Show the whole run")} @click=${() => session.zoom(null)}>${t("Reset")}</button>
    </p>`;
  }
}

define("fd-range", FdRange);
