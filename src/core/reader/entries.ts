/** What lies where a file or a folder of a run should be, judged alike wherever one is looked for. */
import type { Warn, WarningCode } from "../format/problems.ts";
import type { EntryStat } from "../io/source.ts";

export interface EntryFault {
  readonly code: WarningCode;
  readonly detail: string;
}

/**
 * Why it cannot be read as what it should be; `null` when it can. A link out of the run can, {@link sayLinkOut}, where the
 * source follows it.
 */
export function entryFault({ kind, link }: EntryStat, wanted: "file" | "directory"): EntryFault | null {
  if (link?.target === "dangling")
    return { code: "dangling-link", detail: "it is a link to something that is missing" };
  if (link?.target === "loop")
    return { code: "link-loop", detail: "it is a link that leads back to where it came from" };
  if (link?.barred) return { code: "link-restricted", detail: "nothing was read through it" };
  if (kind === wanted) return null;
  if (wanted === "directory") return { code: "not-a-directory", detail: "it is no folder" };
  const detail = kind === "directory" ? "it is a folder" : "it is no regular file";
  return { code: "not-a-regular-file", detail };
}

export const linksOut = ({ link }: EntryStat): boolean => link?.target === "outside";

/** What is read behind such a link is no part of the recording: said wherever it is done. */
export const sayLinkOut = (path: string, warn: Warn): void =>
  warn("link-outside", path, "it is a link that leads out of the run");
