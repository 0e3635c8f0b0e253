/** What stands in the cells of the table. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { severityWord } from "../../src/protocol/names.ts";
import type { TableColumn, TableRow } from "../../src/protocol/runs-page.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { openMenu } from "../ui/menu.ts";
import type { RunsSession } from "./session.ts";

/** As the host draws them. */
const SPARK = "0 0 100 20";

const TONES = {
  running: "run",
  stalled: "warn",
  finished: "ok",
  crashed: "bad",
  halted: "bad",
  killed: "bad",
  unknown: "",
} as const;
const SEVERITY_TONES = { critical: "bad", warn: "warn", info: "run" } as const;

export function cell(session: RunsSession, column: TableColumn, row: TableRow, at: number): TemplateResult {
  if (column.id === "name") return nameCell(session, row);
  if (column.id === "findings") return findingsCell(session, row);
  const own = row.cells[at];
  if (!own) return html``;
  if (column.id === "state" && row.state !== null)
    return html`<span class=${`pill ${TONES[row.state]}`} data-state=${row.state} title=${visibleText(row.stateReason, 400)}>${own.text}</span>`;
  if (column.kind === "spark") return spark(column, own);
  return own.text === ""
    ? html``
    : html`<span title=${visibleText(own.text, 300)}>${shown(own.text, 200)}</span>`;
}

function spark(
  { label }: TableColumn,
  { text, path }: { readonly text: string; readonly path: string },
): TemplateResult {
  if (path === "") return html``;
  const words = `${visibleText(label, 80)}: ${text}`;
  return html`<svg class="rt-spark" viewBox=${SPARK} preserveAspectRatio="none" role="img" aria-label=${words}>
    ${svg`<title>${words}</title><path d=${path} />`}
  </svg>`;
}

function nameCell(session: RunsSession, { dir, label, place, problem }: TableRow): TemplateResult {
  const open = (event: Event): void => {
    event.stopPropagation();
    void session.action({ action: "open", dir });
  };
  return html`<button type="button" class="link" tabindex="-1" title=${visibleText(dir, 400)} @click=${open}>${shown(label, 120)}</button>
    ${place === "" ? nothing : html`<span class="muted">${shown(place, 80)}</span>`}
    ${problem === "" ? nothing : html`<span class="rt-bad" title=${visibleText(problem, 400)}>${shown(problem, 200)}</span>`}`;
}

/** The worst one, and a menu of all. */
function findingsCell(session: RunsSession, { dir, findings, verdict, problem }: TableRow): TemplateResult {
  if (problem !== "") return html``;
  const [worst] = findings ?? [];
  if (!findings || !worst)
    return html`<span class="muted" title=${visibleText(verdict, 300)}>${findings || verdict !== "" ? shown(verdict, 160) : "…"}</span>`;
  const open = (finding: string): void => void session.action({ action: "open", dir, finding });
  const { severity, title, firstStep } = worst;
  const words =
    firstStep === ""
      ? `${severityWord(severity)}: ${title}`
      : t("{0}: {1} from step {2}", severityWord(severity), title, firstStep);
  const menu = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLElement)) return;
    openMenu(
      currentTarget,
      t("Findings"),
      findings.map((one) => ({
        label: visibleText(
          one.firstStep === ""
            ? `${one.title} (${severityWord(one.severity)})`
            : t("{0} ({1}, step {2})", one.title, severityWord(one.severity), one.firstStep),
          160,
        ),
        run: () => open(one.id),
      })),
    );
  };
  return html`<button
      type="button"
      class=${`pill ${SEVERITY_TONES[severity]}`}
      tabindex="-1"
      data-testid="finding"
      data-severity=${severity}
      title=${visibleText(t("{0}. Open the run there.", words), 400)}
      @click=${(event: Event) => {
        event.stopPropagation();
        open(worst.id);
      }}
    ><span class="unseen">${severityWord(severity)}: </span>${shown(title, 80)}</button>
    ${
      findings.length > 1
        ? html`<button
            type="button"
            class="pill rt-more"
            tabindex="-1"
            aria-haspopup="menu"
            aria-label=${t("+{0}: all {1} findings", findings.length - 1, findings.length)}
            @click=${(event: Event) => {
              event.stopPropagation();
              menu(event);
            }}
          >+${findings.length - 1}</button>`
        : nothing
    }`;
}
