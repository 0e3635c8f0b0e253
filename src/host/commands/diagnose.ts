/** Diagnose Run: findings of one or more runs in a list; choosing one opens its run there. */
import nodePath from "node:path";
import * as vscode from "vscode";
import type { FindingView, SeverityView } from "../../protocol/diagnosis.ts";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import type { Problem } from "../../protocol/wire.ts";
import { itemText } from "../../view/native.ts";
import type { Diagnosed } from "../doctor/doctor.ts";
import { findingsUri } from "../doctor/documents.ts";
import { tell, withNotice } from "../say.ts";
import type { Services } from "../services.ts";
import { explainSignature } from "./explainSignature.ts";
import { openFolder } from "./openRun.ts";
import { runTargets } from "./targets.ts";

export interface Failed {
  readonly dir: string;
  readonly problem: Problem;
}
export type Outcome = Diagnosed | Failed;

/** Milliseconds after which the user is told that there is work. */
const PATIENCE = 400;

interface Item extends vscode.QuickPickItem {
  readonly act?: () => Promise<void>;
  readonly finding?: FindingView;
}

export async function diagnose(services: Services, target: unknown, selection: unknown): Promise<void> {
  const outcomes = await diagnoseTargets(services, vscode.l10n.t("Diagnose Run"), target, selection);
  if (outcomes.length > 0) show(services, outcomes);
}

/** Opens the findings of each run as a document. */
export async function openFindings(services: Services, target: unknown, selection: unknown): Promise<void> {
  const title = vscode.l10n.t("Open Findings as Document");
  for (const folder of await runTargets(services, title, target, selection))
    await openDocument(services, folder.fsPath);
}

export async function showInProblems(services: Services, target: unknown, selection: unknown): Promise<void> {
  const outcomes = await diagnoseTargets(
    services,
    vscode.l10n.t("Show Findings in Problems"),
    target,
    selection,
  );
  if (outcomes.length > 0) await intoProblems(services, outcomes);
}

/** @returns one outcome a run, in order; none when the user thought better of it */
async function diagnoseTargets(
  services: Services,
  title: string,
  target: unknown,
  selection: unknown,
): Promise<readonly Outcome[]> {
  const folders = await runTargets(services, title, target, selection);
  const abort = new AbortController();
  const outcomes: Outcome[] = [];
  const at = new Place();
  const work = (async () => {
    for (const [i, folder] of folders.entries()) {
      if (abort.signal.aborted) return;
      if (folders.length > 1) at.set(`${nameOf(folder)} (${i + 1} of ${folders.length})`);
      outcomes.push(await outcomeOf(services, folder, abort.signal));
    }
  })();
  const what = folders.length === 1 ? nameOf(folders[0]) : vscode.l10n.t("{0} runs", folders.length);
  await withPatience(work, what, at, abort);
  return abort.signal.aborted ? [] : outcomes;
}

/** Where long work is, for whoever begins to look. */
class Place {
  #words = "";
  #tell: (words: string) => void = () => {};

  set(words: string): void {
    this.#words = words;
    this.#tell(words);
  }

