/** What the page of a comparison may ask the host to do: a fixed list, about its own runs only. */
import nodePath from "node:path";
import * as vscode from "vscode";
import type { CompareAction } from "../../protocol/compare-page.ts";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import { tabText } from "../../view/native.ts";
import { openFolder } from "../commands/openRun.ts";
import { folderOf } from "../commands/targets.ts";
import { sampleUri } from "../samples/address.ts";
import { detailAt } from "../samples/find.ts";
import { patiently } from "../samples/patience.ts";
import { tellError } from "../say.ts";
import type { Services } from "../services.ts";
import type { Comparison } from "./comparison.ts";
import { diffConfigurations } from "./documents.ts";
import { IGNORE_SETTING } from "./ignore.ts";
import { pickRuns } from "./pick-runs.ts";

type Pair = { readonly label: string; readonly a: number; readonly b: number };

export function actOn(comparison: Comparison, services: Services): (action: CompareAction) => Promise<void> {
  const act = new Actions(comparison, services);
  return async (asked) => {
    try {
      await act.act(asked);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (!isAborted(error)) await tellError(error.problem.message);
    }
  };
}

class Actions {
  readonly #comparison: Comparison;
  readonly #services: Services;

  constructor(comparison: Comparison, services: Services) {
    this.#comparison = comparison;
    this.#services = services;
  }

  async act(asked: CompareAction): Promise<void> {
    const comparison = this.#comparison;
    switch (asked.action) {
      case "addRuns": {
        const known = comparison.uris;
        const picked = await pickRuns(this.#services, {
          title: vscode.l10n.t("Add Runs to the Comparison"),
          known,
          least: 1,
        });
        comparison.add(picked);
        return;
      }
      case "showLog":
        await vscode.commands.executeCommand("flightDeck.showLog");
        return;
      case "openIgnoreSetting":
        await vscode.commands.executeCommand("workbench.action.openSettings", IGNORE_SETTING);
        return;
      case "arrange":
        comparison.arrange(asked.members);
        return;
      case "retry":
        await comparison.retry();
        return;
      case "openRun":
        await this.#openRun(asked.member, asked.finding);
        return;
      case "diffConfig":
        await this.#diffConfig(asked.other);
        return;
      case "diffSamples":
        await this.#diffSamples(asked.other, asked.a, asked.b);
        return;
      case "diffAllSamples":
        await this.#diffAll(asked.other, asked.pairs);
        return;
      case "explainSignature":
        await vscode.commands.executeCommand("flightDeck.explainSignature", asked.signature);
        return;
    }
  }

  async #openRun(member: number, finding: string | undefined): Promise<void> {
    const uri = this.#comparison.memberUri(member);
    if (!uri) return;
    const folder = await folderOf(uri);
    if (finding !== undefined) this.#services.focus.ask(folder.fsPath, finding);
    await openFolder(folder);
  }

  async #diffConfig(other: number | null): Promise<void> {
    const runs = other === null ? this.#comparison.uris.map((_, i) => i) : [0, other];
    await diffConfigurations(runs.flatMap((run) => this.#comparison.dir(run) ?? []));
  }

  async #diffSamples(other: number, a: number, b: number): Promise<void> {
    const [pair] = await this.#uris(other, [{ label: "", a, b }]);
    const [left, right] = [this.#comparison.dir(0), this.#comparison.dir(other)].map((dir) =>
      tabText(nodePath.basename(dir ?? "")),
    );
    if (!pair) return;
    const title = `${left}: ${nameOf(pair.left)} ↔ ${right}: ${nameOf(pair.right)}`;
    await vscode.commands.executeCommand("vscode.diff", pair.left, pair.right, title, { preview: true });
  }

  async #diffAll(other: number, pairs: readonly Pair[]): Promise<void> {
    const uris = await this.#uris(other, pairs);
    if (uris.length === 0) return;
    const [left, right] = [0, other].map((run) =>
      tabText(nodePath.basename(this.#comparison.dir(run) ?? "")),
    );
    await vscode.commands.executeCommand(
      "vscode.changes",
      vscode.l10n.t("Best Completions: {0} ↔ {1}", String(left), String(right)),
      uris.map((pair) => [pair.right, pair.left, pair.right]),
    );
  }

  /** Samples that are not there any more are left out. */
  async #uris(
    other: number,
    pairs: readonly Pair[],
  ): Promise<readonly { readonly left: vscode.Uri; readonly right: vscode.Uri }[]> {
    const [a, b] = [this.#comparison.dir(0), this.#comparison.dir(other)];
    if (a === null || b === null || other === 0) return [];
    const { reader } = this.#services;
    const found = await patiently(vscode.l10n.t("Reading samples"), async (signal) => {
      const uri = async (dir: string, row: number): Promise<vscode.Uri | null> => {
        const detail = await detailAt(reader, dir, row, 0, signal);
        return detail && sampleUri(dir, detail);
      };
      return Promise.all(pairs.map((pair) => Promise.all([uri(a, pair.a), uri(b, pair.b)])));
    });
    return (found ?? []).flatMap(([left, right]) => (left && right ? [{ left, right }] : []));
  }
}

const nameOf = ({ path }: vscode.Uri): string => nodePath.posix.basename(path, nodePath.posix.extname(path));
