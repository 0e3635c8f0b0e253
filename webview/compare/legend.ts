/** Names of the runs with colour and dash: who is drawn, who is the baseline, who could not be opened. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { CompareMember } from "../../src/protocol/compare-page.ts";
import { t } from "../../src/protocol/l10n.ts";
import { type ChartTheme, seriesStyle } from "../charts/palette.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { type MenuItem, openMenu } from "../ui/menu.ts";
import type { CompareSession } from "./session.ts";
import { toggled } from "./state.ts";
import { shortPlace } from "./words.ts";

/** From so many runs on the list can be searched. */
const SEARCHED = 9;

export interface LegendView {
  readonly session: CompareSession;
  readonly theme: ChartTheme;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
}

export function swatch(session: CompareSession, theme: ChartTheme, run: number): TemplateResult {
  const { color, dash } = seriesStyle(session.slot(run), theme);
  return html`<svg class="swatch" width="18" height="8" aria-hidden="true">
    ${svg`<line x1="0" y1="4" x2="18" y2="4" stroke=${color} stroke-width="2" stroke-dasharray=${dash.join(" ")} />`}
  </svg>`;
}

export function legend(view: LegendView): TemplateResult {
  const { session, filter } = view;
  const { members } = session;
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = members.filter(({ label, where }) =>
    words.every((word) => `${label} ${where}`.toLowerCase().includes(word)),
  );
  return html`<div class="cmp-runs">
    ${
      members.length >= SEARCHED
        ? html`<fd-text-field
            label=${t("Filter runs")}
            placeholder=${t("Filter runs")}
            .value=${filter}
            @fd-change=${(event: CustomEvent<string>) => view.onFilter(event.detail)}
          ></fd-text-field>`
        : nothing
    }
    <ul class="cmp-legend" aria-label=${t("Runs")} tabindex=${members.length >= SEARCHED ? 0 : nothing}>
      ${found.map((member) => (member.run === null ? lost(session, member) : entry(view, member, member.run)))}
    </ul>
  </div>`;
}

function entry(view: LegendView, member: CompareMember, run: number): TemplateResult {
  const { session, theme } = view;
  const { store } = session;
  const { uri, label, where } = member;
  const isHidden = store.state.hidden.includes(uri);
  const isTold = run === session.other && session.runs.length > 2;
  const name = visibleText(label, 120);
  const pair = run > 0 && session.runs.length > 2 ? session.pair(run).answer : null;
  const first = pair?.metrics.find(({ metric }) => metric === pair.first)?.divergence;
  return html`<li class=${`${isHidden ? "off" : ""} ${isTold ? "told" : ""}`} data-testid="compare-run" data-run=${run}>
    <button
      type="button"
      class="cmp-run"
      aria-pressed=${String(!isHidden)}
      title=${isHidden ? t("{0}: show its curves", where === "" ? name : visibleText(where, 300)) : t("{0}: hide its curves", where === "" ? name : visibleText(where, 300))}
      @click=${() => store.change({ hidden: toggled(store.state.hidden, uri) })}
    >${swatch(session, theme, run)}<b class="cmp-name">${shown(label, 80)}</b></button>
    ${run === 0 ? html`<span class="chip">${t("baseline")}</span>` : nothing}
    ${first && pair ? html`<span class="muted">${shortPlace(first, pair.align)}</span>` : nothing}
    <button
      class="more"
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${t("Actions for {0}", name)}
      title=${t("More actions")}
      @click=${(event: Event) => {
        if (event.currentTarget instanceof HTMLElement)
          openMenu(event.currentTarget, t("Actions for {0}", name), menu(session, member, run));
      }}
    ><span aria-hidden="true">⋯</span></button>
  </li>`;
}

function menu(session: CompareSession, member: CompareMember, run: number): MenuItem[] {
  const { members, store } = session;
  const at = members.indexOf(member);
  const others = members.map((_, i) => i).filter((i) => i !== at);
  const arrange = (places: number[]): void => session.action({ action: "arrange", members: places });
  const everyOther = session.runs.filter(({ uri }) => uri !== member.uri).map(({ uri }) => uri);
  return [
    {
      label: t("Tell of This Pair"),
      disabled: run === 0 || run === session.other,
      run: () => store.change({ other: member.uri }),
    },
    { label: t("Make Baseline"), disabled: run === 0, run: () => arrange([at, ...others]) },
    { label: t("Show Only This"), apart: true, run: () => store.change({ hidden: everyOther }) },
    {
      label: t("Show All"),
      disabled: store.state.hidden.length === 0,
      run: () => store.change({ hidden: [] }),
    },
    {
      label: t("Open Run"),
      apart: true,
      run: () => session.action({ action: "openRun", member: at }),
    },
    { label: t("Remove From Comparison"), disabled: members.length < 3, run: () => arrange(others) },
  ];
}

/** A run that could not be opened, with its reason: the rest is compared. */
function lost(session: CompareSession, member: CompareMember): TemplateResult {
  const { label, state } = member;
  const at = session.members.indexOf(member);
  const others = session.members.map((_, i) => i).filter((i) => i !== at);
  const problem = state.state === "run" ? null : state.problem;
  return html`<li class="lost" data-testid="compare-lost" data-code=${problem?.code ?? ""}>
    <b>${shown(label, 80)}</b>
    <span>${problem ? shown(problem.message, 300) : t("could not be opened")}</span>
    <button type="button" class="link" @click=${() => session.action({ action: "retry" })}>${t("Retry")}</button>
    <button
      type="button"
      class="link"
      aria-label=${t("Remove {0} from the comparison", visibleText(label, 80))}
      @click=${() => session.action({ action: "arrange", members: others })}
    >${t("Remove")}</button>
  </li>`;
}
