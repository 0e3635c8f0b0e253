/** The input for the runs filter: a list that offers what can be written next, and says what is wrong. */
import * as vscode from "vscode";
import { itemText } from "../../view/native.ts";
import { matchesQuery, parseQuery } from "../../view/run-query.ts";
import { configKeysOf, queryCompletions } from "../../view/run-query-completion.ts";
import type { RunsView } from "./view.ts";

interface Item extends vscode.QuickPickItem {
  /** The whole text once it is taken; `null` for the text as it stands. */
  readonly text: string | null;
}

const MAX_LABEL = 120;
const EXAMPLE = "algorithm:grpo trainer_config.lr>=1e-5 finding:KL_BLOWUP -state:running words";

export function askForFilter(view: RunsView): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t("Filter Runs");
  pick.placeholder = EXAMPLE;
  pick.value = view.filter;
  pick.onDidChangeValue(() => show());
  pick.onDidAccept(() => {
    const [item] = pick.activeItems;
    if (item && item.text !== null) {
      pick.value = item.text;
      show();
      return;
    }
    view.setFilter(pick.value);
    pick.hide();
  });
  pick.onDidHide(() => pick.dispose());
  const show = (): void => {
    pick.items = itemsFor(view, pick.value);
  };
  show();
  pick.show();
}

function itemsFor(view: RunsView, value: string): Item[] {
  const runs = view.catalogue.list();
  const { terms, problems } = parseQuery(value, configKeysOf(runs));
  const count = runs.filter((run) => matchesQuery(terms, run)).length;
  const completions = queryCompletions(value, runs).map(
    ({ label, detail, text }): Item => ({
      label: itemText(label, MAX_LABEL),
      description: itemText(detail, MAX_LABEL),
      alwaysShow: true,
      text,
    }),
  );
  // What is half written can be completed, which Enter then does; what is wrong further in front is wrong.
  const isHalfWritten = problems.every(({ to }) => to === value.length) && completions.length > 0;
  const [problem] = isHalfWritten ? [] : problems;
  const apply: Item = {
    label: problem
      ? itemText(problem.message, MAX_LABEL)
      : value.trim() === ""
        ? vscode.l10n.t("Show all runs")
        : vscode.l10n.t("Apply"),
    description: problem
      ? vscode.l10n.t(
          "at character {0}; the rest lets {1} of {2} through",
          problem.from + 1,
          count,
          runs.length,
        )
      : vscode.l10n.t("{0} of {1} runs", count, runs.length),
    iconPath: new vscode.ThemeIcon(problem ? "warning" : "filter"),
    alwaysShow: true,
    text: null,
  };
  return problems.length > 0 && isHalfWritten ? completions : [apply, ...completions];
}
