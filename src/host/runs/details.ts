/** What stands below a run: its findings, events, ranks, attempts and samples. Asked for when somebody looks. */
import * as vscode from "vscode";
import { severityWord } from "../../protocol/names.ts";
import type { EventView, RunContract } from "../../protocol/run.ts";
import type { FindingLine, RunSummary } from "../../protocol/runs.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import type { ListedRun } from "../../view/listed-run.ts";
import { shown } from "../../view/run-line.ts";
import { type LeafNode, type RunNode, severityIcon } from "./nodes.ts";

type Method = keyof RunContract & string;

/** Asks about a run. @throws ProblemError */
export type Ask = <M extends Method>(
  dir: string,
  method: M,
  params: Params<RunContract, M>,
) => Promise<Result<RunContract, M>>;

/** Newest ones that are listed; the editor has all. */
const MAX_EVENTS = 100;

export function detailsOf(node: RunNode, run: ListedRun, ask: Ask): LeafNode[] {
  const { summary, problem } = run;
  if (problem) return [note(node, "problem", shown(problem.message), "warning", shown(problem.remedy))];
  if (!summary) return [note(node, "reading", vscode.l10n.t("Reading…"), "loading~spin")];
  return [
    ...(run.kind === "recording" ? findingNodes(node, run) : []),
    ...(summary.events > 0 ? [eventsNode(node, summary, ask)] : []),
    ...(summary.ranks.length > 1 ? [ranksNode(node, summary)] : []),
    ...(summary.attempts > 0 ? [attemptsNode(node, summary, ask)] : []),
    ...(summary.shards > 0 ? [samplesNode(node, summary)] : []),
  ];
}

function note(
  parent: RunNode | LeafNode,
  id: string,
  label: string,
  icon: string,
  description = "",
): LeafNode {
  const aloud = description === "" ? label : `${label}, ${description}`;
  return {
    kind: "leaf",
    parent,
    id,
    label,
    description,
    tooltip: aloud,
    icon: new vscode.ThemeIcon(icon),
    aloud,
  };
}

function findingNodes(node: RunNode, { findings, verdict }: ListedRun): LeafNode[] {
  if (findings === null && !verdict)
    return [note(node, "diagnosing", vscode.l10n.t("Diagnosing…"), "loading~spin")];
  if (findings && findings.length > 0) return findings.map((finding) => findingNode(node, finding));
  const icon = verdict?.state === "clear" ? "check" : "circle-slash";
  return [note(node, "verdict", shown(verdict?.words ?? ""), icon)];
}

function findingNode(parent: RunNode, finding: FindingLine): LeafNode {
  const { id, title, severity, firstStep, words } = finding;
  const since = firstStep === "" ? "" : vscode.l10n.t("from step {0}", firstStep);
  return {
    kind: "leaf",
    parent,
    id: `finding ${id}`,
    label: title,
    description: since,
    tooltip: shownLines(words),
    icon: severityIcon(severity),
    command: {
      command: "flightDeck.openEvidence",
      title: vscode.l10n.t("Open Evidence"),
      arguments: [parent.dir, id],
    },
    aloud: [vscode.l10n.t("{0} finding", severityWord(severity)), title, since]
      .filter((each) => each !== "")
      .join(", "),
  };
}

const shownLines = (text: string): string => text.split(/\r?\n/).map(shown).join("\n");
const earlierEvents = (n: number): string =>
  n === 1
    ? vscode.l10n.t("1 earlier event in the editor")
    : vscode.l10n.t("{0} earlier events in the editor", n.toLocaleString("en-US"));

function group(
  parent: RunNode,
  id: string,
  label: string,
  icon: string,
  count: string,
  children: (self: LeafNode) => Promise<readonly LeafNode[]>,
): LeafNode {
  const self: LeafNode = {
    kind: "leaf",
    parent,
    id,
    label,
    description: count,
    tooltip: "",
    icon: new vscode.ThemeIcon(icon),
    aloud: `${label}, ${count}`,
    children: () => children(self),
  };
  return self;
}

function eventsNode(node: RunNode, { events }: RunSummary, ask: Ask): LeafNode {
  return group(
    node,
    "events",
    vscode.l10n.t("Events"),
    "list-flat",
    events.toLocaleString("en-US"),
    async (self) => {
      const offset = Math.max(0, events - MAX_EVENTS);
      const { rows } = await ask(node.dir, "events.page", {
        offset,
        limit: MAX_EVENTS,
        kind: null,
        range: null,
      });
      const nodes = rows.map((event) => eventNode(self, node.dir, event));
      if (offset === 0) return nodes;
      return [note(self, "more", earlierEvents(offset), "ellipsis"), ...nodes];
    },
  );
}

function eventNode(parent: LeafNode, dir: string, { index, kind, step, rank, message }: EventView): LeafNode {
  const where = [
    step === "" ? "" : vscode.l10n.t("step {0}", step),
    rank === 0 ? "" : vscode.l10n.t("rank {0}", rank),
  ].filter((each) => each !== "");
  const description = [...where, shown(message)].filter((each) => each !== "").join(" · ");
  return {
    kind: "leaf",
    parent,
    id: `event ${index}`,
    label: shown(kind),
    description,
    tooltip: shownLines(message),
    icon: undefined,
    command: {
      command: "flightDeck.openEvidence",
      title: vscode.l10n.t("Open Run"),
      arguments: [dir, null, step],
    },
    aloud: [shown(kind), description].join(", "),
  };
}

function ranksNode(node: RunNode, { ranks }: RunSummary): LeafNode {
  return group(
    node,
    "ranks",
    vscode.l10n.t("Ranks"),
    "server-process",
    ranks.length.toLocaleString("en-US"),
    async (self) =>
      ranks.map((rank, i) =>
        note(
          self,
          `rank ${i}`,
          vscode.l10n.t("Rank {0}", rank),
          "circle-small",
          rank === 0 ? vscode.l10n.t("the run itself") : "",
        ),
      ),
  );
}

const HASHES: Readonly<Record<string, string>> = {
  match: vscode.l10n.t("configuration as its hash says"),
  mismatch: vscode.l10n.t("configuration differs from its hash"),
};

function attemptsNode(node: RunNode, { attempts }: RunSummary, ask: Ask): LeafNode {
  return group(
    node,
    "attempts",
    vscode.l10n.t("Attempts"),
    "history",
    attempts.toLocaleString("en-US"),
    async (self) => {
      const records = await ask(node.dir, "run.records", {});
      return records.attempts.map(({ attempt, file, hash }, i) =>
        note(
          self,
          `attempt ${i} ${file}`,
          vscode.l10n.t("Attempt {0}", attempt),
          "circle-small",
          HASHES[hash] ?? "",
        ),
      );
    },
  );
}

/** How many there are is in the footers of all shards: nobody waits for that here. */
function samplesNode(node: RunNode, { shards }: RunSummary): LeafNode {
  return {
    ...note(
      node,
      "samples",
      vscode.l10n.t("Samples"),
      "comment-discussion",
      shards === 1 ? vscode.l10n.t("1 shard") : vscode.l10n.t("{0} shards", shards.toLocaleString("en-US")),
    ),
    command: {
      command: "flightDeck.findSamples",
      title: vscode.l10n.t("Find Samples"),
      arguments: [node.runUri],
    },
  };
}
