/** An extension that asks the tools for language models as an agent would, and leaves the answers in a file. */
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
  readonly version: string;
}

const main = (questions: readonly Question[], file: string): string => `
const vscode = require("vscode");
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
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand("fdasking.ask", async () => {
    const tools = vscode.lm.tools.filter(({ name }) => name.startsWith("flightdeck_"));
    const answers = [];
    for (const question of ${JSON.stringify(questions)}) answers.push(await answer(question));
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    writeFileSync(file + ".part", JSON.stringify({ tools: shown, answers, version: vscode.version }));
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
