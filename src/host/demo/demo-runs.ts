/** Create Demo Run…: made-up runs, written at once or as if they were training, where the user says. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { type SynthRun, synthesize } from "../../core/synth/index.ts";
import { Recorder } from "../../recorder/index.ts";
import { madeUpOptions, type Pace, recordMadeUp } from "../../recorder/made-up.ts";
import { noticeText } from "../../view/native.ts";
import { writingProblem } from "../../view/recording.ts";
import { openFolder } from "../commands/openRun.ts";
import { disk } from "../disk.ts";
import { runFolderOf } from "../paths.ts";
import { tell, tellError, warn } from "../say.ts";
import type { Services } from "../services.ts";
import { type DemoKind, pickKind, pickManner } from "./pick.ts";

const STEPS = 400;
/** Seconds a step of a live run: its failure is there in less than a minute. */
const PACE = 0.25;
/** Where a failure begins: early enough that nobody waits long for it. */
const ONSET = 0.4;
/** Steps after which a live run is shown. */
const SHOWN_AFTER = 4;

interface Going {
  readonly name: string;
  step: number;
  readonly stop: () => void;
  readonly over: Promise<void>;
}

export class DemoRuns implements vscode.Disposable {
  readonly #services: Services;
  readonly #going = new Set<Going>();
  #status: vscode.StatusBarItem | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  dispose(): void {
    for (const { stop } of this.#going) stop();
    this.#status?.dispose();
  }

  async create(): Promise<void> {
    const kind = await pickKind();
    const isLive = kind && (await pickManner());
    if (!kind || isLive === undefined) return;
    const parent = await chooseParent();
    if (!parent) return;
    const folder = await freeFolder(parent, kind);
    try {
      if (isLive) await this.#live(folder, kind);
      else await this.#whole(folder, kind);
    } catch (error) {
      this.#services.log.error(`demo run in ${folder}: ${String(error)}`);
      await tellError(vscode.l10n.t("The demo run could not be written in {0}.", folder));
    }
  }

  /** All that are being written; settles when each is closed. */
  async stop(): Promise<void> {
    const all = [...this.#going];
    for (const { stop } of all) stop();
    await Promise.all(all.map(({ over }) => over));
    if (all.length === 0) void tell(vscode.l10n.t("No demo run is being written."));
  }

  /** As {@link stop}, when VS Code ends: nobody is told anything. */
  async close(): Promise<void> {
    if (this.#going.size > 0) await this.stop();
  }

  async #whole(folder: string, kind: DemoKind): Promise<void> {
    const run = madeUp(kind);
    const startedMs = Date.now() - 1000 * run.duration();
    const title = vscode.l10n.t("Writing {0}", nodePath.basename(folder));
    const options = { location: vscode.ProgressLocation.Notification, title: noticeText(title) };
    const isWritten = await vscode.window.withProgress(options, async () => {
      const recorder = newRecorder(folder, run, startedMs);
      await recordMadeUp(run, recorder, { startedMs, next: () => true });
      return said(folder, recorder);
    });
    if (isWritten) await openFolder(vscode.Uri.file(folder));
  }

  /** Settles when the run is shown, not when it ends. */
  async #live(folder: string, kind: DemoKind): Promise<void> {
    const run = madeUp(kind, PACE);
    const recorder = newRecorder(folder, run, Date.now(), 1);
    const { going, pace, shown } = this.#begin(nodePath.basename(folder), recorder);
    const over = recordMadeUp(run, recorder, pace).then(() => {
      this.#going.delete(going);
      this.#show();
      said(folder, recorder);
    });
    void over.then(going.settle, (error: unknown) => {
      this.#services.log.error(`demo run in ${folder}: ${String(error)}`);
      going.settle();
    });
    await Promise.race([shown, going.over]);
    if (recorder.problem === null) await openFolder(vscode.Uri.file(folder));
  }

