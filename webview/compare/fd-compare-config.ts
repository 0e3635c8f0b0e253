/** What differs in the configuration: every value as it was recorded, side by side. */

import { html, nothing, type TemplateResult } from "lit";
import type { CompareConfigRow, CompareConfigSection, ConfigCell } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import { plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define } from "../ui/element.ts";
import "../ui/controls.ts";
import { swatch } from "./legend.ts";
import { CompareSection } from "./section.ts";
import { cellWords, configCounts, configRows } from "./words.ts";

/** Values of more runs than this stand in one wide table that scrolls. */
const MOST_LETTERS = 400;

export class FdCompareConfig extends CompareSection<CompareConfigSection[]> {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare theme: Theme;

  protected override key(): string {
    const { runs, ignore, epoch } = this.session;
    return JSON.stringify([runs.map(({ uri }) => uri), ignore, epoch]);
  }

  protected override fetch(signal: AbortSignal): Promise<CompareConfigSection[]> {
    return this.session.client.call("compare.config", { ignore: [...this.session.ignore] }, { signal });
  }

  override render(): TemplateResult {
    const sections = this.asked.answer;
    const { store, runs } = this.session;
    const { onlyDifferences, showIgnored, configFilter } = store.state;
    return html`<section class="cmp-section" id="section-configuration" aria-label=${t("Configuration")}>
      <div class="tools" role="toolbar" aria-label=${t("Configuration")}>
        <h2>${t("Configuration")}</h2>
        <span class="muted" role="status">${sections ? configCounts(sections) : ""}</span>
        <span class="gap"></span>
        <button type="button" class="link" @click=${() => this.#openDiff()}>${runs.length > 2 ? t("Open as diffs") : t("Open as diff")}</button>
      </div>
      <div class="tools cmp-sub" role="toolbar" aria-label=${t("Which keys are listed")}>
        <fd-text-field
          label=${t("Filter configuration")}
          placeholder=${t("Filter keys")}
          .value=${configFilter}
          @fd-change=${(event: CustomEvent<string>) => store.change({ configFilter: event.detail })}
        ></fd-text-field>
        <fd-checkbox
          label=${t("Only differences")}
          ?checked=${onlyDifferences}
          @fd-change=${(event: CustomEvent<boolean>) => store.change({ onlyDifferences: event.detail })}
        ></fd-checkbox>
        <fd-checkbox
          label=${t("Ignored too")}
          ?checked=${showIgnored}
          @fd-change=${(event: CustomEvent<boolean>) => store.change({ showIgnored: event.detail })}
        ></fd-checkbox>
        <button
          type="button"
          class="link"
          title=${t("The setting flightDeck.compare.ignore")}
          @click=${() => this.session.action({ action: "openIgnoreSetting" })}
        >${t("Setting…")}</button>
      </div>
      ${this.trouble() ?? (sections ? this.#table(sections) : html`<div class="bone box"></div>`)}
    </section>`;
  }

  #openDiff(): void {
    const { runs } = this.session;
    this.session.action({ action: "diffConfig", other: runs.length > 2 ? null : 1 });
  }

  #table(sections: readonly CompareConfigSection[]): TemplateResult {
    const { runs, store } = this.session;
    const listed = sections
      .map((section) => ({ section, rows: configRows(section, store.state) }))
      .filter(({ rows }) => rows.length > 0);
    if (listed.length === 0) {
      const { configFilter, onlyDifferences } = store.state;
      const words =
        configFilter !== ""
          ? t("Nothing matches the filter.")
          : onlyDifferences
            ? t("No key differs.")
            : t("No configuration is recorded.");
      return html`<p class="none">${words}</p>`;
    }
    return html`<div class="cmp-wide" tabindex="0" role="region" aria-label=${t("Keys and their values")}>
      <table class="cmp-config">
        <thead>
          <tr>
            <th scope="col">${t("key")}</th>
            ${runs.map(
              ({ run, label }) =>
                html`<th scope="col">${swatch(this.session, this.theme.current, run ?? 0)} ${shown(label, 60)}</th>`,
            )}
          </tr>
        </thead>
        ${listed.map(({ section, rows }) => this.#section(section, rows))}
      </table>
    </div>`;
  }

  #section({ title, dropped }: CompareConfigSection, rows: readonly CompareConfigRow[]): TemplateResult {
    const { runs } = this.session;
    return html`<tbody>
      <tr class="cmp-group"><th scope="rowgroup" class="cmp-group-name" colspan=${runs.length + 1}>${shown(title, 120)}</th></tr>
      ${rows.map(
        (row) => html`<tr
          class=${row.ignored ? "ignored" : ""}
          data-testid="diff-config-row"
          data-path=${row.path}
          data-differs=${String(row.differs)}
        >
          <th scope="row" class="cmp-key">${shown(row.path, 300)}${row.ignored ? html` <span class="chip" title=${t("Covered by flightDeck.compare.ignore: not counted")}>${t("ignored")}</span>` : nothing}</th>
          ${row.cells.map((cell, run) => this.#cell(cell, run, row))}
        </tr>`,
      )}
      ${dropped > 0 ? html`<tr><td class="muted" colspan=${runs.length + 1}>${t("{0} not shown.", plural(dropped, "more key"))}</td></tr>` : nothing}
    </tbody>`;
  }

  #cell(cell: ConfigCell, run: number, { differs, cells }: CompareConfigRow): TemplateResult {
    const words = cellWords(cell);
    const [first] = cells;
    const same =
      first &&
      run > 0 &&
      first.present === cell.present &&
      first.value === cell.value &&
      first.type === cell.type;
    const classes = ["value", cell.present ? cell.type : "absent"];
    if (differs && !same) classes.push("other");
    const hint = cell.present
      ? `${TYPE[cell.type]}: ${visibleText(words, 1000)}`
      : t("This run does not have the key");
    return html`<td class=${classes.join(" ")} title=${hint}>${shown(words, MOST_LETTERS, true)}</td>`;
  }
}

const TYPE = {
  string: "text",
  number: "number",
  boolean: t("true or false"),
  null: "null",
  empty: "empty",
  list: "list",
} as const;

define("fd-compare-config", FdCompareConfig);
