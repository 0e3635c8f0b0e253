/**
 * Text of a recording for a place that shows text only: what is invisible, moves the cursor or turns the reading direction is
 * written by name. The page writes the same names (webview/text/visible.ts; a test compares them).
 */

/** A character that is written by name. */
export interface Named {
  /** Place in the written text, UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly code: number;
}

export interface Written {
  readonly text: string;
  readonly named: readonly Named[];
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

const NAMES: readonly (readonly [first: number, last: number, name: string])[] = [
  [0x80, 0x9f, "control"],
  [0xad, 0xad, "soft hyphen"],
  [0x34f, 0x34f, "combining grapheme joiner"],
  [0x61c, 0x61c, "Arabic letter mark"],
  [0x115f, 0x1160, "Hangul filler"],
  [0x17b4, 0x17b5, "invisible vowel"],
  [0x180e, 0x180e, "Mongolian vowel separator"],
  [0x200b, 0x200b, "zero-width space"],
  [0x200c, 0x200c, "zero-width non-joiner"],
  [0x200d, 0x200d, "zero-width joiner"],
  [0x200e, 0x200e, "left-to-right mark"],
  [0x200f, 0x200f, "right-to-left mark"],
  [0x2028, 0x2028, "line separator"],
  [0x2029, 0x2029, "paragraph separator"],
  [0x202a, 0x202a, "left-to-right embedding"],
  [0x202b, 0x202b, "right-to-left embedding"],
  [0x202c, 0x202c, "end of direction"],
  [0x202d, 0x202d, "left-to-right override"],
  [0x202e, 0x202e, "right-to-left override"],
  [0x2060, 0x2060, "word joiner"],
  [0x2061, 0x2064, "invisible operator"],
  [0x2066, 0x2066, "left-to-right isolate"],
  [0x2067, 0x2067, "right-to-left isolate"],
  [0x2068, 0x2068, "first strong isolate"],
  [0x2069, 0x2069, "end of isolate"],
  [0x206a, 0x206f, "format control"],
  [0x3164, 0x3164, "Hangul filler"],
  [0xd800, 0xdfff, "half a character"],
  [0xfeff, 0xfeff, "byte order mark"],
  [0xffa0, 0xffa0, "Hangul filler"],
  [0xfff9, 0xfffb, "annotation"],
  [0xe0000, 0xe0fff, "tag"],
];

const escaped = (code: number): string => `\\u{${code.toString(16)}}`;
/** Every character that has a name, and the line feed and the tab. */
const HIDDEN = new RegExp(
  `[\\0-\\x1f\\x7f${NAMES.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("")}]`,
  "gu",
);

/** A joiner between two pictographs is part of one emoji. */
const BEFORE_JOINER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const AFTER_JOINER = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)/u;
const JOINER = 0x200d;

const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

/** How the character is written: `<ESC>`, `<U+202E>`. */
function written(code: number): string {
  return code < 0x20 || code === 0x7f ? `<${CONTROLS[code] ?? "DEL"}>` : `<${hex(code)}>`;
}

/** What the character is called: "U+202E right-to-left override". */
export function characterName(code: number): string {
  if (code < 0x20 || code === 0x7f) return `${hex(code)} control character`;
  const found = NAMES.find(([first, last]) => code >= first && code <= last);
  return found ? `${hex(code)} ${found[2]}` : hex(code);
}

/** One line: tabs stay, everything else that is hidden is named. */
export function visibleLine(line: string): Written {
  if (line.search(HIDDEN) < 0) return { text: line, named: [] };
  const named: Named[] = [];
  let text = "";
  let done = 0;
  for (const { 0: character, index } of line.matchAll(HIDDEN)) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x09 || (code === JOINER && joins(line, index))) continue;
    text += line.slice(done, index);
    const name = written(code);
    named.push({ from: text.length, to: text.length + name.length, code });
    text += name;
    done = index + character.length;
  }
  return { text: text + line.slice(done), named };
}

function joins(line: string, at: number): boolean {
  return (
    BEFORE_JOINER.test(line.slice(Math.max(0, at - 2), at)) && AFTER_JOINER.test(line.slice(at + 1, at + 3))
  );
}

/** On one line, tabs and line ends as single spaces, `limit` characters at most: for labels, lists and titles. */
export function visibleLabel(text: string, limit: number): string {
  return writtenLabel(text, limit).text;
}

/** The same, with the places of the names. */
export function writtenLabel(text: string, limit: number): Written {
  // Names make text longer, never shorter.
  const line = visibleLine(startOf(text, limit + 1).replace(/[\t\r\n]+/g, " "));
  if (line.text.length <= limit && text.length <= limit) return line;
  const start = startOf(line.text, limit - 1);
  return { text: `${start}…`, named: line.named.filter(({ to }) => to <= start.length) };
}

/** Never between the halves of a surrogate pair. */
export function startOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, /[\ud800-\udbff]/.test(text[limit - 1] ?? "") ? limit - 1 : limit);
}
