/** The whole page: one open run, or why there is none. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { Session } from "../session.ts";
import { TABS, type TabId } from "../state.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import type { Tab } from "../ui/contract.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import { bodyElements } from "./body.ts";
import { aside, header } from "./header.ts";
import { frame } from "./in-turn.ts";
import { empty, loading, refused } from "./states.ts";

/** Milliseconds that the first answer has before other work is begun that holds it up. */
const PATIENCE = 400;

/** Room for the side beside the charts. */
const WIDE = "(min-width: 880px)";

export class FdApp extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: Session;
  declare theme: Theme;
  readonly #wide = matchMedia(WIDE);
  readonly #visited = new Set<TabId>();
  #stops: (() => void)[] = [];
  /** The header stands alone for one frame: it answers who is looked at, and all the rest takes longer. */
  #isWhole: "no" | "soon" | "yes" = "no";

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => this.requestUpdate();
    this.#wide.addEventListener("change", update);
    this.addEventListener("fd-measured", this.#measured);
    this.addEventListener("fd-lead", this.#lead);
    this.addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
    this.#stops = [
      this.session.subscribe(update),
      this.session.findings.subscribe(update),
      this.session.store.subscribe((_, action) => {
        if (action.type === "tab" || action.type === "aside") update();
      }),
      () => this.#wide.removeEventListener("change", update),
      () => this.removeEventListener("fd-measured", this.#measured),
      () => this.removeEventListener("fd-lead", this.#lead),
      () => this.removeEventListener("scroll", this.#scrolled, { capture: true }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  readonly #measured = (): void => void requestAnimationFrame(() => this.#restoreScroll());

  /** Goes to something in the side. */
  readonly #lead = (event: Event): void => {
    if (!(event instanceof CustomEvent) || typeof event.detail !== "string") return;
    void this.#leadTo(event.detail);
  };

  async #leadTo(selector: string): Promise<void> {
    this.session.store.dispatch({ type: "aside", open: true });
    await this.updateComplete;
    const findings = this.querySelector("fd-findings");
    if (findings instanceof FdElement) await findings.updateComplete;
    const target = this.querySelector<HTMLElement>(`#aside ${selector}`);
    reveal(target, "nearest");
    target?.focus({ preventScroll: true });
  }

  readonly #scrolled = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const tab = TABS.find((id) => id === target.dataset["scroller"]);
    // A hidden panel is scrolled to the top by being hidden, not by anybody.
    if (!tab || target.clientHeight === 0 || target.dataset["restored"] !== "true") return;
    this.session.store.dispatch({ type: "scroll", tab, top: target.scrollTop });
  };

  protected override firstUpdated(): void {
    // A run that takes long to open leaves time for what is needed next; one that is refused needs its buttons.
    void this.#begin(new Promise((resolve) => setTimeout(resolve, PATIENCE)));
  }

  protected override updated(): void {
    this.session.ready.settle();
    requestAnimationFrame(() => this.#restoreScroll());
  }

  /** Puts each list back where it was, once it is long enough. */
  #restoreScroll(): void {
    for (const element of this.querySelectorAll<HTMLElement>("[data-scroller]")) {
      const tab = TABS.find((id) => id === element.dataset["scroller"]);
      if (!tab || element.clientHeight === 0) continue;
      const top = this.session.store.state.scroll[tab] ?? 0;
      if (element.dataset["restored"] === "true") continue;
      // In other columns the same place is elsewhere.
      if (element.dataset["measured"] === "false") continue;
      if (top > 0 && element.scrollHeight < top + element.clientHeight && this.session.ready.busy) continue;
      element.scrollTop = top;
      element.dataset["restored"] = "true";
    }
  }

  override render(): TemplateResult {
    const { phase } = this.session;
    switch (phase.state) {
      case "loading":
        return loading();
      case "refused":
        return refused(this.session, phase.label, phase.problem);
      case "failed":
        return refused(this.session, this.session.overview?.label ?? "", phase.problem);
      case "empty":
        return empty(this.session, phase.label, phase.problem, phase.loose);
      case "run":
        return this.#run();
    }
  }

  #asideOpen(): boolean {
    const { warnings, store, findings } = this.session;
    if (!this.#wide.matches && warnings.length === 0 && findings.all.length === 0) return false;
    const isGrave =
      warnings.some(({ level }) => level === "warning") ||
      findings.all.some(({ severity }) => severity !== "info");
    return store.state.aside ?? (this.#wide.matches || isGrave);
  }

  /** Past the findings and notes, which can be many, for who goes by the Tab key. */
  #skip(tab: string): TemplateResult {
    return html`<button
      type="button"
      class="skip"
      @click=${() => this.querySelector<HTMLElement>(`[data-testid="tab-${tab}"]`)?.focus()}
    >
      ${t("Skip to the tabs")}
    </button>`;
  }

  #run(): TemplateResult {
    const { store } = this.session;
    const tabs = this.#tabs();
    const active = tabs.some(({ id }) => id === store.state.tab)
      ? store.state.tab
      : (tabs[0]?.id ?? "charts");
    const open = this.#asideOpen();
    return html`<div class="page">
      ${header(this.session)}
      ${this.#isWhole === "yes" ? this.#below(active, tabs, open) : this.#soon()}
    </div>`;
  }

  #soon(): typeof nothing {
    if (this.#isWhole === "no") {
      this.#isWhole = "soon";
      const done = this.session.ready.begin();
      void this.#begin(frame()).then(() => {
        this.#isWhole = "yes";
        this.requestUpdate();
        void this.updateComplete.finally(done);
      });
    }
    return nothing;
  }

  /** Sets up all other elements; the page is not ready before they are. */
  #begin(when: Promise<void>): Promise<void> {
    const done = this.session.ready.begin();
    return when.then(bodyElements).finally(done);
  }

  #below(active: string, tabs: readonly Tab[], open: boolean): TemplateResult {
    const { store } = this.session;
    return html`${
      this.session.overview?.hasRecording === true
        ? html`<fd-timeline
              .session=${this.session}
              .onsets=${this.session.findings.onsets()}
              @fd-onset=${(event: CustomEvent<string>) => this.session.findings.show(event.detail)}
            ></fd-timeline>`
        : nothing
    }${this.#stopped()}${this.#notice()}
      <div class=${open ? "body with-aside" : "body"}>
        ${open ? this.#skip(active) : nothing}${open ? aside(this.session, this.#wide.matches) : nothing}
        <main>
          <fd-tabs
            label=${t("Views of this run")}
            .active=${active}
            .tabs=${tabs}
            @fd-change=${(event: CustomEvent<unknown>) => {
              const tab = TABS.find((id) => id === event.detail);
              if (tab && event.target instanceof HTMLElement && event.target.localName === "fd-tabs") {
                store.dispatch({ type: "tab", tab });
              }
            }}
          ></fd-tabs>
        </main>
      </div>`;
  }

  /** The reader was ended by something in this run: the rest is there, and nothing is broken for good. */
  #stopped(): TemplateResult | typeof nothing {
    const { stopped } = this.session;
    if (!stopped) return nothing;
    return html`<div class="stopped" role="status" data-testid="stopped" data-code=${stopped.code}>
      <p>${shown(stopped.message, 400)} ${stopped.remedy === "" ? nothing : html`<span class="muted">${shown(stopped.remedy, 400)}</span>`}</p>
      <fd-button label=${t("Retry")} @click=${() => void this.session.retry()}></fd-button>
    </div>`;
  }

  #notice(): TemplateResult | typeof nothing {
    const { notice } = this.session;
    if (notice === "") return nothing;
    return html`<div class="stopped" role="status" data-testid="notice">
      <p>${notice}</p>
      <fd-button label=${t("Dismiss")} @click=${() => this.session.hideNotice()}></fd-button>
    </div>`;
  }

  #tabs(): Tab[] {
    const { overview, session, theme } = {
      overview: this.session.overview,
      session: this.session,
      theme: this.theme,
    };
    const recorded = overview?.hasRecording === true;
    const all: (Omit<Tab, "id" | "content"> & {
      id: TabId;
      there: boolean;
      content: () => TemplateResult;
    })[] = [
      {
        id: "charts",
        label: t("Charts"),
        count: null,
        there: recorded,
        content: () => html`<fd-charts .session=${session} .theme=${theme}></fd-charts>`,
      },
      {
        id: "samples",
        label: t("Samples"),
        count: session.counts?.samples ?? null,
        there: recorded,
        content: () => html`<fd-samples-tab .session=${session} .theme=${theme}></fd-samples-tab>`,
      },
      {
        id: "events",
        label: t("Events"),
        count: overview?.eventCount ?? 0,
        there: recorded,
        content: () => html`<fd-events .session=${session}></fd-events>`,
      },
      {
        id: "configuration",
        label: t("Configuration"),
        count: null,
        there: true,
        content: () => html`<fd-config .session=${session}></fd-config>`,
      },
      {
        id: "records",
        label: t("Records"),
        count: null,
        there: overview?.hasRecords === true,
        content: () => html`<fd-records .session=${session}></fd-records>`,
      },
    ];
    const there = all.filter((tab) => tab.there);
    const active = there.some(({ id }) => id === session.store.state.tab)
      ? session.store.state.tab
      : there[0]?.id;
    if (active) this.#visited.add(active);
    return there.map(({ id, label, count, content }) => ({
      id,
      label,
      count,
      content: () => (this.#visited.has(id) ? content() : nothing),
    }));
  }
}

define("fd-app", FdApp);
