/** The runs of one compare editor: opened side by side, watched, each with its own fate. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { type CompareContract, MAX_RUNS } from "../../protocol/compare.ts";
import type { CompareMember } from "../../protocol/compare-page.ts";
import { ABORTED, ProblemError } from "../../protocol/rpc.ts";
import type { Params, Problem, Result } from "../../protocol/wire.ts";
import { locate, watchRun } from "../editor/place.ts";
import { RunSession } from "../editor/session.ts";
import type { RunWatch } from "../editor/watch.ts";
import { Listeners } from "../listeners.ts";
import type { Services } from "../services.ts";
import type { WorkerRun } from "../worker/client.ts";

/** One run of a comparison. */
class Member {
  readonly uri: vscode.Uri;
  readonly session: RunSession;
  readonly #services: Services;
  #watch: { readonly dir: string; readonly run: RunWatch } | null = null;
  #isVisible = false;
  #isDisposed = false;

  constructor(uri: vscode.Uri, services: Services) {
    this.uri = uri;
    this.#services = services;
    this.session = new RunSession({
      locate: async () => {
        const place = await locate(uri);
        if ("dir" in place) await this.#watchFolder(place.dir);
        return place;
      },
      pool: () => services.pool,
      onRefused: (place, { code, file }) =>
        services.log.warn(`not compared: ${place}: ${code}${file && ` (${file})`}`),
    });
  }

  set visible(isVisible: boolean) {
    this.#isVisible = isVisible;
    if (this.#watch) this.#watch.run.visible = isVisible;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watch?.run.dispose();
    this.session.dispose();
  }

  async #watchFolder(dir: string): Promise<void> {
    if (this.#isDisposed || this.#watch?.dir === dir) return;
    this.#watch?.run.dispose();
    const onChanged = async (): Promise<void> => {
      await this.session.refresh();
      this.#services.doctor.runChanged(dir);
    };
    const run = watchRun(dir, onChanged);
    run.visible = this.#isVisible;
    this.#watch = { dir, run };
    await run.ready;
  }
}

export class Comparison {
  readonly #services: Services;
  readonly #onChanged = new Listeners<string>();
  readonly #onStopped = new Listeners<Problem>();
  #members: readonly Member[] = [];
  /** Those that were open when the page was told of them: what its numbers mean. */
  #open: readonly Member[] = [];
  #isVisible = true;
  #isDisposed = false;

  constructor(uris: readonly vscode.Uri[], services: Services) {
    this.#services = services;
    this.#members = uris.slice(0, MAX_RUNS).map((uri) => this.#member(uri));
  }

  /** Folders, the baseline first. */
  get uris(): readonly vscode.Uri[] {
    return this.#members.map(({ uri }) => uri);
  }

  get labels(): readonly string[] {
    return this.uris.map(labelOf);
  }

  /** The run's files are looked at while somebody sees the comparison. */
  set visible(isVisible: boolean) {
    this.#isVisible = isVisible;
    for (const member of this.#members) member.visible = isVisible;
  }

  /** Told when everything has to be asked again, and why. */
  onChanged(listener: (reason: string) => void): () => void {
    return this.#onChanged.add(listener);
  }

  onStopped(listener: (problem: Problem) => void): () => void {
    return this.#onStopped.add(listener);
  }

  /** Settles when each run is open or could not be opened. Never rejects. */
  async open(): Promise<CompareMember[]> {
    const members = this.#members;
    const states = await Promise.all(members.map(({ session }) => session.open()));
    const open: Member[] = [];
    const labels = members.map(({ uri }) => labelOf(uri));
    const answer = members.map((member, i): CompareMember => {
      const state = states[i] ?? { state: "refused", label: "", problem: ABORTED };
      const isOpen = state.state === "run" && member.session.run !== null;
      const label = labels[i] ?? "";
      const isAlone = labels.filter((other) => other === label).length === 1;
      const where = isAlone ? "" : vscode.workspace.asRelativePath(member.uri, true);
      const run = isOpen ? open.push(member) - 1 : null;
      return { uri: member.uri.toString(), label, where, state, run };
    });
    if (members === this.#members) this.#open = open;
    return answer;
  }

  /** @throws ProblemError */
  async ask<M extends keyof CompareContract & string>(
    method: M,
    params: Params<CompareContract, M>,
    signal: AbortSignal,
  ): Promise<Result<CompareContract, M>> {
    const runs = this.#open.map(({ session }) => session.run).filter((run): run is WorkerRun => run !== null);
    if (runs.length !== this.#open.length || runs.length < 2) throw new ProblemError(ABORTED);
    return this.#services.pool.compare(runs, method, params, signal);
  }

  /** The open run of a number; `null` when it is none. */
  session(run: number): RunSession | null {
    return this.#open[run]?.session ?? null;
  }

  /** Folder of an open run. */
  dir(run: number): string | null {
    return this.session(run)?.dir ?? null;
  }

  memberUri(place: number): vscode.Uri | null {
    return this.#members[place]?.uri ?? null;
  }

  add(uris: readonly vscode.Uri[]): void {
    const known = new Set(this.uris.map(String));
    const added = uris.filter((uri) => !known.has(uri.toString()));
    if (added.length === 0) return;
    const all = [...this.#members, ...added.map((uri) => this.#member(uri))];
    this.#put(all.slice(0, MAX_RUNS), vscode.l10n.t("Runs were added."));
  }

  /** @param places of the members that stay, in their new order; each once */
  arrange(places: readonly number[]): void {
    const members = [...new Set(places)].flatMap((place) => this.#members[place] ?? []);
    if (members.length === 0) return;
    this.#put(members, vscode.l10n.t("The runs stand in another order."));
  }

  /** Looks again at what could not be opened; at everything when all of it is open. */
  async retry(): Promise<void> {
    const states = await Promise.all(this.#members.map(({ session }) => session.open()));
    const lost = this.#members.filter((_, i) => states[i]?.state !== "run");
    const again = lost.length > 0 ? lost : this.#members;
    await Promise.all(again.map(({ session }) => session.retry()));
    this.#onChanged.tell(vscode.l10n.t("The runs were looked at again."));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#onChanged.clear();
    this.#onStopped.clear();
    for (const member of this.#members) member.dispose();
    this.#members = [];
    this.#open = [];
  }

  #member(uri: vscode.Uri): Member {
    const member = new Member(uri, this.#services);
    member.visible = this.#isVisible;
    member.session.onReopened((reason) => this.#onChanged.tell(reason));
    member.session.onChanged(() => this.#onChanged.tell(vscode.l10n.t("The files of a run have changed.")));
    member.session.onStopped((problem) => this.#onStopped.tell(problem));
    return member;
  }

  #put(members: readonly Member[], reason: string): void {
    if (this.#isDisposed) return;
    const gone = this.#members.filter((member) => !members.includes(member));
    this.#members = members;
    for (const member of gone) member.dispose();
    this.#onChanged.tell(reason);
  }
}

export const labelOf = (uri: vscode.Uri): string => nodePath.posix.basename(uri.path) || uri.path;
