/**
 * An extension that asks the tools for language models as an agent would, starts the server for agents as VS Code would, and leaves
 * the answers in a file.
 */
import { packTestExtension } from "./test-extension.ts";

/** The command's title in the palette. */
export const ASK = "Asking Test: Ask";

export interface Question {
  readonly name: string;
  readonly input: object;
}

export interface Answered {
  /** Names of ours among the tools that VS Code offers. */
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  /** In the order of the questions: what was said, or the message of the error. */
  readonly answers: readonly ({ readonly text: string } | { readonly error: string })[];
  /** What the installed server said when VS Code's own Node ran it for the workspace's folder, and how it ended. */
  readonly server: {
    readonly tools: readonly string[];
    readonly code: number | null;
    readonly stderr: string;
  };
}

const main = (questions: readonly Question[], file: string): string => `
const vscode = require("vscode");
const { spawn } = require("node:child_process");
const { renameSync, writeFileSync } = require("node:fs");
const file = ${JSON.stringify(file)};
async function answer({ name, input }) {
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return { text: content.map((part) => part.value).join("") };
  } catch (error) {
    return { error: error.message };
  }
}
function server() {
  const { extensionPath } = vscode.extensions.getExtension("flight-deck.flight-deck");
  const [folder] = vscode.workspace.workspaceFolders;
  const args = [require("node:path").join(extensionPath, "dist/cli.cjs"), "mcp", "--root", folder.uri.fsPath];
  const child = spawn(process.execPath, args, { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } });
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (data) => { stderr += data; });
  child.stdout.on("data", (data) => {
    stdout += data;
    if (stdout.includes('"id":2')) child.stdin.end();
  });
  const clientInfo = { name: "test", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  return new Promise((resolve) => child.once("error", ({ message }) => resolve({ tools: [], code: null, stderr: message })).once("close", (code) => {
    const answers = stdout.trim().split("\\n").map((line) => JSON.parse(line));
    const { tools = [] } = answers.find(({ id }) => id === 2)?.result ?? {};
    resolve({ tools: tools.map(({ name }) => name), code, stderr });
  }));
}
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand("fdasking.ask", async () => {
    const tools = vscode.lm.tools.filter(({ name }) => name.startsWith("flightdeck_"));
    const answers = [];
    for (const question of ${JSON.stringify(questions)}) answers.push(await answer(question));
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    writeFileSync(file + ".part", JSON.stringify({ tools: shown, answers, server: await server() }));
    renameSync(file + ".part", file);
  }));
};
`;

/** @param file where the answers are left, absolute @param scratch an empty folder @returns the packaged extension */
export function askingExtension(
  questions: readonly Question[],
  file: string,
  scratch: string,
): Promise<string> {
  return packTestExtension(
    {
      name: "fd-asking",
      displayName: "Asks tools",
      contributes: { commands: [{ command: "fdasking.ask", title: "Ask", category: "Asking Test" }] },
      main: main(questions, file),
    },
    scratch,
  );
}
