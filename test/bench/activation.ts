/**
 * What our own code costs a starting VS Code: loading dist/extension.cjs and calling its activate, with a `vscode` module
 * that does nothing. `activation BUNDLE`
 */
import { createRequire } from "node:module";
import path from "node:path";
import type { Answer } from "./stories.ts";

/** Anything that is asked of VS Code: callable, constructible, of any depth. */
const anything: unknown = new Proxy(class {}, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => "";
    if (key === Symbol.iterator) return [][Symbol.iterator];
    if (key === "then") return undefined;
    return anything;
  },
  apply: () => anything,
  construct: () => anything as object,
});

/** A bundle copies what the module has at its top; asking a proxy for its keys would give it nothing. */
const NAMES = [
  ...["commands", "env", "extensions", "languages", "lm", "window", "workspace", "l10n"],
  ...["Uri", "Disposable", "EventEmitter", "RelativePattern", "ThemeIcon", "ThemeColor", "TreeItem"],
  ...["FileSystemError", "FileType", "QuickPickItemKind", "TabInputCustom", "ViewColumn"],
];
const vscode = Object.fromEntries(NAMES.map((name) => [name, anything]));

const bundle = path.resolve(process.argv[2] ?? "");
const require = createRequire(bundle);
const loader = require("node:module") as { _load: (request: string, ...more: unknown[]) => unknown };
const load = loader._load;
loader._load = (request, ...more) => (request === "vscode" ? vscode : load(request, ...more));

const from = performance.now();
const extension = require(bundle) as { activate?: (context: unknown) => unknown };
const loaded = performance.now();
const figures: Record<string, number> = { load: loaded - from };
try {
  extension.activate?.(anything);
  figures["activate"] = performance.now() - loaded;
} catch {
  // It wanted a real answer from VS Code: loading alone is reported.
}
process.stdout.write(`${JSON.stringify({ figures } satisfies Answer)}\n`, () => process.exit(0));
