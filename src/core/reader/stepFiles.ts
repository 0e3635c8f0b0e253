/** Finds the files of the step table: steps.parquet, the live parts, or both after a crash or a second use. */
import { IGNORED_NAME, NEWEST_FILES, PART_NAME, PARTS_DIR, STEPS_FILE } from "../format/names.ts";
import { FlightDeckError, type Warn, type WarningCode } from "../format/problems.ts";
import type { DirEntry, RunSource } from "../io/source.ts";
import { entryFault, linksOut, sayLinkOut } from "./entries.ts";
import { FooterError } from "./footer.ts";
import type { KnownFile, StepsMemory } from "./memory.ts";
import { openParquet, type ParquetFile } from "./parquetFiles.ts";

export interface StepFiles {
  readonly compacted: ParquetFile | null;
  /** By number. */
  readonly parts: readonly ParquetFile[];
  readonly layout: "compacted" | "parts" | "both" | "none";
  /** Newest modification time seen, ms; 0 when there is none. */
  readonly newestMs: number;
}

/** Lets messages in between files: a run can have tens of thousands. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
export const PAUSE_EVERY = 256;

export async function findStepFiles(
  source: RunSource,
  names: readonly DirEntry[],
  warn: Warn,
  memory: StepsMemory,
): Promise<StepFiles> {
  const has = (name: string) => names.some((e) => e.name === name);
  const known = new Map<string, KnownFile>();
  const found = has(PARTS_DIR) ? await openParts(source, warn, memory.files, known) : NO_PARTS;
  const whole = has(STEPS_FILE)
    ? await openCompacted(source, found.parts.length > 0, warn, memory.files.get(STEPS_FILE))
    : null;
  const compacted = whole?.file ?? null;
  if (compacted && whole) known.set(STEPS_FILE, { ...whole, file: compacted });
  if (whole?.linksOut) sayLinkOut(STEPS_FILE, warn);
  memory.files = known;
  // Beside the merged table parts are being removed: what is missing is in it.
  if (!compacted) sayGaps(found.files, "part-gap", PARTS_DIR, warn);
  if (!compacted && found.parts.length === 0 && found.files.length === 0 && !whole)
    warn("no-steps", "", "it holds no step files", { level: "info" });
  const layout = compacted
    ? found.parts.length > 0
      ? "both"
      : "compacted"
    : found.files.length > 0
      ? "parts"
      : "none";
  return { compacted, parts: found.parts, layout, newestMs: Math.max(whole?.mtimeMs ?? 0, found.newestMs) };
}

async function openCompacted(
  source: RunSource,
  hasParts: boolean,
  warn: Warn,
  known: KnownFile | undefined,
): Promise<{ file: ParquetFile | null; mtimeMs: number; linksOut?: boolean } | null> {
  if (known && (await isUnchanged(source, known))) return known;
  const opened = await openOne(source, STEPS_FILE, true);
  if (opened === null) return null;
  if (opened.file) return opened;
  if (opened.code === "link-restricted") warn(opened.code, STEPS_FILE, opened.detail);
  else if (hasParts)
    warn("compaction-interrupted", STEPS_FILE, `${opened.detail}; the parts beside it hold the steps`);
  else if (OWN_CODE.has(opened.code) || TELLING.has(opened.code))
    warn(opened.code, STEPS_FILE, opened.detail);
  else warn("steps-unreadable", STEPS_FILE, opened.detail, { cause: opened.code });
  return { file: null, mtimeMs: opened.mtimeMs };
}

/** Faults that name what the file is instead, or what is wrong inside it: said under their own code. */
const TELLING: ReadonlySet<WarningCode> = new Set([
  "lfs-pointer",
  "gzip-wrapped",
  "encrypted-parquet",
  "nul-file",
  "footer-corrupt",
  "size-limit",
]);

interface Parts {
  readonly parts: readonly ParquetFile[];
  /** Part files by name, readable or not. */
  readonly files: readonly Numbered[];
  readonly newestMs: number;
}
const NO_PARTS: Parts = { parts: [], files: [], newestMs: 0 };

async function openParts(
  source: RunSource,
  warn: Warn,
  before: ReadonlyMap<string, KnownFile>,
  known: Map<string, KnownFile>,
): Promise<Parts> {
  const listed = await listNumbered(source, PARTS_DIR, PART_NAME, warn);
  if (!listed) return NO_PARTS;
  const { files } = listed;
  const parts: ParquetFile[] = [];
  let newestMs = 0;
  const inOrder = before.values();
  for (const [i, { path }] of files.entries()) {
    // Of thousands of parts nearly all are where they were.
    const next = inOrder.next().value;
    const old = next?.file.path === path ? next : before.get(path);
    const isOld = old && (i < files.length - NEWEST_FILES || (await isUnchanged(source, old)));
    if (!isOld && i % PAUSE_EVERY === PAUSE_EVERY - 1) await pause();
    const opened = isOld ? old : await openOne(source, path);
    if (!opened) continue;
    newestMs = Math.max(newestMs, opened.mtimeMs);
    if (opened.file) {
      known.set(opened.file.path, opened);
      if (opened.linksOut) sayLinkOut(path, warn);
      parts.push(opened.file);
    } else if (i === files.length - 1 && INCOMPLETE.has(opened.code))
      warn("part-incomplete", path, `${opened.detail}: it was being written`, { level: "info" });
    else if (OWN_CODE.has(opened.code)) warn(opened.code, path, opened.detail);
    else warn("part-unreadable", path, opened.detail, { cause: opened.code });
  }
  return { parts, files, newestMs };
}

