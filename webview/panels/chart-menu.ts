/** What can be done with a chart, as a menu. */
import type { ChartGroup, ChartSpec } from "../../src/protocol/run.ts";
import { moved } from "../arrange.ts";
import type { Session } from "../session.ts";
import type { MenuItem } from "../ui/menu.ts";
import { isLog } from "./chart-data.ts";

export interface MenuView {
  readonly session: Session;
  readonly spec: ChartSpec;
  readonly group: ChartGroup;
}

export function chartMenu({ session, spec, group }: MenuView): MenuItem[] {
  const { store, prefs } = session;
  const { current } = prefs;
  const place = group.charts.findIndex(({ id }) => id === spec.id);
  const move = (by: number): void => prefs.change(moved(group, prefs.current, spec.id, place + by));
  const isHidden = current.hidden.includes(spec.id);
  const lines: MenuItem[] =
    spec.kind === "lines"
      ? [
          {
            label: "Table of Values",
            checked: store.state.tables.includes(spec.id),
            run: () => store.dispatch({ type: "table", chart: spec.id }),
          },
          {
            label: "Logarithmic",
            checked: isLog(store.state, spec),
            run: () => store.dispatch({ type: "log", chart: spec.id }),
          },
          {
            label: "Full Range",
            checked: store.state.fullRange !== store.state.full.includes(spec.id),
            run: () => store.dispatch({ type: "full", chart: spec.id }),
          },
        ]
      : [];
  return [
    ...lines,
    {
      label: "Pin to Top",
      checked: current.pinned.includes(spec.id),
      apart: lines.length > 0,
      run: () => prefs.pin(spec.id),
    },
    { label: "Move Earlier", disabled: isHidden || place <= 0, run: () => move(-1) },
    { label: "Move Later", disabled: isHidden || place >= group.charts.length - 1, run: () => move(1) },
    { label: isHidden ? "Show Again" : "Hide", run: () => prefs.hide(spec.id) },
  ];
}
