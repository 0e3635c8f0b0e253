/** Groups of samples of one prompt: siblings side by side, with what their advantages came of. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import type { PageContract } from "../../src/protocol/page.ts";
import {
  type GroupView,
  MAX_LIST_COMPONENTS,
  MAX_SAMPLE_ROWS,
  type SampleListRow,
} from "../../src/protocol/samples.ts";
import type { Result } from "../../src/protocol/wire.ts";
import { problemBox } from "../panels/problem.ts";
import { stepText } from "../panels/words.ts";
import type { Session } from "../session.ts";
import type { XRange } from "../state.ts";
import { formatCount, formatExact, plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import "./fd-sample-detail.ts";
import { marked, type Needle } from "./highlight.ts";
import { pager } from "./pager.ts";
import { rewardBar } from "./sample-row.ts";
import { figure, NO_FILTER, sampleName, signed, VERDICTS } from "./words.ts";

export const GROUPS_PAGE = 20;
/** Siblings of a group that are shown at once. */
const MOST_SIBLINGS = 64;
const HEAD = 160;

type Answer = Result<PageContract, "samples.groups"> & {
  readonly siblings: ReadonlyMap<number, SampleListRow>;
};

export class FdGroups extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #asked: Asked<Answer> | null = null;
  /** The sample that is folded out. */
  #open: number | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const { session } = this;
    this.#asked = new Asked<Answer>(session, () => this.requestUpdate());
    const ask = (): void => this.#ask();
    this.#stops = [
      session.samples.subscribe(ask),
      session.samples.onMoved((move) => {
        this.#open = this.#open === null ? null : move(this.#open);
      }),
      session.store.subscribe((_, { type }) => {
        if (type === "samples" || type === "zoom") ask();
      }),
    ];
    this.#open = session.samples.state.open;
    ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#asked?.stop();
  }

  #ask(): void {
    const { samples } = this.session;
    const { flat, groupsAt } = samples.state;
    const key = JSON.stringify([samples.key(), flat, groupsAt]);
    const version = JSON.stringify([samples.index?.rows, samples.filter().rows?.length]);
    this.#asked?.ask(key, version, (signal) => this.#fetch(signal));
    this.requestUpdate();
  }

  async #fetch(signal: AbortSignal): Promise<Answer> {
    const { samples, client } = this.session;
    const { flat, groupsAt: offset } = samples.state;
    const params = { filter: samples.filter(), flat, offset, limit: GROUPS_PAGE };
    const answer = await client.call("samples.groups", params, { signal });
    const wanted = answer.groups.flatMap(({ rows }) => rows.slice(0, MOST_SIBLINGS)).sort((a, b) => a - b);
    const siblings = new Map<number, SampleListRow>();
    for (let from = 0; from < wanted.length; from += MAX_SAMPLE_ROWS) {
      const list = await client.call(
        "samples.list",
        {
          filter: { ...NO_FILTER, rows: Uint32Array.from(wanted.slice(from, from + MAX_SAMPLE_ROWS)) },
          order: { by: "row", descending: false },
          components: this.#components(),
          offset: 0,
          limit: MAX_SAMPLE_ROWS,
        },
        { signal },
      );
      for (const row of list.rows) siblings.set(row.row, row);
    }
    return { ...answer, siblings };
  }

  #components(): string[] {
    return (this.session.samples.index?.components ?? []).slice(0, MAX_LIST_COMPONENTS);
  }

  override render(): TemplateResult {
    const { problem, answer } = this.#asked ?? {};
    if (problem)
      return problemBox(problem, () => {
        this.#asked?.forget();
        this.#ask();
      });
    if (!answer) return html`<p class="none">${t("Looking for groups…")}</p>`;
    return html`${this.#tools(answer)}
      <div class="scroller sm-groups" data-scroller="samples" tabindex="0" role="region" aria-label=${t("Groups")}>
        ${answer.groups.length === 0 ? html`<p class="none">${this.#none()}</p>` : nothing}
        ${repeat(
          answer.groups,
          ({ step, group, rank, rows }) => JSON.stringify([step, group, rank ?? rows[0]]),
          (group) => this.#group(group, answer.siblings),
        )}
      </div>`;
  }

  #none(): string {
    return this.session.samples.state.flat
      ? t("In none of these groups are all rewards the same.")
      : t("No groups here.");
  }

  #tools({ total, flat, groups }: Answer): TemplateResult {
    const { samples } = this.session;
    const { flat: onlyFlat, groupsAt } = samples.state;
    return html`<div class="sm-line">
      <button
        type="button"
        class="sm-tool"
        data-testid="only-flat"
        aria-pressed=${String(onlyFlat)}
        title=${t("Groups in which all rewards are the same teach nothing")}
        @click=${() => samples.change({ flat: !onlyFlat })}
      >
        ${t("Only without variance")}
      </button>
      <span class="muted" role="status" data-testid="groups-count">${t("{0}, {1} without variance", plural(total, "group"), formatCount(flat))}</span>
      <span class="gap"></span>
      ${pager(
        "groups",
        { offset: groupsAt, shown: groups.length, total: onlyFlat ? flat : total, size: GROUPS_PAGE },
        (at) => {
          samples.change({ groupsAt: at });
          this.querySelector(".scroller")?.scrollTo({ top: 0 });
        },
      )}
    </div>`;
  }

  #group(group: GroupView, all: ReadonlyMap<number, SampleListRow>): TemplateResult {
    const { step, group: id, size, mean, sd, min, max, verdict, prompt, rows } = group;
    const words = VERDICTS[verdict];
    const rewards: XRange | null = min !== null && max !== null ? [min, max] : null;
    const siblings = rows.slice(0, MOST_SIBLINGS).flatMap((row) => all.get(row) ?? []);
    const open = siblings.find(({ row }) => row === this.#open);
    const [first] = rows;
    return html`<section class="sm-set" data-testid="group" data-group-id=${id} data-verdict=${verdict} aria-label=${t("Group {0} of step {1}", id, step)}>
      <h3>
        <b>${t("step {0}", stepText(step))}</b> <span>${shown(id, 60)}</span>
        <span class="muted">${t("{0} · mean {1} · sd {2}", plural(size, "sample"), figure(mean), figure(sd))}</span>
        ${words === "" ? nothing : html`<span class=${`chip sm-verdict ${verdict}`}>${words}</span>`}
        <span class="gap"></span>
        ${first === undefined ? nothing : html`<button type="button" class="link" @click=${() => this.session.action({ action: "openGroup", row: first })}>${t("Open as document")}</button>`}
      </h3>
      <p class="sm-prompt">${shown(prompt, 300)}</p>
      <div class="sm-siblings" role="group" aria-label=${t("Samples of this group")} @keydown=${moveAmong}>
        ${siblings.map((sample, i) => this.#sibling(sample, rewards, open ? sample === open : i === 0))}
        ${size > siblings.length ? html`<p class="muted">${t("and {0} more", formatCount(size - siblings.length))}</p>` : nothing}
      </div>
      ${
        open
          ? html`<fd-sample-detail .session=${this.session} .row=${open.row} .needle=${this.#needle()}></fd-sample-detail>`
          : nothing
      }
    </section>`;
  }

  #needle(): Needle | null {
    const { search: text, matchCase } = this.session.samples.state;
    return text === "" ? null : { text, matchCase };
  }

  #sibling(sample: SampleListRow, rewards: XRange | null, isTabStop: boolean): TemplateResult {
    const { row, reward, advantage, length, truncated, completion, values = [] } = sample;
    const isOpen = row === this.#open;
    const components = this.#components().flatMap((name, i) => {
      const value = values[i] ?? null;
      return value === null ? [] : [{ name, value }];
    });
    const fact = (name: string, words: string): TemplateResult =>
      html`<span><span class="muted">${name}</span> ${words}</span> `;
    return html`<button
      type="button"
      class="sm-sibling"
      data-testid="sample-row"
      data-sample=${sampleName(sample)}
      aria-expanded=${String(isOpen)}
      tabindex=${isTabStop ? 0 : -1}
      @click=${() => this.#toggle(row)}
    >
      <span class="sm-figures"
        ><b title=${reward === null ? nothing : formatExact(reward)}>${figure(reward)}</b> ${rewardBar(reward, rewards)}
        ${fact(t("adv"), signed(advantage))}${length === null ? nothing : fact(t("len"), formatCount(length))}${truncated === true ? html`<span class="chip odd">${t("cut off")}</span>` : nothing}</span
      >
      ${
        components.length > 0
          ? html`<span class="sm-components">${components.map(({ name, value }) => html`<span><span class="muted">${shown(name, 30)}</span> ${figure(value)}</span> `)}</span>`
          : nothing
      }
      <span class="sm-words">${completion === "" ? html`<span class="muted">${t("no completion")}</span>` : marked(completion.slice(0, HEAD), this.#needle())}</span>
    </button>`;
  }

  #toggle(row: number): void {
    this.#open = this.#open === row ? null : row;
    this.session.samples.change({ open: this.#open });
    this.requestUpdate();
  }
}

/** Arrow keys go from sibling to sibling, and up and down to the next group. */
function moveAmong(event: KeyboardEvent): void {
  const { key, target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) return;
  const own = [...currentTarget.querySelectorAll<HTMLElement>(".sm-sibling")];
  const at = own.indexOf(target);
  const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const groups = [...(currentTarget.closest(".sm-groups")?.querySelectorAll(".sm-siblings") ?? [])];
  const down = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const next =
    by !== 0
      ? own[Math.min(own.length - 1, Math.max(0, at + by))]
      : down !== 0
        ? groups[groups.indexOf(currentTarget) + down]?.querySelector<HTMLElement>(".sm-sibling")
        : undefined;
  if (by === 0 && down === 0) return;
  event.preventDefault();
  next?.focus();
}

define("fd-groups", FdGroups);
