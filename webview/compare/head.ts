/** The top of the compare editor: runs, what they have in common, where they part, and what holds for all charts. */

import { html, nothing, type TemplateResult } from "lit";
import type { Alignment, CompareOptions } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import { sentence } from "../text/sentence.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import "../ui/controls.ts";
import { type LegendView, legend } from "./legend.ts";
import type { CompareSession } from "./session.ts";
import { ALIGNMENTS, factWords, leadParts, suggestionWords } from "./words.ts";

export function head(view: LegendView): TemplateResult {
  const { session } = view;
  return html`<header class="run cmp-top" data-testid="run-header">
    <h1 class="unseen" tabindex="-1">${t("Comparison of {0} runs", session.runs.length)}</h1>
    ${legend(view)}
    ${facts(session)}
    <span class="gap"></span>
    ${controls(session)}
    ${stopped(session)} ${lead(session)}
  </header>`;
}

function facts(session: CompareSession): TemplateResult {
  const pair = session.pair().answer;
  const title = [
    t("Gaps are the other run minus the baseline: above zero the other run is higher"),
    ...(pair && pair.comparedOurs > 0
      ? [t("Ours: metrics that Flight Deck compares and rlprobe does not")]
      : []),
  ].join(". ");
  return html`<span class="facts" title=${title} role="status" data-testid="compare-facts">${pair ? factWords(pair) : ""}</span>`;
}

function lead(session: CompareSession): TemplateResult {
  const { answer, problem } = session.pair();
  if (problem && !answer)
    return html`<p class="cmp-lead problem">${shown(problem.message, 400)} <span class="muted">${shown(problem.remedy, 400)}</span></p>`;
  if (!answer)
    return html`<p class="cmp-lead" aria-busy="true"><span class="muted">${t("Comparing the runs…")}</span></p>`;
  const { suggestion, problems } = answer;
  const several = session.runs.length > 2;
  return html`<p class="cmp-lead" data-testid="compare-lead">
    ${several ? pairChoice(session) : nothing}
    ${leadParts(answer).map(({ text, strong }) => (strong ? html`<b>${shown(text, 200)}</b>` : text))}
    ${
      suggestion
        ? html` <button type="button" class="link" @click=${() => align(session, suggestion)}>${suggestionWords(suggestion)}</button>`
        : nothing
    }
    ${problems.map(({ message }) => html` <span class="muted">${shown(message, 300)}</span>`)}
  </p>`;
}

/** Which run is held against the baseline in words, ruler and tables. */
function pairChoice(session: CompareSession): TemplateResult {
  const options = session.runs
    .slice(1)
    .map(({ uri, label }) => ({ value: uri, label: visibleText(label, 60) }));
  return html`<span class="cmp-pair"
    >${sentence(t("{0} against"), shown(session.runs[0]?.label ?? "", 60))}
    <fd-select
      label=${t("Run that is held against the baseline")}
      .value=${session.runs[session.other]?.uri ?? ""}
      .options=${options}
      @fd-change=${(event: CustomEvent<string>) => session.store.change({ other: event.detail })}
    ></fd-select></span
  >`;
}

function align({ store }: CompareSession, value: Alignment): void {
  store.change({ options: { ...store.state.options, align: value } });
}

function controls(session: CompareSession): TemplateResult {
  const { options } = session.store.state;
  return html`<div class="cmp-controls" role="toolbar" aria-label=${t("How the runs are compared")}>
    <fd-select
      label=${t("Align the runs by")}
      .value=${options.align}
      .options=${ALIGNMENTS}
      @fd-change=${(event: CustomEvent<Alignment>) => align(session, event.detail)}
    ></fd-select>
    ${threshold(session, "z", "z", t("Noise units beyond which a gap counts"), 0.1, 1e6, 0.5)}
    ${threshold(session, "sustain", "sustain", t("Rows in a row for which the gap has to last"), 1, 1e6, 1)}
    <fd-button label=${t("Add Run…")} @click=${() => session.action({ action: "addRuns" })}></fd-button>
    <fd-button
      label=${t("Swap")}
      name="Swap the baseline and the other run"
      @click=${() => swap(session)}
    ></fd-button>
  </div>`;
}

/** The pair that is told of changes places; all others stay where they are. */
function swap(session: CompareSession): void {
  const { members, runs, other } = session;
  const [a, b] = [runs[0], runs[other]];
  const places = members.map((member, i) => {
    const now = member === a ? b : member === b ? a : member;
    return now ? members.indexOf(now) : i;
  });
  if (b && a && session.runs.length > 2) session.store.change({ other: a.uri });
  session.action({ action: "arrange", members: places });
}

function threshold(
  { store }: CompareSession,
  name: "z" | "sustain",
  label: string,
  hint: string,
  min: number,
  max: number,
  step: number,
): TemplateResult {
  const { options } = store.state;
  const set = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const value = event.target.valueAsNumber;
    const isRight = value >= min && value <= max && (name === "z" || Number.isInteger(value));
    event.target.setAttribute("aria-invalid", String(!isRight));
    if (isRight && value !== options[name])
      store.change({ options: { ...store.state.options, [name]: value } satisfies CompareOptions });
  };
  return html`<label class="cmp-field" title=${hint}
    ><span>${label}</span>
    <input
      class="page-number"
      type="number"
      aria-label=${`${label}: ${hint}`}
      min=${min}
      max=${max}
      step=${step}
      .value=${String(options[name])}
      @input=${set}
  /></label>`;
}

function stopped(session: CompareSession): TemplateResult | typeof nothing {
  const { stopped } = session;
  if (!stopped) return nothing;
  return html`<div class="stopped" role="status" data-testid="stopped" data-code=${stopped.code}>
    <p>${shown(stopped.message, 400)} <span class="muted">${shown(stopped.remedy, 400)}</span></p>
    <fd-button label=${t("Retry")} @click=${() => session.action({ action: "retry" })}></fd-button>
  </div>`;
}
