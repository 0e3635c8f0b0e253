/** The way from a step that was pointed out to its samples. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { stepText } from "../panels/words.ts";
import type { Session } from "../session.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { define, FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import { NO_FILTER } from "./words.ts";

/** Beyond so many files they are not read just to say how many samples there are. */
const MOST_SHARDS = 200;

export class FdPinSamples extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #total: Asked<number> | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const { session } = this;
    this.#total = new Asked<number>(session, () => this.requestUpdate());
    const update = (): void => {
      this.#ask();
      this.requestUpdate();
    };
    this.#stops = [
      session.subscribe(update),
      session.samples.subscribe(update),
      session.store.subscribe((_, { type }) => {
        if (type === "pin" || type === "tab") update();
      }),
    ];
    update();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#total?.stop();
  }

  #ask(): void {
    const { session } = this;
    const { pin } = session.store.state;
    if (pin === null || !this.#isCheap()) return;
    // A small index is made at once; the count is known when it is whole.
    session.samples.start();
    const { index } = session.samples;
    if (index?.done !== true) return;
    this.#total?.ask(`${pin} ${session.epoch} ${index.rows}`, "", async (signal) => {
      const filter = { ...NO_FILTER, steps: [pin, pin] as [number, number] };
      const params = { filter, order: { by: "row" as const, descending: false }, offset: 0, limit: 1 };
      return (await session.client.call("samples.list", params, { signal })).total;
    });
  }

  #isCheap(): boolean {
    const { samples, overview } = this.session;
    return samples.index?.done === true || (overview?.shardCount ?? 0) <= MOST_SHARDS;
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    const { pin, tab } = session.store.state;
    if (pin === null || tab === "samples" || (session.overview?.shardCount ?? 0) === 0) return nothing;
    const total = this.#total?.isAsking === false ? (this.#total.answer ?? null) : null;
    const at = t("step {0}", stepText(String(pin)));
    if (total === 0)
      return html`<span class="muted" data-testid="pin-samples">${t("no samples at {0}", at)}</span>`;
    const words = total === null ? t("Samples at {0}", at) : t("{0} at {1}", plural(total, "sample"), at);
    return html`<button
      type="button"
      class="link"
      data-testid="pin-samples"
      title=${total === null ? t("Show them in the tab of samples") : t("Show {0} in the tab of samples", formatCount(total))}
      @click=${() => session.samples.showStep(pin)}
    >
      ${words}
    </button>`;
  }
}

define("fd-pin-samples", FdPinSamples);
