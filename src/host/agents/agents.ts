/** The tools for language models, answered through the worker. */
import * as vscode from "vscode";
import { answerTool } from "../../agents/tools.ts";
import { inEnglish } from "../../protocol/l10n.ts";
import { ignorePatterns } from "../compare/ignore.ts";
import { excluded, rootsOf } from "../runs/runs.ts";
import type { Services } from "../services.ts";
import { HostRuns } from "./source.ts";

export class Agents implements vscode.Disposable {
  readonly #runs: HostRuns;
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
    const demo = vscode.Uri.joinPath(services.extensionUri, "media", "demo").fsPath;
    const opened = () =>
      services.recents.list().flatMap((text) => {
        const uri = vscode.Uri.parse(text);
        return uri.scheme === "file" ? [uri.fsPath] : [];
      });
    this.#runs = new HostRuns({
      places: { roots: rootsOf, isConfined: true, more: () => [demo, ...opened()] },
      pool: () => services.pool,
      excluded,
      thresholds: (dir) => services.doctor.configFor(dir),
      ignored: ignorePatterns,
    });
  }

  /** @throws Error whose message is the tool's answer, for the model: what is wrong and what to do next */
  async invoke(
    name: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const abort = new AbortController();
    const stop = token.onCancellationRequested(() => abort.abort());
    try {
      if (token.isCancellationRequested) abort.abort();
      const { text, isError } = await inEnglish(() =>
        answerTool(name, this.#runs, input, abort.signal, (error) =>
          this.#services.log.error(`${name}: ${error instanceof Error ? (error.stack ?? "") : error}`),
        ),
      );
      if (isError) throw new Error(text);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } finally {
      stop.dispose();
    }
  }

  dispose(): void {
    this.#runs.dispose();
  }
}
