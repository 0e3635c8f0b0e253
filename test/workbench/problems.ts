/** Errors of the console and reports of the content security policy, from every frame. */
import type { ConsoleMessage, Page } from "playwright-core";

/** What the workbench itself says on every start, whatever extension is installed. */
const noise: readonly RegExp[] = [
  // Microsoft's closed connection handshake: not part of the open build, which asks for it and goes on without.
  /\/node_modules\/vsda\/rust\/web\/vsda(_bg)?\.(js|wasm)/,
  // Its own parts that save on a window reload, in a browser.
  /\[lifecycle\] Long running operations during shutdown are unsupported in the web/,
  // Its own look for a GitHub account, given up when the extensions start slowly.
  /Timed out waiting for authentication provider 'github' to register/,
  // Its own log, while the window it belongs to is being reloaded.
  /Unable to write file 'vscode-log:/,
  // Its own cache of extensions, when the window is reloaded before it was read.
  /Unable to read file 'vscode-remote:[^']*systemExtensionsCache\.json' \(Canceled/,
];

/** Warnings do not count, except those that tell of something the policy refused. */
const refused = /content security policy|violates the following|refused to (load|execute|apply|connect)/i;

function wording(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  return `console ${message.type()}: ${message.text()} (${url}:${lineNumber})`;
}

/** Collects from now on. The returned function answers what there is so far, oldest first. */
export function collectProblems(page: Page): () => readonly string[] {
  const found: string[] = [];
  const take = (text: string): void => {
    if (!noise.some((pattern) => pattern.test(text))) found.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || refused.test(message.text())) take(wording(message));
  });
  page.on("pageerror", (error) => take(`uncaught: ${error.stack ?? error.message}`));
  page.on("crash", () => take("the page crashed"));
  return () => [...found];
}
