/** Steps and samples that a text mentions: `step 1234`, `"step": 1234`, `rank:step:sample_id`. Nothing is read for it. */

export type Mention = { readonly from: number; readonly to: number } & (
  | { readonly kind: "step"; readonly step: number }
  | { readonly kind: "sample"; readonly rank: number; readonly step: number; readonly id: string }
);

export interface PlacedMention {
  readonly line: number;
  readonly mention: Mention;
}

/** Longest line that is looked at, and longest id. */
const MAX_LINE = 20_000;
export const MAX_MENTIONED_ID = 200;

/** `step 12`, `step=12`, `step: 12`, `step #12`, `"step": 12`; not `step_time 12`, `step 1.5` or `step 12/400`'s second number. */
const STEP =
  /(?<![\p{L}\p{N}_.-])["']?(?:global[ _])?steps?["']?[ \t]{0,2}[:=#]?[ \t]{0,2}#?(\d{1,16})(?![\p{L}\p{N}_]|\.\d)/giu;
const SAMPLE = /(?<![\p{L}\p{N}_:./-])(\d{1,6}):(\d{1,16}):([^\s"'`<>()[\]{},;]{1,200})/gu;
/** "12:34:56", also with a fraction: a time of day. */
const TIME = /^\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/;
/** What ends a sentence is no part of an id. */
const TRAILING = /[.!?:]+$/;

/** Mentions of one line, in order. */
export function mentionsIn(line: string): Mention[] {
  const text = line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
  const found: Mention[] = [];
  // Most lines of most files mention nothing: a plain search is all they cost.
  if (/step/i.test(text)) {
    for (const match of text.matchAll(STEP)) {
      const step = Number(match[1]);
      const from = match.index + (/^["']/.test(match[0]) ? 1 : 0);
      if (Number.isSafeInteger(step))
        found.push({ kind: "step", step, from, to: match.index + match[0].length });
    }
  }
  if (text.includes(":")) {
    for (const match of text.matchAll(SAMPLE)) {
      if (TIME.test(match[0])) continue;
      const id = (match[3] ?? "").replace(TRAILING, "");
      const step = Number(match[2]);
      if (id === "" || !Number.isSafeInteger(step)) continue;
      const to = match.index + match[0].length - ((match[3] ?? "").length - id.length);
      found.push({ kind: "sample", rank: Number(match[1]), step, id, from: match.index, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

export interface Bounds {
  readonly lines: number;
  readonly mentions: number;
  /** Called now and then; `true` ends the search. */
  readonly isOver: () => boolean;
}

/** Mentions in a whole text, as far as the bounds allow. */
export function mentionsInText(
  lineAt: (line: number) => string,
  lineCount: number,
  bounds: Bounds,
): PlacedMention[] {
  const found: PlacedMention[] = [];
  const last = Math.min(lineCount, bounds.lines);
  for (let line = 0; line < last; line++) {
    if (line % 256 === 255 && bounds.isOver()) break;
    for (const mention of mentionsIn(lineAt(line))) {
      if (found.length >= bounds.mentions) return found;
      found.push({ line, mention });
    }
  }
  return found;
}

const WORD = /[^\s"'`<>()[\]{},;]+/gu;

/** A word under the cursor that could be a sample's id: it has a digit, or something inside that words do not have. */
export function idAt(
  line: string,
  at: number,
): { readonly id: string; readonly from: number; readonly to: number } | null {
  const start = Math.max(0, at - MAX_MENTIONED_ID);
  const text = line.slice(start, at + MAX_MENTIONED_ID);
  for (const match of text.matchAll(WORD)) {
    const id = match[0].replace(/[.!?:]+$/, "");
    const from = start + match.index;
    const to = from + id.length;
    if (at < from || at > to) continue;
    const isWhole = (match.index > 0 || start === 0) && to < at + MAX_MENTIONED_ID;
    return isWhole && id.length >= 2 && /\p{N}|\S[-_/:#.]\S/u.test(id) && !isNumber(id)
      ? { id, from, to }
      : null;
  }
  return null;
}

/** Numbers stand everywhere in a log; only one that is called a step or an id is worth a question. */
const isNumber = (text: string): boolean => /^[-+]?[\d.,eE+-]+%?$/.test(text);
