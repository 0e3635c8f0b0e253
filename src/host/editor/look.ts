/** What lies in a run's folder, told from names, sizes and times alone: whether it is still the same. */
import { createHash, type Hash } from "node:crypto";
import {
  EVENTS_FILE,
  IGNORED_NAME,
  MANIFEST_FILE,
  NEWEST_FILES,
  PART_NAME,
  PARTS_DIR,
  RANK_DIR,
  RANK_NUMBER,
  SAMPLES_DIR,
  SHARD_NAME,
  STEPS_FILE,
} from "../../core/format/names.ts";
import { isRecordName } from "../../core/records/read.ts";

export interface Stamp {
  /** File, folder or neither, and who may read it. */
  readonly kind: string;
  /** Another text when its content can be another: size, time, place on the disk. */
  readonly version: string;
}

/** Looks from outside: nothing is opened. Paths are relative to the run, "" is its folder. Neither rejects. */
export interface Looking {
  /** `null` when nothing is there. */
  stamp(path: string): Promise<Stamp | null>;
  /** Names in a folder; none when it is missing or closed to us. */
  names(path: string): Promise<readonly string[]>;
}

export interface Seen {
  /** Another text when other files of the recording lie there. */
  readonly digest: string;
  /** Folders of the recording, the run's own first. */
  readonly folders: readonly string[];
  /** A few places that change when anything is added or goes on growing. */
  readonly marks: readonly string[];
  /** What a glance at the marks would have found before any of them was looked into. */
  readonly glance: string;
}

/** A folder can hold tens of thousands of files: all count by their names, the newest by their size and time too. */
const STAMPED_IN_RANK = 16;
const MAX_RANKS = 64;

/** Looks at everything. */
export async function look(looking: Looking): Promise<Seen> {
  const looker = new Looker(looking);
  await looker.recording("");
  const { hash, folders, marks } = looker;
  return { digest: hash.digest("hex"), folders, marks, glance: glanceText([...looker.stamps]) };
}

/** Looks at the marks only: another text is a reason to look at everything. */
export async function glance(looking: Looking, { marks }: Seen): Promise<string> {
  const stamps: (Stamp | null)[] = [];
  for (const mark of marks) stamps.push(await looking.stamp(mark));
  return glanceText(stamps);
}

const glanceText = (stamps: readonly (Stamp | null)[]): string =>
  stamps.map((stamp) => (stamp ? `${stamp.kind} ${stamp.version}` : "")).join("\n");

const FILES: ReadonlySet<string> = new Set([MANIFEST_FILE, STEPS_FILE, EVENTS_FILE]);

class Looker {
  readonly hash: Hash = createHash("sha1");
  readonly folders: string[] = [];
  readonly marks: string[] = [];
  /** Of the marks, in their order. */
  readonly stamps: (Stamp | null)[] = [];
  readonly #looking: Looking;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** The run's own folder, or a rank's in it. */
  async recording(folder: string): Promise<void> {
    const isRoot = folder === "";
    const at = (name: string): string => (isRoot ? name : `${folder}/${name}`);
    await this.#enter(folder);
    const names = (await this.#looking.names(folder)).filter((name) => isOfRun(name, isRoot)).sort();
    for (const name of names) {
      const stamp = await this.#note(at(name));
      if (FILES.has(name)) this.#mark(at(name), stamp);
    }
    if (isRoot && names.includes(PARTS_DIR)) await this.#numbered(PARTS_DIR, PART_NAME, NEWEST_FILES);
    if (names.includes(SAMPLES_DIR))
      await this.#numbered(at(SAMPLES_DIR), SHARD_NAME, isRoot ? NEWEST_FILES : STAMPED_IN_RANK);
    if (!isRoot) return;
    for (const rank of names.filter((name) => RANK_NUMBER.test(name)).slice(0, MAX_RANKS))
      await this.recording(rank);
  }

  async #numbered(folder: string, pattern: RegExp, stamped: number): Promise<void> {
    await this.#enter(folder);
    const names = (await this.#looking.names(folder)).filter((name) => !IGNORED_NAME.test(name)).sort();
    this.hash.update(`${names.join("\0")}\0`);
    const newest = names.filter((name) => pattern.test(name)).slice(-stamped);
    let last: Stamp | null = null;
    for (const name of newest) last = await this.#note(`${folder}/${name}`);
    for (const name of newest.slice(-1)) this.#mark(`${folder}/${name}`, last);
  }

  /** Stamped before its names are asked for: what is added in between is another glance. */
  async #enter(folder: string): Promise<void> {
    this.folders.push(folder);
    this.#mark(folder, await this.#looking.stamp(folder));
  }

  #mark(path: string, stamp: Stamp | null): void {
    this.marks.push(path);
    this.stamps.push(stamp);
  }

  /** A folder's own time says that something was added, which need not be part of the recording. */
  async #note(path: string): Promise<Stamp | null> {
    const stamp = await this.#looking.stamp(path);
    const isFolder = stamp?.kind.startsWith("folder") === true;
    this.hash.update(`${path}\0${stamp?.kind ?? ""}\0${isFolder ? "" : (stamp?.version ?? "")}\0`);
    return stamp;
  }
}

function isOfRun(name: string, isRoot: boolean): boolean {
  if (FILES.has(name) || name === PARTS_DIR || name === SAMPLES_DIR) return true;
  return isRoot && (RANK_DIR.test(name) || isRecordName(name));
}
