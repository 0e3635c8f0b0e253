/** Attempts of a run side by side, and where the configurations differ that they ran. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { AttemptConfigs, AttemptView, RecordFact } from "../../src/protocol/run.ts";
import { formatCount, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { attemptPills } from "./record-words.ts";
import { valueWords } from "./words.ts";

export interface AttemptsOptions {
  readonly attempts: readonly AttemptView[];
  /** Files of attempts that are folded out. */
  readonly open: ReadonlySet<string>;
  readonly toggle: (file: string) => void;
}

const COLUMNS = 6;

/** A row an attempt; folded out it has every key of its file. */
export function attemptsTable(options: AttemptsOptions): TemplateResult {
  return html`<div class="rec-wide" tabindex="0" role="region" aria-label=${t("Attempts")}>
    <table class="attempts">
      <thead>
        <tr>
          <th scope="col">${t("attempt")}</th>
          <th scope="col">${t("configuration")}</th>
          <th scope="col">${t("device")}</th>
          <th scope="col" class="num">${t("peak memory")}</th>
          <th scope="col" class="num" title=${t("CPU allocation")}>${t("CPUs")}</th>
          <th scope="col" class="num">${t("elapsed")}</th>
        </tr>
      </thead>
      ${options.attempts.map((attempt, i) => attemptRow(attempt, options.attempts[i - 1], options))}
    </table>
  </div>`;
}

function attemptRow(
  attempt: AttemptView,
  before: AttemptView | undefined,
  { open, toggle }: AttemptsOptions,
): TemplateResult {
  const isOpen = open.has(attempt.file);
  const id = `attempt-${attempt.attempt}-keys`;
  return html`<tbody class=${isOpen ? "open" : ""}>
    <tr data-testid="record-row" data-attempt=${attempt.attempt} data-hash=${attempt.hash}>
      <th scope="row">
        <button
          type="button"
          class="fold"
          aria-expanded=${String(isOpen)}
          aria-controls=${isOpen ? id : nothing}
          aria-label=${t("Attempt {0}, every key of {1}", attempt.attempt, visibleText(attempt.file, 100))}
          title=${isOpen ? t("{0}: hide every key", visibleText(attempt.file, 100)) : t("{0}: show every key", visibleText(attempt.file, 100))}
          @click=${() => toggle(attempt.file)}
        ><span class="tri" aria-hidden="true">${isOpen ? "▾" : "▸"}</span>${attempt.attempt}</button>
      </th>
      <td class="pills">
        ${attemptPills(attempt, before).map(
          ({ tone, words, title }) => html`<span class=${`pill ${tone}`} title=${title}>${words}</span> `,
        )}
      </td>
      <td>${deviceCell(attempt)}</td>
      ${figure(attempt.peakMemory)}${figure(attempt.cpus)}${figure(attempt.elapsed)}
    </tr>
    ${isOpen ? html`<tr id=${id}><td colspan=${COLUMNS}>${keysTable(attempt)}</td></tr>` : nothing}
  </tbody>`;
}

function deviceCell({ device, deviceName }: AttemptView): TemplateResult {
  if (device.text === "" && deviceName.text === "") return html`–`;
  const name =
    deviceName.text === "" ? nothing : html`<span class="muted">${shown(deviceName.text, 100)}</span>`;
  return html`${shown(device.text === "" ? "–" : device.text, 60)} ${name}`;
}

const figure = ({ text, exact }: RecordFact): TemplateResult =>
  html`<td class="num" title=${visibleText(exact, 100)}>${text === "" ? "–" : shown(text, 60)}</td>`;

function keysTable({ file, statedHash, computedHash, fields }: AttemptView): TemplateResult {
  const hash = (text: string): TemplateResult =>
    html`<td class="value">${text === "" ? "–" : shown(text, 80)}</td>`;
  return html`<table class="keys" aria-label=${t("Every key of {0}", visibleText(file, 100))}>
    <tbody>
      <tr><th scope="row">${t("file")}</th><td class="value">${shown(file, 200)}</td></tr>
      <tr><th scope="row">${t("stated hash")}</th>${hash(statedHash)}</tr>
      <tr><th scope="row">${t("computed hash")}</th>${hash(computedHash)}</tr>
      ${fields.map(
        ({ key, value }) => html`<tr>
          <th scope="row">${shown(key, 200)}</th>
          <td class="value">${shown(value, undefined, true)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Nothing to show where one configuration was run, and nothing else asked for. */
export function configsTable(
  configs: AttemptConfigs,
  onlyDifferences: boolean,
  change: (only: boolean) => void,
): TemplateResult | typeof nothing {
  const { columns, rows, differing, dropped, droppedColumns } = configs;
  if (columns.length < 2) return nothing;
  const listed = onlyDifferences ? rows.filter(({ differs }) => differs) : rows;
  return html`<div class="tools rec-tools" role="toolbar" aria-label=${t("Configurations")}>
      <h2>${t("Configurations")}</h2>
      <span class="muted" role="status"
        >${differing === 1 ? t("{0} of {1} differs", formatCount(differing), plural(rows.length + dropped, "value")) : t("{0} of {1} differ", formatCount(differing), plural(rows.length + dropped, "value"))}</span
      >
      <span class="gap"></span>
      <fd-checkbox
        label=${t("Only differences")}
        ?checked=${onlyDifferences}
        @fd-change=${(event: CustomEvent<boolean>) => change(event.detail)}
      ></fd-checkbox>
    </div>
    ${
      listed.length === 0
        ? html`<p class="muted">${t("They differ only in how numbers are written: 1 is not 1.0 to the hash.")}</p>`
        : html`<div class="rec-wide" tabindex="0" role="region" aria-label=${t("Configurations side by side")}>
            <table class="rec-configs">
              <thead>
                <tr>
                  <th scope="col">${t("key")}</th>
                  ${columns.map(({ name, hash }) => html`<th scope="col" title=${`config_hash ${hash}`}>${name}</th>`)}
                </tr>
              </thead>
              <tbody>${listed.map(configRow)}</tbody>
            </table>
          </div>`
    }
    ${dropped > 0 ? html`<p class="muted">${t("{0} not shown.", plural(dropped, "more value"))}</p>` : nothing}
    ${droppedColumns > 0 ? html`<p class="muted">${t("{0} not shown.", plural(droppedColumns, "more configuration"))}</p>` : nothing}`;
}

function configRow({ path, cells, differs }: AttemptConfigs["rows"][number]): TemplateResult {
  const [first] = cells;
  return html`<tr data-testid="record-config-row" data-path=${path} data-differs=${String(differs)}>
    <th scope="row">${shown(path, 300)}</th>
    ${cells.map((cell) => {
      const isOther =
        first && !(first.present === cell.present && first.value === cell.value && first.type === cell.type);
      const classes = ["value", cell.present ? cell.type : "absent", isOther ? "other" : ""];
      return html`<td class=${classes.join(" ")}>${shown(cellWords(cell), 400, true)}</td>`;
    })}
  </tr>`;
}

function cellWords({ present, value, type }: AttemptConfigs["rows"][number]["cells"][number]): string {
  if (!present) return t("not set");
  if (type === "empty" && value === "") return '""';
  return type === "list" ? value : valueWords({ value, type });
}
