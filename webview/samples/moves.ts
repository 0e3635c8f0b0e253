/**
 * Rows are counted over all ranks, in reading order: when one rank's samples grow, those of the ranks behind it move. Here is how a
 * row stays on the same sample.
 */
import type { SampleFolder } from "../../src/protocol/samples.ts";

type Folders = readonly SampleFolder[];

function folderOf(folders: Folders, row: number): SampleFolder | null {
  return folders.findLast(({ first }) => first <= row) ?? null;
}

/** The same for a sample however others grow, and for no other one. */
export function nameOf(folders: Folders, row: number): string {
  const folder = folderOf(folders, row);
  return `${folder?.rank ?? ""} ${row - (folder?.first ?? 0)}`;
}

export interface Rows {
  readonly folders: Folders;
  readonly rows: number;
  readonly done: boolean;
}

/** @returns where the row is now; `null` when it is gone, `undefined` while that is not known yet */
export function movedRow(row: number, before: Folders, now: Rows): number | null | undefined {
  const folder = folderOf(before, row);
  const at = folder ? now.folders.findIndex(({ rank }) => rank === folder.rank) : -1;
  const unknown = now.done ? null : undefined;
  const to = now.folders[at];
  if (!folder || !to) return unknown;
  const moved = to.first + row - folder.first;
  const next = now.folders[at + 1];
  if (next) return moved < next.first ? moved : null;
  return moved < now.rows ? moved : unknown;
}
