/** The rank folders of a run: each a whole sub-recording, of which samples and events are merged. */
import { isRank, MANIFEST_FILE, RANK_DIR, RANK_NUMBER } from "../format/names.ts";
import { FlightDeckError, type Warn } from "../format/problems.ts";
import type { DirEntry, RunSource } from "../io/source.ts";
import type { RankInfo } from "../run/model.ts";
import { entryFault, linksOut, sayLinkOut } from "./entries.ts";
import { MANIFEST_LIMIT, parseManifest } from "./manifest.ts";
import { warningOf } from "./stepFiles.ts";

/** @returns rank folders by name, rank 0's own recording (the run folder itself) not among them */
export async function findRanks(
  source: RunSource,
  names: readonly DirEntry[],
  warn: Warn,
): Promise<readonly RankInfo[]> {
  const dirs = names.filter((e) => RANK_DIR.test(e.name)).map((e) => e.name);
  // Code point order, as rlprobe sorts paths.
  dirs.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const ranks: RankInfo[] = [];
  for (const dir of dirs) {
    try {
      const rank = await openRank(source, dir, warn);
      if (rank === null) continue;
      if (rank === 0 || ranks.some((r) => r.rank === rank))
        warn("rank-duplicate", dir, `rank ${rank} is there already`);
      ranks.push({ rank, dir });
    } catch (error) {
      if (
        error instanceof FlightDeckError &&
        (error.code === "newer-schema" || error.code === "bad-schema-version")
      )
        warn(
          error.code,
          `${dir}/${MANIFEST_FILE}`,
          `its schema_version is ${error.facts["found"] ?? "not known"}: this rank is left out`,
        );
      else {
        const file = error instanceof FlightDeckError && error.file !== "" ? error.file : dir;
        warn(warningOf(error), file, "this rank cannot be read and is left out");
      }
    }
  }
  return ranks;
}

/** The rank's number, or null when the folder is none (said). */
async function openRank(source: RunSource, dir: string, warn: Warn): Promise<number | null> {
  const stat = await source.stat(dir);
  if (!stat) return null;
  if (stat.link) {
    const { target } = stat.link;
    if (target === "loop") warn("link-loop", dir, "it is a link back to the run: left out");
    else if (target === "dangling") warn("dangling-link", dir, "it is a link to something that is missing");
    else warn("link-outside", dir, "it is a link, which a rank must not be: left out");
    return null;
  }
  if (stat.kind !== "directory") {
    warn("stray-file", dir, "it is named like a rank but is no folder");
    return null;
  }
  const entries = await source.list(dir);
  for (const e of entries)
    if (RANK_DIR.test(e.name) && e.kind === "directory")
      warn("rank-nested", `${dir}/${e.name}`, "a rank inside a rank is left out");
  const path = `${dir}/${MANIFEST_FILE}`;
  const file = await source.stat(path);
  if (!file) {
    warn(
      "rank-no-manifest",
      dir,
      "it has no manifest.json: it crashed at its start, or is no rank; left out",
    );
    return null;
  }
  const fault = entryFault(file, "file");
  if (fault) {
    warn(fault.code, path, `${fault.detail}: this rank is left out`);
    return null;
  }
  if (linksOut(file)) sayLinkOut(path, warn);
  const manifest = parseManifest(await source.read(path, 0, MANIFEST_LIMIT + 1), dir, warn, path);
  return rankNumber(dir, manifest.extra["rank"], warn);
}

function rankNumber(dir: string, stated: unknown, warn: Warn): number {
  const match = RANK_NUMBER.exec(dir);
  const fromManifest = typeof stated === "number" && isRank(stated) && stated >= 0 ? stated : null;
  if (match) return Number(match[1]);
  warn("rank-name", dir, "its name holds no rank number; the manifest's is used");
  return fromManifest ?? 0;
}
