/**
 * The ways out of a process, for all recorders in it: what was logged is written, a crash or a signal is said, and the process ends as it
 * would have without us.
 */
import os from "node:os";

export interface Suspicion {
  readonly message: string;
  readonly data: object;
  readonly isSignal: boolean;
}

export interface Leaver {
  /** Says why the process ends. */
  crash(message: string, data: object): void;
  /** Remembers why it may be about to end; forgotten with the next call that logs something. */
  suspect(suspicion: Suspicion): void;
  /** Says what was remembered, if it still is and goes with the exit code. */
  admit(code: number): void;
  /** Asks its thread to end. */
  end(): void;
  /** Waits until it has. */
  wait(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];
const MAX_STACK = 16_384;

const leavers = new Set<Leaver>();

/** @returns what takes it off again */
export function watchExit(leaver: Leaver): () => void {
  if (leavers.size === 0) install();
  leavers.add(leaver);
  return () => {
    if (leavers.delete(leaver) && leavers.size === 0) uninstall();
  };
}

function install(): void {
  process.on("exit", onExit);
  // Unlike a handler it changes nothing about how the process ends.
  process.on("uncaughtExceptionMonitor", onUncaught);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function uninstall(): void {
  process.off("exit", onExit);
  process.off("uncaughtExceptionMonitor", onUncaught);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function onExit(code: number): void {
  for (const leaver of leavers) leaver.admit(code);
  endAll();
}

function endAll(): void {
  const all = [...leavers];
  for (const leaver of all) leaver.end();
  for (const leaver of all) leaver.wait();
}

function onUncaught(error: unknown): void {
  const { message, data } = described(error);
  // Somebody catches it: perhaps the process goes on.
  const isCaught = process.listenerCount("uncaughtException") > 0;
  for (const leaver of leavers) {
    if (isCaught) leaver.suspect({ message, data, isSignal: false });
    else leaver.crash(message, data);
  }
}

function described(error: unknown): { message: string; data: object } {
  try {
    if (!(error instanceof Error)) return { message: `Error: ${String(error)}`, data: {} };
    const stack = typeof error.stack === "string" ? { stack: error.stack.slice(0, MAX_STACK) } : {};
    return { message: `${error.name}: ${error.message}`, data: stack };
  } catch {
    return { message: "Error", data: {} };
  }
}

function onSignal(signal: Signal): void {
  // The number, as rlprobe says it.
  const message = `signal ${os.constants.signals[signal]}`;
  const isHandled = process.listenerCount(signal) > 1;
  if (isHandled) {
    // Whoever else listens decides what becomes of the process.
    for (const leaver of leavers) leaver.suspect({ message, data: {}, isSignal: true });
    return;
  }
  for (const leaver of leavers) leaver.crash(message, {});
  endAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
