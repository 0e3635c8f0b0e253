/** Compare Runs, Compare With, Compare Configurations: of what is selected, else of what is chosen. */

import type * as vscode from "vscode";
import { MAX_RUNS } from "../../protocol/compare.ts";
import { t } from "../../protocol/l10n.ts";
import { foldersOf, frontRun, targetsOf } from "../commands/targets.ts";
import type { Services } from "../services.ts";
import { diffConfigurations } from "./documents.ts";
import { ComparePanels } from "./panels.ts";
import { pickRuns } from "./pick-runs.ts";

export class CompareCommands {
  readonly panels: ComparePanels;
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
    this.panels = new ComparePanels(services);
  }

  /** @param target a folder or a file inside a run: the baseline @param selection the others, it among them */
  async compareRuns(target: unknown, selection: unknown): Promise<void> {
    const uris = await this.#runs(t("Compare Runs"), clickedFirst(target, selection));
    if (uris.length > 1) this.panels.open(uris);
  }

  /** The run in front is the baseline. @param target the editor's, which its title menu hands over */
  async compareWith(target: unknown): Promise<void> {
    const [own] = targetsOf(target, undefined);
    const front = own ?? frontRun();
    const uris = await this.#runs(t("Compare With"), front ? [front] : []);
    if (uris.length > 1) this.panels.open(uris);
  }

  async compareConfigurations(target: unknown, selection: unknown): Promise<void> {
    const uris = await this.#runs(t("Compare Configurations"), clickedFirst(target, selection));
    if (uris.length > 1) await diffConfigurations(uris.map(({ fsPath }) => fsPath));
  }

  /** Each run once, however many of its files were selected; asked for where fewer than two are named. */
  async #runs(title: string, named: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
    const uris = await foldersOf(named.slice(0, MAX_RUNS));
    if (uris.length > 1) return uris;
    return pickRuns(this.#services, { title, checked: uris, least: 2 });
  }
}

function clickedFirst(target: unknown, selection: unknown): readonly vscode.Uri[] {
  const [own] = targetsOf(target, undefined);
  const all = targetsOf(target, selection);
  return own ? [own, ...all.filter((uri) => uri.toString() !== own.toString())] : all;
}
