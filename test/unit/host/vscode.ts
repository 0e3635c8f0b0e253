/** A VS Code that takes down what is asked of it. `vi.mock("vscode", async () => (await import("./vscode.ts")).fake)` */

export interface FakeUri {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
  toString(): string;
}

const uri = (scheme: string, path: string): FakeUri => ({
  scheme,
  path,
  fsPath: path,
  toString: () => `${scheme}:${path}`,
});

/** What was asked, in order: a command with its arguments, a text for the clipboard, a message. */
export const asked: string[] = [];
/** Commands that this VS Code does not have. */
export const missing = new Set<string>();
/** Folders that are part of the workspace. */
export const workspaceFolders: string[] = [];

const shown = (value: unknown): string =>
  typeof value === "object" && value !== null && !Object.hasOwn(value, "toString")
    ? JSON.stringify(value)
    : String(value);

export const fake = {
  Uri: {
    file: (path: string) => uri("file", path),
    from: ({ scheme, path }: { scheme: string; path: string }) => uri(scheme, path),
    joinPath: (base: FakeUri, ...parts: string[]) => uri(base.scheme, [base.path, ...parts].join("/")),
  },
  commands: {
    executeCommand: async (name: string, ...more: unknown[]) => {
      if (missing.has(name)) throw new Error(`command '${name}' not found`);
      asked.push([name, ...more.map(shown)].join(" "));
    },
  },
  env: {
    clipboard: {
      writeText: async (text: string) => {
        asked.push(`clipboard ${text}`);
      },
    },
  },
  window: {
    showTextDocument: async (target: FakeUri) => {
      asked.push(`document ${target}`);
    },
    showInformationMessage: async (text: string) => {
      asked.push(`message ${text}`);
    },
  },
  workspace: {
    getWorkspaceFolder: (target: FakeUri) =>
      workspaceFolders.find((folder) => `${target.path}/`.startsWith(`${folder}/`)),
  },
};
