/** Cells of tables for spreadsheets, as the page and the host write them. */

/** What a spreadsheet may take for the start of a formula, after whatever it skips; wide forms count in some of them. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r]/u;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A value as text. It comes from recordings: a spreadsheet must not take it for a formula, but a number may stay one. */
export function csvText(text: string): string {
  return NUMBER.test(text) ? text : csvName(text);
}

/** A name, which is no number even where it looks like one. */
export function csvName(name: string): string {
  const safe = FORMULA.test(name) ? `'${name}` : name;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
