/** Bounded answers: as many rows as there is room for, and a cursor to go on with. */
import { ToolFault } from "./fault.ts";
import { compactJson, type Json, type JsonRecord } from "./json.ts";
import { NOTE } from "./untrusted.ts";

/** Characters of an answer, at most. */
export const MAX_ANSWER = 20_000;
/** Kept free for what stands around the rows. */
const SLACK = 600;

/** Where to go on: in which part of an answer, at which row, and what the recording looked like. */
export interface Cursor {
  readonly part: string;
  readonly at: number;
  /** Rows that there were; another number says that the recording has changed. */
  readonly mark: number;
}

const CURSOR = /^([a-z]{1,16})-(\d{1,15})-(\d{1,15})-([0-9a-z]{1,7})$/;

/** @param asked the arguments that a cursor belongs to, without the cursor */
export function cursorText({ part, at, mark }: Cursor, asked: JsonRecord): string {
  return `${part}-${at}-${mark}-${hashOf(asked)}`;
}

/** @throws ToolFault for what is no cursor of this call */
export function parseCursor(text: string | undefined, asked: JsonRecord): Cursor | null {
  if (text === undefined) return null;
  const [, part, at, mark, hash] = CURSOR.exec(text) ?? [];
  if (part === undefined)
    throw new ToolFault(
      "bad-cursor",
      "This is no cursor.",
      "Pass next_cursor of an earlier answer unchanged, or leave cursor out.",
    );
  if (hash !== hashOf(asked))
    throw new ToolFault(
      "bad-cursor",
      "The cursor belongs to a call with other arguments.",
      "Repeat all arguments of the call that gave it, or leave cursor out to begin anew.",
    );
  return { part, at: Number(at), mark: Number(mark) };
}

/** FNV-1a: tells arguments apart, and hides nothing. */
function hashOf(asked: JsonRecord): string {
  let hash = 0x811c9dc5;
  for (const c of compactJson(Object.fromEntries(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)))))
    hash = Math.imul(hash ^ (c.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Rows from the first on that fit into a room, at least one. */
export function fitting<T extends Json>(rows: readonly T[], room: number): readonly T[] {
  let size = 0;
  const end = rows.findIndex((row) => {
    size += compactJson(row).length + 1;
    return size > room;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** A list inside an answer. */
export interface Part {
  /** Its key in the answer; letters only. */
  readonly name: string;
  /** Rows in all; where a row is more than one of what is counted, as many of that. */
  readonly total: number;
  /** Rows a page, at most. */
  readonly limit: number;
  /** Characters that it may take of an answer that has other parts too. */
  readonly room: number;
  rows(offset: number, limit: number): Promise<readonly Json[]> | readonly Json[];
  /** How many of the total some rows are, where that is not their number. */
  sizeOf?(rows: readonly Json[]): number;
  /** What stands beside the rows. */
  readonly head?: JsonRecord;
}

export interface Paged {
  readonly asked: JsonRecord;
  readonly cursor: Cursor | null;
  /** What every page says first. */
  readonly head: JsonRecord;
  /** What only the first page says. */
  readonly once?: JsonRecord;
  readonly parts: readonly Part[];
  readonly notes?: readonly string[];
}

const CHANGED =
  "The recording has changed since the first page: rows can be missing or come twice. Begin anew without cursor where that matters.";

/** The first page has all parts; a cursor's has its own alone. */
export async function paged({ asked, cursor, head, once = {}, parts, notes = [] }: Paged): Promise<string> {
  const shown = cursor ? parts.filter(({ name }) => name === cursor.part) : parts;
  if (shown.length === 0 && cursor)
    throw new ToolFault(
      "bad-cursor",
      "The cursor belongs to another tool.",
      "Pass it to the tool that gave it.",
    );
  const said = [...notes];
  const out: Record<string, Json> = {};
  const fixed = compactJson({ ...head, ...(cursor ? {} : once), notes: [...said, CHANGED, NOTE] }).length;
  let left = MAX_ANSWER - SLACK - fixed;
  for (const part of shown) {
    const at = cursor?.at ?? 0;
    if (cursor && cursor.mark !== part.total && !said.includes(CHANGED)) said.push(CHANGED);
    const room = Math.min(left, cursor || shown.length === 1 ? left : part.room);
    const rows = fitting(await part.rows(at, part.limit), room);
    const next = at + (part.sizeOf?.(rows) ?? rows.length);
    const isMore = next < part.total && rows.length > 0;
    out[part.name] = {
      ...part.head,
      total: part.total,
      rows,
      ...(isMore ? { next_cursor: cursorText({ part: part.name, at: next, mark: part.total }, asked) } : {}),
    };
    left -= compactJson(out[part.name] ?? null).length;
  }
  return finished({ ...head, ...(cursor ? {} : once), ...out }, said);
}

/** @returns the answer as text @throws ToolFault when it is too long, which a smaller question is not */
export function finished(answer: JsonRecord, notes: readonly string[]): string {
  const text = compactJson({ ...answer, notes: [...notes, NOTE] });
  if (text.length <= MAX_ANSWER) return text;
  throw new ToolFault(
    "too-long",
    "The answer would be longer than an answer may be.",
    "Ask for less: a lower limit, fewer metrics or shorter texts.",
  );
}
