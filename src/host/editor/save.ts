/** Files that a page asks to be saved: always where the user says, and never unasked inside the run. */
import { homedir } from "node:os";
import nodePath from "node:path";
import * as vscode from "vscode";
import { isWithin } from "../../core/io/within.ts";
import { confirm, withNotice } from "../say.ts";
import { writeFile } from "../write.ts";
import { fileName } from "./file-name.ts";
import type { RunSession } from "./session.ts";

interface Saved {
  readonly title: string;
  readonly kind: "png" | "svg" | "csv";
  readonly bytes: Uint8Array;
}

interface Rows {
  readonly title: string;
  readonly metrics: readonly string[];
  readonly steps: readonly [number, number] | null;
}

const KINDS = { png: vscode.l10n.t("PNG Image"), svg: vscode.l10n.t("SVG Image"), csv: "CSV" } as const;
const ROWS_AT_ONCE = 20_000;
const ANYWAY = vscode.l10n.t("Save There Anyway");

/** @returns false when the user chose not to */
export async function saveBytes(runDir: string | null, { title, kind, bytes }: Saved): Promise<boolean> {
  const target = await choose(runDir, title, kind);
  if (!target) return false;
  await writeFile(target, bytes);
  return true;
}

/** All rows of some steps, piece by piece from the worker; cancelled from the notification, or with the page. */
export async function saveRows(session: RunSession, rows: Rows, signal: AbortSignal): Promise<boolean> {
  const target = await choose(session.dir, rows.title, "csv");
  if (!target) return false;
  const text = await withNotice(
    vscode.l10n.t("Saving {0}", nodePath.basename(target.fsPath)),
    (progress, cancelled) => collect(session, rows, (percent) => progress.report(percent), signal, cancelled),
  );
  if (text === null) return false;
  await writeFile(target, text);
  return true;
}

async function collect(
  session: RunSession,
  { metrics, steps }: Rows,
  report: (progress: { increment: number }) => void,
  signal: AbortSignal,
  cancelled: vscode.CancellationToken,
): Promise<Uint8Array | null> {
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    if (cancelled.isCancellationRequested) return null;
    const params = {
      metrics: [...metrics],
      steps: steps && ([steps[0], steps[1]] as [number, number]),
      offset,
      limit: ROWS_AT_ONCE,
    };
    const piece = await session.call("chart.csv", params, signal);
    pieces.push(Buffer.from(piece.text, "utf8"));
    offset += piece.rows;
    report({ increment: piece.total > 0 ? (100 * piece.rows) / piece.total : 100 });
    if (piece.rows === 0 || offset >= piece.total) return Buffer.concat(pieces);
  }
}

async function choose(
  runDir: string | null,
  title: string,
  kind: keyof typeof KINDS,
): Promise<vscode.Uri | null> {
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(nodePath.join(startFolder(runDir), fileName(title, kind))),
    filters: { [KINDS[kind]]: [kind] },
    title: vscode.l10n.t("Save Chart"),
  });
  if (!target) return null;
  if (runDir === null || target.scheme !== "file" || !isWithin(runDir, target.fsPath)) return target;
  const question = vscode.l10n.t(
    "This place is inside the run's folder, where Flight Deck writes nothing unless you say so.",
  );
  return (await confirm(question, ANYWAY)) ? target : null;
}

/** Where the dialog opens: the workspace, unless that is the run itself. */
function startFolder(runDir: string | null): string {
  const open = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
  return open !== undefined && (runDir === null || !isWithin(runDir, open)) ? open : homedir();
}
