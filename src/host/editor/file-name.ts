/** Names for what is saved from a page. */

const MAX_NAME = 80;

/** A file name that every system takes, from a title that may hold anything. */
export function fileName(title: string, kind: string): string {
  const kept = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._ -]+/gu, "-")
    .replace(/\s+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, MAX_NAME);
  // Windows keeps these for devices.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(kept) ? `_${kept}` : kept;
  return `${safe === "" ? "chart" : safe}.${kind}`;
}
