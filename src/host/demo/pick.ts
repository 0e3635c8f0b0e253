/** What kind of demo run is wanted, and how it is written. */
import * as vscode from "vscode";
import { type Algorithm, PATHOLOGIES, type Pathology } from "../../core/synth/index.ts";
import { SEVERITY_WORDS, signatureOf } from "../../view/findings.ts";

export interface DemoKind {
  readonly pathology: Pathology | null;
  readonly algorithm: Algorithm;
}

interface KindItem extends vscode.QuickPickItem {
  readonly demo?: DemoKind;
}

const TITLE = "Create Demo Run";

export async function pickKind(): Promise<DemoKind | undefined> {
  const items: KindItem[] = [
    {
      label: "Healthy GRPO run",
      description: "nothing to find",
      demo: { pathology: null, algorithm: "grpo" },
    },
    { label: "Healthy PPO run", description: "nothing to find", demo: { pathology: null, algorithm: "ppo" } },
    { label: "something goes wrong", kind: vscode.QuickPickItemKind.Separator },
    ...PATHOLOGIES.map(itemOf),
  ];
  const placeHolder = "Choose what the run shows";
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder, matchOnDescription: true }))
    ?.demo;
}

function itemOf(pathology: Pathology): KindItem {
  const signature = signatureOf(pathology.signature);
  const algorithm = pathology.algorithm ?? "grpo";
  const severity = signature ? (SEVERITY_WORDS[signature.severity] ?? signature.severity) : "";
  return {
    label: signature?.title ?? pathology.name,
    description: `${pathology.signature} · ${severity} · ${algorithm.toUpperCase()}`,
    demo: { pathology, algorithm },
  };
}

/** @returns true for a run that grows while one looks on; undefined when the user thought better of it */
export async function pickManner(): Promise<boolean | undefined> {
  const items = [
    { label: "$(check) All at once", description: "a run that is over", isLive: false },
    { label: "$(record) Live", description: "four steps a second, as if it were training", isLive: true },
  ];
  const placeHolder = "Choose how it is written";
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder }))?.isLive;
}
