/** Opening a run: manifest, events and Parquet footers; columns and text come when they are asked for. */
import type { RunEvent } from "../format/event.ts";
import type { Manifest } from "../format/manifest.ts";
import { EVENTS_FILE, MANIFEST_FILE, PARTS_DIR, SAMPLES_DIR, STEPS_FILE } from "../format/names.ts";
import { FlightDeckError, type Warn } from "../format/problems.ts";
import type { RunRecords } from "../format/records.ts";
import type { DirEntry, EntryStat, RunSource } from "../io/source.ts";
import { isRecordName, type RecordFile, readRecords } from "../records/read.ts";
import { lifecycle } from "../run/lifecycle.ts";
import type { Pace, RankInfo, RunModel } from "../run/model.ts";
import { entryFault, linksOut, sayLinkOut } from "./entries.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { shareEvents } from "./event-share.ts";
import { type EventsResult, mergeEvents, parseEvents, type ReadWindow } from "./events.ts";
import { concat } from "./lines.ts";
import { MANIFEST_LIMIT, parseManifest } from "./manifest.ts";
import { type EventsMemory, RunMemory } from "./memory.ts";
import { findRanks } from "./ranks.ts";
import { Samples } from "./samples.ts";
import { findStepFiles, type StepFiles, warningOf } from "./stepFiles.ts";
import { Steps } from "./steps.ts";
import { mergeWarnings, WarningList } from "./warnings.ts";

export interface OpenOptions {
  /** Opens step files that lie in a folder without a manifest. */
  readonly loose?: boolean;
  /**
   * What earlier openings of this folder know; this one adds to it. Only what is new is read then, of files that are still what
   * they were by name, size and time.
   */
  readonly memory?: RunMemory;
}

/**
 * @throws FlightDeckError when there is no run (`not-a-run`; facts.loose is "yes" where step files or samples lie here
 *   all the same), or it cannot be read as a whole: `newer-schema`, `bad-schema-version`, `not-a-regular-file`,
 *   `not-a-directory`, `permission-denied`, `io-error`
 */
export async function openRun(source: RunSource, options: OpenOptions = {}): Promise<RunModel> {
  const list = new WarningList();
  const names = await listFolder(source);
  if (source.nameIsUtf8 === false)
    list.warn("name-not-utf8", "", "the folder's name is no UTF-8; its odd bytes are shown as U+FFFD", {
      level: "info",
    });
  const found = await readManifest(source, names, list.warn);
  const hasRecords = names.some((e) => isRecordName(e.name));
  const hasRecording = found !== null || options.loose === true;
  if (!hasRecording && !hasRecords) {
    const loose = names.some((e) => e.name === STEPS_FILE || e.name === PARTS_DIR || e.name === SAMPLES_DIR);
    throw new FlightDeckError("not-a-run", MANIFEST_FILE, { loose: loose ? "yes" : "no" });
  }
  const memory = options.memory ?? new RunMemory();
  return assemble(source, hasRecording ? names : [], names, found, hasRecording, list, memory);
}

async function assemble(
  source: RunSource,
  recording: readonly DirEntry[],
  names: readonly DirEntry[],
  found: FoundManifest | null,
  hasRecording: boolean,
  list: WarningList,
  memory: RunMemory,
): Promise<RunModel> {
  const { warn } = list;
  memory.steps = memory.steps.handOver();
  const ranks: readonly RankInfo[] = hasRecording
    ? [{ rank: 0, dir: "" }, ...(await findRanks(source, recording, warn))]
    : [];
  const stepFiles: StepFiles = hasRecording
    ? await findStepFiles(source, recording, warn, memory.steps)
    : { compacted: null, parts: [], layout: "none", newestMs: 0 };
  const events = await readAllEvents(source, ranks, warn, memory.events);
  const samples = await Samples.find(source, ranks, warn, memory);
  const records = await readRecords(await recordFiles(source, names, warn), found?.bytes ?? null, warn);
  return model({ source, found, hasRecording, ranks, stepFiles, memory, events, samples, records, list });
}

