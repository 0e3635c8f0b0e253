/** The recorder as a package that a training script imports, and such scripts as processes of their own. */
import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildRecorder } from "../../scripts/build.mjs";
import { initParquet, nodeSource, openRun } from "../../src/core/index.ts";
import type { RunModel } from "../../src/core/run/model.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

initParquet(fs.readFileSync(path.join(root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm")));

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** A project that has the package installed. */
export class Project {
  /** Everybody may read it and write into its `runs`. */
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-recorder-")));
  private scripts = 0;

  async install(): Promise<void> {
    const home = path.join(this.folder, "node_modules/flight-deck");
    await buildRecorder(path.join(home, "dist"));
    fs.copyFileSync(path.join(root, "package.json"), path.join(home, "package.json"));
    fs.mkdirSync(path.join(this.folder, "runs"));
    fs.chmodSync(path.join(this.folder, "runs"), 0o777);
    fs.chmodSync(this.folder, 0o755);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** A folder for a run that does not exist yet. */
  run(): string {
    return path.join(this.folder, "runs", `run-${this.scripts++}`);
  }

  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Starts a script; what it prints is kept. */
  start(text: string, options: SpawnOptions & { readonly name?: string } = {}) {
    const file = options.name ?? `script-${this.scripts++}.mjs`;
    this.write(file, text);
    return this.spawn(process.execPath, [file], options);
  }

  /** Runs a line of shell. */
  shell(line: string) {
    return this.spawn("sh", ["-c", line], {});
  }

  private spawn(program: string, args: readonly string[], options: SpawnOptions) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], ...options, cwd: this.folder });
    let out = "";
    let err = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      out += bytes.toString();
    });
    child.stderr?.on("data", (bytes: Buffer) => {
      err += bytes.toString();
    });
    const ended = once(child, "close").then(
      ([code, signal]): Ended => ({ code: code as number | null, signal: signal as string | null, out, err }),
    );
    return { child, ended };
  }
}

export const openFolder = (folder: string): Promise<RunModel> => openRun(nodeSource(folder));

export async function stepsIn(folder: string): Promise<readonly number[]> {
  const { step } = await (await openFolder(folder)).steps.axis("recorded");
  return [...step.values];
}

export interface EventOnDisk {
  readonly kind: string;
  readonly step: number | null;
  readonly rank: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function eventsIn(folder: string): readonly EventOnDisk[] {
  const file = path.join(folder, "events.jsonl");
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as EventOnDisk);
}

/** All files of a folder, relative to it. */
export function filesIn(folder: string): readonly string[] {
  return (fs.readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .sort();
}
