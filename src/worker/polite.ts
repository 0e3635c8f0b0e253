/**
 * Reading that lets others through. Calls on a disk are synchronous inside, and a long run has tens of thousands of
 * files: without a pause now and then a chart would wait until the last sample shard is counted.
 */
import type { RunSource } from "../core/io/source.ts";
import { REAL_CLOCK, type SliceClock } from "../view/slices.ts";

/** Milliseconds of work after which messages are looked at. */
const BUDGET = 15;

export function polite(source: RunSource, clock: SliceClock = REAL_CLOCK): RunSource {
  let begun = clock.now();
  async function afterPause<T>(work: () => Promise<T>): Promise<T> {
    await clock.pause();
    begun = clock.now();
    return work();
  }
  const take = <T>(work: () => Promise<T>): Promise<T> =>
    clock.now() - begun > BUDGET ? afterPause(work) : work();
  return {
    label: source.label,
    ...(source.nameIsUtf8 === undefined ? {} : { nameIsUtf8: source.nameIsUtf8 }),
    list: (path) => take(() => source.list(path)),
    stat: (path) => take(() => source.stat(path)),
    read: (path, start, length) => take(() => source.read(path, start, length)),
    readRanges: (path, ranges) => take(() => source.readRanges(path, ranges)),
  };
}
