/** The `flight-deck` command: bundled as dist/cli.cjs. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { Recorder } from "../recorder/index.ts";
import type { Context, StopSignal } from "./context.ts";
import { run } from "./run.ts";
import { styleFor } from "./terminal.ts";

// A call of the command is over before it pays to compile the decoder a second time, for speed: a quarter of the processor time at
// 100,000 steps. An engine that does not know the name says so on standard error: only those that were tried.
if (Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString("--liftoff-only");

/** The user's own folder for what can be made again. */
function cacheHome(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg && path.isAbsolute(xdg)) return xdg;
  if (process.platform === "win32" && local) return local;
  return path.join(os.homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}

const { stdout, stderr, env } = process;

const context: Context = {
  out: (text) => stdout.write(`${text}\n`),
  err: (text) => stderr.write(`${text}\n`),
  style: styleFor(stdout.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb"),
  isTerminal: stdout.isTTY === true,
  columns: stdout.isTTY ? Math.max(40, stdout.columns) : 200,
  nowMs: Date.now(),
  version: version(),
  onInterrupt(stop) {
    process.once("SIGINT", stop);
    return () => process.off("SIGINT", stop);
  },
  cacheFolder: path.join(cacheHome(), "flight-deck"),
  wasm: () => fs.readFileSync(path.join(__dirname, "parquet_wasm_bg.wasm")),
  launch,
  recording: {
    input: {
      isTerminal: () => process.stdin.isTTY === true,
      chunks: () => process.stdin,
      end: () => process.stdin.destroy(),
    },
    newRecorder: (folder, options) => new Recorder(folder, options),
    onSignals(signals, heard) {
      const listener = (signal: NodeJS.Signals): void => heard(signal as StopSignal);
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
  },
};

// `flight-deck ls | head` closes the pipe early: there is nobody left to tell.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  stderr.write(`flight-deck: what was found could not be written (${error.code ?? "unknown"})\n`);
  process.exit(2);
});

// Whoever listened to what goes wrong may be gone: what is being recorded goes on.
stderr.on("error", () => {});

/** VS Code's own command; no shell is asked, so that nothing in the link is more than a link. */
function launch(link: string): Promise<boolean> {
  return new Promise((resolve) => {
    const name = process.platform === "win32" ? "code.exe" : "code";
    const code = spawn(name, ["--open-url", link], { stdio: "ignore", detached: true });
    code.on("error", () => resolve(false));
    code.on("spawn", () => {
      code.unref();
      resolve(true);
    });
  });
}

function version(): string {
  const text = fs.readFileSync(path.join(__dirname, "../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

run(process.argv.slice(2), context, context.version ?? "").then(
  (code) => {
    process.exitCode = code;
  },
  () => {
    context.err("flight-deck: something went wrong inside Flight Deck");
    process.exitCode = 2;
  },
);
