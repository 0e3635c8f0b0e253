/** What the extension has one of: the log, the worker, the list of recent runs. Each is made when it is first needed. */
import * as vscode from "vscode";
import { Recents } from "./commands/recents.ts";
import { Doctor } from "./doctor/doctor.ts";
import { Focus } from "./doctor/focus.ts";
import { FindingProblems } from "./doctor/problems.ts";
import { Pins } from "./editor/pins.ts";
import { watchRun } from "./editor/place.ts";
import { Prefs } from "./editor/prefs.ts";
import { language } from "./language.ts";
import { Guardian } from "./live/guardian.ts";
import { type Log, logOver } from "./log.ts";
import { RunReader } from "./samples/reader.ts";
import { RunWorker } from "./worker/client.ts";
import { RunPool } from "./worker/pool.ts";
import { spawnWorker } from "./worker/spawn.ts";

const NEVER = new AbortController().signal;

export const VIEW_TYPE = "flightDeck.run";

/** A sample, or where `row` is `null` a step. */
export interface SamplePlace {
  readonly row: number | null;
  readonly step: number;
}

export class Services implements vscode.Disposable {
  readonly extensionUri: vscode.Uri;
  readonly #storage: vscode.Uri;
  readonly recents: Recents;
  readonly prefs: Prefs;
  /** Findings, by the id they have in a diagnosis. */
  readonly focus = new Focus<string>();
  readonly sampleFocus = new Focus<SamplePlace>();
  readonly pins = new Pins();
  readonly problems = new FindingProblems();
  readonly doctor = new Doctor(() => this.pool);
  readonly reader = new RunReader(() => this.pool);
  /** Runs that are being recorded. */
  readonly guardian: Guardian;
  #log: Log | null = null;
  #worker: RunWorker | null = null;
  readonly #trust: vscode.Disposable;
  #pool: RunPool | null = null;

  constructor(context: vscode.ExtensionContext) {
    this.extensionUri = context.extensionUri;
    this.#storage = context.globalStorageUri;
    this.recents = new Recents(context.globalState);
    this.prefs = new Prefs(context.workspaceState);
    this.problems.follow(this.doctor);
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#trusted());
    this.guardian = new Guardian({
      acquire: (dir) => this.pool.acquire(dir, false),
      forgive: (dir) => this.pool.forgive(dir),
      diagnose: async (dir) => (await this.doctor.diagnose(dir, NEVER, false)).view.findings,
      follow: watchRun,
      changed: (dir) => this.doctor.runChanged(dir),
      isAutomatic: (dir) =>
        vscode.workspace.getConfiguration("flightDeck.live", vscode.Uri.file(dir)).get("watch", true),
      memory: context.workspaceState,
      log: (text) => this.log.debug(`watched run: ${text}`),
    });
  }

  /** What links of runs lead to is read now. */
  async #trusted(): Promise<void> {
    const dirs = (await this.#worker?.trusted()) ?? [];
    for (const dir of new Set(dirs)) this.doctor.runChanged(dir);
  }

  get log(): Log {
    this.#log ??= logOver(vscode.window.createOutputChannel("Flight Deck", { log: true }));
    return this.#log;
  }

  get pool(): RunPool {
    this.#pool ??= new RunPool(this.#runWorker());
    return this.#pool;
  }

  dispose(): void {
    this.#trust.dispose();
    this.guardian.dispose();
    this.doctor.dispose();
    this.problems.dispose();
    this.reader.dispose();
    this.#worker?.dispose();
    this.#log?.dispose();
  }

  /** Runs are in sight: the first that is opened finds everything ready. */
  warm(): void {
    this.#runWorker().warm();
  }

  #runWorker(): RunWorker {
    const inDist = (name: string): string => vscode.Uri.joinPath(this.extensionUri, "dist", name).fsPath;
    const cache = vscode.Uri.joinPath(this.#storage, "samples").fsPath;
    const demo = vscode.Uri.joinPath(this.extensionUri, "media", "demo", "grpo-length-hack").fsPath;
    const { words } = language();
    const paths = {
      ...{ script: inDist("worker.cjs"), wasm: inDist("parquet_wasm_bg.wasm"), cache, demo },
      ...(words === undefined ? {} : { words }),
    };
    this.#worker ??= new RunWorker({
      spawn: () => spawnWorker(paths, (text) => this.log.debug(`worker: ${text}`)),
      isRestricted: () => !vscode.workspace.isTrusted,
      log: (level, message) => this.log[level](message),
    });
    return this.#worker;
  }
}
