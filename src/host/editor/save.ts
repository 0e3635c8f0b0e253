/** Files that a page asks to be saved: always where the user says, and never unasked inside the run. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { inPieces, shareOf } from "../../view/pieces.ts";
import { chooseFile } from "../choose-file.ts";
import { withNotice } from "../say.ts";
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
  const range = steps && ([steps[0], steps[1]] as [number, number]);
  for await (const piece of inPieces((offset, limit) =>
    session.call("chart.csv", { metrics: [...metrics], steps: range, offset, limit }, signal),
  )) {
    pieces.push(Buffer.from(piece.text, "utf8"));
    report({ increment: shareOf(piece) });
    if (cancelled.isCancellationRequested) return null;
  }
  return Buffer.concat(pieces);
}

const choose = (runDir: string | null, title: string, kind: keyof typeof KINDS): Promise<vscode.Uri | null> =>
  chooseFile({
    title: vscode.l10n.t("Save Chart"),
    name: fileName(title, kind),
    filters: { [KINDS[kind]]: [kind] },
    dirs: runDir === null ? [] : [runDir],
  });
