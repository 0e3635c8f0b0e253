/** Links that come in, links that are copied, and links in terminals. Whatever they name is only looked at. */
import nodePath from "node:path";
import * as vscode from "vscode";
import {
  type LineLink,
  type LinkedFolder,
  linksInLine,
  linkTo,
  parseLink,
  type RunLink,
} from "../../view/links.ts";
import { openFolder } from "../commands/openRun.ts";
import { pickRun } from "../commands/pickRun.ts";
import { folderOf, frontRun, targetsOf } from "../commands/targets.ts";
import { disk } from "../disk.ts";
import { isRunFolder, openRuns } from "../inline/run-of.ts";
import { addressOf } from "../samples/address.ts";
import type { SampleCommandName } from "../samples/commands.ts";
import { confirm, tell, warn } from "../say.ts";
import type { Services } from "../services.ts";

export interface LinkParts {
  readonly services: Services;
  /** Runs of the comparison in front, the baseline first. */
  readonly comparison: () => readonly vscode.Uri[];
  readonly compare: (uris: readonly vscode.Uri[]) => void;
  readonly sample: (name: SampleCommandName, target: unknown) => Promise<void>;
}

export interface TerminalLink extends vscode.TerminalLink {
  readonly link: RunLink;
}

/** Folders that are looked at for one line of a terminal. */
const MAX_LOOKS = 24;

