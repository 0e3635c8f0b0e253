/** Composition root: registrations only. What they need is loaded when it is first used. */
import * as vscode from "vscode";
import { registerAgents } from "./host/agents/register.ts";
import type { Host } from "./host/host.ts";
import type { Inline } from "./host/inline/inline.ts";
import type { TerminalLink } from "./host/links/links.ts";
import type { Node } from "./host/runs/nodes.ts";
import type { SampleCommandName } from "./host/samples/commands.ts";

/** What is to be done before VS Code ends. */
let ending = async (): Promise<void> => {};

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

/** Files that mention steps and samples: events, logs, notes. */
const MENTIONING = ["jsonl", "log", "markdown", "plaintext"].map((language) => ({
  scheme: "file",
  language,
}));

export function activate(context: vscode.ExtensionContext): void {
  let loading: Promise<Host> | undefined;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const runsChanged = new vscode.EventEmitter<Node | undefined>();
  // VS Code asks for what is in it when it is first shown.
  const tree = vscode.window.createTreeView<Node>("flightDeck.runs", {
    treeDataProvider: {
      onDidChangeTreeData: runsChanged.event,
      getChildren: async (node) => (await host()).runs.view.children(node),
      getTreeItem: async (node) => (await host()).runs.view.item(node),
      getParent: (node) => (node.kind === "leaf" ? node.parent : undefined),
    },
    canSelectMany: true,
    showCollapseAll: true,
    dragAndDropController: {
      dragMimeTypes: ["text/uri-list"],
      dropMimeTypes: [],
      handleDrag: (nodes, data) => {
        const uris = nodes.flatMap((node) => (node.kind === "run" ? [node.linkUri.toString()] : []));
        if (uris.length > 0) data.set("text/uri-list", new vscode.DataTransferItem(uris.join("\r\n")));
      },
    },
  });
  const host = (): Promise<Host> => {
    loading ??= import("./host/host.ts").then(
      (module) => new module.Host(context, changed, { tree, changed: runsChanged }),
    );
    return loading;
  };
  ending = async () => (await loading)?.demos.close();
  const command = (name: string, run: (...args: unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`flightDeck.${name}`, run);

  const sampleCommand = (name: SampleCommandName) =>
    command(name, async (target) => (await host()).sample(name, target));

  // A file in which nothing is mentioned loads this module and no more.
  let loadingInline: Promise<Inline> | undefined;
  const inline = () => {
    loadingInline ??= import("./host/inline/inline.ts").then(
      (module) => new module.Inline(async (...asked) => (await host()).answer(...asked)),
    );
    return loadingInline;
  };

  // Help for doctor.toml comes with the rest.
  const noticed = ({ uri }: vscode.TextDocument): void => {
    if (uri.path.endsWith("/doctor.toml")) void host();
  };

  // Lines without a slash, which most are, load nothing.
  const terminalLinks: vscode.TerminalLinkProvider<TerminalLink> = {
    provideTerminalLinks: async (context, token) =>
      /[\\/]/.test(context.line) ? (await host()).links.terminalLinks(context, token) : [],
    handleTerminalLink: async ({ link }) => (await host()).links.open(link),
  };

  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(
      "flightDeck.run",
      {
        openCustomDocument: async (uri) => (await host()).editor.openCustomDocument(uri),
        resolveCustomEditor: async (document, panel) => {
          (await host()).resolve(document, panel);
        },
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
    vscode.window.registerWebviewPanelSerializer("flightDeck.compare", {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await host()).compare.panels.restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer("flightDeck.runs", {
      deserializeWebviewPanel: async (panel) => (await host()).runsTable.restore(panel),
    }),
    // A run that was dragged from the Runs view into the editor area.
    vscode.window.registerCustomEditorProvider("flightDeck.runLink", {
      openCustomDocument: (uri) => ({ uri, dispose: () => {} }),
      resolveCustomEditor: async ({ uri }, panel) => (await host()).runs.openDropped(uri, panel),
    }),
    vscode.workspace.registerFileSystemProvider(
      "flightdeck",
      {
        onDidChangeFile: changed.event,
        watch: () => new vscode.Disposable(() => {}),
        stat: async (uri) => (await host()).files.stat(uri),
        readFile: async (uri) => (await host()).files.readFile(uri),
        readDirectory: () => [],
        createDirectory: refuse,
        writeFile: refuse,
        delete: refuse,
        rename: refuse,
      },
      { isReadonly: true, isCaseSensitive: true },
    ),
    command("openRun", async (target, selection) => (await host()).openRun(target, selection)),
    command("openDemo", async () => (await host()).openDemo()),
    command("createDemo", async () => (await host()).demos.create()),
    command("stopDemo", async () => (await host()).demos.stop()),
    command("openAsText", async (target) => (await host()).openAsText(target)),
    command("explainWarning", async (code) => (await host()).explainWarning(code)),
    command("diagnose", async (target, selection) => (await host()).diagnose(target, selection)),
    command("openFindings", async (target, selection) => (await host()).openFindings(target, selection)),
    command("showInProblems", async (target, selection) => (await host()).showInProblems(target, selection)),
    command("clearProblems", async () => (await host()).clearProblems()),
    command("explainSignature", async (id) => (await host()).explainSignature(id)),
    sampleCommand("openSample"),
    sampleCommand("findSamples"),
    sampleCommand("diffSamples"),
    sampleCommand("diffGroup"),
    sampleCommand("compareWithBest"),
    sampleCommand("compareWithWorst"),
    sampleCommand("compareWithEarlier"),
    sampleCommand("nextSample"),
    sampleCommand("previousSample"),
    sampleCommand("openGroup"),
    sampleCommand("openPrompt"),
    sampleCommand("showInRun"),
    vscode.languages.registerHoverProvider(MENTIONING, {
      provideHover: async (document, position, token) => (await inline()).hover(document, position, token),
    }),
    vscode.languages.registerDocumentLinkProvider(MENTIONING, {
      provideDocumentLinks: async (document, token) => (await inline()).links(document, token),
    }),
    tree,
    runsChanged,
    command("filterRuns", async () => (await host()).runs.filter()),
    command("clearRunsFilter", async () => (await host()).runs.view.setFilter("")),
    command("showRunsTable", async () => (await host()).runsTable.open()),
    command("sortRuns", async () => (await host()).runs.sort()),
    command("refreshRuns", async () => (await host()).runs.refresh()),
    command("stopRunsSearch", async () => (await host()).runs.view.catalogue.stopSearch()),
    command("revealInRuns", async (target) => (await host()).runs.revealInView(target)),
    command("compareSelected", async (target, all) => (await host()).runs.compare(target, all)),
    command("revealRun", async (target) => (await host()).runs.revealInExplorer(target)),
    command("copyRunPath", async (target, all) => (await host()).runs.copyPath(target, all)),
    command("openEvidence", async (dir, finding, step) =>
      (await host()).runs.openEvidence(dir, finding, step),
    ),
    command("compareRuns", async (target, all) => (await host()).compare.compareRuns(target, all)),
    command("compareWith", async (target) => (await host()).compare.compareWith(target)),
    command("compareConfigurations", async (target, all) =>
      (await host()).compare.compareConfigurations(target, all),
    ),
    command("watchRun", async (target, selection) => (await host()).live.watchRun(target, selection)),
    command("stopWatching", async (target, selection) => (await host()).live.stopWatching(target, selection)),
    command("setWebhook", async () => (await host()).live.setWebhook()),
    command("exportReport", async (target, selection) =>
      (await host()).reports.exportReport(target, selection),
    ),
    command("exportData", async (target) => (await host()).reports.exportData(target)),
    command("copyLink", async (target) => (await host()).links.copy(target)),
    vscode.window.registerUriHandler({ handleUri: async (uri) => (await host()).links.handle(uri) }),
    vscode.window.registerTerminalLinkProvider(terminalLinks),
    command("openWalkthrough", async () => {
      const walkthrough = `${context.extension.id}#start`;
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthrough, false);
    }),
    command("showLog", async () => (await host()).showLog()),
    changed,
    ...registerAgents(context, async () => (await host()).agents),
    vscode.workspace.onDidOpenTextDocument(noticed),
  );
  vscode.workspace.textDocuments.forEach(noticed);
}

/** A demo run that is still being written is closed in order. */
export function deactivate(): Promise<void> {
  return ending();
}
