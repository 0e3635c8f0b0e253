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
}

/** Texts that are kept; VS Code asks for a file's size, then for its bytes. */
const MAX_KNOWN = 64;

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
    if (!uri.path.endsWith(".md")) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
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

  #look(uri: vscode.Uri): Known {
    const key = uri.toString();
    let known = this.#known.get(key);
    if (!known) {
      // Never the same twice: an editor takes an unchanged time for an unchanged text.
      this.#clock = Math.max(this.#clock + 1, Date.now());
      const text = this.#textAt(uri).then((found) => (found === null ? null : encoder.encode(found)));
      known = { uri, text, mtime: this.#clock };
      this.#known.set(key, known);
      text.catch(() => this.#known.delete(key));
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MAX_KNOWN) break;
        this.#known.delete(oldest);
      }
    }
    return known;
  }
}

const encoder = new TextEncoder();
