/**
 * Text from a recording, made safe to look at: what is invisible or turns the reading direction is shown by name, so
 * that no metric, message or value can pass for another one.
 */
import { t } from "../../src/protocol/l10n.ts";

export interface TextPart {
  readonly text: string;
  /** What the character is called, for a tooltip; "" for ordinary text. */
  readonly name: string;
}

const NAMED = new Map<number, string>([
  [0x00ad, "soft hyphen"],
  [0x034f, "combining grapheme joiner"],
  [0x061c, "Arabic letter mark"],
  [0x115f, "Hangul filler"],
  [0x1160, "Hangul filler"],
  [0x17b4, "invisible vowel"],
  [0x17b5, "invisible vowel"],
  [0x180e, "Mongolian vowel separator"],
  [0x200b, "zero-width space"],
  [0x200c, "zero-width non-joiner"],
  [0x200d, "zero-width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "end of direction"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2061, "invisible operator"],
  [0x2062, "invisible operator"],
  [0x2063, "invisible operator"],
  [0x2064, "invisible operator"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "end of isolate"],
  [0x3164, "Hangul filler"],
  [0xfeff, "byte order mark"],
  [0xffa0, "Hangul filler"],
]);

/** The 32 control characters by their short names, which every font can show. */
const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

/** A joiner between two pictographs is part of one emoji. */
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;

const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

/** How a character is written when it would not be seen; `null` for ordinary ones. */
function shown(code: number): TextPart | null {
  if (code < 0x20 || code === 0x7f) {
    return { text: `<${CONTROLS[code] ?? "DEL"}>`, name: `${hex(code)} control character` };
  }
  if (code < 0x80) return null;
  const name =
    NAMED.get(code) ??
    (code <= 0x9f
      ? "control"
      : code >= 0xd800 && code <= 0xdfff
        ? "half a character"
        : code >= 0x206a && code <= 0x206f
          ? "format control"
          : code >= 0xfff9 && code <= 0xfffb
            ? "annotation"
            : code >= 0xe0000 && code <= 0xe0fff
              ? "tag"
              : "");
  return name === "" ? null : { text: `<${hex(code)}>`, name: `${hex(code)} ${name}` };
}

/** Longest text that is put on the page; the rest is counted. */
export const MAX_SHOWN = 4000;

/**
 * Cuts `text` into ordinary stretches and characters that need to be named, in order.
 * @param lines line feeds and tabs may stay what they are: the text stands in a place of its own
 */
export function textParts(text: string, limit = MAX_SHOWN, lines = false): TextPart[] {
  const cut = text.length > limit ? text.slice(0, limit) : text;
  const parts: TextPart[] = [];
  let plain = "";
  let before = "";
  const characters = [...cut];
  for (const [i, character] of characters.entries()) {
    const code = character.codePointAt(0) ?? 0;
    const joins = code === 0x200d && PICTOGRAPH.test(before) && PICTOGRAPH.test(characters[i + 1] ?? "");
    const spaces = lines && (code === 0x0a || code === 0x09);
    const named = joins || spaces ? null : shown(code);
    if (named) {
      if (plain !== "") parts.push({ text: plain, name: "" });
      plain = "";
      parts.push(named);
    } else {
      plain += character;
    }
    before = character;
  }
  if (plain !== "") parts.push({ text: plain, name: "" });
  if (cut.length < text.length) {
    const more = (text.length - cut.length).toLocaleString("en-US");
    parts.push({ text: "…", name: t("{0} more characters", more) });
  }
  return parts;
}

/** The same as one string, for tooltips and labels. */
export const visibleText = (text: string, limit = MAX_SHOWN): string =>
  textParts(text, limit)
    .map((part) => part.text)
    .join("");
