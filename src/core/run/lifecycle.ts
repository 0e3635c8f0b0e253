/**
 * How a run stands, from what its recording says: events in their order, the layout of the step files, file times.
 * rlprobe looks for the text of an event; that takes a quoted one for the real thing and a crash before a resume for
 * the end. Here parsed events decide, and only then the clock.
 */
import type { RunEvent } from "../format/event.ts";
import type { Lifecycle } from "./model.ts";

export type LifecycleReason =
  // Closed by an event.
  | "train-end"
  | "crash"
  | "crash-after-end"
  | "crash-other-rank"
  | "signal"
  | "interrupted"
  | "auto-halt"
  // Closed by compaction: the recorder was shut down in order.
  | "closed"
  | "closed-without-end"
  // Open: the clock decides.
  | "writing"
  | "resumed"
  | "quiet"
  | "silent"
  | "silent-before-first-step"
  // Cannot be told.
  | "copied"
  | "clock-ahead"
  | "no-times"
  | "nothing-recorded";

export interface LifecycleInput {
  /** In writing order where that is known. A `step` or text inside `data` says nothing about the state. */
  readonly events: readonly RunEvent[];
  readonly layout: "compacted" | "parts" | "both" | "none";
  /** Newest modification time of the run's files, ms since the epoch; `null` when unknown. */
  readonly lastWriteMs: number | null;
  /** Seconds from step to step; `null` when unknown. */
  readonly medianStepSeconds: number | null;
  /** Unix seconds of the newest step; `null` when unknown. Tells a copied folder from a living one. */
  readonly lastStepTime?: number | null;
  readonly nowMs: number;
}

/** A recorder flushes every 5 s at the latest, but evaluations and checkpoints take their time. */
const QUIET_SECONDS = 120;
const QUIET_STEPS = 10;
const SILENT_SECONDS = 1800;
const SILENT_STEPS = 100;
/** Clocks of two machines differ; beyond this a file time in the future is worth nothing. */
const SKEW_SECONDS = 120;
/** Files this much newer than the newest step were written by somebody else: `cp`, `git clone`, a download. */
const COPIED_SECONDS = 3600;

export function lifecycle(input: LifecycleInput): Lifecycle {
  const ending = endingOf(input.events);
  if (ending.kind === "closed") return ending.lifecycle;
  const isMerged = input.layout === "compacted" && (!ending.isResumed || ending.isOurs);
  if (isMerged) return closedInOrder(input.events);
  return byTheClock(input, ending.isResumed);
}

/** What our recorder says when it continues a recording. */
const RESUMED = "recorder_resumed";

type Ending =
  | { readonly kind: "closed"; readonly lifecycle: Lifecycle }
  | {
      readonly kind: "open";
      readonly isResumed: boolean;
      /** Resumed by a recorder that takes steps.parquet apart first: if it is there, that recorder was closed too. */
      readonly isOurs: boolean;
    };

/** Rank 0 speaks for the run; a crash of another rank counts while rank 0 has said nothing of an end. */
function endingOf(events: readonly RunEvent[]): Ending {
  let closed: Lifecycle | null = null;
  let hasClosed = false;
  let otherCrash: RunEvent | null = null;
  let isOurs = false;
  for (const event of events) {
    if (event.rank !== 0) {
      if (event.kind === "crash") otherCrash = event;
      continue;
    }
    if (reopens(event, closed)) {
      closed = null;
      otherCrash = null;
      isOurs ||= event.kind === RESUMED;
      continue;
    }
    const next = closedBy(event, closed);
    if (next) {
      hasClosed = true;
      isOurs = false;
    }
    closed = next ?? closed;
  }
  if (!closed && otherCrash) closed = result("crashed", "crash-other-rank", factsOf(otherCrash));
  return closed ? { kind: "closed", lifecycle: closed } : { kind: "open", isResumed: hasClosed, isOurs };
}

/** A checkpoint is saved after a halt or a proper end too, but a crashed process saves nothing any more. */
function reopens(event: RunEvent, closed: Lifecycle | null): boolean {
  if (event.kind === RESUMED) return true;
  return event.kind === "train_begin" || (event.kind === "checkpoint" && closed?.state === "crashed");
}

