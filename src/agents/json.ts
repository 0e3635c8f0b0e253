/**
 * Compact JSON for a model: strict, integers of any size as they are. A model reads the text itself: characters that do not show, or
 * turn the reading direction, are escaped, so that nothing is smuggled past whoever looks at it.
 */
import { isList, type Json, type JsonRecord, quoted } from "../view/json.ts";
import { head } from "../view/text.ts";

export type { Json, JsonRecord };

/** What does not show: controls, formats, tags, private and lone units, odd separators, fillers, selectors of variants. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Keys in the order of the object, `undefined` left out. Numbers that are not finite are null: {@link figures} says which they were. */
export function compactJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return quoted(value, HIDDEN);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(compactJson).join(",")}]`;
  const pairs = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${quoted(key, HIDDEN)}:${compactJson(item)}`],
  );
  return `{${pairs.join(",")}}`;
}

/** The beginning of a text that takes at most so many characters here: escapes make it longer. Never half a character. */
export function brief(text: string, limit: number): string {
  let shown = head(text, limit);
  while (quoted(shown, HIDDEN).length - 2 > limit) shown = head(shown, Math.floor(shown.length / 2));
  return shown;
}

/** "NaN", "Infinity", "-Infinity". */
export type NotFinite = string;

export function notFinite(value: number | null | undefined): NotFinite | null {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : null;
}

/**
 * Numbers under their names. One that was not recorded is left out; one that is not finite is null, and `not_finite` says which it
 * was.
 */
export function figures(values: Readonly<Record<string, number | null | undefined>>): JsonRecord {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const odd = known.flatMap(([name, value]) => {
    const mark = notFinite(value);
    return mark === null ? [] : [[name, mark] as const];
  });
  return {
    ...Object.fromEntries(
      known.map(([name, value]) => [name, Number.isFinite(value) ? (value as number) : null]),
    ),
    ...(odd.length > 0 ? { not_finite: Object.fromEntries(odd) } : {}),
  };
}

/** A step with all its digits; `null` for "". */
export function stepJson(text: string): number | bigint | null {
  if (text === "") return null;
  if (/^-?\d+$/.test(text)) {
    const exact = BigInt(text);
    const value = Number(exact);
    return Number.isSafeInteger(value) ? value : exact;
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** As many digits as a curve needs. */
export function rounded(value: number): number {
  return Number(value.toPrecision(7));
}
