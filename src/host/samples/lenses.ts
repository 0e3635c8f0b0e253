/** What stands above the sections of a document about samples. Titles are ours and figures: nothing that was recorded as text. */
import * as vscode from "vscode";
import type { SampleDetail, SampleListRow } from "../../protocol/samples.ts";
import type { Section, Structure } from "../../view/document-writer.ts";
import { figure } from "../../view/sample-words.ts";
import type { Address } from "./address.ts";
import { targetOf } from "./links.ts";

type Entry = readonly [title: string, command: string];

/** Sections of a list that have lenses; the commands are in the palette and work on every one. */
const MAX_WITH_LENSES = 200;

export function lensesOf({ sections }: Structure, address: Address): vscode.CodeLens[] {
  return sections.slice(0, MAX_WITH_LENSES).flatMap((section) => {
    const { sample, from } = section;
    if (!sample) return [];
    const at = new vscode.Range(from, 0, from, 0);
    const target = targetOf(address.dir, sample);
    return entriesOf(section, sample, address.kind).map(
      ([title, command]) =>
        new vscode.CodeLens(at, { title, command: `flightDeck.${command}`, arguments: [target] }),
    );
  });
}

function entriesOf({ kind }: Section, sample: SampleListRow, document: Address["kind"]): readonly Entry[] {
  const compare = comparisons(sample);
  switch (kind) {
    case "sample":
      return [
        [vscode.l10n.t("Previous"), "previousSample"],
        [vscode.l10n.t("Next"), "nextSample"],
        [vscode.l10n.t("Show in Run"), "showInRun"],
      ];
    case "prompt":
      return [
        [vscode.l10n.t("Prompt over Time"), "openPrompt"],
        ...(document === "sample" && hasEarlier(sample)
          ? [[vscode.l10n.t("Compare with Same Prompt Earlier"), "compareWithEarlier"] as const]
          : []),
      ];
    case "completion":
      return document === "sample"
        ? [[figuresOf(sample), "showInRun"], ...compare]
        : [[vscode.l10n.t("Open"), "openSample"], ...compare];
    case "group":
      return [
        [vscode.l10n.t("Open Group"), "openGroup"],
        [vscode.l10n.t("Diff Group"), "diffGroup"],
      ];
    case "result":
      return [[vscode.l10n.t("Open"), "openSample"], ...compare, [vscode.l10n.t("Show in Run"), "showInRun"]];
    case "about":
    case "step":
      return [];
  }
}

/** What there is to compare with; a sample that lies in a list does not know its place in its group. */
function comparisons(sample: SampleListRow | SampleDetail): readonly Entry[] {
  if (sample.group === "") return [];
  const place = "place" in sample ? sample.place : null;
  return [
    ...(place?.best === sample.row
      ? []
      : [[vscode.l10n.t("Compare with Best of Group"), "compareWithBest"] as const]),
    ...(place?.worst === sample.row
      ? []
      : [[vscode.l10n.t("Compare with Worst of Group"), "compareWithWorst"] as const]),
  ];
}

const hasEarlier = (sample: SampleListRow | SampleDetail): boolean =>
  "earlier" in sample && sample.earlier !== null;

function figuresOf({ reward, advantage }: SampleListRow): string {
  const rewardText =
    reward === null ? vscode.l10n.t("no reward") : vscode.l10n.t("reward {0}", figure(reward));
  return advantage === null
    ? rewardText
    : vscode.l10n.t("{0} · advantage {1}", rewardText, figure(advantage));
}
