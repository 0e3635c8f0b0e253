/**
 * The files of one run, and nothing else: paths are relative to the run folder, "/" between parts, "" is the
 * folder itself. Implementations: Node's file system, VS Code's file system, in memory (tests).
 * A source never writes, never opens anything but regular files, and never follows a link without saying so.
 */

export type EntryKind = "file" | "directory" | "other";

export interface EntryStat {
  /** What the path is after following links; "other" is a FIFO, socket or device, which must not be opened. */
  readonly kind: EntryKind;
  /** Bytes; 0 for anything but a file. */
  readonly size: number;
  /** Modification time, milliseconds since the Unix epoch. */
  readonly mtimeMs: number;
  /** Set when the path itself is a symbolic link. */
  readonly link?: {
    /** "dangling": the target is missing; "loop": the link leads back to a folder above it. */
    readonly target: "inside" | "outside" | "dangling" | "loop";
    /** It leads out of the folder, or lies behind a link that does, and this source follows none of these: nothing is known of it. */
    readonly barred?: true;
  };
}

export interface DirEntry {
  /** Bare name, exactly as the file system spells it. */
  readonly name: string;
  readonly kind: EntryKind | "link";
}

export interface RunSource {
  /** A name for people: the folder's own name. */
  readonly label: string;
  /** False when the folder's name is no UTF-8, so that no string names it exactly. */
  readonly nameIsUtf8?: boolean;
  /** Entries of a folder in no particular order. @throws FlightDeckError `not-a-directory`, `permission-denied`, `io-error` */
  list(path: string): Promise<readonly DirEntry[]>;
  /** `null` when nothing is there. @throws FlightDeckError `permission-denied`, `io-error` */
  stat(path: string): Promise<EntryStat | null>;
  /**
   * Bytes `[start, start + length)`, fewer where the file ends earlier. The array is fresh: callers may keep it.
   * @throws FlightDeckError `not-a-regular-file`, `permission-denied`, `io-error`
   */
  read(path: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Several ranges of one file with one opening. Same rules as {@link read}. */
  readRanges(path: string, ranges: readonly ByteRange[]): Promise<Uint8Array<ArrayBuffer>[]>;
}

export interface ByteRange {
  readonly start: number;
  readonly length: number;
}
