/** What the doctor says of each run, side by side: a row a signature, a column a run. */

import { html, type TemplateResult } from "lit";
import type { DiagnosisView, FindingView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import { stepText } from "../panels/words.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define } from "../ui/element.ts";
import { swatch } from "./legend.ts";
import { CompareSection } from "./section.ts";

type Outcome = DiagnosisView | Problem;
const isDone = (outcome: Outcome | undefined): outcome is DiagnosisView =>
  outcome !== undefined && "findings" in outcome;

interface Row {
  readonly signature: string;
  readonly title: string;
  /** By run number; a run can have several of one signature. */
  readonly cells: readonly (readonly FindingView[])[];
}

const SEVERITY = { critical: "bad", warn: "warn", info: "run" } as const;
const NAMES = { critical: "critical", warn: "warning", info: "info" } as const;

export class FdCompareFindings extends CompareSection<Outcome[]> {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare theme: Theme;
  /** Answers so far: one run after another. */
  #outcomes: Outcome[] = [];

  protected override key(): string {
    const { runs, epoch, diagnosisEpoch } = this.session;
    return JSON.stringify([runs.map(({ uri }) => uri), epoch, diagnosisEpoch]);
  }

  protected override async fetch(signal: AbortSignal): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { run } of this.session.runs) {
      if (run === null) continue;
      outcomes.push(await this.#diagnose(run, signal));
      if (signal.aborted) break;
      // What was known before stays until all is known again.
      if (!this.asked.answer) {
        this.#outcomes = [...outcomes];
        this.requestUpdate();
      }
    }
    this.#outcomes = outcomes;
    return outcomes;
  }

  async #diagnose(run: number, signal: AbortSignal): Promise<Outcome> {
    try {
      return await this.session.client.call("page.diagnose", { run }, { signal });
    } catch (error) {
      const problem = problemFrom(error);
      if (!problem) throw error;
      return problem;
    }
  }

  override render(): TemplateResult {
    const { runs } = this.session;
    const rows = rowsOf(this.#outcomes);
    return html`<section class="cmp-section" id="section-findings" aria-label=${t("Findings")}>
      <div class="tools" role="toolbar" aria-label=${t("Findings")}>
        <h2>${t("Findings")}</h2>
        <span class="muted" role="status">${this.#outcomes.length < runs.length ? t("Diagnosing…") : headWords(this.#outcomes)}</span>
      </div>
      <div class="cmp-wide" tabindex="0" role="region" aria-label=${t("Findings of each run")}>
        <table class="cmp-findings">
          <thead>
            <tr>
              <th scope="col">${t("signature")}</th>
              ${runs.map(({ run, label }) => html`<th scope="col">${swatch(this.session, this.theme.current, run ?? 0)} ${shown(label, 60)}</th>`)}
            </tr>
          </thead>
          <tbody>
            <tr class="cmp-verdict">
              <th scope="row" class="cmp-signature">${t("verdict")}</th>
              ${runs.map((_, run) => html`<td>${this.#verdict(this.#outcomes[run])}</td>`)}
            </tr>
            ${rows.map((row) => this.#row(row))}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #verdict(outcome: Outcome | undefined): TemplateResult {
    if (!outcome) return html`<span class="muted">…</span>`;
    if (!isDone(outcome)) return html`<span class="muted">${shown(outcome.message, 300)}</span>`;
    const { verdict, findings, passed, skipped } = outcome;
    const counts = t("{0} passed, {1} skipped", formatCount(passed.length), formatCount(skipped.length));
    const words = verdict.state === "findings" ? plural(findings.length, "finding") : verdict.words;
    return html`<span class=${verdict.state === "clear" ? "calm" : ""}>${words}</span> <span class="muted">${counts}</span>`;
  }

  #row({ signature, title, cells }: Row): TemplateResult {
    return html`<tr>
      <th scope="row" class="cmp-signature">
        <button type="button" class="link" title=${t("What it is and what to try")} @click=${() => this.session.action({ action: "explainSignature", signature })}>${title}</button>
        <span class="code">${signature}</span>
      </th>
      ${this.session.runs.map((_, run) => html`<td>${this.#cell(cells[run] ?? [], signature, run)}</td>`)}
    </tr>`;
  }

  #cell(findings: readonly FindingView[], signature: string, run: number): TemplateResult {
    const outcome = this.#outcomes[run];
    if (findings.length > 0) return html`${findings.map((finding) => this.#finding(finding, run))}`;
    if (!isDone(outcome)) return html`<span class="muted">–</span>`;
    const skipped = outcome.skipped.find((one) => one.signature === signature);
    if (skipped)
      return html`<span class="muted" title=${visibleText(skipped.words, 400)}>${t("skipped")}</span>`;
    const passed = outcome.passed.find((one) => one.signature === signature);
    return html`<span class="muted" title=${visibleText(passed?.words ?? "", 400)}>${passed ? t("passed") : "–"}</span>`;
  }

  #finding(
    { id, signature, severity, firstStepText, confidence, words }: FindingView,
    run: number,
  ): TemplateResult {
    const { members, runs } = this.session;
    const onset = firstStepText === "" ? "" : t("from step {0}", stepText(firstStepText));
    const name = visibleText(runs[run]?.label ?? "", 80);
    const own = runs[run];
    const member = own ? members.indexOf(own) : 0;
    return html`<button
      type="button"
      class="cmp-finding"
      data-testid="finding"
      data-signature=${signature}
      data-severity=${severity}
      data-run=${run}
      title=${t("{0} Open {1} there.", visibleText(words, 600), name)}
      @click=${() => this.session.action({ action: "openRun", member, finding: id })}
    ><span class=${`pill ${SEVERITY[severity]}`}>${NAMES[severity]}</span> ${onset} <span class="muted">${Math.round(confidence * 100)} %</span></button>`;
  }
}

const WEIGHT = { critical: 0, warn: 1, info: 2 } as const;

/** Signatures that any run has, gravest first. */
function rowsOf(outcomes: readonly Outcome[]): Row[] {
  const rows = new Map<string, { title: string; cells: FindingView[][]; weight: number }>();
  for (const [run, outcome] of outcomes.entries()) {
    if (!isDone(outcome)) continue;
    for (const finding of outcome.findings) {
      const { signature, title, severity } = finding;
      const row = rows.get(signature) ?? { title, cells: outcomes.map(() => []), weight: 3 };
      row.cells[run]?.push(finding);
      row.weight = Math.min(row.weight, WEIGHT[severity]);
      rows.set(signature, row);
    }
  }
  return [...rows]
    .sort(([, a], [, b]) => a.weight - b.weight)
    .map(([signature, { title, cells }]) => ({ signature, title, cells }));
}

function headWords(outcomes: readonly Outcome[]): string {
  const rows = rowsOf(outcomes);
  return rows.length === 0 ? t("none in any run") : t("{0} found", plural(rows.length, "signature"));
}

define("fd-compare-findings", FdCompareFindings);
