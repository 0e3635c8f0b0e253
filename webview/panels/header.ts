/** The top of the page and its side: what the run is, how it stands and why, and what is wrong with the recording. */

import { html, nothing, type TemplateResult } from "lit";
import type { Counted } from "../../src/protocol/counts.ts";
import type { SeverityView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import { stateWord } from "../../src/protocol/names.ts";
import type { Overview } from "../../src/protocol/run.ts";
import { severityCounts } from "../findings.ts";
import type { Session } from "../session.ts";
import "../samples/fd-pin-samples.ts";
import "./fd-range.ts";
import { formatCount, formatDuration, formatZoned, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { warningList } from "./warnings.ts";
import { durationOf, headerFacts, stepText, warningsLabel } from "./words.ts";

const TONE: Readonly<Record<Overview["state"], string>> = {
  running: "run",
  stalled: "warn",
  finished: "ok",
  crashed: "bad",
  halted: "bad",
  killed: "bad",
  unknown: "",
};

/** Leads to the first of what is counted: opens the side where it is folded away, and puts the focus there. */
const lead =
  (to: string) =>
  ({ currentTarget }: Event): void => {
    currentTarget?.dispatchEvent(new CustomEvent("fd-lead", { bubbles: true, detail: to }));
  };

export function header(session: Session): TemplateResult {
  const { overview, axis, counts, warnings } = session;
  if (!overview) return html``;
  const reason = visibleText(overview.stateReason, 600);
  const facts = headerFacts(overview, axis, counts);
  const serious = warnings.some(({ level }) => level === "warning");
  return html`<header class="run" data-testid="run-header">
    <h1 tabindex="-1">${shown(overview.label, 200)}</h1>
    <span class=${`pill ${TONE[overview.state]}`} data-testid="run-state" title=${reason} aria-describedby="state-reason"
      >${stateWord(overview.state)}</span
    >
    ${findingPills(session)}
    ${
      warnings.length > 0
        ? html`<button
            type="button"
            class=${`pill ${serious ? "warn" : ""}`}
            data-testid="warnings-toggle"
            title=${t("Go to what is said about the recording")}
            @click=${lead('[data-testid="warning"]')}
          >
            ${warningsLabel(warnings)}
          </button>`
        : nothing
    }
    <span class="reason" id="state-reason" title=${reason}>${shown(overview.stateReason, 300)}</span>
    <div class="second">
    <p class="facts" title=${visibleText(facts.join(" · "), 600)}>${facts.map((fact, i) => html`${i > 0 ? html`<i aria-hidden="true"> · </i>` : nothing}<span>${shown(fact, 120)}</span>`)}</p>
    <div class="place">
    <fd-pin-samples .session=${session}></fd-pin-samples>
    <fd-range .session=${session}></fd-range>
    </div>
    </div>
  </header>`;
}

const SEVERITY_TONE = { critical: "bad", warn: "warn", info: "run" } as const;

const SEVERITY_COUNTED: Readonly<Record<SeverityView, Counted>> = {
  critical: "critical finding",
  warn: "warning finding",
  info: "info finding",
};

/** How many findings of each severity; a click leads to the first of them. */
function findingPills(session: Session): TemplateResult[] {
  return severityCounts(session.findings.all).map(
    ({ severity, count }) => html`<button
      type="button"
      class=${`pill ${SEVERITY_TONE[severity]}`}
      data-testid="finding-count"
      data-severity=${severity}
      title=${t("Go to the first of them")}
      @click=${lead(`.finding[data-severity="${severity}"]`)}
    >
      ${plural(count, SEVERITY_COUNTED[severity])}
    </button>`,
  );
}

function factRows(session: Session): [string, TemplateResult][] {
  const { overview, axis, counts } = session;
  if (!overview) return [];
  const rows: [string, TemplateResult][] = [];
  const add = (name: string, text: string): void => {
    if (text !== "") rows.push([name, shown(text, 300)]);
  };
  add(t("Folder"), overview.label);
  add(t("Run id"), overview.runId);
  add(t("Algorithm"), overview.algorithm);
  add(t("Model"), overview.model);
  if (overview.createdAt !== null) add(t("Created"), formatZoned(overview.createdAt / 1000));
  const seconds = durationOf(axis);
  if (seconds !== null && seconds > 0) add(t("Duration"), formatDuration(seconds));
  if (axis && axis.steps > 0)
    add(
      t("Steps"),
      t("{0} ({1} to {2})", formatCount(axis.steps), stepText(axis.firstText), stepText(axis.lastText)),
    );
  if (axis && axis.rows !== axis.steps) add(t("Rows"), t("{0} recorded", formatCount(axis.rows)));
  if (counts) add(t("Samples"), formatCount(counts.samples));
  if (overview.worldSize > 1 || overview.ranks.length > 1) {
    add(t("Ranks"), t("{0} recorded of {1}", overview.ranks.length, formatCount(overview.worldSize)));
  }
  add(t("Events"), formatCount(overview.eventCount));
  return rows;
}

/** The side: findings first, then what is wrong with the recording, facts below. */
export function aside(session: Session, wide: boolean): TemplateResult {
  const { warnings, overview, findings, store } = session;
  // Without anything counted in the header there would be no way back.
  const hide =
    warnings.length + findings.all.length > 0
      ? html`<button
          type="button"
          class="close"
          data-testid="aside-hide"
          aria-label=${t("Hide what is said about this run")}
          title=${t("Hide; a count in the header leads back")}
          @click=${() => store.dispatch({ type: "aside", open: false })}
        >×</button>`
      : nothing;
  return html`<aside id="aside" aria-label=${t("About this run")} tabindex="0">
    ${hide}
    ${overview?.hasRecording === true ? html`<fd-findings .session=${session} ?wide=${wide}></fd-findings>` : nothing}
    ${
      warnings.length > 0
        ? html`<h2>${t("About the recording")}</h2>
            ${warningList(session, warnings)}`
        : nothing
    }
    <h2>${t("Run")}</h2>
    <dl class="facts-list">
      ${factRows(session).map(
        ([name, value]) => html`<dt>${name}</dt>
          <dd>${value}</dd>`,
      )}
    </dl>
  </aside>`;
}
