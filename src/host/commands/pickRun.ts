/** The list behind Open Run: recent runs, runs near the top of the workspace, and a folder of one's own. */
import * as vscode from "vscode";
import { MANIFEST_FILE, STEPS_FILE } from "../../core/format/names.ts";
import { itemText } from "../../view/native.ts";
import type { Services } from "../services.ts";

export interface RunItem extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

const CHOOSE: RunItem = { label: vscode.l10n.t("$(folder-opened) Choose a Folder…"), alwaysShow: true };
const FORGET: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: vscode.l10n.t("Remove from recent runs"),
};

/**
 * The folder that was chosen, `undefined` when the user thought better of it.
 * @param title the command's, which says what the run is chosen for
 */
export async function pickRun(
  services: Services,
  title = vscode.l10n.t("Open Run"),
): Promise<vscode.Uri | undefined> {
  const item = await choose(services, title);
  if (item === CHOOSE) return chooseFolder(title);
  return item?.uri;
}

export async function chooseFolder(title: string): Promise<vscode.Uri | undefined> {
  const folders = await vscode.window.showOpenDialog({
    title,
    openLabel: title,
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  return folders?.[0];
}

function choose({ recents }: Services, title: string): Promise<RunItem | undefined> {
  const pick = vscode.window.createQuickPick<RunItem>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Choose a run by name or path");
  pick.matchOnDescription = true;
  let recent: RunItem[] = recents.list().map((uri) => itemOf(vscode.Uri.parse(uri), [FORGET]));
  let found: RunItem[] = [];
  const show = (): void => {
    const known = new Set(recent.map((item) => item.uri?.toString()));
    pick.items = [
      CHOOSE,
      ...section("recent", recent),
      ...section(
        vscode.l10n.t("in this workspace"),
        found.filter((item) => !known.has(item.uri?.toString())),
      ),
    ];
  };
  const fill = async (): Promise<void> => {
    const missing = await missingOf(recent);
    await recents.remove(missing);
    recent = recent.filter((item) => !missing.includes(item.uri?.toString() ?? ""));
    show();
    found = await runsInWorkspace();
    show();
  };
  pick.onDidTriggerItemButton(async ({ item }) => {
    recent = recent.filter((other) => other !== item);
    show();
    if (item.uri) await recents.remove([item.uri.toString()]);
  });
  show();
  pick.busy = true;
  const filled = fill().catch(() => {});
  void filled.then(() => {
    pick.busy = false;
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      // Disposed only when nobody fills it any more.
      void filled.then(() => pick.dispose());
    });
    pick.show();
  });
}

export function section(label: string, items: readonly RunItem[]): RunItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Characters in an entry. */
const MAX_NAME = 120;
const MAX_PATH = 300;

export function itemOf(uri: vscode.Uri, buttons: readonly vscode.QuickInputButton[]): RunItem {
  const path = vscode.workspace.asRelativePath(uri, true);
  const name = uri.path.split("/").filter(Boolean).at(-1) ?? uri.path;
  return {
    label: itemText(name, MAX_NAME),
    description: path === name ? "" : itemText(path, MAX_PATH),
    uri,
    buttons,
  };
}

const LOOK_MS = 1500;

/** What is surely gone; a mount that does not answer in time is left in the list. */
export async function missingOf(items: readonly RunItem[]): Promise<string[]> {
  const looked = await Promise.all(
    items.map(async ({ uri }) => (uri && (await isMissing(uri)) ? [uri.toString()] : [])),
  );
  return looked.flat();
}

async function isMissing(uri: vscode.Uri): Promise<boolean> {
  const look = Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => false,
    (error: unknown) => error instanceof vscode.FileSystemError && error.code === "FileNotFound",
  );
  return Promise.race([look, within(LOOK_MS)]);
}

function within(milliseconds: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), milliseconds).unref();
  });
}

const MAX_DEPTH = 2;
const MAX_FOLDERS = 300;
const MAX_FOUND = 50;
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "__pycache__", "venv"]);

/** Runs at most two folders below the workspace's own: a quick look, not a search. */
export async function runsInWorkspace(): Promise<RunItem[]> {
  const found: RunItem[] = [];
  let level = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH && found.length < MAX_FOUND; depth++) {
    const next: vscode.Uri[] = [];
    for (const folder of level) {
      if (looked++ >= MAX_FOLDERS || found.length >= MAX_FOUND) break;
      const entries = await entriesOf(folder);
      if (isRun(entries)) found.push(itemOf(folder, []));
      else next.push(...foldersIn(folder, entries));
    }
    level = next;
  }
  return found;
}

type Entries = readonly (readonly [string, vscode.FileType])[];

async function entriesOf(folder: vscode.Uri): Promise<Entries> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

/** A manifest alone could be anybody's. */
function isRun(entries: Entries): boolean {
  const names = new Set(entries.map(([name]) => name));
  return (
    names.has(MANIFEST_FILE) && (names.has(STEPS_FILE) || names.has("steps") || names.has("events.jsonl"))
  );
}

function foldersIn(folder: vscode.Uri, entries: Entries): vscode.Uri[] {
  return entries
    .filter(
      ([name, type]) => type === vscode.FileType.Directory && !name.startsWith(".") && !SKIPPED.has(name),
    )
    .map(([name]) => vscode.Uri.joinPath(folder, name));
}
