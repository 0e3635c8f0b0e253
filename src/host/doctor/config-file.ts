/** Which doctor.toml a run is diagnosed with: the setting's, or the nearest from the run's folder up to the workspace's. */

import { readFile, stat } from "node:fs/promises";
import nodePath from "node:path";
import { isWithin } from "../../core/io/within.ts";
import { MAX_CONFIG } from "../../protocol/diagnosis.ts";
import { t } from "../../protocol/l10n.ts";
import type { Looker } from "../paths.ts";

export const CONFIG_NAME = "doctor.toml";

export interface Around {
  /** The workspace folder that the run lies in, or is; `null` outside of any. */
  readonly workspace: string | null;
  /** What the setting names, "" when it names nothing. A relative path starts at the workspace folder. */
  readonly setting: string;
}

/** Paths that are looked at, in this order; of the setting's none but itself. */
export function configPlaces(dir: string, { workspace, setting }: Around): readonly string[] {
  if (setting !== "") return [nodePath.resolve(workspace ?? dir, setting)];
  const places = [nodePath.join(dir, CONFIG_NAME)];
  if (workspace === null || !isWithin(workspace, dir)) return places;
  for (let folder = dir; folder !== workspace; ) {
    const above = nodePath.dirname(folder);
    if (above === folder) break;
    folder = above;
    places.push(nodePath.join(folder, CONFIG_NAME));
  }
  return places;
}

/** The file that counts; `null` when there is none. What the setting names counts whether it is there or not. */
export async function findConfig(dir: string, around: Around, looker: Looker): Promise<string | null> {
  const places = configPlaces(dir, around);
  if (around.setting !== "") return places[0] ?? null;
  for (const place of places) if ((await looker.kind(place)) === "file") return place;
  return null;
}

export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}

/** @throws ConfigFault with a sentence for people */
export async function readConfig(file: string): Promise<string> {
  try {
    // First the look: a pipe would never be read to its end.
    const found = await stat(file);
    if (!found.isFile()) throw new ConfigFault(t("{0} is no file.", file));
    if (found.size > MAX_CONFIG) throw new ConfigFault(t("{0} is too large for a {1}.", file, CONFIG_NAME));
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof ConfigFault) throw error;
    throw new ConfigFault(t("{0} cannot be read.", file));
  }
}

/** Whether a change of this file can change how the run is diagnosed. */
export function concerns(file: string, dir: string, around: Around): boolean {
  return configPlaces(dir, around).includes(nodePath.normalize(file));
}
