/** Collects warnings: one entry a (code, file, column), repeats counted, so that a million bad lines are one entry. */
import type { Warn, Warning } from "../format/problems.ts";

/** Different files of one kind that are listed one by one; the rest only add to the count of the last. */
const MAX_PER_CODE = 50;

export class WarningList {
  private readonly byKey = new Map<string, Warning>();
  private readonly perCode = new Map<string, number>();

  readonly warn: Warn = (code, file, detail, more = {}) => {
    let key = `${code}\0${file}\0${more.column ?? ""}`;
    const listed = this.perCode.get(code) ?? 0;
    if (!this.byKey.has(key)) {
      if (listed >= MAX_PER_CODE) key = `${code}\0\0more`;
      else this.perCode.set(code, listed + 1);
    }
    const count = more.count ?? 1;
    const old = this.byKey.get(key);
    if (old) {
      const level = more.level === "info" ? old.level : "warning";
      this.byKey.set(key, { ...old, count: old.count + count, level });
    } else
      this.byKey.set(key, {
        code,
        file: key.endsWith("\0\0more") ? "" : file,
        detail: key.endsWith("\0\0more") ? "in further files" : detail,
        count,
        level: more.level ?? "warning",
        ...(more.column === undefined ? {} : { column: more.column }),
        ...(more.line === undefined ? {} : { line: more.line }),
        ...(more.row === undefined ? {} : { row: more.row }),
        ...(more.cause === undefined ? {} : { cause: more.cause }),
      });
  };

  list(): readonly Warning[] {
    return [...this.byKey.values()];
  }
}

/** Warnings of several lists as one. */
export function mergeWarnings(lists: readonly WarningList[]): readonly Warning[] {
  const merged = new WarningList();
  for (const list of lists)
    for (const { code, file, detail, ...more } of list.list()) merged.warn(code, file, detail, more);
  return merged.list();
}
