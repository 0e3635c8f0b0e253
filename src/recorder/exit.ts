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
  /** Says that a signal came which somebody else handles, and writes what was logged: the process may be gone at any moment. */
  signal(message: string): void;
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

interface Hub {
  readonly leavers: Set<Leaver>;
  uninstall: () => void;
}

/** One for the process, however often this file was loaded (as a module and in CommonJS): two would take each other for somebody else. */
const KEY = Symbol.for("flight-deck/recorder/exit-1");
const hubs = globalThis as { [KEY]?: Hub };

function hubOf(): Hub {
  hubs[KEY] ??= { leavers: new Set(), uninstall: () => {} };
  return hubs[KEY];
}

/** @returns what takes it off again */
export function watchExit(leaver: Leaver): () => void {
  const hub = hubOf();
  if (hub.leavers.size === 0) hub.uninstall = install(hub.leavers);
  hub.leavers.add(leaver);
  return () => {
    if (hub.leavers.delete(leaver) && hub.leavers.size === 0) hub.uninstall();
  };
}

function install(leavers: ReadonlySet<Leaver>): () => void {
  const onExit = (code: number) => {
    for (const leaver of leavers) leaver.admit(code);
    endAll(leavers);
  };
  const onUncaught = (error: unknown) => sayUncaught(leavers, error);
  const onSignal = (signal: Signal) => {
    const isHandled = process.listenerCount(signal) > 1;
    process.off(signal, onSignal);
    if (!isHandled) return dieOf(signal, leavers);
    // Whoever else listens decides what becomes of the process. Some only end it when they are alone: meanwhile we are not there.
    sayHandled(leavers, signal);
    setImmediate(() => {
      if (leavers.size > 0)
        process.prependListener(signal as NodeJS.Signals, onSignal as NodeJS.SignalsListener);
    });
  };
  process.on("exit", onExit);
  // Unlike a handler it changes nothing about how the process ends.
  process.on("uncaughtExceptionMonitor", onUncaught);
  for (const signal of SIGNALS)
    process.prependListener(signal as NodeJS.Signals, onSignal as NodeJS.SignalsListener);
  return () => {
    process.off("exit", onExit);
    process.off("uncaughtExceptionMonitor", onUncaught);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

function endAll(leavers: ReadonlySet<Leaver>): void {
  const all = [...leavers];
  for (const leaver of all) leaver.end();
  for (const leaver of all) leaver.wait();
}

function sayUncaught(leavers: ReadonlySet<Leaver>, error: unknown): void {
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

/** The number, as rlprobe says it. */
function worded(signal: Signal): string {
  return `signal ${os.constants.signals[signal]}`;
}

function sayHandled(leavers: ReadonlySet<Leaver>, signal: Signal): void {
  const message = worded(signal);
  for (const leaver of leavers) {
    leaver.signal(message);
    leaver.suspect({ message, data: {}, isSignal: true });
  }
}

function dieOf(signal: Signal, leavers: ReadonlySet<Leaver>): void {
  for (const leaver of leavers) leaver.crash(worded(signal), {});
  endAll(leavers);
  process.kill(process.pid, signal);
}
