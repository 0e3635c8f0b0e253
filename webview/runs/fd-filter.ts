/** The filter of the table: what can be written next is offered as a list, and what is wrong is shown where it stands. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../../src/protocol/l10n.ts";
import { sentence } from "../text/sentence.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import type { RunsSession } from "./session.ts";

const EXAMPLE = "algorithm:grpo finding:KL_BLOWUP";

interface Completion {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

export class FdFilter extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: RunsSession;
  #offered: readonly Completion[] = [];
  /** -1 is none. */
  #at = -1;
  #turn = 0;
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector("input");
  }

  override focus(): void {
    this.#input?.focus();
  }

  async #offer(text: string): Promise<void> {
    const turn = ++this.#turn;
    try {
      const { completions } = await this.session.client.call("table.complete", { text });
      if (turn !== this.#turn) return;
      this.#offered = completions.filter((one) => one.text !== text);
      this.#at = -1;
      this.requestUpdate();
    } catch (error) {
      this.session.report(error);
    }
  }

  #close(): void {
    this.#turn++;
    this.#offered = [];
    this.#at = -1;
    this.requestUpdate();
  }

  #written(text: string): void {
    this.session.setFilter(text);
    // Everything that can be written is offered when it is asked for.
    if (text === "") this.#close();
    else void this.#offer(text);
  }

  #take({ text }: Completion): void {
    const input = this.#input;
    if (input) {
      input.value = text;
      input.focus();
      input.setSelectionRange(text.length, text.length);
    }
    this.#written(text);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { key } = event;
    const count = this.#offered.length;
    const chosen = this.#offered[this.#at];
    if (key === "ArrowDown" && count === 0) void this.#offer(this.session.store.state.filter);
    else if (key === "ArrowDown") this.#move((this.#at + 1) % count);
    else if (key === "ArrowUp" && count > 0) this.#move((Math.max(this.#at, 0) - 1 + count) % count);
    else if (key === "Enter" && chosen) this.#take(chosen);
    else if (key === "Enter" || (key === "Escape" && count > 0)) this.#close();
    else if (key === "Escape" && this.session.store.state.filter !== "") this.#written("");
    else return;
    event.preventDefault();
  };

  #move(to: number): void {
    this.#at = to;
    this.requestUpdate();
  }

  protected override updated(): void {
    reveal(this.querySelector('[role="option"][aria-selected="true"]'), "nearest");
  }

  /** What is half written can be completed; what is wrong further in front is wrong. */
  #problem() {
    const { view, store } = this.session;
    const problem = view?.problem ?? null;
    const isHalfWritten = problem?.to === store.state.filter.length && this.#offered.length > 0;
    return isHalfWritten ? null : problem;
  }

  override render(): TemplateResult {
    const { filter } = this.session.store.state;
    const problem = this.#problem();
    const isOpen = this.#offered.length > 0;
    return html`<div class="rt-filter">
        <input
          type="search"
          spellcheck="false"
          autocomplete="off"
          role="combobox"
          aria-label=${t("Filter runs")}
          aria-autocomplete="list"
          aria-expanded=${String(isOpen)}
          aria-controls="rt-offered"
          aria-activedescendant=${this.#at >= 0 ? `rt-offer-${this.#at}` : nothing}
          aria-invalid=${problem ? "true" : nothing}
          aria-describedby="rt-problem"
          placeholder=${t("Filter: {0}", EXAMPLE)}
          .value=${live(filter)}
          @input=${({ currentTarget }: Event) => {
            if (currentTarget instanceof HTMLInputElement) this.#written(currentTarget.value);
          }}
          @keydown=${this.#pressed}
          @blur=${() => this.#close()}
        />
        <ul id="rt-offered" class="rt-offered" role="listbox" aria-label=${t("What can be written next")} ?hidden=${!isOpen}>
          ${this.#offered.map(
            (one, i) => html`<li
              id=${`rt-offer-${i}`}
              role="option"
              aria-selected=${String(i === this.#at)}
              @pointerdown=${(event: Event) => {
                // The input keeps the focus.
                event.preventDefault();
                this.#take(one);
              }}
            >${shown(one.label, 120)} <span class="muted">${shown(one.detail, 120)}</span></li>`,
          )}
        </ul>
      </div>
      <p id="rt-problem" class="rt-problem" role="status" data-testid="filter-problem">${problem ? this.#place(filter, problem) : nothing}</p>`;
  }

  #place(
    filter: string,
    { from, to, message }: { readonly from: number; readonly to: number; readonly message: string },
  ): TemplateResult {
    const wrong = filter.slice(from, to);
    return html`${sentence(t("Character {0}: {1}"), from + 1, shown(message, 300))} ${wrong === "" ? nothing : html`<code aria-hidden="true">${visibleText(filter.slice(Math.max(0, from - 30), from), 40)}<mark>${visibleText(wrong, 60)}</mark>${visibleText(filter.slice(to, to + 30), 40)}</code>`}`;
  }
}

define("fd-filter", FdFilter);