async function listFolder(source: RunSource): Promise<readonly DirEntry[]> {
  const root = await source.stat("");
  if (!root) throw new FlightDeckError("not-found", "");
  if (root.kind !== "directory") throw new FlightDeckError("not-a-directory", "");
  return source.list("");
}

interface FoundManifest {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
}

async function readManifest(
  source: RunSource,
  names: readonly DirEntry[],
  warn: Warn,
): Promise<FoundManifest | null> {
  if (!names.some((e) => e.name === MANIFEST_FILE)) return null;
  const stat = await source.stat(MANIFEST_FILE);
  if (!stat) return null;
  const nothing = {
    manifest: parseManifest(FALLBACK, source.label, IGNORE),
    bytes: new Uint8Array(0),
    mtimeMs: stat.mtimeMs,
  };
  if (stat.link?.barred) {
    warn("link-restricted", MANIFEST_FILE, "the run is shown under its folder's name");
    return nothing;
  }
  if (stat.kind !== "file") throw new FlightDeckError("not-a-regular-file", MANIFEST_FILE);
  if (linksOut(stat)) sayLinkOut(MANIFEST_FILE, warn);
  let bytes: Uint8Array;
  try {
    bytes = await source.read(MANIFEST_FILE, 0, MANIFEST_LIMIT + 1);
  } catch (error) {
    // The rest of the run may well be readable: it opens under the folder's name.
    warn(warningOf(error), MANIFEST_FILE, "it cannot be read: the run is shown under its folder's name");
    return nothing;
  }
  return { manifest: parseManifest(bytes, source.label, warn), bytes, mtimeMs: stat.mtimeMs };
}

/** Events of one rank; what cannot be read is said and costs this rank's events only. */
async function readEvents(
  source: RunSource,
  rank: RankInfo,
  warn: Warn,
  memory: Map<string, EventsMemory>,
): Promise<EventsResult | null> {
  const path = rank.dir === "" ? EVENTS_FILE : `${rank.dir}/${EVENTS_FILE}`;
  const known = memory.get(path);
  memory.delete(path);
  try {
    const stat = await source.stat(path);
    if (!stat) return null;
    const fault = entryFault(stat, "file");
    if (fault) {
      warn(fault.code, path, fault.detail);
      return null;
    }
    if (linksOut(stat)) sayLinkOut(path, warn);
    return await readLog(source, path, rank.rank, stat.size, warn, known, memory);
  } catch (error) {
    warn(warningOf(error), path, "it cannot be read");
    return null;
  }
}

/** Bytes before the new ones that are compared with what was read before. */
const TAIL = 256;

/** The lines that were added since the last reading, or all where the file is another one. */
async function readLog(
  source: RunSource,
  path: string,
  rank: number,
  size: number,
  warn: Warn,
  known: EventsMemory | undefined,
  memory: Map<string, EventsMemory>,
): Promise<EventsResult> {
  const isSame = known !== undefined && (await beginsAsBefore(source, path, size, known));
  const warnings = isSame ? known.warnings : new WarningList();
  let tail = isSame ? known.tail : new Uint8Array(0);
  const read: ReadWindow = async (start, length) => {
    const bytes = await source.read(path, start, length);
    tail = bytes.length >= TAIL ? bytes.slice(-TAIL) : concat(tail, bytes).slice(-TAIL);
    return bytes;
  };
  const state = isSame ? { state: known.state } : {};
  const result = await parseEvents(read, size, warnings.warn, {
    ...{ file: path, rank, conclude: true, warnOfEnd: warn },
    ...state,
  });
  for (const { code, file, detail, ...more } of warnings.list()) warn(code, file, detail, more);
  memory.set(path, { state: result.state, tail, warnings });
  return result;
}

async function beginsAsBefore(
  source: RunSource,
  path: string,
  size: number,
  { state, tail }: EventsMemory,
): Promise<boolean> {
  if (size < state.offset || state.refused) return false;
  const bytes = await source.read(path, state.offset - tail.length, tail.length);
  return bytes.length === tail.length && bytes.every((byte, i) => byte === tail[i]);
}

