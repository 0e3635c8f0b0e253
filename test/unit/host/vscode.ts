/** A VS Code that takes down what is asked of it. `vi.mock("vscode", async () => (await import("./vscode.ts")).fake)` */
import { l10n } from "./l10n.ts";

export interface FakeUri {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
  with(change: { scheme?: string }): FakeUri;
  toString(): string;
}

const uri = (scheme: string, path: string): FakeUri => ({
  scheme,
  path,
  fsPath: path,
  with: (change) => uri(change.scheme ?? scheme, path),
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

/** Settings by their full name. */
export const settings = new Map<string, unknown>();

class Named {
  readonly id: string;
  readonly color: unknown;
  constructor(id: string, color?: unknown) {
    this.id = id;
    this.color = color;
  }
}

class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

class FileDecoration {
  readonly badge: string;
  readonly tooltip: string;
  readonly color: unknown;
  constructor(badge: string, tooltip: string, color: unknown) {
    this.badge = badge;
    this.tooltip = tooltip;
    this.color = color;
  }
}

class EventEmitter<T> {
  readonly #all = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#all.add(listener);
    return { dispose: () => this.#all.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.#all) listener(value);
  }
  dispose(): void {
    this.#all.clear();
  }
}

export const fake = {
  l10n,
  ThemeIcon: Named,
  ThemeColor: Named,
  TreeItem,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  FileDecoration,
  EventEmitter,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Range: class {},
  Uri: {
    file: (path: string) => uri("file", path),
    parse: (text: string) => {
      const [, scheme = "", path = ""] = /^([a-z]+):(?:\/\/)?(.*)$/.exec(text) ?? [];
      if (scheme === "") throw new Error("no address");
      return uri(scheme, path);
    },
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
    registerFileDecorationProvider: () => ({ dispose: () => {} }),
    showTextDocument: async (target: FakeUri) => {
      asked.push(`document ${target}`);
    },
    showInformationMessage: async (text: string) => {
      asked.push(`message ${text}`);
    },
  },
  workspace: {
    onDidChangeConfiguration: () => ({ dispose: () => {} }),
    getConfiguration: (section: string) => ({
      get: (name: string, otherwise: unknown) => settings.get(`${section}.${name}`) ?? otherwise,
    }),
    getWorkspaceFolder: (target: FakeUri) =>
      workspaceFolders.find((folder) => `${target.path}/`.startsWith(`${folder}/`)),
  },
};
