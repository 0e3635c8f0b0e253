/** Thresholds that were tried in a run's editor, written into doctor.toml: asked first, and never into a run's folder. */
import { realpath } from "node:fs/promises";
import nodePath from "node:path";
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import { isWithin } from "../../core/io/within.ts";
import { sectionText, withThresholds } from "../../view/doctor-edit.ts";
import { disk } from "../disk.ts";
import { confirm, warn } from "../say.ts";
import type { Services } from "../services.ts";
import { CONFIG_NAME } from "./config-file.ts";

const WRITE = vscode.l10n.t("Write");
const COPY = vscode.l10n.t("Copy as TOML");

type Values = Readonly<Record<string, number>>;

/** @param dir the run's folder @returns whether the file holds the values now */
export async function writeThresholds(
  services: Services,
  dir: string,
  signature: string,
  values: Values,
): Promise<boolean> {
  const section = sectionText(signature, values);
  if (section === "") return false;
  const { file: counting } = await services.doctor.configFor(dir);
  const place = placeFor(dir, counting);
  if ("why" in place) return offerCopy(place.why, section);
  const name = vscode.workspace.asRelativePath(place.file);
  const kind = await disk.kind(place.file);
  if (kind !== "file" && kind !== null) return offerCopy(vscode.l10n.t("{0} is no file.", name), section);
  if (await isInRun(place.file, dir))
    return offerCopy(vscode.l10n.t("{0} lies in a run's folder, where nothing is written.", name), section);
  const question = kind === "file" ? vscode.l10n.t("Change {0}?", name) : vscode.l10n.t("Create {0}?", name);
  const detail = vscode.l10n.t(
    "{0}\n\n{1}\nEvery run that this file counts for is diagnosed with it.",
    place.file,
    section,
  );
  if (!(await confirm(question, WRITE, detail))) return false;
  return write(vscode.Uri.file(place.file), kind === "file", signature, values, section);
}

/** The file that counts for the run, or the workspace folder's. */
function placeFor(
  dir: string,
  counting: string | null,
): { readonly file: string } | { readonly why: string } {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dir));
  if (counting !== null && isWithin(dir, counting))
    return {
      why: vscode.l10n.t(
        "This run has a {0} of its own, and nothing is written into a run's folder.",
        CONFIG_NAME,
      ),
    };
  if (counting !== null) return { file: counting };
  if (folder?.uri.scheme !== "file")
    return {
      why: vscode.l10n.t(
        "The run lies in no folder of this workspace, so there is no place for a {0}.",
        CONFIG_NAME,
      ),
    };
  const file = nodePath.join(folder.uri.fsPath, CONFIG_NAME);
  if (isWithin(dir, file))
    return {
      why: vscode.l10n.t(
        "The workspace's folder is the run itself, and nothing is written into a run's folder.",
      ),
    };
  return { file };
}

/** Whether the file, wherever a link leads, lies in this run or beside a manifest. */
async function isInRun(file: string, dir: string): Promise<boolean> {
  const real = async (path: string): Promise<string> => realpath(path).catch(() => path);
  const places = [file, await real(file)];
  const run = await real(dir);
  for (const place of places) {
    if (isWithin(dir, place) || isWithin(run, place)) return true;
    if ((await disk.kind(nodePath.join(nodePath.dirname(place), MANIFEST_FILE))) !== null) return true;
  }
  return false;
}

async function offerCopy(why: string, section: string): Promise<boolean> {
  if ((await warn(why, COPY)) === COPY) await vscode.env.clipboard.writeText(section);
  return false;
}

async function write(
  uri: vscode.Uri,
  isThere: boolean,
  signature: string,
  values: Values,
  section: string,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  if (!isThere) {
    edit.createFile(uri, { contents: new TextEncoder().encode(section), ignoreIfExists: true });
    return vscode.workspace.applyEdit(edit);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const text = withThresholds(document.getText(), signature, values);
  if (text === null)
    return offerCopy(
      vscode.l10n.t("{0} cannot be changed here; correct it first.", vscode.workspace.asRelativePath(uri)),
      section,
    );
  const wasDirty = document.isDirty;
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  // What somebody has begun to write there is theirs to save.
  if (!wasDirty) return document.save();
  await vscode.window.showTextDocument(document);
  return false;
}
