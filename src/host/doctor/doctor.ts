/** Diagnosis of runs, open or not, with the doctor.toml that counts for each; and word of it when that changes. */
import nodePath from "node:path";
import * as vscode from "vscode";
import type { DiagnosisView, FindingView } from "../../protocol/diagnosis.ts";
import { inEnglish, isEnglish } from "../../protocol/l10n.ts";
import { ProblemError, problemOf } from "../../protocol/rpc.ts";
import { disk } from "../disk.ts";
import { Listeners } from "../listeners.ts";
import { Throttle } from "../live/throttle.ts";
import type { RunPool } from "../worker/pool.ts";
import { type Around, CONFIG_NAME, ConfigFault, concerns, findConfig, readConfig } from "./config-file.ts";

export interface Diagnosed {
  readonly label: string;
  /** The run's folder. */
  readonly dir: string;
  /** The doctor.toml that was used, absolute; `null` for the defaults. */
  readonly config: string | null;
  readonly view: DiagnosisView;
}

/** What a question about a run is asked with. */
export interface DoctorConfigText {
  readonly file: string | null;
  readonly text: string | null;
  readonly extra: boolean;
}

const SECTION = "flightDeck.doctor";
/** Diagnoses that are remembered. */
const MAX_LAST = 64;
/** A run that is being recorded is diagnosed every five seconds at most, and takes a twentieth of the time for it. */
const LIVE = { least: 5000, share: 20 };

export class Doctor implements vscode.Disposable {
  readonly #pool: () => RunPool;
  readonly #changed = new Listeners<(dir: string) => boolean>();
  readonly #runChanged = new Listeners<string>();
  readonly #diagnosed = new Listeners<{ readonly dir: string; readonly view: DiagnosisView }>();
  /** By folder, in the order in which they were made. */
  readonly #last = new Map<string, DiagnosisView>();
  readonly #listening: vscode.Disposable[] = [];
  readonly #rhythm = new Throttle((dir) => this.#changed.tell((other) => other === dir), LIVE);

  constructor(pool: () => RunPool) {
    this.#pool = pool;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${CONFIG_NAME}`);
    const changed = ({ fsPath }: vscode.Uri): void => this.#fileChanged(fsPath);
    this.#listening.push(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
      // What lies outside of the workspace has no watcher, and a saved file needs none.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === "file") this.#fileChanged(uri.fsPath);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.#changed.tell(() => true);
      }),
    );
  }

  /** Told when runs have to be diagnosed again, with a test of which. */
  onChanged(listener: (concerns: (dir: string) => boolean) => void): () => void {
    return this.#changed.add(listener);
  }

  /** Other files lie in a run's folder now. It is diagnosed again at once, or where that was done just now, in a while. */
  runChanged(dir: string): void {
    this.#runChanged.tell(dir);
    this.#rhythm.ask(dir);
  }

  /** A diagnosis of a run took this many milliseconds. */
  took(dir: string, ms: number): void {
    this.#rhythm.took(dir, ms);
  }

  /** Told of each folder in which other files lie now. */
  onRunChanged(listener: (dir: string) => void): () => void {
    return this.#runChanged.add(listener);
  }

  /** Told of each diagnosis with the thresholds that count, whoever asked for it. */
  onDiagnosed(
    listener: (diagnosed: { readonly dir: string; readonly view: DiagnosisView }) => void,
  ): () => void {
    return this.#diagnosed.add(listener);
  }

  /** The last one of a run, as it was then. */
  last(dir: string): DiagnosisView | null {
    return this.#last.get(dir) ?? null;
  }

  /** A run was diagnosed with the thresholds that count. */
  learned(dir: string, view: DiagnosisView): void {
    this.#last.delete(dir);
    this.#last.set(dir, view);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_LAST && oldest !== undefined) this.#last.delete(oldest);
    this.#diagnosed.tell({ dir, view });
  }

  /**
   * @param known also look for the step since which each finding could be known, which takes longer
   * @throws ProblemError with words, "aborted" after `signal`
   */
  async diagnose(dir: string, signal: AbortSignal, known = true): Promise<Diagnosed> {
    const { file, text, extra } = await this.configFor(dir);
    const leased = await this.#pool().acquire(dir, false);
    if (leased.state !== "run") throw new ProblemError(leased.problem);
    const begun = performance.now();
    try {
      const view = await leased.lease.run.call("run.diagnose", { config: text, extra, known }, signal);
      this.took(dir, performance.now() - begun);
      this.learned(dir, view);
      return { label: nodePath.basename(dir) || dir, dir, config: file, view };
    } finally {
      leased.lease.release();
    }
  }

  /** The same findings for whoever is not here: in English. As they are where the run cannot be asked any more. */
  async inEnglish(dir: string, findings: readonly FindingView[]): Promise<readonly FindingView[]> {
    if (isEnglish()) return findings;
    try {
      const { text, extra } = await this.configFor(dir);
      const leased = await this.#pool().acquire(dir, false);
      if (leased.state !== "run") return findings;
      try {
        const { run } = leased.lease;
        const view = await inEnglish(() => run.call("run.diagnose", { config: text, extra, known: false }));
        const said = new Map(view.findings.map((finding) => [finding.id, finding]));
        return findings.map((finding) => said.get(finding.id) ?? finding);
      } finally {
        leased.lease.release();
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return findings;
    }
  }

  /** @throws ProblemError when the file that counts cannot be read */
  async configFor(dir: string): Promise<DoctorConfigText> {
    const file = await findConfig(dir, aroundOf(dir), disk);
    const extra = settings(dir).get("extra", true);
    if (file === null) return { file, text: null, extra };
    try {
      return { file, text: await readConfig(file), extra };
    } catch (error) {
      if (!(error instanceof ConfigFault)) throw error;
      throw new ProblemError(
        problemOf("doctor-config", error.message, {
          remedy: vscode.l10n.t("Correct the setting {0}.config.", SECTION),
        }),
      );
    }
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
    this.#rhythm.dispose();
    this.#changed.clear();
    this.#runChanged.clear();
    this.#diagnosed.clear();
  }

  #fileChanged(file: string): void {
    this.#changed.tell((dir) => concerns(file, dir, aroundOf(dir)));
  }
}

function settings(dir: string): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION, vscode.Uri.file(dir));
}

function aroundOf(dir: string): Around {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dir));
  return {
    workspace: folder?.uri.scheme === "file" ? folder.uri.fsPath : null,
    setting: settings(dir).get("config", "").trim(),
  };
}
