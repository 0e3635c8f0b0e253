/** Child processes: run to the end with their output kept, or shown as it comes. Node's own modules only. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./paths.mjs";

const live = new Set();

function kill(child, signal) {
  try {
    // A child of ours leads its own process group: what it started ends with it.
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {
    // Already gone.
  }
}

process.on("exit", () => {
  for (const child of live) kill(child, "SIGKILL");
});

let ending = async () => undefined;
let ended = false;

/** @param {() => Promise<void>} end what to do first when this program is asked to end */
export function onEnd(end) {
  ending = end;
}

// Children lead their own groups, so a Ctrl+C reaches only this process: it ends them (above) on its way out.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, async () => {
    if (ended) return;
    ended = true;
    await ending().catch(() => undefined);
    process.exit(128 + constants.signals[signal]);
  });
}

/**
 * Starts a program that leads its own process group.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function start(command, args, options = {}) {
  const windowsScript = process.platform === "win32" && /^(npm|npx|code)$/.test(command);
  const child = spawn(windowsScript ? `${command}.cmd` : command, [...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    shell: windowsScript,
    ...options,
  });
  live.add(child);
  child.once("close", () => live.delete(child));
  child.once("error", () => live.delete(child));
  return child;
}

/** Ends a program and all that it started: asked first, then made to. Resolves once it is gone. */
export async function stop(child, patience = 4000) {
  if (child.exitCode !== null || child.signalCode !== null) {
    kill(child, "SIGKILL");
    return;
  }
  const gone = new Promise((resolve) => child.once("exit", resolve));
  kill(child, "SIGTERM");
  const timer = setTimeout(() => kill(child, "SIGKILL"), patience);
  await gone;
  clearTimeout(timer);
  kill(child, "SIGKILL");
}

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} options `show` prints the output as it comes.
 * @returns {Promise<{ code: number, output: string }>} a program that cannot be started has code 127
 */
export function run(command, args, options = {}) {
  const { show = false, ...rest } = options;
  return new Promise((resolve) => {
    const child = start(command, args, rest);
    let output = "";
    const take = (to) => (chunk) => {
      output += chunk;
      if (show) to.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", take(process.stdout));
    child.stderr.setEncoding("utf8").on("data", take(process.stderr));
    child.once("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output }),
    );
  });
}

/** Runs a program that has to succeed. @returns {Promise<string>} its output */
export async function must(command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) {
    const tail = output.trimEnd().split("\n").slice(-30).join("\n");
    throw new Error(`${command} ${args.join(" ")} ended with code ${code}:\n${tail}`);
  }
  return output;
}

/** Seconds since `from` (a `performance.now()`), as "1.2 s". */
export function since(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