export class Links {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** A link that somebody followed, from anywhere. Opens or says why not; nothing is run. */
  async handle(uri: vscode.Uri): Promise<void> {
    const link = parseLink(uri.path, uri.query);
    if ("refused" in link) {
      this.#parts.services.log.warn(`link refused: ${link.refused}`);
      await warn(vscode.l10n.t("The link cannot be opened. {0}", link.refused));
      return;
    }
    const folders = [link.run, ...(link.other ? [link.other] : [])];
    for (const folder of folders) if (!(await this.#mayOpen(folder))) return;
    await this.open(link);
  }

  /** @returns false when the folder is on another machine, is none, or the user does not want it */
  async #mayOpen({ path, authority }: LinkedFolder): Promise<boolean> {
    const { remoteName } = vscode.env;
    if (authority !== "" && authority.split("+")[0] !== remoteName) {
      await warn(
        vscode.l10n.t(
          "The link is about a run on another machine ({0}). Open a window there and follow it again.",
          authority,
        ),
      );
      return false;
    }
    const uri = vscode.Uri.file(path);
    const isKnown = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const choice = vscode.l10n.t("Open Run");
    if (
      !isKnown &&
      !(await confirm(vscode.l10n.t("A link wants to open a run outside of this workspace."), choice, path))
    )
      return false;
    if ((await disk.kind(path)) !== null) return true;
    await warn(vscode.l10n.t("The link names a folder that is not here: {0}", path));
    return false;
  }

  /** What a link is about: its run, the run at a step, a sample's document, a comparison. */
  async open({ run, step, sample, other }: RunLink): Promise<void> {
    const folder = await folderOf(vscode.Uri.file(run.path));
    const dir = folder.fsPath;
    if (other) this.#parts.compare([folder, await folderOf(vscode.Uri.file(other.path))]);
    else if (sample) await this.#parts.sample("openSample", { dir, step, rank: sample.rank, id: sample.id });
    else {
      if (step !== null) this.#parts.services.sampleFocus.ask(dir, { row: null, step: Number(step) });
      await openFolder(folder);
    }
  }

  /** @param target a run or a document about a sample, clicked on; else what is in front */
  async copy(target: unknown): Promise<void> {
    const link = await this.#linkOf(target);
    if (!link) return;
    const made = linkTo(vscode.env.uriScheme, link);
    if (typeof made !== "string") {
      await warn(vscode.l10n.t("The link cannot be made. {0}", made.refused));
      return;
    }
    await vscode.env.clipboard.writeText(made);
    await tell(vscode.l10n.t("The link is in the clipboard."));
  }

  async #linkOf(target: unknown): Promise<RunLink | null> {
    const [own] = targetsOf(target, undefined);
    const shown = own ?? documentInFront();
    const address = shown && addressOf(shown);
    if (address) {
      const sample = address.kind === "sample" ? address.sample : null;
      const named = sample !== null && sample.id !== null ? { rank: sample.rank, id: sample.id } : null;
      return linkAt(address.dir, { step: sample?.step ?? null, sample: named, other: null });
    }
    if (!own) {
      const [baseline, ...others] = this.#parts.comparison();
      const [other] = others;
      // A link holds two runs: of more, the first two.
      if (baseline && other)
        return linkAt(baseline.fsPath, {
          step: null,
          sample: null,
          other: { path: other.fsPath, authority: "" },
        });
    }
    const run = own ?? frontRun() ?? (await pickRun(this.#parts.services, vscode.l10n.t("Copy Link")));
    if (!run) return null;
    const folder = await folderOf(run);
    if (folder.scheme !== "file") return null;
    const isInFront = run.toString() === frontRun()?.toString();
    const step = isInFront ? this.#parts.services.pins.get(folder.fsPath) : null;
    return linkAt(folder.fsPath, {
      step: Number.isSafeInteger(step) ? String(step) : null,
      sample: null,
      other: null,
    });
  }

  /** Folders of runs, and citations of runs that can be found from here. */
  async terminalLinks(
    { line, terminal }: vscode.TerminalLinkContext,
    token: vscode.CancellationToken,
  ): Promise<TerminalLink[]> {
    const places = linksInLine(line);
    if (places.length === 0) return [];
    const bases = basesOf(terminal);
    const found: TerminalLink[] = [];
    let looks = 0;
    for (const place of places) {
      if (token.isCancellationRequested || looks > MAX_LOOKS) return found;
      if (found.some(({ startIndex, length }) => place.from < startIndex + length && startIndex < place.to))
        continue;
      const candidates = pathsOf(place, bases);
      looks += candidates.length;
      const dir = await firstRun([...candidates, ...(await namedRuns(place))]);
      if (dir === null) continue;
      found.push({
        startIndex: place.from,
        length: place.to - place.from,
        tooltip: place.sample ? vscode.l10n.t("Open Sample") : vscode.l10n.t("Open Run"),
        link: { run: { path: dir, authority: "" }, step: place.step, sample: place.sample, other: null },
      });
    }
    return found;
  }
}

function linkAt(dir: string, rest: Omit<RunLink, "run">): RunLink {
  return { run: { path: dir, authority: "" }, ...rest };
}

function documentInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** Where a relative path in a terminal can start. */
function basesOf(terminal: vscode.Terminal): string[] {
  const cwd = terminal.shellIntegration?.cwd;
  const options = terminal.creationOptions;
  const begun = "cwd" in options ? options.cwd : undefined;
  const own = cwd?.scheme === "file" ? cwd.fsPath : typeof begun === "string" ? begun : begun?.fsPath;
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return [...(own === undefined ? [] : [own]), ...open.map(({ uri }) => uri.fsPath)].slice(0, 4);
}

/** A path of another machine is never looked at: that alone would tell it who is here. */
function pathsOf({ run }: LineLink, bases: readonly string[]): string[] {
  if (/^[\\/]{2}/.test(run) || run.includes("\0")) return [];
  return nodePath.isAbsolute(run) ? [run] : bases.map((base) => nodePath.resolve(base, run));
}

/** Runs in open editors go by their folder's name. */
async function namedRuns({ run, step }: LineLink): Promise<string[]> {
  if (step === null || /[\\/]/.test(run)) return [];
  return (await openRuns()).filter((dir) => nodePath.basename(dir) === run);
}

async function firstRun(dirs: readonly string[]): Promise<string | null> {
  for (const dir of dirs) if (await isRunFolder(dir)) return dir;
  return null;
}