interface AllEvents {
  /** In writing order, rank by rank: a clock may waver, the order of lines does not. */
  readonly written: readonly RunEvent[];
  readonly events: readonly RunEvent[];
  readonly dropped: number;
  readonly newestMs: number;
}

async function readAllEvents(
  source: RunSource,
  ranks: readonly RankInfo[],
  warn: Warn,
  memory: Map<string, EventsMemory>,
): Promise<AllEvents> {
  const buffers: EventBuffer[] = [];
  for (const rank of ranks) {
    const result = await readEvents(source, rank, warn, memory);
    if (!result) continue;
    buffers.push(result.state.buffer);
    shareEvents(buffers);
  }
  const lost = sum(buffers.map((buffer) => buffer.lost));
  if (lost > 0)
    warn("size-limit", EVENTS_FILE, "the ranks have more events than are held: some are counted only", {
      count: lost,
    });
  const lists = buffers.map((buffer) => buffer.events());
  const dropped = sum(buffers.map((buffer) => buffer.dropped));
  const stat = ranks.length > 0 ? await quietStat(source, EVENTS_FILE) : null;
  return { events: mergeEvents(lists), written: lists.flat(), dropped, newestMs: stat?.mtimeMs ?? 0 };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

async function quietStat(source: RunSource, path: string): Promise<EntryStat | null> {
  try {
    return await source.stat(path);
  } catch {
    // Said already by whoever read the file.
    return null;
  }
}

async function recordFiles(source: RunSource, names: readonly DirEntry[], warn: Warn): Promise<RecordFile[]> {
  const files: RecordFile[] = [];
  for (const { name } of names) {
    if (!isRecordName(name)) continue;
    const file = await recordFile(source, name, warn);
    if (file) files.push(file);
  }
  return files;
}

async function recordFile(source: RunSource, name: string, warn: Warn): Promise<RecordFile | null> {
  try {
    const stat = await source.stat(name);
    // Gone since the folder was listed.
    if (!stat) return null;
    const fault = entryFault(stat, "file");
    if (!fault && linksOut(stat)) sayLinkOut(name, warn);
    if (!fault) return { name, size: stat.size, read: () => source.read(name, 0, stat.size) };
    warn(fault.code, name, fault.detail);
  } catch (error) {
    warn(warningOf(error), name, "it cannot be read");
  }
  return null;
}

interface Parts {
  readonly source: RunSource;
  readonly found: FoundManifest | null;
  readonly hasRecording: boolean;
  readonly ranks: readonly RankInfo[];
  readonly stepFiles: StepFiles;
  readonly memory: RunMemory;
  readonly events: AllEvents;
  readonly samples: Samples;
  readonly records: RunRecords;
  readonly list: WarningList;
}

function model(parts: Parts): RunModel {
  const { source, found, stepFiles, events, list } = parts;
  const newest = Math.max(stepFiles.newestMs, events.newestMs, found?.mtimeMs ?? 0);
  const lastWriteMs = newest > 0 ? newest : null;
  const { steps: known, shards } = parts.memory;
  const steps = new Steps(source, stepFiles, list.warn, known);
  return Object.freeze({
    label: source.label,
    manifest: found?.manifest ?? null,
    hasRecording: parts.hasRecording,
    layout: stepFiles.layout,
    ranks: parts.ranks,
    events: events.events,
    eventsDropped: events.dropped,
    steps,
    samples: parts.samples,
    records: parts.records,
    lastWriteMs,
    warnings: () => mergeWarnings([list, known.warnings, steps.cellWarnings(), shards.warnings]),
    lifecycle: (nowMs: number, pace?: Pace) =>
      lifecycle({
        events: events.written,
        layout: stepFiles.layout,
        lastWriteMs,
        medianStepSeconds: pace?.medianStepSeconds ?? null,
        lastStepTime: pace?.lastStepTime ?? null,
        nowMs,
      }),
  });
}

const FALLBACK = new TextEncoder().encode("{}");
const IGNORE: Warn = () => {};
