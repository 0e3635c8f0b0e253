/** Text of a recording with what was searched for marked in it. */
import { html, type TemplateResult } from "lit";
import { shown } from "../text/visible-html.ts";

export interface Needle {
  readonly text: string;
  readonly matchCase: boolean;
}

const PATTERNS = new Map<string, RegExp>();

function patternOf({ text, matchCase }: Needle): RegExp {
  const key = `${matchCase} ${text}`;
  const known = PATTERNS.get(key);
  if (known) return known;
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(escaped, matchCase ? "gu" : "giu");
  if (PATTERNS.size > 20) PATTERNS.clear();
  PATTERNS.set(key, pattern);
  return pattern;
}

/** Where a text holds it: beginnings and ends, in order. */
export function hitsIn(text: string, needle: Needle | null, most = 1000): [number, number][] {
  if (!needle || needle.text === "") return [];
  const hits: [number, number][] = [];
  for (const { index, 0: found } of text.matchAll(patternOf(needle))) {
    hits.push([index, index + found.length]);
    if (hits.length >= most) break;
  }
  return hits;
}

/** Such a text as {@link shown} shows it. */
export function marked(text: string, needle: Needle | null, lines = false): TemplateResult {
  const hits = hitsIn(text, needle);
  if (hits.length === 0) return shown(text, text.length, lines);
  const parts: (string | TemplateResult)[] = [];
  let at = 0;
  for (const [from, to] of hits) {
    if (from > at) parts.push(shown(text.slice(at, from), to, lines));
    parts.push(html`<mark>${shown(text.slice(from, to), to, lines)}</mark>`);
    at = to;
  }
  if (at < text.length) parts.push(shown(text.slice(at), text.length, lines));
  return html`${parts}`;
}

/** A hit that ends further in than this is not seen at a row's beginning. */
const SEEN = 36;
/** Characters before a hit that are shown with it. */
const BEFORE = 14;

/** The beginning of a text, or what is around the first hit where that lies further in. */
export function excerpt(text: string, needle: Needle | null, limit: number): string {
  const [first] = hitsIn(text, needle, 1);
  const from = first && first[1] > SEEN ? Math.max(0, first[0] - BEFORE) : 0;
  const part = text.slice(from, from + limit);
  return from > 0 ? `…${part}` : part;
}
