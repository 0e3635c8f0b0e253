/** What VS Code is told of at the start: the tools' names and where the server is. Answers are loaded with the first question. */
import * as vscode from "vscode";
import type { Agents } from "./agents.ts";

/** What is shown while a tool works. */
const MESSAGES = {
  flightdeck_list_runs: () => vscode.l10n.t("Looking for training runs"),
  flightdeck_diagnose_run: () => vscode.l10n.t("Diagnosing a training run"),
  flightdeck_get_metric_window: () => vscode.l10n.t("Reading metrics of a training run"),
  flightdeck_get_samples: () => vscode.l10n.t("Reading samples of a training run"),
  flightdeck_compare_runs: () => vscode.l10n.t("Comparing training runs"),
};

export const TOOL_NAMES = Object.keys(MESSAGES) as readonly (keyof typeof MESSAGES)[];

export function registerAgents(
  context: vscode.ExtensionContext,
  agents: () => Promise<Agents>,
): vscode.Disposable[] {
  const tools = TOOL_NAMES.map((name) =>
    vscode.lm.registerTool<object>(name, {
      prepareInvocation: () => ({ invocationMessage: MESSAGES[name]() }),
      invoke: async ({ input }, token) => (await agents()).invoke(name, input, token),
    }),
  );
  return [...tools, ...registerServer(context)];
}

/** What VS Code 1.101 brought, as far as it is used here. */
interface ServerProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): object[];
}
type Register = (id: string, provider: ServerProvider) => vscode.Disposable;
type Definition = new (
  label: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  version: string,
) => object;

/** VS Code 1.100 has the function already, under rules of its own: a call ends the extension's start. */
const SINCE = 101;

const hasServers = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 1 || (major === 1 && minor >= SINCE);
};

/** The same tools as a server, for agents that speak its protocol. VS Code before 1.101 knows none. */
function registerServer({ extensionUri, extension }: vscode.ExtensionContext): vscode.Disposable[] {
  if (!hasServers(vscode.version)) return [];
  const register: unknown = Reflect.get(vscode.lm, "registerMcpServerDefinitionProvider");
  const definition: unknown = Reflect.get(vscode, "McpStdioServerDefinition");
  if (typeof register !== "function" || typeof definition !== "function") return [];
  const changed = new vscode.EventEmitter<void>();
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire());
  const { version }: { readonly version?: unknown } = extension.packageJSON;
  const provider: ServerProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      const server = serverFor(vscode.Uri.joinPath(extensionUri, "dist", "cli.cjs").fsPath, rootFolders());
      if (!server) return [];
      const { command, args, env } = server;
      return [new (definition as Definition)("Flight Deck", command, args, env, String(version))];
    },
  };
  return [changed, folders, (register as Register)("flightDeck.mcp", provider)];
}

function rootFolders(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}

/** VS Code's own Node runs it: there need be none on the machine. Without a folder there is nothing to serve. */
export function serverFor(cli: string, roots: readonly string[]) {
  if (roots.length === 0) return null;
  return {
    command: process.execPath,
    args: [cli, "mcp", ...roots.flatMap((root) => ["--root", root])],
    env: { ELECTRON_RUN_AS_NODE: "1" },
  };
}