  follow(tell: (words: string) => void): void {
    this.#tell = tell;
    if (this.#words !== "") tell(this.#words);
  }
}

/** Short work needs no notification; long work has one that can be cancelled. */
async function withPatience(
  work: Promise<void>,
  what: string,
  at: Place,
  abort: AbortController,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<"waited">((resolve) => {
    timer = setTimeout(() => resolve("waited"), PATIENCE);
  });
  const first = await Promise.race([work, waited]);
  clearTimeout(timer);
  if (first !== "waited") return;
  await withNotice(vscode.l10n.t("Diagnosing {0}", what), (progress, token) => {
    at.follow((message) => progress.report({ message }));
    const cancelled = new Promise<void>((resolve) => {
      token.onCancellationRequested(() => {
        abort.abort();
        resolve();
      });
    });
    return Promise.race([work, cancelled]);
  });
}

async function outcomeOf(services: Services, folder: vscode.Uri, signal: AbortSignal): Promise<Outcome> {
  const dir = folder.fsPath;
  try {
    return await services.doctor.diagnose(dir, signal);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (!isAborted(error)) services.log.warn(`not diagnosed: ${dir}: ${error.problem.code}`);
    return { dir, problem: error.problem };
  }
}

function show(services: Services, outcomes: readonly Outcome[]): void {
  const pick = vscode.window.createQuickPick<Item>();
  const [only] = outcomes.length === 1 ? outcomes : [];
  pick.title = only
    ? vscode.l10n.t("Findings of {0}", nameIn(only.dir))
    : vscode.l10n.t("Findings of {0} runs", outcomes.length);
  pick.placeholder = vscode.l10n.t("Choose a finding to see where it begins");
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = itemsOf(services, outcomes);
  pick.onDidTriggerItemButton(async ({ item }) => {
    if (item.finding) await explainSignature(item.finding.signature);
  });
  pick.onDidAccept(async () => {
    const [item] = pick.selectedItems;
    pick.hide();
    await item?.act?.();
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function itemsOf(services: Services, outcomes: readonly Outcome[]): Item[] {
  const several = outcomes.length > 1;
  const done = outcomes.filter((outcome): outcome is Diagnosed => "view" in outcome);
  const runs = outcomes.flatMap((outcome) => [
    ...(several ? [separator(nameIn(outcome.dir))] : []),
    ...("view" in outcome ? findingItems(services, outcome) : [failedItem(outcome)]),
  ]);
  if (done.length === 0) return runs;
  return [
    ...runs,
    separator(vscode.l10n.t("all of it")),
    {
      label: vscode.l10n.t("Open Findings as Document"),
      iconPath: new vscode.ThemeIcon("markdown"),
      alwaysShow: true,
      act: async () => {
        for (const { dir } of done) await openDocument(services, dir);
      },
    },
    {
      label: vscode.l10n.t("Show in Problems"),
      iconPath: new vscode.ThemeIcon("warning"),
      alwaysShow: true,
      act: () => intoProblems(services, done),
    },
  ];
}

/** Characters in an entry of a list. */
const MAX_NAME = 120;
const MAX_DETAIL = 400;
const nameIn = (dir: string): string => itemText(nodePath.basename(dir), MAX_NAME);
const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });

const ICONS: Readonly<Record<SeverityView, readonly [icon: string, color: string]>> = {
  critical: ["error", "problemsErrorIcon.foreground"],
  warn: ["warning", "problemsWarningIcon.foreground"],
  info: ["info", "problemsInfoIcon.foreground"],
};

/** What it comes to without findings; only an all-clear looks like one. */
function verdictItem({ dir, view }: Diagnosed): Item {
  const { verdict, steps, passed, skipped } = view;
  const counts = vscode.l10n.t(
    "over {0} steps: {1} passed, {2} skipped",
    steps.toLocaleString("en-US"),
    passed.length,
    skipped.length,
  );
  const icon =
    verdict.state === "clear"
      ? new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"))
      : new vscode.ThemeIcon(verdict.state === "partly" ? "question" : "circle-slash");
  return {
    label: verdict.words,
    description: verdict.state === "none" ? "" : counts,
    iconPath: icon,
    act: () => openFolder(vscode.Uri.file(dir)),
  };
}

/** What a diagnosis had to do without. */
function unreadItems({ dir, view: { unread, unreadCount } }: Diagnosed): Item[] {
  if (unreadCount === 0) return [];
  return [
    {
      label: vscode.l10n.t("Could not be looked at"),
      description:
        unreadCount === 1
          ? itemText(unread[0]?.file ?? "", MAX_NAME)
          : vscode.l10n.t("{0} problems with the steps", unreadCount),
      detail: itemText(unread.map(({ file, message }) => `${file}: ${message}`).join(" "), MAX_DETAIL),
      iconPath: new vscode.ThemeIcon("warning", new vscode.ThemeColor("problemsWarningIcon.foreground")),
      act: () => openFolder(vscode.Uri.file(dir)),
    },
  ];
}

function findingItems(services: Services, diagnosed: Diagnosed): Item[] {
  const { dir, view } = diagnosed;
  if (view.findings.length === 0) return [verdictItem(diagnosed), ...unreadItems(diagnosed)];
  const findings = view.findings.map((finding): Item => {
    const [icon, color] = ICONS[finding.severity];
    return {
      label: finding.title,
      description: [finding.signature, ...shortFacts(finding)].join(" · "),
      detail: itemText(finding.words, MAX_DETAIL),
      iconPath: new vscode.ThemeIcon(icon, new vscode.ThemeColor(color)),
      buttons: [
        { iconPath: new vscode.ThemeIcon("question"), tooltip: vscode.l10n.t("What It Is and What to Try") },
      ],
      finding,
      act: async () => {
        services.focus.ask(dir, finding.id);
        await openFolder(vscode.Uri.file(dir));
      },
    };
  });
  return [...findings, ...unreadItems(diagnosed)];
}

function shortFacts({ firstStepText, knownStepText, confidence }: FindingView): string[] {
  return [
    firstStepText === "" ? "" : vscode.l10n.t("from step {0}", firstStepText),
    knownStepText === "" ? "" : vscode.l10n.t("seen from {0}", knownStepText),
    `${Math.round(confidence * 100)} %`,
  ].filter((fact) => fact !== "");
}

function failedItem({ dir, problem }: Failed): Item {
  return {
    label: nameIn(dir),
    description: vscode.l10n.t("could not be diagnosed"),
    detail: itemText([problem.message, problem.remedy].filter((text) => text !== "").join(" "), MAX_DETAIL),
    iconPath: new vscode.ThemeIcon("circle-slash"),
    act: () => openFolder(vscode.Uri.file(dir)),
  };
}

async function openDocument({ doctor }: Services, dir: string): Promise<void> {
  // A run that no editor shows is watched by nobody: what was said of it earlier may be old.
  doctor.runChanged(dir);
  await vscode.window.showTextDocument(findingsUri(dir), { preview: false });
}

async function intoProblems(services: Services, outcomes: readonly Outcome[]): Promise<void> {
  let found = 0;
  for (const outcome of outcomes) {
    if (!("view" in outcome)) continue;
    services.problems.show(outcome);
    found += outcome.view.findings.length;
  }
  if (found > 0) await vscode.commands.executeCommand("workbench.actions.view.problems");
  const words = outcomes.flatMap((outcome) => quietWords(outcome, found > 0));
  if (words.length > 0) void tell(words.join(" "));
}

/** What Problems cannot say of a run: that it has no findings, or why nobody knows. */
function quietWords(outcome: Outcome, others: boolean): string[] {
  const name = nodePath.basename(outcome.dir);
  if ("problem" in outcome)
    return [vscode.l10n.t("{0} could not be diagnosed: {1}", name, outcome.problem.message)];
  const { verdict, findings } = outcome.view;
  if (findings.length > 0 || (others && verdict.state === "clear")) return [];
  return [`${name}: ${verdict.words}.`];
}

const nameOf = (uri: vscode.Uri | undefined): string => nodePath.basename(uri?.fsPath ?? "");
