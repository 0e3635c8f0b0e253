/** The whole page: filter and commands at the top, the table below. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { problemBox } from "../panels/problem.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import "../ui/controls.ts";
import { define, FdElement } from "../ui/element.ts";
import { say } from "../ui/say.ts";
import "./fd-columns.ts";
import "./fd-filter.ts";
import "./fd-table.ts";
import type { RunsSession } from "./session.ts";

export class FdRuns extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: RunsSession;
  #hasColumns = false;
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override updated(): void {
    this.session.ready.settle();
  }

  override render(): TemplateResult {
    const { phase } = this.session;
    if (phase.state === "failed")
      return html`<main class="state" data-testid="refused-state" data-code=${phase.problem.code}>
        <h1 tabindex="-1">${t("The runs cannot be listed")}</h1>
        ${problemBox(phase.problem, () => void this.session.start())}
      </main>`;
    if (phase.state === "loading")
      return html`<div class="page" aria-busy="true"><main class="state"><h1 tabindex="-1">${t("Looking for runs…")}</h1></main></div>`;
    return this.#open();
  }

  #open(): TemplateResult {
    const { session } = this;
    const { view } = session;
    const isEmpty = view?.of === 0;
    return html`<main class="page rt">
      <header class="rt-top">
        <h1 tabindex="-1">${t("Runs")}</h1>
        <p class="muted" role="status" data-testid="runs-count">${this.#counts()}</p>
        <fd-filter .session=${session}></fd-filter>
      </header>
      ${this.#tools()}
      ${this.#hasColumns ? html`<fd-columns .session=${session} @keydown=${(event: KeyboardEvent) => this.#columnKey(event)}></fd-columns>` : nothing}
      ${
        view && view.total === 0 && !isEmpty
          ? html`<p class="rt-none" data-testid="empty-state">${t("No run fits the filter.")} <button type="button" class="link" @click=${() => session.setFilter("")}>${t("Show all runs")}</button></p>`
          : nothing
      }
      ${isEmpty ? this.#empty() : html`<fd-table .session=${session}></fd-table>`}
    </main>`;
  }

  #counts(): TemplateResult {
    const { view } = this.session;
    if (!view) return html``;
    const { total, of, pending, isSearching, cut } = view;
    const parts = [
      total === of ? plural(of, "run") : t("{0} of {1}", formatCount(total), plural(of, "run")),
      ...(isSearching ? [t("searching…")] : []),
      ...(pending > 0 ? [t("{0} still to be read", formatCount(pending))] : []),
    ];
    return html`${parts.join(" · ")}${cut === "" ? nothing : html` · ${shown(cut, 300)}`}`;
  }

  #tools(): TemplateResult {
    const { session } = this;
    const { selected } = session;
    const dirs = (): string[] => [...selected];
    const none = selected.length === 0;
    const [first] = selected;
    return html`<div class="rt-tools" role="toolbar" aria-label=${t("Runs")}>
      <fd-button
        label=${t("Compare")}
        name=${selected.length < 2 ? t("Compare: select two or more runs") : t("Compare {0} runs; the one selected first is the baseline", selected.length)}
        kind="primary"
        ?disabled=${selected.length < 2}
        @click=${() => session.action({ action: "compare", dirs: dirs() })}
      ></fd-button>
      <fd-button
        label=${t("Open")}
        ?disabled=${selected.length !== 1}
        @click=${() => first !== undefined && session.action({ action: "open", dir: first })}
      ></fd-button>
      <fd-button label=${t("Diagnose")} ?disabled=${none} @click=${() => session.action({ action: "diagnose", dirs: dirs() })}></fd-button>
      <fd-button label=${t("Copy Path")} ?disabled=${none} @click=${() => this.#copy(dirs())}></fd-button>
      <span class="muted" data-testid="selected-count">${none ? "" : t("{0} selected", formatCount(selected.length))}</span>
      <span class="gap"></span>
      <fd-button
        label=${t("Columns")}
        .expanded=${this.#hasColumns}
        controls="rt-columns"
        @click=${() => {
          this.#hasColumns = !this.#hasColumns;
          this.requestUpdate();
        }}
      ></fd-button>
      <fd-button label=${t("Export CSV…")} ?disabled=${session.view?.total === 0} @click=${() => this.#export()}></fd-button>
      <fd-button label=${t("Refresh")} @click=${() => session.action({ action: "refresh" })}></fd-button>
    </div>`;
  }

  #columnKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    this.#hasColumns = false;
    this.requestUpdate();
    const opener = [...this.querySelectorAll<HTMLElement>("fd-button")].find(
      (one) => one.getAttribute("label") === t("Columns"),
    );
    opener?.querySelector<HTMLElement>(":scope > *")?.focus();
  }

  async #copy(dirs: string[]): Promise<void> {
    if (await this.session.action({ action: "copyPath", dirs }))
      say(dirs.length === 1 ? t("Path copied") : t("{0} paths copied", dirs.length));
  }

  async #export(): Promise<void> {
    if (await this.session.action({ action: "csv", query: this.session.query })) say(t("Table saved"));
  }

  #empty(): TemplateResult {
    const isSearching = this.session.view?.isSearching === true;
    return html`<div class="state" data-testid="empty-state">
      <h2>${isSearching ? t("Looking for runs…") : t("No runs in this workspace")}</h2>
      <p class="muted">${t("Runs are folders with a manifest.json and a recording, however deep below the folders of the workspace.")}</p>
    </div>`;
  }
}

define("fd-runs", FdRuns);
