/** Text for a terminal: what comes out of a recording can hold escape sequences, and none of them gets through. */

/** Characters that move the cursor, switch colours, reorder or hide text, and halves of surrogate pairs. */
export const HIDDEN =
  /\u034f|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0\u{e0000}-\u{e0fff}]/gu;
/** Joiners inside emoji and Indic words; they hide nothing. */
const JOINERS = "\u200c\u200d";

/** On one line: line ends and tabs are shown as \n and \t, everything hidden by its code. */
export function oneLine(text: string): string {
  return text.replace(HIDDEN, (c) => (JOINERS.includes(c) ? c : name(c)));
}

/** Lines stay lines, tabs stay tabs, everything hidden is shown by its code. */
export function lines(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(HIDDEN, (c) => (c === "\n" || c === "\t" || JOINERS.includes(c) ? c : name(c)));
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function name(c: string): string {
  const short = SHORT[c];
  if (short !== undefined) return short;
  const code = (c.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** `limit` columns at most, "…" where it was cut. The text must be safe already. */
export function shorten(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  let out = "";
  let used = 1;
  for (const c of text) {
    used += width(c);
    if (used > limit) break;
    out += c;
  }
  return `${out}…`;
}

/** Columns that a text takes: East Asian wide characters and emoji two, marks none. */
export function width(text: string): number {
  let columns = 0;
  for (const c of text) {
    if (/\p{M}|\u200c|\u200d|\ufe0f/u.test(c)) continue;
    columns += WIDE.test(c) ? 2 : 1;
  }
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

export interface TableColumn {
  readonly title: string;
  readonly align?: "right";
}

/** Rows under their titles. The cells must be safe already. */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const widths = columns.map(({ title }, i) =>
    rows.reduce((most, row) => Math.max(most, width(row[i] ?? "")), width(title)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, i) => {
        const cell = cells[i] ?? "";
        const padding = " ".repeat(Math.max(0, (widths[i] ?? 0) - width(cell)));
        return align === "right" ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd();
  return [style.dim(line(columns.map(({ title }) => title))), ...rows.map(line)].join("\n");
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

/** Colours on a terminal; elsewhere the text as it is. */
export function styleFor(colour: boolean): Style {
  const paint = (on: number, off: number) => (text: string) =>
    colour && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    yellow: paint(33, 39),
    green: paint(32, 39),
  };
}

/** Four significant digits, as rlprobe prints figures. */
export function figure(value: number | bigint | null | undefined): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "bigint" || Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(3).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(4)));
}
