/** Names and paths with wildcards, matched in time that no pattern can blow up. */

/** `*` stands for any number of characters, `?` for one. Upper and lower case differ. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matches(pattern, text, "*", (one, character) => one === "?" || one === character);
}

/** `**` stands for any number of folders, within a name as in {@link matchesWildcard}. */
function matchesParts(pattern: readonly string[], path: readonly string[]): boolean {
  return matches(pattern, path, "**", matchesWildcard);
}

/** @param any the item of a pattern that stands for any number of others; `fits` decides of all other items */
function matches(
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  any: string,
  fits: (one: string, item: string) => boolean,
): boolean {
  let p = 0;
  let t = 0;
  // Where the last star stood, and how much of the text it has taken so far.
  let star = -1;
  let taken = 0;
  while (t < text.length) {
    const one = pattern[p];
    if (one === any) {
      star = p++;
      taken = t;
    } else if (one !== undefined && fits(one, text[t] ?? "")) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++taken;
    } else return false;
  }
  while (pattern[p] === any) p++;
  return p === pattern.length;
}

/**
 * Which folders to leave out. A pattern without a slash is a name at any depth, others start at the root; `/` at their ends and
 * `/**` at the end change nothing.
 * @returns a test of paths relative to the root, "/" between their parts
 */
export function excluder(patterns: readonly string[]): (path: string) => boolean {
  const names = new Set<string>();
  const globs: string[][] = [];
  for (const raw of patterns) {
    const pattern = raw.replace(/\/(\*\*)?$/, "").replace(/^\//, "");
    const name = pattern.replace(/^\*\*\//, "");
    if (name === "" || name === "**") continue;
    if (!name.includes("/") && (name !== pattern || !raw.startsWith("/"))) {
      if (/[*?]/.test(name)) globs.push(["**", name]);
      else names.add(name);
    } else globs.push(pattern.split("/"));
  }
  return (path) => {
    if (names.has(path.slice(path.lastIndexOf("/") + 1))) return true;
    if (globs.length === 0) return false;
    const parts = path.split("/");
    return globs.some((glob) => matchesParts(glob, parts));
  };
}
