/** Lines out of bytes as they come through a pipe: of any length up to a limit, ended by LF or CRLF, or by the end of input. */
import { isUtf8 } from "node:buffer";

/** Bytes of one line; a text of JavaScript can hold no more than twice that. */
export const MAX_LINE = 256 * 1024 * 1024;

export interface InputLine {
  /** From 1. */
  readonly number: number;
  /** null for a line beyond the limit, which is skipped. */
  readonly text: string | null;
  readonly bytes: number;
  /** False where bytes had to be replaced by U+FFFD. */
  readonly isUtf8: boolean;
}

const LF = 0x0a;
const BOM = "\ufeff";

export class LineSplitter {
  readonly #limit: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Pieces of the line that has no end yet. */
  #pieces: Uint8Array[] = [];
  #held = 0;
  #number = 0;

  constructor(limit = MAX_LINE) {
    this.#limit = limit;
  }

  /** Lines that end in this chunk. The chunk may be used again afterwards only if none is left open. */
  *push(chunk: Uint8Array): Generator<InputLine, void, void> {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, at));
      yield this.#take();
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** The last line, where it has no line end. */
  *end(): Generator<InputLine, void, void> {
    if (this.#held > 0) yield this.#take();
  }

  #hold(piece: Uint8Array): void {
    this.#held += piece.length;
    if (this.#held > this.#limit) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): InputLine {
    const bytes = this.#held;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#held = 0;
    const number = ++this.#number;
    if (bytes > this.#limit) return { number, text: null, bytes, isUtf8: true };
    const whole = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces, bytes);
    const text = this.#decoder.decode(whole);
    return {
      number,
      text: number === 1 && text.startsWith(BOM) ? text.slice(1) : text,
      bytes,
      isUtf8: isUtf8(whole),
    };
  }
}
