/** The command line as a process of its own, bundled with the recorder's thread as it ships. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleCommand } from "../helpers/bundle.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has said on standard error so far. */
  stderr(): string;
  readonly ended: Promise<Ended>;
}

export class Command {
  /** A folder for the test's files; it goes with the command. */
  readonly folder: string;
  /** The bundle, which Node runs. */
  readonly file: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.file = path.join(folder, "dist/cli.cjs");
  }

  static async make(): Promise<Command> {
    const folder = mkdtempSync(path.join(tmpdir(), "flight-deck-command-"));
    await bundleCommand(folder, { "recorder-thread": "src/recorder/thread.ts" });
    return new Command(folder);
  }

  /** Its standard input stays open until the test ends it. */
  start(...args: string[]): Running {
    const child = spawn(process.execPath, [this.file, ...args], { cwd: this.folder });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    // It may end before it has read everything.
    child.stdin.on("error", () => {});
    const ended = new Promise<Ended>((resolve) => {
      child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    return { child, stderr: () => stderr, ended };
  }

  run(args: readonly string[], input: string | Uint8Array = ""): Promise<Ended> {
    const { child, ended } = this.start(...args);
    child.stdin.end(input);
    return ended;
  }

  /** What `flight-deck inspect --json` says of a run in the folder. */
  async inspect(name: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.run(["inspect", name, "--json"])).stdout);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
