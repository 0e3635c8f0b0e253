/** What kind of demo run is wanted, and how it is written. */
import * as vscode from "vscode";
import { type Algorithm, PATHOLOGIES, type Pathology } from "../../core/synth/index.ts";
import { severityWord } from "../../protocol/names.ts";
import { signatureOf, titleOf } from "../../view/findings.ts";

export interface DemoKind {
  readonly pathology: Pathology | null;
  readonly algorithm: Algorithm;
}

interface KindItem extends vscode.QuickPickItem {
  readonly demo?: DemoKind;
}

const TITLE = vscode.l10n.t("Create Demo Run");

export async function pickKind(): Promise<DemoKind | undefined> {
  const items: KindItem[] = [
    {
      label: vscode.l10n.t("Healthy GRPO run"),
      description: vscode.l10n.t("nothing to find"),
      demo: { pathology: null, algorithm: "grpo" },
    },
    {
      label: vscode.l10n.t("Healthy PPO run"),
      description: vscode.l10n.t("nothing to find"),
      demo: { pathology: null, algorithm: "ppo" },
    },
    { label: vscode.l10n.t("something goes wrong"), kind: vscode.QuickPickItemKind.Separator },
    ...PATHOLOGIES.map(itemOf),
  ];
  const placeHolder = vscode.l10n.t("Choose what the run shows");
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder, matchOnDescription: true }))
    ?.demo;
}

function itemOf(pathology: Pathology): KindItem {
  const signature = signatureOf(pathology.signature);
  const algorithm = pathology.algorithm ?? "grpo";
  const severity = signature ? severityWord(signature.severity) : "";
  return {
    label: signature ? titleOf(signature.id) : pathology.name,
    description: `${pathology.signature} · ${severity} · ${algorithm.toUpperCase()}`,
    demo: { pathology, algorithm },
  };
}

/** @returns true for a run that grows while one looks on; undefined when the user thought better of it */
export async function pickManner(): Promise<boolean | undefined> {
  const items = [
    {
      label: vscode.l10n.t("$(check) All at once"),
      description: vscode.l10n.t("a run that is over"),
      isLive: false,
    },
    {
      label: vscode.l10n.t("$(record) Live"),
      description: vscode.l10n.t("four steps a second, as if it were training"),
      isLive: true,
    },
  ];
  const placeHolder = vscode.l10n.t("Choose how it is written");
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder }))?.isLive;
}
