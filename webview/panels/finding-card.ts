/** One finding in words, and what can be done with it. */

import { html, nothing, type TemplateResult } from "lit";
import type { FindingView, SignatureView } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import { metaWords } from "../findings.ts";
import type { Session } from "../session.ts";
import { shown } from "../text/visible-html.ts";
import "./fd-samples.ts";
import { thresholds } from "./thresholds.ts";

/** What can be folded out below a card. */
export type Part = "tries" | "thresholds" | "samples";

export interface CardView {
  /** Its finding's id, or the signature's where it does not fire. */
  readonly key: string;
  readonly signature: string;
  readonly title: string;
  readonly ours: boolean;
  /** `null` when it does not fire with the thresholds that are tried. */
  readonly finding: FindingView | null;
  /** How far from firing it is, "" when that is not known. */
  readonly distance: string;
  readonly isOpen: (part: Part) => boolean;
  toggle(part: Part): void;
  explain(): void;
}

export function card(session: Session, view: CardView): TemplateResult {
  const { finding, signature, title, isOpen } = view;
  const shows = finding !== null && session.findings.selected?.id === finding.id;
  const id = `finding-${signature}-${view.key.length}`;
  return html`<li
    class=${`finding ${finding?.severity ?? "quiet"} ${shows ? "selected" : ""}`}
    data-testid=${finding ? "finding" : "finding-quiet"}
    data-signature=${signature}
    data-severity=${finding?.severity ?? nothing}
    data-id=${view.key}
    tabindex="-1"
  >
    <h3>${title}</h3>
    <p class="meta">
      <span class="code">${signature}</span>
      ${finding ? metaWords(finding).map((part) => html`<i aria-hidden="true">·</i> <span>${part}</span> `) : nothing}
      ${view.ours ? html`<span class="chip" title=${t("A check that rlprobe does not have")}>${t("Flight Deck's own")}</span>` : nothing}
    </p>
    <p class="words">${finding ? shown(finding.words, 700) : quietWords(view.distance)}</p>
    ${shows ? figures(finding) : nothing} ${actions(session, view, shows)}
    ${
      finding && isOpen("tries")
        ? html`<ul class="tries" aria-label=${t("What to try against {0}", title)}>
            ${finding.tries.map((text) => html`<li>${text}</li>`)}
          </ul>`
        : nothing
    }
    ${isOpen("thresholds") ? sliders(session, session.findings.signature(signature)) : nothing}
    ${
      finding && isOpen("samples")
        ? html`<fd-samples .session=${session} .query=${finding.samples} .name=${title} data-of=${id}></fd-samples>`
        : nothing
    }
  </li>`;
}

function quietWords(distance: string): TemplateResult {
  if (distance === "") return html`${t("Does not fire with these thresholds.")}`;
  return html`${t("Does not fire with these thresholds:")} ${shown(distance, 300)}.`;
}

function figures({ evidence }: FindingView): TemplateResult {
  const all = evidence.flatMap((piece) => piece.figures);
  return html`<dl class="figures">
    ${all.map(
      ({ label, value }) => html`<div><dt>${shown(label, 120)}</dt>
        <dd>${shown(value, 240)}</dd></div>`,
    )}
  </dl>`;
}

function actions(session: Session, view: CardView, shows: boolean): TemplateResult {
  const { finding, title } = view;
  const fold = (part: Part, name: string): TemplateResult => html`<button
    type="button"
    class="link"
    aria-expanded=${String(view.isOpen(part))}
    aria-label=${`${name}: ${title}`}
    data-part=${part}
    @click=${() => view.toggle(part)}
  >${name}</button>`;
  const evidence = (): void => {
    if (shows || !finding) session.findings.hide();
    else session.findings.show(finding.id);
  };
  const evidenceName = shows ? t("Hide evidence") : t("Show evidence");
  return html`<p class="actions">
    ${
      finding && finding.drawings.length > 0
        ? html`<button type="button" class="link" aria-pressed=${String(shows)} aria-label=${`${evidenceName}: ${title}`} @click=${evidence}>${evidenceName}</button>`
        : nothing
    }
    ${finding && session.overview && session.overview.shardCount > 0 ? fold("samples", view.isOpen("samples") ? t("Hide samples") : t("Show samples")) : nothing}
    ${finding && finding.tries.length > 0 ? fold("tries", t("What to try")) : nothing}
    <button type="button" class="link" aria-label=${t("What is this? {0}", title)} @click=${() => view.explain()}>${t("What is this?")}</button>
    ${fold("thresholds", t("Adjust thresholds"))}
  </p>`;
}

function sliders(session: Session, signature: SignatureView | null): TemplateResult | typeof nothing {
  if (!signature) return nothing;
  const { id } = signature;
  const { findings } = session;
  return thresholds({
    signature,
    tried: findings.tried(id),
    change: (name, value) => findings.try(id, name, value),
    reset: () => findings.reset(id),
    write: () => void findings.write(id),
  });
}
