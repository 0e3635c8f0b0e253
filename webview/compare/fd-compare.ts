/** The compare editor's whole page: its top stays, the sections scroll. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { problemBox } from "../panels/problem.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import "./fd-compare-config.ts";
import "./fd-compare-findings.ts";
import "./fd-compare-prompts.ts";
import "./fd-compare-records.ts";
import "./fd-metrics.ts";
import "./fd-ruler.ts";
import { head } from "./head.ts";
import type { CompareSession } from "./session.ts";
import { SECTIONS, type SectionId } from "./state.ts";

const TITLES: Readonly<Record<SectionId, string>> = {
  metrics: t("Metrics"),
  configuration: t("Configuration"),
  prompts: t("Prompts"),
  findings: t("Findings"),
  records: t("Records"),
};

export class FdCompare extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: CompareSession;
  declare theme: Theme;
  #filter = "";
  #isRestored = false;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => this.requestUpdate();
    this.#stops = [
      this.session.subscribe(update),
      this.theme.subscribe(update),
      this.session.store.subscribe((_, change) => {
        if (!("scroll" in change) && !("pin" in change)) update();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  protected override updated(): void {
    this.session.ready.settle();
    requestAnimationFrame(() => this.#restoreScroll());
  }

  /** Once it is long enough. */
  #restoreScroll(): void {
    const list = this.querySelector<HTMLElement>(".cmp-scroller");
    const { scroll } = this.session.store.state;
    if (this.#isRestored || !list || list.clientHeight === 0 || this.session.phase.state !== "open") return;
    if (scroll > 0 && list.scrollHeight < scroll + list.clientHeight && this.session.ready.busy) return;
    list.scrollTop = scroll;
    this.#isRestored = true;
  }

  override render(): TemplateResult {
    const { phase } = this.session;
    switch (phase.state) {
      case "loading":
        return html`<div class="page" aria-busy="true">
          <header class="run"><h1 class="bone wide">&nbsp;</h1><p class="facts bone">&nbsp;</p></header>
          <main class="bones" aria-label=${t("Loading")}>${Array.from({ length: 9 }, () => html`<div class="bone box"></div>`)}</main>
        </div>`;
      case "failed":
        return html`<main class="state" data-testid="refused-state" data-code=${phase.problem.code}>
          <h1 tabindex="-1">${t("The runs cannot be compared")}</h1>
          ${problemBox(phase.problem, () => void this.session.start())}
        </main>`;
      case "few":
        return this.#few();
      case "open":
        return this.#open();
    }
  }

  /** A comparison needs two: which there are, and why the others are not. */
  #few(): TemplateResult {
    const { session } = this;
    const { members, lost } = session;
    const code = lost[0] && lost[0].state.state !== "run" ? lost[0].state.problem.code : "few-runs";
    return html`<main class="state" data-testid="refused-state" data-code=${code}>
      <h1 tabindex="-1">${t("Two runs are needed for a comparison")}</h1>
      <ul class="cmp-members">
        ${members.map(
          ({ label, state }) => html`<li>
            <b>${shown(label, 200)}</b>
            ${state.state === "run" ? html`<span class="muted">${t("is open")}</span>` : html`<span>${shown(state.problem.message, 600)}</span> <span class="muted">${shown(state.problem.remedy, 400)}</span>`}
          </li>`,
        )}
      </ul>
      <div class="buttons">
        <fd-button kind="primary" label=${t("Add Run…")} @click=${() => session.action({ action: "addRuns" })}></fd-button>
        <fd-button label=${t("Retry")} @click=${() => session.action({ action: "retry" })}></fd-button>
        <fd-button label=${t("Show Log")} @click=${() => session.action({ action: "showLog" })}></fd-button>
      </div>
    </main>`;
  }

  #open(): TemplateResult {
    const { session, theme } = this;
    const { overview } = session;
    const hasRecords = overview?.runs.some((run) => run.hasRecords) === true;
    const sections = SECTIONS.filter((id) => id !== "records" || hasRecords);
    const onFilter = (text: string): void => {
      this.#filter = text;
      this.requestUpdate();
    };
    return html`<div class="page cmp">
      ${head({ session, theme: theme.current, filter: this.#filter, onFilter })}
      <fd-ruler .session=${session}></fd-ruler>
      <nav class="cmp-nav" aria-label=${t("Sections")}>
        ${sections.map(
          (id) =>
            html`<button type="button" class="link" data-testid=${`tab-${id}`} @click=${() => this.#go(id)}>${TITLES[id]}</button>`,
        )}
      </nav>
      <main
        class="cmp-scroller"
        aria-label=${t(
          "Comparison of {0}",
          session.runs
            .map(({ label }) => visibleText(label, 60))
            .slice(0, 5)
            .join(", "),
        )}
        @scroll=${(event: Event) => this.#scrolled(event)}
      >
        <fd-metrics .session=${session} .theme=${theme}></fd-metrics>
        <div class=${session.runs.length > 3 ? "cmp-two many" : "cmp-two"}>
          <fd-compare-config .session=${session} .theme=${theme}></fd-compare-config>
          <fd-compare-prompts .session=${session} .theme=${theme}></fd-compare-prompts>
        </div>
        <fd-compare-findings .session=${session} .theme=${theme}></fd-compare-findings>
        ${hasRecords ? html`<fd-compare-records .session=${session} .theme=${theme}></fd-compare-records>` : nothing}
      </main>
    </div>`;
  }

  #scrolled({ target }: Event): void {
    if (target instanceof HTMLElement && this.#isRestored && target.clientHeight > 0)
      this.session.store.change({ scroll: target.scrollTop });
  }

  #go(id: SectionId): void {
    const section = this.querySelector<HTMLElement>(`#section-${id}`);
    reveal(section, "start");
    const heading = section?.querySelector<HTMLElement>("h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }
}

define("fd-compare", FdCompare);
