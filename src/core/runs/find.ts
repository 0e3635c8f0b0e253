/**
 * All runs below a folder, however deep, nearest first. Nothing but folders is listed and, where names do not tell, the
 * beginning of a file read; links are not followed, so there are no loops.
 */
import { MANIFEST_FILE } from "../format/names.ts";
import { FlightDeckError } from "../format/problems.ts";
import type { RunSource } from "../io/source.ts";
import { isOwnFolder, kindOfFile, PEEK, type RunKind, type Signs, signsOf } from "./signs.ts";

export interface FoundRun {
  /** Relative to the root, "/" between its parts; "" is the root itself. */
  readonly path: string;
  readonly kind: RunKind;
}

export interface FindLimits {
  readonly folders: number;
  /** Names in all folders together. */
  readonly entries: number;
  /** Folders from the root to a run. */
  readonly depth: number;
  /** Milliseconds. */
  readonly time: number;
  readonly runs: number;
}

/** Ten times what a large workspace has once its exclusions are out. */
export const FIND_LIMITS: FindLimits = {
  folders: 200_000,
  entries: 4_000_000,
  depth: 32,
  time: 60_000,
  runs: 10_000,
};

export type Cut = keyof FindLimits | "cancelled";

export interface FindOptions {
  /** Told of folders relative to the root; what it says yes to is not looked into. */
  readonly exclude?: (path: string) => boolean;
  readonly limits?: Partial<FindLimits>;
  readonly isCancelled?: () => boolean;
  /** What an earlier search of the same root left behind; it is brought up to date. */
  readonly memory?: FolderMemory;
  /** A folder this deep at most is a run by the name of its manifest.json or metrics.json alone. Normally none is. */
  readonly trustedDepth?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface FindResult {
  readonly runs: readonly FoundRun[];
  /** Folders looked into, and how many of them had to be listed. */
  readonly folders: number;
  readonly listed: number;
  /** Folders that may not be looked into. */
  readonly closed: number;
  /** Folders whose names are no UTF-8, which no path leads to. */
  readonly odd: readonly string[];
  /** What ended the search, or kept it out of some folders; empty when everything was looked at. */
  readonly cuts: readonly Cut[];
}

interface Remembered {
  readonly mtimeMs: number;
  readonly signs: Signs;
  readonly names: number;
}

interface Asked {
  readonly stamp: string;
  readonly kind: RunKind | null;
}

/** What lies in folders that have not changed since. One for each root. */
export class FolderMemory {
  readonly folders = new Map<string, Remembered>();
  readonly files = new Map<string, Asked>();
}

/** A change in the same tick of a coarse clock would go unnoticed: what is newer than this is listed again. */
const SETTLED_MS = 3000;

/** @throws FlightDeckError `not-found`, `not-a-directory`, `permission-denied`, `io-error` when the root cannot be listed */
export function findRuns(source: RunSource, options: FindOptions = {}): Promise<FindResult> {
  return new Search(source, options).run();
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** It lies directly in a folder that is a run. */
  readonly isInRun: boolean;
}

class Search {
  readonly #source: RunSource;
  readonly #options: FindOptions;
  readonly #limits: FindLimits;
  readonly #memory: FolderMemory;
  readonly #now: () => number;
  readonly #begun: number;
  readonly #runs = new Map<string, RunKind>();
  readonly #cuts = new Set<Cut>();
  readonly #odd: string[] = [];
  readonly #visited = new Set<string>();
  #folders = 0;
  #listed = 0;
  #closed = 0;
  #entries = 0;

  constructor(source: RunSource, options: FindOptions) {
    this.#source = source;
    this.#options = options;
    this.#limits = { ...FIND_LIMITS, ...options.limits };
    this.#memory = options.memory ?? new FolderMemory();
    this.#now = options.now ?? Date.now;
    this.#begun = this.#now();
  }

