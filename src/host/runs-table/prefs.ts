/** Which columns the table of runs has, in the workspace's own storage. */
import * as z from "zod/mini";
import { TablePrefs } from "../../protocol/runs-page.ts";
import type { Memory } from "../commands/recents.ts";

const KEY = "flightDeck.runsTable";

export function tablePrefs(memory: Memory): TablePrefs | null {
  const parsed = z.safeParse(TablePrefs, memory.get<unknown>(KEY));
  return parsed.success ? parsed.data : null;
}

export async function keepTablePrefs(memory: Memory, prefs: TablePrefs): Promise<void> {
  await memory.update(KEY, prefs);
}
