/** A table of runs as CSV, where the user says: all runs that fit, once their figures are known. */
import { homedir } from "node:os";
import nodePath from "node:path";
import * as vscode from "vscode";
import { isWithin } from "../../core/io/within.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import type { TableQuery } from "../../protocol/runs-page.ts";
import { runsCsv } from "../../view/runs-csv.ts";
import { confirm, tellError, withNotice } from "../say.ts";
import { writeFile } from "../write.ts";
import type { RunFigures } from "./figures.ts";
import type { RunsTable } from "./table.ts";

interface Sources {
  readonly table: RunsTable;
  readonly figures: RunFigures;
  /** Calls back when more is known; returns how to stop. */
  onChanged(listener: () => void): () => void;
}

const ANYWAY = vscode.l10n.t("Save There Anyway");

/** @returns false when the user chose not to */
export async function saveTable(sources: Sources, query: TableQuery): Promise<boolean> {
  const open = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(nodePath.join(open ?? homedir(), "runs.csv")),
    filters: { CSV: ["csv"] },
    title: vscode.l10n.t("Save Table of Runs"),
  });
  if (!target) return false;
  const { runs } = sources.table.answer(query);
  const isInside = target.scheme === "file" && runs.some(({ dir }) => isWithin(dir, target.fsPath));
  if (isInside && !(await confirm(INSIDE, ANYWAY))) return false;
  const isDone = await withNotice(
    vscode.l10n.t("Saving {0}", nodePath.basename(target.fsPath)),
    (_, cancelled) => known(sources, query, cancelled),
  );
  if (!isDone) return false;
  const answered = sources.table.answer(query);
  const text = runsCsv(answered.columns, answered.runs, (run) => sources.figures.of(run));
  try {
    await writeFile(target, Buffer.from(text, "utf8"));
    return true;
  } catch (error) {
    // The page has no place for it.
    if (!(error instanceof ProblemError)) throw error;
    await tellError(error.problem.message);
    return false;
  }
}

const INSIDE = vscode.l10n.t(
  "This place is inside the folder of a run, where Flight Deck writes nothing unless you say so.",
);

/** Settles when everything that is written is known; false when the user does not want to wait. */
function known(
  { table, figures, onChanged }: Sources,
  query: TableQuery,
  cancelled: vscode.CancellationToken,
) {
  return new Promise<boolean>((resolve) => {
    const stops: (() => void)[] = [];
    const end = (isDone: boolean): void => {
      for (const stop of stops) stop();
      resolve(isDone);
    };
    const check = (): void => {
      const { runs, needed } = table.answer(query);
      const lacking = runs.filter((run) => !figures.isDone(run, needed));
      if (lacking.length === 0) end(true);
      else figures.want(lacking, needed);
    };
    const listening = cancelled.onCancellationRequested(() => end(false));
    stops.push(onChanged(check), () => listening.dispose());
    check();
  });
}
