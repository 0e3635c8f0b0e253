/** The tab of the configuration: every value as it was recorded, false, 0 and empty text included. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { ConfigSection } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import "../ui/controls.ts";
import { problemBox } from "./problem.ts";
import { filterRows, valueWords } from "./words.ts";

export class FdConfig extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #sections: readonly ConfigSection[] | null = null;
  #problem: Problem | null = null;
  #epoch = -1;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [
      this.session.store.subscribe((_, action) => {
        if (action.type === "configFilter") this.requestUpdate();
      }),
      this.session.subscribe(() => this.#ask()),
    ];
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  #ask(): void {
    if (this.#epoch === this.session.epoch) return;
    this.#epoch = this.session.epoch;
    void this.#fetch();
  }

  async #fetch(): Promise<void> {
    const done = this.session.ready.begin();
    try {
      this.#sections = await this.session.client.call("run.config", {});
      this.#problem = null;
    } catch (error) {
      this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    done();
  }

  override render(): TemplateResult {
    if (this.#problem) return problemBox(this.#problem, () => void this.#fetch());
    const { store } = this.session;
    const { configFilter } = store.state;
    const all = (this.#sections ?? []).filter(({ rows }) => rows.length > 0);
    const sections = all
      .map((section) => ({ ...section, rows: filterRows(section.rows, configFilter) }))
      .filter(({ rows }) => rows.length > 0);
    return html`<div class="tools" role="toolbar" aria-label=${t("Configuration")}>
        <fd-text-field
          label=${t("Filter configuration")}
          placeholder=${t("Filter configuration")}
          .value=${configFilter}
          @fd-change=${(event: CustomEvent<string>) => store.dispatch({ type: "configFilter", text: event.detail })}
        ></fd-text-field>
      </div>
      <div class="scroller" data-scroller="configuration" tabindex="0" role="region" aria-label=${t("Configuration")}>
        ${sections.map((section) => this.#section(section))}
        ${
          sections.length > 0 || !this.#sections
            ? nothing
            : html`<p class="none">${all.length === 0 ? t("No configuration is recorded.") : t("Nothing matches the filter.")}</p>`
        }
      </div>`;
  }

  #section({ title, rows, dropped }: ConfigSection): TemplateResult {
    return html`<section class="config">
      <h2>${shown(title, 120)} <span class="muted">${formatCount(rows.length)}</span></h2>
      <table>
        <tbody>
          ${rows.map(
            (row) => html`<tr data-testid="config-row" data-path=${row.path}>
              <th scope="row">${shown(row.path, 300)}</th>
              <td class=${t("value {0}", row.type)}>${shown(valueWords(row), undefined, true)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      ${dropped > 0 ? html`<p class="muted">${t("{0} not shown.", plural(dropped, "more value"))}</p>` : nothing}
    </section>`;
  }
}

define("fd-config", FdConfig);
