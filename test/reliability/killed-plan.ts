/** What a recording process does before it is killed, and how it is killed: decided by a seed, known to the process and to whoever judges it. */
import { random } from "../unit/random.ts";

/** How a process dies. All of them are SIGKILL: nothing of it runs any more. */
export type Death =
  /** So long after it has said so many things; whatever it does then. */
  | { readonly by: "time"; readonly said: number; readonly ms: number }
  /** By its own hand when so many records are handed over. */
  | { readonly by: "record"; readonly at: number }
  /**
   * In place of a call of the disk, counted from the thread's start, from the merging of the parts or from an event; a call
   * that writes has written a share of its bytes by then.
   */
  | {
      readonly by: "call";
      readonly from: "start" | "merging" | "event";
      readonly at: number;
      readonly share: number;
      readonly rank: number;
    }
  /** The same while the folder is taken, before there is a thread. */
  | { readonly by: "claim"; readonly at: number; readonly share: number }
  /** Not at all: it closes and ends. The last one of a run never does. */
  | { readonly by: "nobody" };

/** One process of a run. Those after the first continue the recording. */
export interface Attempt {
  readonly number: number;
  readonly flushSteps: number;
  readonly flushIntervalSeconds: number;
  /** Handed over by each rank. */
  readonly records: number;
  /** Records after which it waits for a flush, and says so. */
  readonly flushEvery: number;
  readonly closes: boolean;
  readonly death: Death;
}

export interface Plan {
  readonly seed: number;
  readonly ranks: number;
  readonly attempts: readonly Attempt[];
}

/** What the process says, a line each. */
export type Said =
  | { readonly said: "begun" }
  | { readonly said: "flushed"; readonly records: number }
  | { readonly said: "closing" }
  | { readonly said: "closed" };

export function planOf(seed: number): Plan {
  const draw = random(seed);
  const whole = (from: number, to: number): number => from + Math.floor(draw() * (to - from));
  const ranks = draw() < 0.7 ? 1 : whole(2, 4);
  const count = draw() < 0.45 ? 1 : whole(2, 4);
  const attempts = Array.from({ length: count }, (_, number): Attempt => {
    const records = whole(20, 200);
    const flushEvery = whole(5, 60);
    const flushSteps = draw() < 0.5 ? whole(1, 20) : whole(20, 400);
    const flushIntervalSeconds = [0.001, 0.01, 0.1, 5][whole(0, 4)] ?? 5;
    const isLast = number === count - 1;
    const death: Death = !isLast && draw() < 0.25 ? { by: "nobody" } : deathOf();
    const closes = death.by === "nobody" || (death.by === "call" && death.from === "merging") || draw() < 0.6;
    return { number, flushSteps, flushIntervalSeconds, records, flushEvery, closes, death };

    function deathOf(): Death {
      const kind = draw();
      const rank = whole(0, ranks);
      if (kind < 0.3)
        return { by: "time", said: whole(0, Math.ceil(records / flushEvery) + 2), ms: draw() * 30 };
      if (kind < 0.4) return { by: "record", at: whole(0, records) };
      if (kind < 0.45) return { by: "claim", at: whole(0, 12), share: draw() };
      if (kind < 0.65) return { by: "call", from: "merging", at: whole(0, 24), share: draw(), rank };
      if (kind < 0.72) return { by: "call", from: "event", at: whole(0, 8), share: draw(), rank };
      // Early calls are those of making a folder, or of continuing what is there.
      return { by: "call", from: "start", at: Math.floor(300 ** draw()) - 1, share: draw(), rank };
    }
  });
  return { seed, ranks, attempts };
}

export type Record =
  | {
      readonly kind: "step";
      readonly step: number;
      readonly metrics: { readonly [name: string]: number | readonly number[] };
    }
  | {
      readonly kind: "samples";
      readonly step: number;
      readonly samples: readonly {
        readonly sample_id: string;
        readonly completion_text: string;
        readonly reward_total: number;
      }[];
    }
  | { readonly kind: "event"; readonly message: string; readonly at: number };

/** Steps of an attempt lie above those of the attempts before it. */
export const ATTEMPT_STEPS = 100_000;

/** The record of an attempt with this number: what a rank logs follows from it alone. */
export function recordOf({ seed }: Plan, { number }: Attempt, rank: number, index: number): Record {
  const draw = random(seed * 7919 + number * 104_729 + rank * 1_299_709 + index);
  const step = number * ATTEMPT_STEPS + index;
  const kind = draw();
  if (kind < 0.65) return { kind: "step", step, metrics: metricsOf(step, draw) };
  const name = `${number}-${rank}-${index}`;
  if (kind < 0.85) {
    const samples = Array.from({ length: 1 + Math.floor(draw() * 4) }, (_, i) => ({
      sample_id: `${name}-${i}`,
      completion_text: `${"wörter 猫 ".repeat(Math.floor(draw() * 40))}${name}`,
      reward_total: draw(),
    }));
    return { kind: "samples", step, samples };
  }
  return { kind: "event", message: name, at: step };
}

function metricsOf(step: number, draw: () => number): { [name: string]: number | readonly number[] } {
  return {
    reward_mean: step / 7,
    ...(draw() < 0.3 ? { kl_positional: Array.from({ length: Math.floor(draw() * 5) }, draw) } : {}),
    ...(draw() < 0.5 ? { loss: draw() < 0.2 ? Number.NaN : draw() } : {}),
    ...(draw() < 0.2 ? { nan_count: Math.floor(draw() * 9) } : {}),
    // Columns that some parts have and others do not.
    [`m${Math.floor(step / 25)}`]: step,
  };
}
