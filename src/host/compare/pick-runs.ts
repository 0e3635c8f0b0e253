/** A list from which several runs are chosen: open editors, recent runs, runs of the workspace, and folders of one's own. */
import * as vscode from "vscode";
import {
  chooseFolder,
  itemOf,
  missingOf,
  type RunItem,
  runsInWorkspace,
  section,
} from "../commands/pickRun.ts";
import { folderOf, foldersOf } from "../commands/targets.ts";
import { type Services, VIEW_TYPE } from "../services.ts";

export interface RunsWanted {
  /** The command's, which says what the runs are chosen for. */
  readonly title: string;
  /** Runs that are not offered. */
  readonly known?: readonly vscode.Uri[];
  /** Runs that are checked at first, in order. */
  readonly checked?: readonly vscode.Uri[];
  /** How many at least. */
  readonly least: number;
}

const FOLDER: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("folder-opened"),
  tooltip: vscode.l10n.t("Choose a Folder…"),
};

/** @returns folders in the order in which they were checked; none when the user thought better of it */
export async function pickRuns(services: Services, wanted: RunsWanted): Promise<readonly vscode.Uri[]> {
  const own = await foldersOf(wanted.checked ?? []);
  let chosen: readonly vscode.Uri[] = own;
  for (;;) {
    const answer = await choose(services, wanted, chosen);
    if (answer === null) return [];
    chosen = answer.uris;
    if (!answer.folder) return chosen;
    const folder = await chooseFolder(wanted.title);
    if (folder) chosen = [...chosen, ...(await foldersOf([folder]))];
  }
}

interface Chosen {
  readonly uris: readonly vscode.Uri[];
  /** A folder is to be chosen beside them. */
  readonly folder: boolean;
}

async function choose(
  services: Services,
  { title, known = [], least }: RunsWanted,
  checked: readonly vscode.Uri[],
): Promise<Chosen | null> {
  const pick = vscode.window.createQuickPick<RunItem>();
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = [FOLDER];
  let order: readonly RunItem[] = [];
  const tell = (): void => {
    const [first] = order;
    pick.title = least > 1 && first ? vscode.l10n.t("{0}: baseline {1}", title, first.label) : title;
    pick.placeholder =
      order.length < least && least > 1
        ? vscode.l10n.t("Check two or more runs; the first one checked is the baseline")
        : vscode.l10n.t("Check runs by name or path");
  };
  tell();
  pick.busy = true;
  const ended = new Promise<Chosen | null>((resolve) => {
    const done = (folder: boolean): void => {
      resolve({ uris: order.flatMap(({ uri }) => uri ?? []), folder });
      pick.hide();
    };
    pick.onDidChangeSelection((items) => {
      const kept = order.filter((item) => items.includes(item));
      order = [...kept, ...items.filter((item) => !kept.includes(item))];
      tell();
    });
    pick.onDidAccept(() => {
      if (order.length >= least) done(false);
    });
    pick.onDidTriggerButton(() => done(true));
    pick.onDidHide(() => {
      resolve(null);
      pick.dispose();
    });
  });
  pick.show();
  const items = await itemsOf(services, known, checked);
  // All at once: items that come later would uncheck what was checked meanwhile.
  pick.items = items;
  const at = (uri: vscode.Uri) => items.filter((item) => item.uri?.toString() === uri.toString());
  order = checked.flatMap(at);
  pick.selectedItems = order;
  pick.busy = false;
  tell();
  return ended;
}

async function itemsOf(
  services: Services,
  known: readonly vscode.Uri[],
  checked: readonly vscode.Uri[],
): Promise<RunItem[]> {
  const open = await Promise.all(openRuns().flatMap((uri) => (uri.scheme === "file" ? [folderOf(uri)] : [])));
  const recent = services.recents.list().map((uri) => itemOf(vscode.Uri.parse(uri), []));
  const missing = await missingOf(recent);
  const found = await runsInWorkspace();
  const seen = new Set(known.map(String));
  const fresh = (items: readonly RunItem[]): RunItem[] =>
    items.filter(({ uri }) => {
      const key = uri?.toString() ?? "";
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  const plain = (uris: readonly vscode.Uri[]): RunItem[] => uris.map((uri) => itemOf(uri, []));
  return [
    ...section("checked", fresh(plain(checked))),
    ...section("open", fresh(plain(open))),
    ...section("recent", fresh(recent.filter(({ uri }) => !missing.includes(uri?.toString() ?? "")))),
    ...section(vscode.l10n.t("in this workspace"), fresh(found.map((item) => ({ ...item, buttons: [] })))),
  ];
}

/** Runs that have an editor. */
function openRuns(): vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputCustom && input.viewType === VIEW_TYPE ? [input.uri] : [],
  );
}
