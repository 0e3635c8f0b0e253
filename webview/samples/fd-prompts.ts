/** The same prompts across steps: how their reward went, and one of them step against step. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import type { PageContract } from "../../src/protocol/page.ts";
import type { PromptKey, PromptTime, PromptView } from "../../src/protocol/samples.ts";
import type { Result } from "../../src/protocol/wire.ts";
import { problemBox } from "../panels/problem.ts";
import { stepText } from "../panels/words.ts";
import type { Session } from "../session.ts";
import { plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import "./fd-prompt.ts";
import { pager } from "./pager.ts";
import { sparkline } from "./spark.ts";
import { figure, signed } from "./words.ts";

export const PROMPTS_PAGE = 50;
/** Prompts whose way is kept. */
const MOST_KEPT = 400;

type Answer = Result<PageContract, "samples.prompts">;
const idOf = ({ by, key }: PromptKey): string => `${by} ${key}`;

export class FdPrompts extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #asked: Asked<Answer> | null = null;
  readonly #times = new Map<string, PromptTime>();
  #filling: AbortController | null = null;
  #filled = "";
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const { session } = this;
    this.#asked = new Asked<Answer>(session, () => {
      this.requestUpdate();
      void this.#fill();
    });
    const ask = (): void => this.#ask();
    this.#stops = [
      session.samples.subscribe(ask),
      session.store.subscribe((_, { type }) => {
        if (type === "samples" || type === "zoom") ask();
      }),
    ];
    ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#asked?.stop();
    this.#filling?.abort();
  }

  #ask(): void {
    const { samples, client } = this.session;
    const { promptsAt: offset } = samples.state;
    const key = JSON.stringify([samples.key(), offset]);
    const version = JSON.stringify([samples.index?.rows, samples.filter().rows?.length]);
    this.#asked?.ask(key, version, (signal) =>
      client.call("samples.prompts", { filter: samples.filter(), offset, limit: PROMPTS_PAGE }, { signal }),
    );
    this.requestUpdate();
  }

  /** Asks for the way of each prompt that is listed, one after another. */
  async #fill(): Promise<void> {
    this.#filling?.abort();
    const filling = new AbortController();
    this.#filling = filling;
    const { client, samples, epoch } = this.session;
    const about = `${epoch} ${samples.index?.rows}`;
    if (about !== this.#filled) this.#times.clear();
    this.#filled = about;
    const done = this.session.ready.begin();
    try {
      for (const { prompt } of this.#asked?.answer?.prompts ?? []) {
        if (filling.signal.aborted) break;
        if (this.#times.has(idOf(prompt))) continue;
        const time = await client.call("samples.prompt", { prompt }, { signal: filling.signal });
        if (this.#times.size >= MOST_KEPT) this.#times.clear();
        this.#times.set(idOf(prompt), time);
        this.requestUpdate();
      }
    } catch (error) {
      this.session.report(error);
    }
    done();
  }

  override render(): TemplateResult {
    const { problem, answer } = this.#asked ?? {};
    if (problem)
      return problemBox(problem, () => {
        this.#asked?.forget();
        this.#ask();
      });
    if (!answer) return html`<p class="none">${t("Looking for prompts…")}</p>`;
    return html`${this.#tools(answer)}
      <div class="scroller sm-prompts" data-scroller="samples" tabindex="-1">
        <div role="list" aria-label=${t("Prompts")} @keydown=${moveAmong}>
          ${repeat(
            answer.prompts,
            ({ prompt }) => idOf(prompt),
            (prompt, i) => this.#prompt(prompt, i === 0),
          )}
        </div>
      </div>`;
  }

  #tools({ by, total, prompts }: Answer): TemplateResult {
    const { samples } = this.session;
    const { promptsAt } = samples.state;
    return html`<div class="sm-line">
      <span class="muted" role="status" data-testid="prompts-count">${by === "text" ? t("{0}, told apart by their text: none has an id; those seen at the most steps first", plural(total, "prompt")) : t("{0}; those seen at the most steps first", plural(total, "prompt"))}</span>
      <span class="gap"></span>
      ${
        total > PROMPTS_PAGE
          ? pager(
              "prompts",
              { offset: promptsAt, shown: prompts.length, total, size: PROMPTS_PAGE },
              (at) => {
                samples.change({ promptsAt: at });
                this.querySelector(".scroller")?.scrollTo({ top: 0 });
              },
            )
          : nothing
      }
    </div>`;
  }

  #prompt(view: PromptView, isFirst: boolean): TemplateResult {
    const { prompt, text, samples: count, steps, firstStep, lastStep, first, last, mean } = view;
    const { samples } = this.session;
    const { chosen } = samples.state;
    const isOpen = chosen !== null && idOf(chosen) === idOf(prompt);
    const isTabStop = chosen ? isOpen : isFirst;
    const time = this.#times.get(idOf(prompt));
    const change = first === null || last === null ? null : last - first;
    const toggle = (): void => samples.change({ chosen: isOpen ? null : prompt, a: null, b: null });
    return html`<div role="listitem" class="sm-prompt-item">
      <button
        type="button"
        class="sm-prompt-row"
        data-testid="prompt-row"
        data-prompt=${prompt.key.slice(0, 200)}
        aria-expanded=${String(isOpen)}
        tabindex=${isTabStop ? 0 : -1}
        @click=${toggle}
      >
        <span class="sm-fold"><i class="chevron" aria-hidden="true"></i></span>
        <span class="sm-spark">${time ? sparkline(time, samples.filter().steps) : nothing}</span>
        <span class="sm-figures">
          <b>${figure(mean)}</b>
          <span><span class="unseen">${t("mean reward,")} </span>${figure(first)} → ${figure(last)}</span>
          <span class=${change !== null && change < 0 ? "sm-worse" : "sm-better"}>${signed(change)}</span>
          <span class="muted">${steps === 1 ? t("step {0}", stepText(firstStep)) : `${plural(steps, "step")}, ${stepText(firstStep)}–${stepText(lastStep)}`} · ${plural(count, "sample")}</span>
        </span>
        <span class="sm-words">${text === "" ? html`<span class="muted">${t("no text")}</span>` : shown(text, 300)}</span>
      </button>
      ${isOpen && time ? html`<fd-prompt .session=${this.session} .prompt=${prompt} .time=${time}></fd-prompt>` : nothing}
    </div>`;
  }
}

function moveAmong(event: KeyboardEvent): void {
  const { key, target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) return;
  if (!target.classList.contains("sm-prompt-row")) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(".sm-prompt-row")];
  const at = rows.indexOf(target);
  const to = new Map([
    ["ArrowDown", at + 1],
    ["ArrowUp", at - 1],
    ["Home", 0],
    ["End", rows.length - 1],
  ]).get(key);
  if (to === undefined) return;
  event.preventDefault();
  rows[Math.min(rows.length - 1, Math.max(0, to))]?.focus();
}

define("fd-prompts", FdPrompts);
