/** Which charts stand where: the recording's groups, as somebody has pinned, hidden, ordered and searched them. */
import { t } from "../src/protocol/l10n.ts";
import type { ChartPrefs } from "../src/protocol/prefs.ts";
import type { ChartGroup, ChartSpec } from "../src/protocol/run.ts";
import { searcher } from "./panels/words.ts";

export const PINNED = "pinned";
export const HIDDEN = "hidden";

/** No group of the recording has these ids. */
const OWN = (id: string): string => `:${id}`;

export interface Arranged {
  readonly groups: readonly ChartGroup[];
  /** Charts that match, hidden ones not among them. */
  readonly shown: number;
  readonly all: number;
  readonly hidden: number;
}

export function arrange(
  groups: readonly ChartGroup[],
  prefs: ChartPrefs,
  filter: string,
  showHidden: boolean,
): Arranged {
  const { pinned, hidden, order } = prefs;
  const isHidden = new Set(hidden);
  const isPinned = new Set(pinned);
  const rank = new Map(order.map((id, place) => [id, place]));
  const every = groups.flatMap(({ charts }) => charts);
  const byId = new Map(every.map((chart) => [chart.id, chart]));
  const finds = searcher(filter);
  const seen = (chart: ChartSpec): boolean => finds(chart) && !isHidden.has(chart.id);
  const out: ChartGroup[] = [];
  const add = (id: string, title: string, charts: ChartSpec[]): void => {
    if (charts.length > 0) out.push({ id, title, charts });
  };
  const pins = pinned.flatMap((id) => byId.get(id) ?? []);
  add(OWN(PINNED), t("Pinned"), pins.filter(seen));
  for (const group of groups) {
    const charts = group.charts.filter((chart) => seen(chart) && !isPinned.has(chart.id));
    add(group.id, group.title, inOrder(charts, rank));
  }
  const shown = out.reduce((sum, { charts }) => sum + charts.length, 0);
  const away = every.filter(({ id }) => isHidden.has(id));
  if (showHidden) add(OWN(HIDDEN), t("Hidden"), away.filter(finds));
  return { groups: out, shown, all: every.length - away.length, hidden: away.length };
}

export const isOwn = (group: ChartGroup, id: string): boolean => group.id === OWN(id);

/** Charts that were put in an order stand so among each other, in the places that they had together. */
function inOrder(charts: readonly ChartSpec[], rank: ReadonlyMap<string, number>): ChartSpec[] {
  const ranked = charts.filter(({ id }) => rank.has(id));
  ranked.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  return charts.map((chart) => (rank.has(chart.id) ? (ranked.shift() ?? chart) : chart));
}

/** The preferences after a chart was moved to another one's place in a group. */
export function moved(
  group: ChartGroup,
  prefs: ChartPrefs,
  id: string,
  to: number,
): Partial<Omit<ChartPrefs, "v">> {
  const ids = group.charts.map((chart) => chart.id);
  const from = ids.indexOf(id);
  const place = Math.min(ids.length - 1, Math.max(0, to));
  if (from < 0 || from === place) return {};
  ids.splice(place, 0, ...ids.splice(from, 1));
  if (isOwn(group, PINNED)) {
    const shown = new Set(ids);
    return { pinned: [...ids, ...prefs.pinned.filter((other) => !shown.has(other))] };
  }
  const inGroup = new Set(ids);
  return { order: [...prefs.order.filter((other) => !inGroup.has(other)), ...ids] };
}
