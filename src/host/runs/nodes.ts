/** What stands in the Runs view, and how each looks. */
import * as vscode from "vscode";
import type { SeverityView } from "../../protocol/diagnosis.ts";
import type { RunState } from "../../protocol/runs.ts";
import type { ListedRun } from "../../view/listed-run.ts";
import { runAloud, runDescription, runTooltip, shown } from "../../view/run-line.ts";

/** Of entries in the Runs view: Git and others mark files, and a folder is no file that an editor opens by itself. */
export const LINK_SCHEME = "flightdeck-run";

export class RunNode {
  readonly kind = "run";
  readonly dir: string;
  /** By this commands know what they are about. */
  readonly runUri: vscode.Uri;
  /** The same run under a scheme of ours. */
  readonly linkUri: vscode.Uri;

  constructor(dir: string) {
    this.dir = dir;
    this.runUri = vscode.Uri.file(dir);
    this.linkUri = this.runUri.with({ scheme: LINK_SCHEME });
  }
}

/** Anything below a run. */
export interface LeafNode {
  readonly kind: "leaf";
  readonly parent: RunNode | LeafNode;
  /** Unlike its siblings'. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: vscode.ThemeIcon | undefined;
  readonly command?: vscode.Command;
  /** Read aloud. */
  readonly aloud: string;
  readonly children?: () => Promise<readonly LeafNode[]>;
}

export type Node = RunNode | LeafNode;

/** What was clicked, and the selection where that is part of it. */
export function nodesOf(target: unknown, selection: unknown): RunNode[] {
  const selected = Array.isArray(selection)
    ? selection.filter((node): node is RunNode => node instanceof RunNode)
    : [];
  if (!(target instanceof RunNode)) return selected;
  return selected.includes(target) ? selected : [target];
}

const colored = (icon: string, color: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));

/** Told apart by shape, not by colour alone. */
const STATE_ICONS: Readonly<Record<RunState, readonly [icon: string, color: string]>> = {
  running: ["play-circle", "charts.green"],
  stalled: ["watch", "charts.yellow"],
  finished: ["pass", "descriptionForeground"],
  crashed: ["flame", "problemsErrorIcon.foreground"],
  halted: ["stop-circle", "charts.orange"],
  killed: ["circle-slash", "problemsErrorIcon.foreground"],
  unknown: ["question", "descriptionForeground"],
};

const SEVERITY_ICONS: Readonly<Record<SeverityView, readonly [icon: string, color: string]>> = {
  critical: ["error", "problemsErrorIcon.foreground"],
  warn: ["warning", "problemsWarningIcon.foreground"],
  info: ["info", "problemsInfoIcon.foreground"],
};

export const severityIcon = (severity: SeverityView): vscode.ThemeIcon =>
  colored(...SEVERITY_ICONS[severity]);

function iconOf({ summary, problem, kind }: ListedRun): vscode.ThemeIcon {
  if (problem) return colored("warning", "problemsWarningIcon.foreground");
  if (kind === "records") return new vscode.ThemeIcon("note");
  return summary
    ? colored(...STATE_ICONS[summary.state])
    : colored("circle-outline", "descriptionForeground");
}

/** @param place what tells it from runs of the same name */
export function runItem(node: RunNode, run: ListedRun, place: string): vscode.TreeItem {
  const item = new vscode.TreeItem(shown(run.label), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = run.dir;
  item.resourceUri = node.linkUri;
  item.description = runDescription(run, place);
  item.tooltip = runTooltip(run);
  item.iconPath = iconOf(run);
  item.contextValue = "run";
  item.accessibilityInformation = { label: runAloud(run), role: "treeitem" };
  item.command = {
    command: "flightDeck.openRun",
    title: vscode.l10n.t("Open Run"),
    arguments: [node.runUri],
  };
  return item;
}

export function leafItem(node: LeafNode): vscode.TreeItem {
  const { label, description, tooltip, icon, command, aloud, children } = node;
  const state = children ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const item = new vscode.TreeItem(label, state);
  item.id = idOf(node);
  item.description = description;
  item.tooltip = tooltip;
  item.contextValue = "detail";
  item.accessibilityInformation = { label: aloud, role: "treeitem" };
  if (icon) item.iconPath = icon;
  if (command) item.command = command;
  return item;
}

/** Folders hold no NUL. */
function idOf(node: LeafNode): string {
  const { parent, id } = node;
  return `${parent.kind === "run" ? parent.dir : idOf(parent)}\0${id}`;
}
