/** Configurations as documents of `flightdeck:`, keys in one order, so that VS Code's own diff shows what differs. */
import nodePath from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { IgnorePatterns } from "../../protocol/compare.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import { tabText } from "../../view/native.ts";
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
/** One run's: another that cannot be read takes nothing from it. */
const ConfigAddress = z.object({ dir: Dir, ignore: IgnorePatterns });
export type ConfigAddress = z.infer<typeof ConfigAddress>;

/** All that the document shows follows from its address. */
function configUri(address: ConfigAddress): vscode.Uri {
  const name = fileNamePart(nodePath.basename(address.dir)) || "run";
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
  const at = (dir: string): vscode.Uri => configUri({ dir, ignore });
  const pairs = others.map((other) => [at(baseline), at(other)] as const);
  const name = (dir: string): string => tabText(nodePath.basename(dir) || dir);
  const [only] = pairs;
  if (pairs.length === 1 && only) {
    const title = vscode.l10n.t("Configuration: {0} ↔ {1}", name(baseline), name(others[0] ?? ""));
    await vscode.commands.executeCommand("vscode.diff", only[0], only[1], title, { preview: false });
    return;
  }
  const title = vscode.l10n.t("Configuration: {0} against {1} runs", name(baseline), others.length);
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
      const { message, remedy } = error.problem;
      return `${JSON.stringify({ "cannot be read": message, remedy }, null, 2)}\n`;
    }
  }

  async #read({ dir, ignore }: ConfigAddress): Promise<string> {
    const leased = await this.#pool().acquire(dir, false);
    if (leased.state !== "run") throw new ProblemError(leased.problem);
    const { run, release } = leased.lease;
    try {
      // A comparison has two runs at least: the run stands for both.
      const { text } = await this.#pool().compare([run, run], "compare.document", { run: 0, ignore });
      return text;
    } finally {
      release();
    }
  }
}