  async run(): Promise<FindResult> {
    const root = await this.#source.stat("");
    if (!root) throw new FlightDeckError("not-found", "");
    if (root.kind !== "directory") throw new FlightDeckError("not-a-directory", "");
    let level: Place[] = [{ path: "", depth: 0, isInRun: false }];
    while (level.length > 0 && !this.#isOver()) level = await this.#level(level);
    this.#forget();
    return {
      runs: [...this.#runs].map(([path, kind]) => ({ path, kind })),
      folders: this.#folders,
      listed: this.#listed,
      closed: this.#closed,
      odd: this.#odd,
      cuts: [...this.#cuts],
    };
  }

  async #level(places: readonly Place[]): Promise<Place[]> {
    const next: Place[] = [];
    for (const place of places) {
      if (this.#isOver()) return [];
      const signs = await this.#lookInto(place.path);
      if (!signs) continue;
      const kind = await this.#kindOf(place, signs);
      if (kind) this.#runs.set(place.path, kind);
      if (signs.hasParts && !place.isInRun) this.#loose(place.path);
      const isRun = kind !== null;
      for (const name of signs.folders) {
        if (isRun && isOwnFolder(name)) continue;
        const path = place.path === "" ? name : `${place.path}/${name}`;
        if (this.#options.exclude?.(path)) continue;
        if (place.depth >= this.#limits.depth) this.#cuts.add("depth");
        else next.push({ path, depth: place.depth + 1, isInRun: isRun });
      }
    }
    return next;
  }

  #isOver(): boolean {
    const { folders, entries, time, runs } = this.#limits;
    if (this.#options.isCancelled?.()) this.#cuts.add("cancelled");
    else if (this.#folders >= folders) this.#cuts.add("folders");
    else if (this.#entries >= entries) this.#cuts.add("entries");
    else if (this.#runs.size >= runs) this.#cuts.add("runs");
    else if (this.#now() - this.#begun >= time) this.#cuts.add("time");
    else return false;
    return true;
  }

  /** `null` where nothing can be seen. @throws FlightDeckError for the root */
  async #lookInto(path: string): Promise<Signs | null> {
    this.#folders++;
    try {
      const stat = await this.#source.stat(path);
      if (stat?.kind !== "directory") {
        if (path.includes("\ufffd")) this.#odd.push(path);
        return null;
      }
      this.#visited.add(path);
      const known = this.#memory.folders.get(path);
      if (known && known.mtimeMs === stat.mtimeMs) {
        this.#entries += known.names;
        return known.signs;
      }
      const entries = await this.#source.list(path);
      this.#listed++;
      this.#entries += entries.length;
      const signs = signsOf(entries);
      const isSettled = this.#now() - stat.mtimeMs > SETTLED_MS;
      if (isSettled) this.#memory.folders.set(path, { mtimeMs: stat.mtimeMs, signs, names: entries.length });
      else this.#memory.folders.delete(path);
      return signs;
    } catch (error) {
      if (path === "" || !(error instanceof FlightDeckError)) throw error;
      this.#closed++;
      return null;
    }
  }

  async #kindOf({ path, depth }: Place, signs: Signs): Promise<RunKind | null> {
    if (signs.kind !== "ask") return signs.kind;
    if (depth <= (this.#options.trustedDepth ?? -1)) {
      if (signs.file === MANIFEST_FILE) return "recording";
      // A folder of runs can hold a summary of them.
      if (depth > 0) return "records";
    }
    return this.#ask(path === "" ? signs.file : `${path}/${signs.file}`, signs.file);
  }

  /** A file can be filled without its folder changing, so it is looked at each time. */
  async #ask(path: string, name: string): Promise<RunKind | null> {
    try {
      const stat = await this.#source.stat(path);
      if (stat?.kind !== "file") return null;
      this.#visited.add(path);
      const stamp = `${stat.size} ${stat.mtimeMs}`;
      const known = this.#memory.files.get(path);
      if (known?.stamp === stamp) return known.kind;
      const kind = kindOfFile(name, await this.#source.read(path, 0, PEEK));
      this.#memory.files.set(path, { stamp, kind });
      return kind;
    } catch (error) {
      if (!(error instanceof FlightDeckError)) throw error;
      return null;
    }
  }

  /** Parts lie in a folder "steps": the run is the one above it. */
  #loose(path: string): void {
    const at = path.lastIndexOf("/");
    if (path.slice(at + 1) !== "steps") return;
    const above = at < 0 ? "" : path.slice(0, at);
    if (!this.#runs.has(above)) this.#runs.set(above, "loose");
  }

  /** What is gone is forgotten; after a search that was cut short nobody knows what is. */
  #forget(): void {
    if (this.#cuts.size > 0) return;
    for (const memory of [this.#memory.folders, this.#memory.files])
      for (const path of memory.keys()) if (!this.#visited.has(path)) memory.delete(path);
  }
}
