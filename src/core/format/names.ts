/** File and folder names of a run directory, as the format defines them. */
export const MANIFEST_FILE = "manifest.json";
export const EVENTS_FILE = "events.jsonl";
export const STEPS_FILE = "steps.parquet";
export const PARTS_DIR = "steps";
export const SAMPLES_DIR = "samples";
export const METRICS_FILE = "metrics.json";

export const PART_NAME = /^part-(\d+)\.parquet$/;
export const SHARD_NAME = /^shard-(\d+)\.parquet$/;
/** Any folder that means to be a rank; the number in it may be missing or wrong. */
export const RANK_DIR = /^rank-(.+)$/;
export const RANK_NUMBER = /^rank-(\d{1,9})$/;

/** A number that can be a rank: an index of samples holds it in 32 bits, and no cluster has more processes. */
export const isRank = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

export const REWARD_COMPONENT = "reward_component.";
export const EXTRA = "extra.";

/** Leftovers that editors, file managers and interrupted copies leave; they are no part of a run and no problem. */
export const IGNORED_NAME = /^\.|~$|^Thumbs\.db$|^desktop\.ini$/i;

/**
 * Of a folder's numbered files, the newest that are looked at by size and time when the run is looked at again. Older ones are never
 * changed by a recorder, and of tens of thousands not each can be asked.
 */
export const NEWEST_FILES = 256;
