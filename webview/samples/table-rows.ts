/** The rows of the table that are drawn, and what is folded out below one of them. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SampleListRow } from "../../src/protocol/samples.ts";
import type { Session } from "../session.ts";
import type { XRange } from "../state.ts";
import { componentsOf, type SampleColumn } from "./columns.ts";
import "./fd-sample-detail.ts";
import type { Needle } from "./highlight.ts";
import { sampleRow } from "./sample-row.ts";

export interface TableRows {
  readonly session: Session;
  readonly places: readonly number[];
  readonly columns: readonly SampleColumn[];
  /** Rewards of the run, lowest and highest. */
  readonly rewards: XRange | null;
  readonly needle: Needle | null;
  readonly openPlace: number | null;
  /** The row that keys move from. */
  readonly activePlace: number | null;
  /** The uppermost row that is seen: the table's stop for the tab key when no other is. */
  readonly topPlace: number;
  at(place: number): SampleListRow | undefined;
  /** The same for a row when the list is another one. */
  nameOf(sample: SampleListRow): string;
  /** Whether a row's texts are still to come. */
  isPending(sample: SampleListRow): boolean;
  toggle(place: number): void;
  /** Moves the focus to a row. */
  go(place: number): void;
}

export function tableRows(table: TableRows): TemplateResult {
  const { places, activePlace, topPlace, openPlace, at } = table;
  const rows = places.flatMap((place) => {
    const sample = at(place);
    return sample ? [{ place, sample }] : [];
  });
  const stop = rows.some(({ place }) => place === activePlace) ? activePlace : topPlace;
  return html`${repeat(
    rows,
    ({ sample }) => table.nameOf(sample),
    ({ place, sample }) =>
      html`${row(table, place, sample, place === stop)}${place === openPlace ? detailRow(table, place, sample) : nothing}`,
  )}`;
}

function row(table: TableRows, place: number, sample: SampleListRow, isTabStop: boolean): TemplateResult {
  const { session, columns, rewards, needle, openPlace } = table;
  const { pin } = session.store.state;
  return sampleRow({
    ...{ sample, columns, rewards, needle, isTabStop },
    isPending: table.isPending(sample),
    components: componentsOf(columns),
    index: place + 2 + (openPlace !== null && place > openPlace ? 1 : 0),
    isOpen: place === openPlace,
    isPicked: pin !== null && Number(sample.step) === pin,
    toggle: () => table.toggle(place),
  });
}

function detailRow(
  { session, columns, needle, go }: TableRows,
  place: number,
  sample: SampleListRow,
): TemplateResult {
  const back = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.stopPropagation();
    go(place);
  };
  return html`<div class="sm-detail" role="row" aria-level="2" aria-rowindex=${place + 3}>
    <div role="gridcell" aria-colindex="1" aria-colspan=${columns.length + 2}>
      <fd-sample-detail .session=${session} .row=${sample.row} .needle=${needle} @keydown=${back}></fd-sample-detail>
    </div>
  </div>`;
}
