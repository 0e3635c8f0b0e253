/** Which runs are selected, as lists do it: one, one more, or all from the one before to this one. */

export type Select = "only" | "toggle";

/** In the order in which they were selected: the first is the baseline of a comparison. */
export function selected(before: readonly string[], dir: string, how: Select): string[] {
  if (how === "only") return [dir];
  return before.includes(dir) ? before.filter((other) => other !== dir) : [...before, dir];
}

/** All between two places of a list, both included, beginning with the first. */
export function range(dirs: readonly string[], from: number, to: number): string[] {
  if (from <= to) return dirs.slice(from, to + 1);
  return dirs.slice(to, from + 1).reverse();
}
