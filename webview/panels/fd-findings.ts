/** What the doctor says: findings as cards, grave ones first; below, what passed and what was skipped, and why. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { DiagnosisView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { Session } from "../session.ts";
import { plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { type CardView, card, type Part } from "./finding-card.ts";

type Entry = Pick<CardView, "key" | "signature" | "title" | "ours" | "finding" | "distance">;

export class FdFindings extends FdElement {
  static override properties = { session: { attribute: false }, wide: { type: Boolean } };
  declare session: Session;
  /** There is room for lists. */
  declare wide: boolean;
  /** Parts that are folded out, by card. */
  readonly #open = new Map<string, ReadonlySet<Part>>();
  /** Reasons whose checks are listed one by one. */
  readonly #unfolded = new Set<string>();
  /** Cards in the order in which they were shown: none moves under the pointer while thresholds are tried. */
  #order: readonly string[] = [];
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [
      this.session.findings.subscribe(() => this.requestUpdate()),
      this.session.store.subscribe((_, { type }) => {
        if (type === "passed") this.requestUpdate();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  override render(): TemplateResult {
    const { diagnosis, problem } = this.session.findings;
    if (!diagnosis)
      return html`<h2>${t("Findings")}</h2>${problem ? this.#failed() : html`<p class="muted">${t("Looking…")}</p>`}`;
    const entries = this.#entries(diagnosis);
    return html`<h2>${t("Findings")}</h2>
      ${problem ? this.#failed() : nothing}
      ${verdict(diagnosis)}
      <ul class="findings">
        ${repeat(
          entries,
          ({ key }) => key,
          (entry) => card(this.session, this.#cardOf(entry)),
        )}
      </ul>
      ${unread(diagnosis)} ${this.#configProblems(diagnosis)} ${this.#outcomes(diagnosis)}`;
  }

  #failed(): TemplateResult {
    const { problem } = this.session.findings;
    return html`<div class="findings-problem" role="status" data-testid="findings-problem">
      <p>${shown(problem?.message ?? "", 400)} ${problem?.remedy ? html`<span class="muted">${shown(problem.remedy, 400)}</span>` : nothing}</p>
      <button type="button" class="link" @click=${() => void this.session.findings.ask()}>${t("Try again")}</button>
    </div>`;
  }

  #entries({ findings, passed, skipped, signatures }: DiagnosisView): Entry[] {
    const entries = new Map<string, Entry>();
    for (const finding of findings) {
      const { id: key, signature, title, ours } = finding;
      entries.set(key, { key, signature, title, ours, finding, distance: "" });
    }
    // Whoever moves a slider until a finding is gone must be able to move it back.
    const fired = new Set(findings.map(({ signature }) => signature));
    const told = new Map([...passed, ...skipped].map(({ signature, words }) => [signature, words]));
    for (const [key, parts] of this.#open) {
      const signature = signatures.find(({ id }) => key === id || key.startsWith(`${id} `));
      if (entries.has(key) || !parts.has("thresholds") || !signature || fired.has(signature.id)) continue;
      const { id, title, ours } = signature;
      entries.set(key, { key, signature: id, title, ours, finding: null, distance: told.get(id) ?? "" });
    }
    const isTrying = [...this.#open.values()].some((parts) => parts.has("thresholds"));
    const before = isTrying ? this.#order.filter((key) => entries.has(key)) : [];
    this.#order = [...new Set([...before, ...entries.keys()])];
    return this.#order.flatMap((key) => entries.get(key) ?? []);
  }

  #cardOf(entry: Entry): CardView {
    const { key, signature } = entry;
    return {
      ...entry,
      isOpen: (part) => this.#open.get(key)?.has(part) === true,
      toggle: (part) => this.#toggle(key, part),
      explain: () => this.session.action({ action: "explainSignature", signature }),
    };
  }

  #toggle(key: string, part: Part): void {
    const parts = new Set(this.#open.get(key));
    if (!parts.delete(part)) parts.add(part);
    this.#open.set(key, parts);
    this.requestUpdate();
  }

  #configProblems({ configProblems }: DiagnosisView): TemplateResult | typeof nothing {
    if (configProblems.length === 0) return nothing;
    const { config } = this.session.findings;
    return html`<ul class="config-problems" aria-label=${t("What is wrong with doctor.toml")}>
      ${configProblems.map(
        ({ line, message }) =>
          html`<li><span class="file">${shown(config, 200)}${line === null ? nothing : `:${line}`}</span> ${shown(message, 600)}</li>`,
      )}
    </ul>`;
  }

  #outcomes({ passed, skipped, steps }: DiagnosisView): TemplateResult | typeof nothing {
    if (passed.length + skipped.length === 0) return nothing;
    const { store } = this.session;
    const open = store.state.passed ?? this.wide;
    const words = [
      passed.length > 0 ? t("Passed {0}", passed.length) : "",
      skipped.length > 0 ? `${passed.length > 0 ? t("skipped") : t("Skipped")} ${skipped.length}` : "",
    ];
    return html`<h2 class="outcomes-head">
        <button
          type="button"
          class="fold"
          data-testid="outcomes-toggle"
          aria-expanded=${String(open)}
          title=${t("{0} looked at", plural(steps, "step"))}
          @click=${() => store.dispatch({ type: "passed", open: !open })}
        >
          <i class="chevron" aria-hidden="true"></i>${words.filter(Boolean).join(" · ")}
        </button>
      </h2>
      ${
        open
          ? html`<ul class="outcomes">
              ${passed.map((one) => this.#outcome("passed", one))}${byReason(skipped).map((all) => this.#skipped(all))}
            </ul>`
          : nothing
      }`;
  }

  /** Where many have one reason it is said once. */
  #skipped(all: DiagnosisView["skipped"]): TemplateResult | TemplateResult[] {
    const [first] = all;
    if (!first || all.length < SAME) return all.map((one) => this.#outcome("skipped", one));
    const { words } = first;
    const open = this.#unfolded.has(words);
    const toggle = (): void => {
      if (!this.#unfolded.delete(words)) this.#unfolded.add(words);
      this.requestUpdate();
    };
    return html`<li class="skipped" data-testid="outcomes-same" data-state="skipped">
      <span class="sign" role="img" aria-label=${t("skipped")}>–</span>
      <span
        ><button type="button" class="fold" aria-expanded=${String(open)} @click=${toggle}>
          <i class="chevron" aria-hidden="true"></i>${plural(all.length, "check")}</button
        >${words === "" ? nothing : html` — ${shown(words, 300)}`}${
          open
            ? html`<ul>
                ${all.map(({ signature, title }) => html`<li data-testid="outcome" data-signature=${signature} data-state="skipped">${title}</li>`)}
              </ul>`
            : nothing
        }</span
      >
    </li>`;
  }

  #outcome(
    state: "passed" | "skipped",
    { signature, title, words }: DiagnosisView["skipped"][number],
  ): TemplateResult {
    const isPassed = state === "passed";
    return html`<li class=${state} data-testid="outcome" data-signature=${signature} data-state=${state}>
      <span class="sign" role="img" aria-label=${state}>${isPassed ? "✓" : "–"}</span>
      <span>${title}${words === "" ? nothing : html` — ${shown(words, 300)}`}
        ${
          isPassed
            ? html`<button type="button" class="link adjust" aria-label=${t("Adjust thresholds of {0}", title)} @click=${() => this.#toggle(signature, "thresholds")}>${t("Adjust")}</button>`
            : nothing
        }</span>
    </li>`;
  }
}

/** So many with one reason are said in one line. */
const SAME = 3;

/** In the order in which each reason came first. */
function byReason(skipped: DiagnosisView["skipped"]): DiagnosisView["skipped"][] {
  const groups = new Map<string, DiagnosisView["skipped"]>();
  for (const one of skipped) {
    const same = groups.get(one.words);
    if (same) same.push(one);
    else groups.set(one.words, [one]);
  }
  return [...groups.values()];
}

/** What it comes to without findings: only an all-clear looks like one. */
function verdict({ verdict: { state, words } }: DiagnosisView): TemplateResult | typeof nothing {
  if (state === "findings") return nothing;
  if (state === "clear")
    return html`<p class="calm" data-testid="no-findings"><span aria-hidden="true">✓</span> ${words}</p>`;
  return html`<p class="unsure" data-testid="no-verdict" data-state=${state}>${shown(words, 300)}.</p>`;
}

/** What could not be looked at, by name: the list of warnings below says why, and what to do about it. */
function unread({ unread: all, unreadCount }: DiagnosisView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const files = [...new Map(all.map((one) => [one.file, one])).values()];
  const more = unreadCount > all.length;
  return html`<p class="unread" data-testid="unread">
    ${t("Could not all be looked at:")}
    ${files.map(({ file, message }, i) => html`${i > 0 ? ", " : ""}<span class="file" title=${visibleText(message, 400)}>${shown(file, 200)}</span>`)}${more ? ` ${t("and more")}` : ""}
  </p>`;
}

define("fd-findings", FdFindings);
