/** The known name that a wrong one was probably meant to be. */

/** @returns null when none is near: more than a third of the letters would have to change */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const k of known) {
    if (Math.abs(k.length - name.length) >= least) continue;
    const d = distance(name.toLowerCase(), k.toLowerCase());
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
