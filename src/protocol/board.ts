/**
 * What the worker thread says about itself without a message, in memory that it shares with the host: readable while the
 * thread is busy, and still there when it hangs or is gone.
 */

export interface Memory {
  /** Bytes of the thread's heap and of all that hangs on it: arrays, and the decoder's own memory. */
  readonly total: number;
  /** Bytes of the decoder alone. They never shrink as long as the thread lives. */
  readonly decoder: number;
  /** The decoder broke off in the middle of a call; what it does from then on cannot be trusted. */
  readonly isBroken: boolean;
}

/** Where the thread is at work. */
export interface Whereabouts {
  /** Run folder, absolute. */
  readonly dir: string;
  /** Relative to the run; "" when it is the folder itself. */
  readonly file: string;
}

const NUMBERS = 3;
const LENGTHS = 2;
/** The longest path that Linux opens. */
const PATH_BYTES = 4096;
const DIR_AT = NUMBERS * 8 + LENGTHS * 4;
const FILE_AT = DIR_AT + PATH_BYTES;
export const BOARD_BYTES = FILE_AT + PATH_BYTES;

export class Board {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Float64Array;
  readonly #lengths: Int32Array;
  readonly #bytes: Uint8Array;
  #dir = "";

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(BOARD_BYTES)) {
    this.buffer = buffer;
    this.#numbers = new Float64Array(buffer, 0, NUMBERS);
    this.#lengths = new Int32Array(buffer, NUMBERS * 8, LENGTHS);
    this.#bytes = new Uint8Array(buffer);
  }

  /** The thread goes to a file. A path that is too long to be noted is not noted. */
  enter({ dir, file }: Whereabouts): void {
    if (dir !== this.#dir) {
      this.#dir = dir;
      this.#write(0, DIR_AT, dir);
    }
    this.#write(1, FILE_AT, file);
  }

  /** The thread has nothing to do. */
  leave(): void {
    this.#dir = "";
    this.#lengths.fill(0);
  }

  /** `null` when the thread is nowhere. */
  get whereabouts(): Whereabouts | null {
    const dir = this.#read(0, DIR_AT);
    return dir === "" ? null : { dir, file: this.#read(1, FILE_AT) };
  }

  set memory({ total, decoder, isBroken }: Memory) {
    this.#numbers.set([total, decoder, isBroken ? 1 : 0]);
  }

  get memory(): Memory {
    const [total = 0, decoder = 0, broken = 0] = this.#numbers;
    return { total, decoder, isBroken: broken !== 0 };
  }

  #write(index: number, at: number, text: string): void {
    const bytes = encoder.encode(text);
    // Zero while the bytes change: nobody reads half a path.
    this.#lengths[index] = 0;
    if (bytes.length > PATH_BYTES) return;
    this.#bytes.set(bytes, at);
    this.#lengths[index] = bytes.length;
  }

  #read(index: number, at: number): string {
    const length = Math.min(Math.max(0, this.#lengths[index] ?? 0), PATH_BYTES);
    return decoder.decode(this.#bytes.slice(at, at + length));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