function closedBy(event: RunEvent, closed: Lifecycle | null): Lifecycle | null {
  switch (event.kind) {
    case "train_end":
      // The trainer ends in order after a halt that it was asked for, and some end after a crash they caught.
      return closed ?? result("finished", "train-end", factsOf(event));
    case "auto_halt":
      return closed?.state === "crashed" ? closed : result("halted", "auto-halt", factsOf(event));
    case "crash":
      return crashed(event, closed);
    default:
      return null;
  }
}

/** Recorders write a crash for each way out: an exception, Ctrl+C ("KeyboardInterrupt" or "signal 2"), SIGTERM ("signal 15"). */
function crashed(event: RunEvent, closed: Lifecycle | null): Lifecycle {
  const facts = factsOf(event);
  const signal = /^signal (\d{1,2})$/.exec(event.message)?.[1];
  const isByHand = signal === "2" || event.message.startsWith("KeyboardInterrupt");
  if (closed?.state === "finished" || closed?.state === "halted") {
    // Being told to stop after the end is how launchers clean up.
    if (signal !== undefined || isByHand) return closed;
    return result("crashed", "crash-after-end", facts);
  }
  if (isByHand) return result("halted", "interrupted", facts);
  if (signal !== undefined) return result("killed", "signal", { ...facts, signal: Number(signal) });
  return result("crashed", "crash", facts);
}

/** Steps are compacted when the recorder is closed, and then only. */
function closedInOrder(events: readonly RunEvent[]): Lifecycle {
  const begun = events.some((event) => event.rank === 0 && event.kind === "train_begin");
  return begun ? result("halted", "closed-without-end", {}) : result("finished", "closed", {});
}

function byTheClock(input: LifecycleInput, isResumed: boolean): Lifecycle {
  const { lastWriteMs, nowMs, layout, medianStepSeconds } = input;
  if (layout === "none" && input.events.length === 0) return result("unknown", "nothing-recorded", {});
  if (lastWriteMs === null || !Number.isFinite(lastWriteMs)) return result("unknown", "no-times", {});
  const silent = (nowMs - lastWriteMs) / 1000;
  if (silent < -SKEW_SECONDS) return result("unknown", "clock-ahead", { aheadSeconds: Math.round(-silent) });
  const pace = medianStepSeconds !== null && medianStepSeconds > 0 ? medianStepSeconds : 0;
  const quietAfter = Math.max(QUIET_SECONDS, pace * QUIET_STEPS);
  const silentAfter = Math.max(SILENT_SECONDS, pace * SILENT_STEPS);
  const facts = {
    silentSeconds: Math.max(0, Math.round(silent)),
    ...(pace > 0 ? { stepSeconds: pace } : {}),
  };
  if (silent < silentAfter && isCopy(input, silentAfter)) return result("unknown", "copied", facts);
  if (silent < quietAfter) return result("running", isResumed ? "resumed" : "writing", facts);
  if (silent < silentAfter) return result("stalled", "quiet", facts);
  return result("killed", layout === "none" ? "silent-before-first-step" : "silent", facts);
}

/** A copy's files are new and its steps are old. A trainer whose clock is that far behind looks the same. */
function isCopy({ lastStepTime, lastWriteMs }: LifecycleInput, silentAfter: number): boolean {
  if (typeof lastStepTime !== "number" || !Number.isFinite(lastStepTime) || lastWriteMs === null)
    return false;
  return lastWriteMs / 1000 - lastStepTime > Math.max(COPIED_SECONDS, silentAfter);
}

function factsOf(event: RunEvent): Record<string, string | number> {
  return {
    ...(event.step === null ? {} : { step: String(event.step) }),
    ...(event.rank === 0 ? {} : { rank: event.rank }),
  };
}

const result = (
  state: Lifecycle["state"],
  reason: LifecycleReason,
  facts: Readonly<Record<string, string | number>>,
): Lifecycle => ({ state, reason, facts });
