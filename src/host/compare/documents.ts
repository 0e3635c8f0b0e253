/** Configurations as documents of `flightdeck:`, keys in one order, so that VS Code's own diff shows what differs. */
import nodePath from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { IgnorePatterns } from "../../protocol/compare.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import { problemText } from "../../view/problems.ts";
import { fileNamePart } from "../../view/sample-words.ts";
import { SCHEME } from "../documents.ts";
import type { RunPool } from "../worker/pool.ts";
import { ignorePatterns } from "./ignore.ts";

const FOLDER = "/configurations/";
const EXTENSION = ".json";

const Dir = z.string().check(
  z.maxLength(4096),
  z.refine((dir) => nodePath.isAbsolute(dir) && !dir.includes("\0")),
);
/** Both runs of the pair are in it: they are asked about together, as the compare editor asks. */
const ConfigAddress = z.object({
  pair: z.tuple([Dir, Dir]),
  run: z.int().check(z.gte(0), z.lte(1)),
  ignore: IgnorePatterns,
});
export type ConfigAddress = z.infer<typeof ConfigAddress>;

/** All that the document shows follows from its address. */
function configUri(address: ConfigAddress): vscode.Uri {
  const dir = address.pair[address.run] ?? "";
  const name = fileNamePart(nodePath.basename(dir)) || "run";
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `${FOLDER}${name}${EXTENSION}`,
    query: encodeURIComponent(JSON.stringify(address)),
  });
}

/** @returns `null` for an address that is not one of these */
export function configAddress(uri: vscode.Uri): ConfigAddress | null {
  if (uri.scheme !== SCHEME || !uri.path.startsWith(FOLDER)) return null;
  try {
    const parsed = z.safeParse(ConfigAddress, JSON.parse(decodeURIComponent(uri.query)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Each of the others against the first: one diff for two runs, an editor of changes for more. @param dirs the baseline first */
export async function diffConfigurations(dirs: readonly string[]): Promise<void> {
  const [baseline, ...others] = dirs;
  if (baseline === undefined || others.length === 0) return;
  const ignore = ignorePatterns();
  const pairs = others.map((other) => {
    const at = (run: number): vscode.Uri => configUri({ pair: [baseline, other], run, ignore });
    return [at(0), at(1)] as const;
  });
  const name = (dir: string): string => nodePath.basename(dir) || dir;
  const [only] = pairs;
  if (pairs.length === 1 && only) {
    const title = `Configuration: ${name(baseline)} ↔ ${name(others[0] ?? "")}`;
    await vscode.commands.executeCommand("vscode.diff", only[0], only[1], title, { preview: false });
    return;
  }
  const title = `Configuration: ${name(baseline)} against ${others.length} runs`;
  await vscode.commands.executeCommand(
    "vscode.changes",
    title,
    pairs.map(([left, right]) => [right, left, right]),
  );
}

export class ConfigDocuments {
  readonly #pool: () => RunPool;

  constructor(pool: () => RunPool) {
    this.#pool = pool;
  }

  /** @returns `null` for an address that is not one of these */
  async text(uri: vscode.Uri): Promise<string | null> {
    const address = configAddress(uri);
    if (!address) return null;
    try {
      return await this.#read(address);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return `${JSON.stringify({ "cannot be read": problemText(error.problem) }, null, 2)}\n`;
    }
  }

  async #read({ pair, run, ignore }: ConfigAddress): Promise<string> {
    const leased = await Promise.all(pair.map((dir) => this.#pool().acquire(dir, false)));
    try {
      const runs = leased.map((one) => {
        if (one.state !== "run") throw new ProblemError(one.problem);
        return one.lease.run;
      });
      const { text } = await this.#pool().compare(runs, "compare.document", { run, ignore });
      return text;
    } finally {
      for (const one of leased) if (one.state === "run") one.lease.release();
    }
  }
}
