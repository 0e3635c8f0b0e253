/** Which files of a run folder belong to a recording, and what a broken one is called when a recording is continued. */
import {
  EVENTS_FILE,
  MANIFEST_FILE,
  PART_NAME,
  PARTS_DIR,
  SAMPLES_DIR,
  SHARD_NAME,
  STEPS_FILE,
} from "../format/names.ts";
import { type RunSink, UNFINISHED } from "../io/sink.ts";

export interface Numbered {
  readonly path: string;
  readonly number: number;
}

export function parts(sink: RunSink): readonly Numbered[] {
  return numbered(sink, PARTS_DIR, PART_NAME);
}

export function shards(sink: RunSink): readonly Numbered[] {
  return numbered(sink, SAMPLES_DIR, SHARD_NAME);
}

function numbered(sink: RunSink, folder: string, pattern: RegExp): readonly Numbered[] {
  return sink
    .list(folder)
    .flatMap((name) => {
      const number = pattern.exec(name)?.[1];
      return number === undefined ? [] : [{ path: `${folder}/${name}`, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number);
}

/** The number behind all that are there, 0 for none. */
export function following(files: readonly Numbered[]): number {
  return (files.at(-1)?.number ?? -1) + 1;
}

export function partPath(number: number): string {
  return `${PARTS_DIR}/part-${String(number).padStart(5, "0")}.parquet`;
}

export function shardPath(number: number): string {
  return `${SAMPLES_DIR}/shard-${String(number).padStart(5, "0")}.parquet`;
}

/** Whether a folder holds a recording, or what is left of one. Ranks below it and run records are none. */
export function holdsRecording(sink: RunSink): boolean {
  const names = new Set(sink.list(""));
  if ([MANIFEST_FILE, STEPS_FILE, EVENTS_FILE].some((name) => names.has(name))) return true;
  return (
    (names.has(PARTS_DIR) && parts(sink).length > 0) || (names.has(SAMPLES_DIR) && shards(sink).length > 0)
  );
}

/** Removes what a killed recorder was about to write: nobody has seen it as a part of the run. Other writers' files are theirs. */
export function removeUnfinished(sink: RunSink): void {
  for (const [folder, ours] of UNFINISHED_OURS)
    for (const name of sink.list(folder))
      if (ours.test(name)) sink.remove(folder === "" ? name : `${folder}/${name}`);
}

const UNFINISHED_OURS: readonly (readonly [string, RegExp])[] = [
  ["", /^\.(manifest|steps|events)\b.*\.unfinished$/],
  [PARTS_DIR, UNFINISHED],
  [SAMPLES_DIR, UNFINISHED],
];

/** Gives a file that no reader can open a name that none looks for: it stays, and the rest of the run can be read. */
export function setAside(sink: RunSink, path: string): void {
  sink.rename(path, unreadableName(sink, path));
}

export function unreadableName(sink: RunSink, path: string): string {
  let aside = `${path}.unreadable`;
  for (let n = 2; sink.size(aside) !== null; n++) aside = `${path}.unreadable-${n}`;
  return aside;
}
