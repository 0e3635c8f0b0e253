/** What can be done with a chart, as a menu. */
import { t } from "../../src/protocol/l10n.ts";
import type { ChartGroup, ChartSpec } from "../../src/protocol/run.ts";
import { moved } from "../arrange.ts";
import { type ShareView, shareMenu } from "../export/share.ts";
import { type MenuItem, openMenu } from "../ui/menu.ts";
import { isLog } from "./chart-data.ts";

export interface MenuView extends Omit<ShareView, "plot"> {
  readonly spec: ChartSpec;
  readonly group: ChartGroup;
  /** The button that the menu is opened at, inside the chart. */
  readonly anchor: HTMLElement;
}

export function chartMenu(view: MenuView): MenuItem[] {
  const { session, spec, group, anchor } = view;
  const { store, prefs } = session;
  const { current } = prefs;
  const place = group.charts.findIndex(({ id }) => id === spec.id);
  const move = (by: number): void => prefs.change(moved(group, prefs.current, spec.id, place + by));
  const isHidden = current.hidden.includes(spec.id);
  const table: MenuItem = {
    label: t("Table of Values"),
    checked: store.state.tables.includes(spec.id),
    run: () => store.dispatch({ type: "table", chart: spec.id }),
  };
  const lines: MenuItem[] =
    spec.kind === "lines"
      ? [
          {
            label: t("Logarithmic"),
            checked: isLog(store.state, spec),
            run: () => store.dispatch({ type: "log", chart: spec.id }),
          },
          {
            label: t("Full Range"),
            checked: store.state.fullRange !== store.state.full.includes(spec.id),
            run: () => store.dispatch({ type: "full", chart: spec.id }),
          },
        ]
      : [];
  return [
    table,
    ...lines,
    {
      label: t("Pin to Top"),
      checked: current.pinned.includes(spec.id),
      apart: true,
      run: () => prefs.pin(spec.id),
    },
    { label: t("Move Earlier"), disabled: isHidden || place <= 0, run: () => move(-1) },
    { label: t("Move Later"), disabled: isHidden || place >= group.charts.length - 1, run: () => move(1) },
    { label: isHidden ? t("Show Again") : t("Hide"), run: () => prefs.hide(spec.id) },
    {
      label: t("Copy or Save…"),
      apart: true,
      run: () => {
        const plot = anchor.closest("fd-chart")?.querySelector<HTMLElement>(".plot") ?? null;
        openMenu(anchor, t("Copy or save"), shareMenu({ ...view, plot }));
      },
    },
  ];
}
