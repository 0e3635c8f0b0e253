/** Flight Deck where VS Code runs in the browser alone: runs open from whatever it has mounted, read whole and in memory. */
import "./globals.ts";
import "../host/language.ts";
import * as vscode from "vscode";
import { logOver } from "../host/log.ts";
import { tell, warn } from "../host/say.ts";
import { mountedAt, nameOf, runFolder } from "./files.ts";
import { NOT_HERE, showPage } from "./page.ts";
import { Runs } from "./runs.ts";
import { WebSession } from "./session.ts";
import { MOST_OF_A_FILE, mountedSource } from "./source.ts";

const VIEW_TYPE = "flightDeck.run";

interface WebDocument extends vscode.CustomDocument {
  readonly session: WebSession;
}

export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, workspaceState: memory, subscriptions } = context;
  const log = logOver(vscode.window.createOutputChannel("Flight Deck", { log: true }));
  const runs = new Runs({
    source: (text) => {
      const folder = vscode.Uri.parse(text, true);
      return mountedSource(mountedAt(folder), nameOf(folder), tooLarge);
    },
    wasm: async () =>
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, "dist", "parquet_wasm_bg.wasm")),
    onError: (where, error) => log.error(error instanceof Error ? error : `${where}: ${String(error)}`),
  });
  const command = (name: string, run: (...args: unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`flightDeck.${name}`, run);
  subscriptions.push(
    log,
    vscode.window.registerCustomEditorProvider(
      VIEW_TYPE,
      {
        openCustomDocument(uri): WebDocument {
          const session = new WebSession(uri, runs);
          // The run opens while the page loads.
          void session.open();
          return { uri, session, dispose: () => session.dispose() };
        },
        resolveCustomEditor(document, panel) {
          // VS Code hands back what the line above made.
          showPage(panel, (document as WebDocument).session, { extensionUri, log, memory });
        },
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
    // Without one the view would say that its extension is broken; its welcome text offers to open a run.
    vscode.window.registerTreeDataProvider("flightDeck.runs", {
      getChildren: () => [],
      getTreeItem: () => new vscode.TreeItem(""),
    }),
    command("openRun", async (target) => {
      const uri = target instanceof vscode.Uri ? target : await pick();
      if (uri) await openFolder(await runFolder(uri));
    }),
    command("openDemo", () => openFolder(vscode.Uri.joinPath(extensionUri, "media/demo/grpo-length-hack"))),
    command("showLog", async () => log.show()),
  );
  const own = new Set(["flightDeck.openRun", "flightDeck.openDemo", "flightDeck.showLog"]);
  for (const name of commandsOf(context.extension.packageJSON))
    if (!own.has(name))
      subscriptions.push(
        vscode.commands.registerCommand(name, () => tell(`${NOT_HERE.message} ${NOT_HERE.remedy}`)),
      );
}

async function pick(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false });
  return chosen?.[0];
}

async function openFolder(folder: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("vscode.openWith", folder, VIEW_TYPE, { preview: false });
}

const told = new Set<string>();

/** Once a file: it is asked for again and again. */
function tooLarge(path: string, size: number): void {
  if (told.has(path)) return;
  told.add(path);
  const [found, most] = [size, MOST_OF_A_FILE].map((bytes) => Math.round(bytes / 2 ** 20));
  void warn(
    vscode.l10n.t(
      "{0} has {1} MB: in the browser alone, files are read whole, up to {2} MB. Open the run in VS Code on its machine or over SSH.",
      path,
      String(found),
      String(most),
    ),
  );
}

function commandsOf(manifest: unknown): string[] {
  const of = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  const commands = of(of(manifest, "contributes"), "commands");
  return Array.isArray(commands) ? commands.map((each) => String(of(each, "command"))) : [];
}
