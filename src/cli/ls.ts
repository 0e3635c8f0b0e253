/** `flight-deck ls [ROOT]`: the runs in a folder. One that cannot be read is listed with the reason; it stops nothing. */
import fs from "node:fs";
import path from "node:path";
import { MANIFEST_FILE } from "../core/format/names.ts";
import { FlightDeckError, nodeSource } from "../core/index.ts";
import { isRecordName } from "../core/records/read.ts";
import { RunAxes } from "../view/axes.ts";
import { problemOfError } from "../view/problems.ts";
import { type Context, DONE, NOTHING_FOUND, open } from "./context.ts";
import { strictJson } from "./json.ts";
import { oneLine, shorten, table } from "./terminal.ts";

const NAME = 48;

interface Listed {
  /** Path as the user can type it again. */
  readonly path: string;
  readonly run_id: string;
  readonly algorithm: string;
  readonly model_name: string | null;
  readonly created_at: string;
  /** Steps, repeats merged; null when the run cannot be read. */
  readonly n_steps: number | null;
  readonly state: string;
  readonly warnings: number;
  readonly error: { readonly code: string; readonly file: string; readonly message: string } | null;
}

/** @throws FlightDeckError when ROOT itself cannot be listed */
export async function ls(
  context: Context,
  root: string,
  options: { readonly json: boolean },
): Promise<number> {
  const runs: Listed[] = [];
  for (const folder of await candidates(root)) runs.push(await listed(context, folder));
  if (options.json) context.out(strictJson(runs.map((run) => ({ ...run }))));
  else if (runs.length) context.out(text(context, runs));
  if (runs.length) return DONE;
  context.err(`flight-deck: no runs found under ${oneLine(root)}`);
  return NOTHING_FOUND;
}

interface Candidate {
  readonly folder: string;
  /** The name is not UTF-8: no path in text leads there. */
  readonly unreachable: boolean;
}

/** ROOT where it is a run itself, else the folders in it that have a manifest (or anything of that name). */
async function candidates(root: string): Promise<Candidate[]> {
  const source = nodeSource(root);
  const self = await source.stat("");
  if (!self) throw new FlightDeckError("not-found", "");
  if (self.kind !== "directory") throw new FlightDeckError("not-a-directory", "");
  if (await hasManifest(root)) return [{ folder: root, unreachable: false }];
  // Through the source, so that what fails has a code.
  await source.list("");
  const names = fs.readdirSync(root, { encoding: "buffer" });
  const found: Candidate[] = [];
  for (const raw of names) {
    const name = raw.toString("utf8");
    const folder = path.join(root, name);
    const unreachable = !Buffer.from(name, "utf8").equals(raw);
    if (unreachable ? isRunFolder(root, raw) : await hasManifest(folder)) found.push({ folder, unreachable });
  }
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

async function hasManifest(folder: string): Promise<boolean> {
  try {
    const source = nodeSource(folder);
    if ((await source.stat(""))?.kind !== "directory") return false;
    if ((await source.stat(MANIFEST_FILE)) !== null) return true;
    // Run records alone are a run too.
    return (await source.list("")).some(({ name }) => isRecordName(name) && name.endsWith(".json"));
  } catch {
    // A folder that may not be looked into is no run that we know of, unless it says so itself.
    return false;
  }
}

function isRunFolder(root: string, name: Buffer): boolean {
  const manifest = Buffer.concat([Buffer.from(`${root}/`), name, Buffer.from(`/${MANIFEST_FILE}`)]);
  return fs.lstatSync(manifest, { throwIfNoEntry: false }) !== undefined;
}

async function listed(context: Context, { folder, unreachable }: Candidate): Promise<Listed> {
  const unread = {
    path: folder,
    run_id: path.basename(path.resolve(folder)),
    algorithm: "",
    model_name: null,
    created_at: "",
    n_steps: null,
    state: "unreadable",
    warnings: 0,
  };
  if (unreachable) {
    const message = "The folder's name is not UTF-8, so it cannot be opened; rename it.";
    return { ...unread, error: { code: "name-not-utf8", file: "", message } };
  }
  try {
    const model = await open(context, folder);
    const { manifest } = model;
    const axes = new RunAxes(model);
    const { rows } = await axes.rows();
    return {
      path: folder,
      run_id: manifest?.run_id ?? unread.run_id,
      algorithm: manifest?.algorithm ?? "",
      model_name: manifest?.model_name ?? null,
      created_at: manifest?.created_at ?? "",
      n_steps: rows,
      state: model.lifecycle(context.nowMs, axes.pace()).state,
      warnings: model.warnings().filter(({ level }) => level === "warning").length,
      error: null,
    };
  } catch (error) {
    const { code, file, message } = problemOfError(error);
    return { ...unread, error: { code, file, message } };
  }
}

function text({ style }: Context, runs: readonly Listed[]): string {
  const rows = runs.map((run) => [
    shorten(oneLine(run.path), NAME),
    shorten(oneLine(run.run_id), NAME),
    shorten(oneLine(run.algorithm), NAME),
    run.n_steps === null ? "-" : String(run.n_steps),
    shorten(oneLine(run.created_at), 32),
    stateText(run),
  ]);
  return table(
    [
      { title: "path" },
      { title: "run_id" },
      { title: "algorithm" },
      { title: "steps", align: "right" },
      { title: "created_at" },
      { title: "state" },
    ],
    rows,
    style,
  );
}

function stateText({ state, error, warnings }: Listed): string {
  if (error)
    return `${error.code}: ${error.file === "" ? "" : `${oneLine(error.file)}: `}${oneLine(error.message)}`;
  return warnings === 0 ? state : `${state}, ${warnings} warning${warnings === 1 ? "" : "s"}`;
}
