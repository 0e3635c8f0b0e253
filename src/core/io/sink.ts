/**
 * The writing side of one run folder: paths are relative to it, "/" between parts, "" is the folder itself. Calls return when the bytes are
 * on the disk. Implementations: Node's file system, in memory (tests). What is being written lies under a dot-name that no reader takes for
 * a part of a run; a name of the format is there whole or not at all.
 */

/** Why something could not be written; words are made where they are shown. */
export type SinkCode = "exists" | "no-space" | "permission-denied" | "not-found" | "io-error";

export class SinkError extends Error {
  override readonly name = "SinkError";
  readonly code: SinkCode;
  /** Relative to the run folder. */
  readonly file: string;
  /** The system's own code ("ENOSPC"), "" when there is none. */
  readonly system: string;

  constructor(code: SinkCode, file: string, system = "") {
    super(system === "" ? `${file}: ${code}` : `${file}: ${code} (${system})`);
    this.code = code;
    this.file = file;
    this.system = system;
  }
}

/** Every call throws {@link SinkError} and nothing else. */
export interface RunSink {
  /** Makes the folder and those above it; one that exists is left alone. */
  makeFolder(path: string): void;
  /** Puts the bytes in the place of what was there, whole or not at all. The folder has to exist. */
  writeWhole(path: string, bytes: Uint8Array): void;
  /** The same where nothing is yet: of two writers at once one gets `exists`. */
  createExclusive(path: string, bytes: Uint8Array): void;
  /** Adds to the end of a file, which is made when missing. After an error the file is as it was, where the disk lets it be. */
  append(path: string, bytes: Uint8Array): void;
  /** Gives a file another name in one step, replacing what has it. */
  rename(from: string, to: string): void;
  /** A missing file is no error. After a power loss it may be there again. */
  remove(path: string): void;
  /** Removes a folder if nothing is in it. */
  removeFolder(path: string): void;
  /** Names of all that is in a folder, in no particular order; none when it is missing. */
  list(path: string): readonly string[];
  /** Bytes of a regular file; null when there is none. */
  size(path: string): number | null;
  /** Bytes `[start, start + length)` of a regular file, fewer where it ends; all of it without a range. */
  read(path: string, start?: number, length?: number): Uint8Array;
}

/** The name under which a file is written before it is whole. */
export function unfinishedName(path: string, mark = ""): string {
  const at = path.lastIndexOf("/") + 1;
  // Without its extension: some readers take every *.parquet in a folder, dot-names too.
  const stem = path.slice(at).replace(/\.(parquet|jsonl?)$/, "");
  return `${path.slice(0, at)}.${stem}${mark}.unfinished`;
}

/** True for what {@link unfinishedName} makes: left over when a writer was killed. */
export const UNFINISHED = /^\..+\.unfinished$/;
