/** One opened document in a browser's host: where its run is, how the opening ended, and the questions of its pages. */
import * as vscode from "vscode";
import type { OpenState } from "../protocol/page.ts";
import { ABORTED, ProblemError } from "../protocol/rpc.ts";
import type { RunContract } from "../protocol/run.ts";
import type { Params, Result } from "../protocol/wire.ts";
import { problemOfError } from "../view/problems.ts";
import { nameOf, runFolder } from "./files.ts";
import type { Runs } from "./runs.ts";

type Method = keyof RunContract & string;

export class WebSession {
  readonly #uri: vscode.Uri;
  readonly #runs: Runs;
  #state: Promise<OpenState> | null = null;
  #run: number | null = null;
  #isLoose = false;
  #isOver = false;
  /** The run's folder, once it is known. */
  folder: vscode.Uri | null = null;

  constructor(uri: vscode.Uri, runs: Runs) {
    this.#uri = uri;
    this.#runs = runs;
  }

  /** The same answer for all who ask. Never rejects. */
  open(): Promise<OpenState> {
    this.#state ??= this.#open();
    return this.#state;
  }

  /** Looks again, whatever the state is. */
  retry(loose = this.#isLoose): Promise<OpenState> {
    this.#isLoose = loose;
    this.#state = (this.#state ?? Promise.resolve()).then(() => this.#open());
    return this.#state;
  }

  /** @throws ProblemError */
  async call<M extends Method>(
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal,
  ): Promise<Result<RunContract, M>> {
    const state = await this.open();
    if (state.state !== "run") throw new ProblemError(state.problem);
    if (this.#run === null) throw new ProblemError(ABORTED);
    return this.#runs.call(this.#run, method, params, { signal });
  }

  dispose(): void {
    this.#isOver = true;
    if (this.#run !== null) void this.#runs.close(this.#run);
    this.#run = null;
  }

  async #open(): Promise<OpenState> {
    try {
      this.folder = await runFolder(this.#uri);
      const how = { loose: this.#isLoose, restricted: !vscode.workspace.isTrusted };
      const opened = await this.#runs.open(this.folder.toString(), how, this.#run);
      this.#run = opened.state === "run" ? opened.run : null;
      if (opened.state !== "run") return opened;
      if (this.#isOver) this.dispose();
      return { state: "run" };
    } catch (error) {
      return { state: "refused", label: nameOf(this.#uri), problem: problemOfError(error) };
    }
  }
}