  #begin(name: string, recorder: Recorder) {
    let isStopped = false;
    let wake = (): void => {};
    let settle = (): void => {};
    let show = (): void => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    const going = {
      name,
      step: 0,
      stop() {
        isStopped = true;
        wake();
      },
      over: new Promise<void>((resolve) => {
        settle = resolve;
      }),
      settle: () => settle(),
    };
    const pace: Pace = {
      startedMs: null,
      next: async (step) => {
        if (step > 0 && !isStopped) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, PACE * 1000);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        if (step === SHOWN_AFTER) await recorder.flush().then(show);
        going.step = step;
        this.#show();
        return !isStopped;
      },
    };
    this.#going.add(going);
    return { going, pace, shown };
  }

  #show(): void {
    const [first, ...others] = this.#going;
    void vscode.commands.executeCommand("setContext", "flightDeck.demo.running", first !== undefined);
    if (!first) {
      this.#status?.hide();
      return;
    }
    this.#status ??= makeStatus();
    const more = others.length;
    this.#status.text = more
      ? vscode.l10n.t(
          "$(stop-circle) {0}: step {1} of {2} (and {3} more)",
          first.name,
          first.step,
          STEPS,
          more,
        )
      : vscode.l10n.t("$(stop-circle) {0}: step {1} of {2}", first.name, first.step, STEPS);
    const label = more
      ? vscode.l10n.t("Stop demo run {0} (and {1} more)", first.name, more)
      : vscode.l10n.t("Stop demo run {0}", first.name);
    this.#status.accessibilityInformation = { label };
    this.#status.show();
  }
}

function madeUp({ pathology, algorithm }: DemoKind, stepSeconds = 2): SynthRun {
  const seed = 1 + Math.floor(Math.random() * 1e6);
  return synthesize({ pathology, algorithm, steps: STEPS, seed, onsetShare: ONSET, stepSeconds });
}

function newRecorder(folder: string, run: SynthRun, startedMs: number, flushIntervalSeconds = 5): Recorder {
  // The extension host is not the loop's own process: it ends when the user closes a window.
  return new Recorder(folder, {
    ...madeUpOptions(run, startedMs),
    exitHandlers: false,
    flushIntervalSeconds,
  });
}

/** Says what could not be written. @returns true when everything could */
function said(folder: string, { problem, dropped }: Recorder): boolean {
  const why = problem
    ? writingProblem(folder, problem)
    : vscode.l10n.t("{0}: not everything could be written", folder);
  const isWhole = problem === null && dropped === 0;
  if (!isWhole) void warn(`${why}.`);
  return isWhole;
}

/** The folder in which the run's folder is made; never a run's own. */
async function chooseParent(): Promise<string | undefined> {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Create Demo Run: choose where its folder is made"),
    openLabel: vscode.l10n.t("Create Here"),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
    ...(workspace ? { defaultUri: workspace.uri } : {}),
  });
  const [uri] = chosen ?? [];
  if (!uri) return undefined;
  if (uri.scheme === "file" && !(await isInRun(uri.fsPath))) return uri.fsPath;
  const words =
    uri.scheme === "file"
      ? vscode.l10n.t("That is the folder of a run, and nothing is ever written into one. Choose another.")
      : vscode.l10n.t("A demo run is written on a disk: choose a folder of this machine.");
  void warn(words);
  return undefined;
}

async function isInRun(folder: string): Promise<boolean> {
  const run = await runFolderOf(nodePath.join(folder, "manifest.json"), disk, nodePath);
  return (await disk.kind(nodePath.join(run, "manifest.json"))) === "file";
}

const MAX_TRIES = 1000;

async function freeFolder(parent: string, { pathology, algorithm }: DemoKind): Promise<string> {
  const label = pathology ? pathology.name.replaceAll("_", "-") : `healthy-${algorithm}`;
  for (let n = 1; n < MAX_TRIES; n++) {
    const folder = nodePath.join(parent, n === 1 ? `demo-${label}` : `demo-${label}-${n}`);
    if ((await disk.kind(folder)) === null) return folder;
  }
  return nodePath.join(parent, `demo-${label}-${Date.now()}`);
}

function makeStatus(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem("flightDeck.demo", vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t("Flight Deck: Demo Run");
  item.tooltip = vscode.l10n.t("A demo run is being written. Click to stop it.");
  item.command = "flightDeck.stopDemo";
  return item;
}