async function isUnchanged(source: RunSource, { file, mtimeMs }: KnownFile): Promise<boolean> {
  try {
    const stat = await source.stat(file.path);
    return stat?.kind === "file" && stat.size === file.size && stat.mtimeMs === mtimeMs;
  } catch {
    // Whoever opens it anew says why.
    return false;
  }
}

/** Faults of the file's kind rather than its content, which say more than that it is unreadable. */
export const OWN_CODE: ReadonlySet<WarningCode> = new Set([
  "not-a-regular-file",
  "permission-denied",
  "dangling-link",
  "link-loop",
  "link-restricted",
]);

/** What a file that is still being written looks like. */
const INCOMPLETE: ReadonlySet<WarningCode> = new Set(["empty-file", "truncated-parquet", "nul-file"]);

export interface Numbered {
  readonly path: string;
  readonly number: number;
}

/**
 * Files of a folder that carry the right name, by number; others are said as stray.
 * @returns null when the folder is missing or cannot be listed (said)
 */
export async function listNumbered(
  source: RunSource,
  dir: string,
  pattern: RegExp,
  warn: Warn,
): Promise<{ files: readonly Numbered[] } | null> {
  let entries: readonly DirEntry[];
  try {
    const stat = await source.stat(dir);
    if (!stat) return null;
    const fault = entryFault(stat, "directory");
    if (fault) {
      warn(fault.code, dir, fault.detail);
      return null;
    }
    if (linksOut(stat)) sayLinkOut(dir, warn);
    entries = await source.list(dir);
  } catch (error) {
    warn(warningOf(error), dir, "it cannot be listed");
    return null;
  }
  const files: Numbered[] = [];
  for (const { name, kind } of entries) {
    const match = pattern.exec(name);
    const path = `${dir}/${name}`;
    if (match && kind === "directory") warn("not-a-regular-file", path, "it is a folder");
    else if (match) files.push({ path, number: Number(match[1]) });
    else if (!IGNORED_NAME.test(name) && kind !== "directory")
      warn("stray-file", path, "its name is no part of a run", { level: "info" });
    else if (/^\..*\.parquet/.test(name))
      warn("stray-file", path, "its name is no part of a run", { level: "info" });
  }
  files.sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1));
  return { files };
}

export function sayGaps(
  files: readonly Numbered[],
  code: "part-gap" | "shard-gap",
  dir: string,
  warn: Warn,
): void {
  let missing = 0;
  let first = -1;
  let expected = 0;
  for (const { number } of files) {
    // A jump of thousands is another numbering, not a loss.
    if (number > expected && number - expected < 1000) {
      missing += number - expected;
      if (first < 0) first = expected;
    }
    expected = number + 1;
  }
  if (missing > 0) warn(code, dir, `numbers are missing, the first is ${first}`, { count: missing });
}

export function sayFooter(file: ParquetFile, warn: Warn): void {
  const { footer, path } = file;
  if (footer.claimedRows !== footer.rows)
    warn(
      "footer-corrupt",
      path,
      `its footer says ${footer.claimedRows} rows, its row groups hold ${footer.rows}`,
    );
  if (footer.externalFile)
    warn("external-file-path", path, "it names another file for its data, which is not followed", {
      level: "info",
    });
}

export type Opened =
  | KnownFile
  | { readonly file: null; readonly mtimeMs: number; readonly code: WarningCode; readonly detail: string };

/** Opens one Parquet file whatever is wrong with it; null when nothing is there. */
export async function openOne(
  source: RunSource,
  path: string,
  keepArrowSchema = false,
): Promise<Opened | null> {
  let mtimeMs = 0;
  try {
    const stat = await source.stat(path);
    if (!stat) return null;
    mtimeMs = stat.mtimeMs;
    const fault = entryFault(stat, "file");
    if (fault) return { file: null, mtimeMs, ...fault };
    const file = await openParquet(source, path, stat.size, keepArrowSchema);
    return linksOut(stat) ? { file, mtimeMs, linksOut: true } : { file, mtimeMs };
  } catch (error) {
    const detail = error instanceof FooterError ? error.message : "it cannot be read";
    return { file: null, mtimeMs, code: warningOf(error), detail };
  }
}

/** The warning for an error met on one file. Errors that are not ours are passed on. */
export function warningOf(error: unknown): WarningCode {
  if (error instanceof FooterError) return error.code;
  if (!(error instanceof FlightDeckError)) throw error;
  const { code } = error;
  return code === "permission-denied" || code === "not-a-regular-file" || code === "not-a-directory"
    ? code
    : "io-error";
}
