/** One file that may be lost at any time: what was computed from a run, so that it need not be computed again. */
export interface CacheFile {
  /** `null` when there is none. */
  open(): CacheReader | null;
  /**
   * Puts all parts, one behind the other, in the place of what was there: whoever reads sees the whole or nothing of it. A disk that is
   * full or may not be written to costs the cache, nothing else.
   */
  write(parts: Iterable<Uint8Array>): void;
}

export interface CacheReader {
  /** Bytes. */
  readonly size: number;
  /** Fresh bytes, fewer where the file ends. */
  read(start: number, length: number): Uint8Array<ArrayBuffer>;
  close(): void;
}
