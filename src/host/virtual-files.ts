/**
 * The documents of `flightdeck:` as files that can be read and not changed. Files, because VS Code restores an editor on a
 * file after a reload of its window, and none on a document of a mere content provider.
 */
import * as vscode from "vscode";

/** The text at an address; `null` where there is none. */
export type TextAt = (uri: vscode.Uri) => Promise<string | null>;

interface Known {
  readonly uri: vscode.Uri;
  readonly text: Promise<Uint8Array | null>;
  readonly mtime: number;
  size: number;
}

/** Everything else is a folder. */
const FILE = /\.(md|fdsample|json)$/;
/** Texts that are kept, and bytes; VS Code asks for a file's size, then for its bytes. */
const MAX_KNOWN = 64;
const MAX_BYTES = 32 * 2 ** 20;

export class VirtualFiles {
  readonly #textAt: TextAt;
  readonly #changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  readonly #known = new Map<string, Known>();
  #clock = 0;

  constructor(textAt: TextAt, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
    this.#textAt = textAt;
    this.#changed = changed;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!FILE.test(uri.path)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { text, mtime } = this.#look(uri);
    const bytes = await text;
    if (!bytes) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await this.#look(uri).text;
    if (!bytes) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  /** Whatever these files said is not true any more. */
  forget(isStale: (uri: vscode.Uri) => boolean): void {
    const stale = [...this.#known].filter(([, { uri }]) => isStale(uri));
    for (const [key] of stale) this.#known.delete(key);
    const events = stale.map(([, { uri }]) => ({ type: vscode.FileChangeType.Changed, uri }));
    if (events.length > 0) this.#changed.fire(events);
  }

  /** The oldest go first; the one that is asked for stays, however large it is. */
  #makeRoom(asked: string): void {
    let bytes = [...this.#known.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of this.#known) {
      if (this.#known.size <= MAX_KNOWN && bytes <= MAX_BYTES) return;
      if (key === asked) continue;
      this.#known.delete(key);
      bytes -= size;
    }
  }

  #look(uri: vscode.Uri): Known {
    const key = uri.toString();
    let known = this.#known.get(key);
    if (!known) {
      // Never the same twice: an editor takes an unchanged time for an unchanged text.
      this.#clock = Math.max(this.#clock + 1, Date.now());
      const text = this.#textAt(uri).then((found) => (found === null ? null : encoder.encode(found)));
      const added: Known = { uri, text, mtime: this.#clock, size: 0 };
      known = added;
      this.#known.set(key, known);
      text.then(
        (bytes) => {
          added.size = bytes?.byteLength ?? 0;
          this.#makeRoom(key);
        },
        () => this.#known.delete(key),
      );
      this.#makeRoom(key);
    }
    return known;
  }
}

const encoder = new TextEncoder();
