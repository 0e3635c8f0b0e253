/** The worker's reading and answering, noted on its board: where it is, and how large it has grown. */
import type { RunSource } from "../core/io/source.ts";
import type { Board, Memory } from "../protocol/board.ts";

/** Milliseconds between two looks at the memory while it reads. */
const EVERY = 20;

export interface Gauge {
  memory(): Memory;
  /** Milliseconds. */
  now(): number;
}

export class Watch {
  readonly #board: Board;
  readonly #gauge: Gauge;
  #looked = Number.NEGATIVE_INFINITY;
  #atWork = 0;

  constructor(board: Board, gauge: Gauge) {
    this.#board = board;
    this.#gauge = gauge;
  }

  /** The same source; each file is noted before it is touched. @param dir the run's folder, absolute */
  source(source: RunSource, dir: string): RunSource {
    const at = <T>(file: string, read: () => Promise<T>): Promise<T> => {
      this.#board.enter({ dir, file });
      if (this.#gauge.now() - this.#looked >= EVERY) this.#look();
      return read();
    };
    return {
      label: source.label,
      ...(source.nameIsUtf8 === undefined ? {} : { nameIsUtf8: source.nameIsUtf8 }),
      list: (path) => at(path, () => source.list(path)),
      stat: (path) => at(path, () => source.stat(path)),
      read: (path, start, length) => at(path, () => source.read(path, start, length)),
      readRanges: (path, ranges) => at(path, () => source.readRanges(path, ranges)),
    };
  }

  /** Answers one question. With the last one the thread is nowhere, and its memory is known before the answer goes out. */
  async answer<T>(work: () => Promise<T> | T): Promise<T> {
    this.#atWork++;
    try {
      return await work();
    } finally {
      if (--this.#atWork === 0) this.#board.leave();
      this.#look();
    }
  }

  #look(): void {
    this.#looked = this.#gauge.now();
    this.#board.memory = this.#gauge.memory();
  }
}
