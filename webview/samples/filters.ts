/** What the samples are filtered by: the tools above them, and a chip for each filter that is on. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../../src/protocol/l10n.ts";
import type { SampleIndexState } from "../../src/protocol/samples.ts";
import type { Session } from "../session.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Choice } from "../ui/contract.ts";
import "../ui/controls.ts";
import type { MenuItem } from "../ui/menu.ts";
import { openMenu } from "../ui/menu.ts";
import { allColumns, columnsFor, componentOf } from "./columns.ts";
import { chipsOf, reasonName } from "./words.ts";

const ALL = "";
/** Milliseconds without another letter after which a text is looked for. */
const TYPED = 300;

const optionOf = (choice: string | number | boolean | null): string => (choice === null ? ALL : `=${choice}`);

/** What is being typed, until it is looked for. */
let typing: { readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | null = null;

/** What was typed and not looked for yet is not wanted any more. */
function forgetTyping(): void {
  if (typing) clearTimeout(typing.timer);
  typing = null;
}

export function filterTools(session: Session, index: SampleIndexState): TemplateResult {
  const { samples } = session;
  const { state } = samples;
  const select = (
    label: string,
    value: string,
    options: readonly Choice[],
    choose: (value: string | null) => void,
  ): TemplateResult | typeof nothing =>
    options.length < 3 && value === ALL
      ? nothing
      : html`<fd-select
          label=${label}
          .value=${value}
          .options=${options}
          @fd-change=${({ detail }: CustomEvent<string>) => choose(detail === ALL ? null : detail.slice(1))}
        ></fd-select>`;
  const ranks = [
    { value: ALL, label: t("Rank: any") },
    ...index.ranks.map((rank) => ({ value: optionOf(rank), label: t("Rank {0}", rank) })),
  ];
  const reasons = [
    { value: ALL, label: t("Captured: any") },
    ...index.reasons.map(({ reason, count }) => ({
      value: optionOf(reason),
      label: `${reasonName(reason)} (${formatCount(count)})`,
    })),
  ];
  const cut = index.present.includes("truncated")
    ? [
        { value: ALL, label: t("Cut off: any") },
        { value: "=true", label: t("Cut off") },
        { value: "=false", label: t("Ended by itself") },
      ]
    : [];
  return html`${searchField(session)}
    ${select(t("Rank"), optionOf(state.rank), ranks, (value) => samples.change({ rank: value === null ? null : Number(value) }))}
    ${select(t("Capture reason"), optionOf(state.reason), reasons, (reason) => samples.change({ reason }))}
    ${select(t("Cut off"), optionOf(state.truncated), cut, (value) => samples.change({ truncated: value === null ? null : value === "true" }))}`;
}

function searchField({ samples }: Session): TemplateResult {
  const { state } = samples;
  const look = (target: EventTarget | null, wait: number): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const { value: text } = target;
    forgetTyping();
    const timer = setTimeout(() => {
      typing = null;
      if (text !== samples.state.search) samples.change({ search: text });
    }, wait);
    typing = { text, timer };
  };
  return html`<span class="sm-search">
    <input
      type="search"
      aria-label=${t("Search prompts and completions")}
      placeholder=${t("Search text")}
      maxlength="1000"
      .value=${live(typing?.text ?? state.search)}
      @input=${({ target }: Event) => look(target, TYPED)}
      @keydown=${({ key, target }: KeyboardEvent) => {
        if (key === "Enter") look(target, 0);
      }}
    />
    <button
      type="button"
      class="sm-case"
      aria-label=${t("Match case")}
      title=${t("Match case")}
      aria-pressed=${String(state.matchCase)}
      @click=${() => samples.change({ matchCase: !state.matchCase })}
    >
      Aa
    </button>
  </span>`;
}

/** How far the search is, and a way to stop it. */
export function searchState({ samples }: Session): TemplateResult | typeof nothing {
  const { search } = samples;
  if (!search) return nothing;
  const { running, searched, of, hits, isFull, cancelled, problem } = search;
  if (problem) return html`<span class="sm-problem" role="alert">${shown(problem.message, 200)}</span>`;
  const found = plural(hits.length, "hit");
  const words = running
    ? of === 0
      ? t("searching…")
      : t("{0}, {1} of {2} searched", found, formatCount(searched), formatCount(of))
    : isFull
      ? t("the first {0}", found)
      : cancelled
        ? t("{0} in {1} of {2}, stopped", found, formatCount(searched), formatCount(of))
        : found;
  return html`<span class="muted" role="status" data-testid="search-state">${words}</span>
    ${running ? html`<progress aria-label=${t("Search")} max=${Math.max(1, of)} value=${searched}></progress><button type="button" class="link" @click=${() => search.cancel()}>${t("Stop")}</button>` : nothing}`;
}

export function filterChips({ samples, store }: Session): TemplateResult | typeof nothing {
  const chips = chipsOf(samples.state, store.state.range);
  if (chips.length === 0) return nothing;
  return html`<ul class="sm-chips" aria-label=${t("Filters")}>
    ${chips.map(
      ({ name, words }) => html`<li class="chip" data-filter=${name}>
        <span>${words}</span>
        <button type="button" class="sm-drop" aria-label=${t("Remove filter {0}", words)} title=${t("Remove this filter")} @click=${() => {
          forgetTyping();
          samples.drop(name);
        }}>
          <span aria-hidden="true">×</span>
        </button>
      </li>`,
    )}
    ${
      chips.length > 1
        ? html`<li><button type="button" class="link" @click=${() => {
            forgetTyping();
            samples.dropAll();
          }}>${t("Remove all")}</button></li>`
        : nothing
    }
  </ul>`;
}

/** Which columns are shown; those that there is no room for can be asked for. */
export function columnsButton({ samples }: Session, index: SampleIndexState, width: number): TemplateResult {
  const open = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLElement)) return;
    const { state } = samples;
    const now = new Set(columnsFor(index, state, width).map(({ id }) => id));
    const items = allColumns(index)
      .filter(({ id }) => id !== "step")
      .map(
        (column, i, all): MenuItem => ({
          label: visibleText(column.title, 80),
          checked: now.has(column.id),
          apart: componentOf(column.id) !== null && componentOf(all[i - 1]?.id ?? "") === null,
          run: () => {
            const others = (list: readonly string[]): string[] => list.filter((id) => id !== column.id);
            const isOn = now.has(column.id);
            samples.change({
              shown: isOn ? others(state.shown) : [...others(state.shown), column.id],
              hidden: isOn ? [...others(state.hidden), column.id] : others(state.hidden),
            });
          },
        }),
      );
    openMenu(currentTarget, t("Columns"), items);
  };
  return html`<button type="button" class="sm-tool" aria-haspopup="menu" aria-expanded="false" @click=${open}>${t("Columns")}</button>`;
}
