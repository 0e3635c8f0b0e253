/** Which columns the table has: what every run has, figures and curves of metrics, keys of the configuration. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import { DEFAULT_COLUMNS, DIFFERING, FIGURES, FIXED_COLUMNS } from "../../src/protocol/runs-page.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import "../ui/controls.ts";
import { define, FdElement } from "../ui/element.ts";
import { FIXED_WORDS, isDefault, withColumn, withoutColumn } from "./columns.ts";
import type { RunsSession } from "./session.ts";

/** More are found by their names. */
const MOST_SHOWN = 200;

export class FdColumns extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: RunsSession;
  #metric = "";
  #key = "";
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => this.requestUpdate());
    void this.session.loadChoices();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    // Nobody asks for them again with every run that is read.
    this.session.choices = null;
  }

  override render(): TemplateResult {
    const { session } = this;
    return html`<div class="rt-columns" id="rt-columns" role="group" aria-label=${t("Columns")}>
      <fieldset>
        <legend>${t("Every run")}</legend>
        ${FIXED_COLUMNS.filter((name) => name !== "name").map((name) => this.#box(name, FIXED_WORDS[name]))}
        <fd-button
          label=${t("Reset Columns")}
          ?disabled=${isDefault(session.columns)}
          @click=${() => session.setColumns(DEFAULT_COLUMNS)}
        ></fd-button>
      </fieldset>
      ${this.#metrics()} ${this.#keys()}
    </div>`;
  }

  #box(id: string, label: string | TemplateResult, name: string | null = null): TemplateResult {
    const { session } = this;
    const isOn = session.columns.includes(id);
    return html`<label class="rt-box"
      ><input
        type="checkbox"
        aria-label=${name ?? nothing}
        data-column=${id}
        .checked=${isOn}
        @change=${() => session.setColumns(isOn ? withoutColumn(session.columns, id) : withColumn(session.columns, id))}
      />${label}</label
    >`;
  }

  #search(label: string, value: string, change: (text: string) => void): TemplateResult {
    return html`<input
      type="search"
      class="rt-search"
      aria-label=${label}
      placeholder=${label}
      .value=${value}
      @input=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        change(currentTarget.value);
        this.requestUpdate();
      }}
    />`;
  }

  #metrics(): TemplateResult {
    const all = this.session.choices?.metrics ?? [];
    const found = matching(all, this.#metric, (metric) => metric);
    return html`<fieldset>
      <legend>${t("Metrics")}</legend>
      ${this.#search(t("Find metrics"), this.#metric, (text) => {
        this.#metric = text;
      })}
      <div class="rt-list" tabindex="0" role="region" aria-label=${t("Metrics")}>
        <table>
          <thead>
            <tr>
              <th scope="col"><span class="unseen">${t("metric")}</span></th>
              ${FIGURES.map((figure) => html`<th scope="col">${figure}</th>`)}
              <th scope="col">${t("curve")}</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              found.slice(0, MOST_SHOWN),
              (metric) => metric,
              (metric) => {
                const name = visibleText(metric, 120);
                return html`<tr>
                  <th scope="row">${shown(metric, 120)}</th>
                  ${FIGURES.map(
                    (figure) => html`<td>${this.#box(`${figure}:${metric}`, "", `${name}: ${figure}`)}</td>`,
                  )}
                  <td>${this.#box(`spark:${metric}`, "", t("{0}: curve", name))}</td>
                </tr>`;
              },
            )}
          </tbody>
        </table>
        ${this.#rest(all.length, found.length, t("No metrics are known yet."))}
      </div>
    </fieldset>`;
  }

  #keys(): TemplateResult {
    const all = this.session.choices?.keys ?? [];
    const found = matching(all, this.#key, ({ key }) => key);
    return html`<fieldset>
      <legend>${t("Configuration")}</legend>
      ${this.#box(DIFFERING, t("The first keys that differ"))}
      ${this.#search(t("Find keys"), this.#key, (text) => {
        this.#key = text;
      })}
      <div class="rt-list" tabindex="0" role="region" aria-label=${t("Keys of the configuration")}>
        ${repeat(
          found.slice(0, MOST_SHOWN),
          ({ key }) => key,
          ({ key, values, examples }) =>
            this.#box(
              `config:${key}`,
              html`<span class="rt-key">${shown(key, 160)}</span> <span class="muted">${values > 1 ? html`${t("{0} values:", values)} ${shown(examples, 90)}` : t("the same")}</span>`,
            ),
        )}
        ${this.#rest(all.length, found.length, t("No keys are known yet."))}
      </div>
    </fieldset>`;
  }

  #rest(all: number, found: number, none: string): TemplateResult | typeof nothing {
    if (this.session.choices === null) return nothing;
    if (all === 0) return html`<p class="muted">${none}</p>`;
    if (found === 0) return html`<p class="muted">${t("None has this name.")}</p>`;
    return found > MOST_SHOWN
      ? html`<p class="muted">${t("{0} more: write a part of the name.", found - MOST_SHOWN)}</p>`
      : nothing;
  }
}

function matching<T>(all: readonly T[], text: string, nameOf: (one: T) => string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? all : all.filter((one) => nameOf(one).toLowerCase().includes(wanted));
}

define("fd-columns", FdColumns);
