/** Whether a folder is a run, told from the names in it, and from the beginning of a file where names do not tell. */
import {
  EVENTS_FILE,
  MANIFEST_FILE,
  METRICS_FILE,
  PART_NAME,
  PARTS_DIR,
  RANK_DIR,
  SAMPLES_DIR,
  STEPS_FILE,
} from "../format/names.ts";
import type { DirEntry } from "../io/source.ts";

/** "loose": step files without a manifest. "records": run records alone. */
export type RunKind = "recording" | "loose" | "records";

/** What the names in a folder say, as little as has to be kept of it. */
export interface Signs {
  /** "ask": the file of this name decides. */
  readonly kind: RunKind | "ask" | null;
  /** The file to look into when `kind` is "ask". */
  readonly file: string;
  /** Part files lie here: the folder above may be a run without a manifest. */
  readonly hasParts: boolean;
  /** Folders to look into, by name. */
  readonly folders: readonly string[];
}

const WITNESS = /^observed\.attempt\d+\.json$/;

export function signsOf(entries: readonly DirEntry[]): Signs {
  const folders: string[] = [];
  const files = new Set<string>();
  let hasParts = false;
  let hasWitness = false;
  for (const { name, kind } of entries) {
    // A link to a folder is not followed; one to a file may be a manifest.
    if (kind === "directory") folders.push(name);
    else if (kind !== "other") {
      files.add(name);
      hasParts ||= PART_NAME.test(name);
      hasWitness ||= WITNESS.test(name);
    }
  }
  folders.sort();
  const inner = new Set(folders);
  const hasSteps = files.has(STEPS_FILE);
  const isSure =
    hasSteps || files.has(EVENTS_FILE) || inner.has(PARTS_DIR) || inner.has(SAMPLES_DIR) || hasWitness;
  const found = (kind: Signs["kind"], file = ""): Signs => ({ kind, file, hasParts, folders });
  if (files.has(MANIFEST_FILE)) return isSure ? found("recording") : found("ask", MANIFEST_FILE);
  if (hasSteps) return found("loose");
  if (hasWitness) return found("records");
  return files.has(METRICS_FILE) ? found("ask", METRICS_FILE) : found(null);
}

/** Bytes of a file that are looked at. */
export const PEEK = 64 * 1024;

/**
 * Web pages, extensions and build tools have a manifest.json too, and every trainer a metrics.json. An empty manifest.json is none of
 * theirs: it is what a recorder leaves that could not write, or has only just begun.
 */
export function kindOfFile(name: string, head: Uint8Array): RunKind | null {
  const text = new TextDecoder().decode(head);
  if (name === MANIFEST_FILE && head.length === 0) return "recording";
  if (name === MANIFEST_FILE) return /"(run_id|schema_version)"\s*:/.test(text) ? "recording" : null;
  return /"benchmark"\s*:/.test(text) && /"horizon"\s*:/.test(text) ? "records" : null;
}

/** Folders inside a run that belong to it. */
export function isOwnFolder(name: string): boolean {
  return name === PARTS_DIR || name === SAMPLES_DIR || RANK_DIR.test(name);
}
