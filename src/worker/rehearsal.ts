/**
 * The first run of all is slow: the decoder's code is compiled as it is called, and so is ours. A thread that waits for its first
 * run goes through a small one meanwhile, asking what a page asks.
 */
import type { RunModel } from "../core/run/model.ts";
import { runViews } from "../view/run.ts";

export interface Rehearsal {
  /** @throws FlightDeckError when there is no run to try */
  open(): Promise<RunModel>;
  /** Settles when waiting messages have been handled. */
  pause(): Promise<void>;
  /** True once somebody has asked for something. */
  isWanted(): boolean;
}

/** The decoder's hot code is compiled anew once it was called often enough: that is seen from the third time on. */
const ROUNDS = 3;
/** A chart's usual width, in pixels. */
const WIDTH = 600;
const CHARTS = 6;

/** Ends early when a question comes. */
export async function rehearse({ open, pause, isWanted }: Rehearsal): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (isWanted()) return;
    const model = await open();
    const asked = runViews(model, Date.now);
    const context = { signal: NEVER };
    const questions: (() => unknown)[] = [
      () => asked["run.overview"]({}, context),
      () => asked["run.axis"]({}, context),
      ...model.steps.columns
        .filter(({ kind }) => kind === "scalar")
        .slice(0, CHARTS)
        .map(
          ({ name }) =>
            () =>
              asked["chart.series"]({ ...CHART, id: name, metrics: [name] }, context),
        ),
      () => asked["run.timeline"]({ width: WIDTH }, context),
      () => asked["run.counts"]({}, context),
    ];
    for (const question of questions) {
      await pause();
      if (isWanted()) return;
      await question();
    }
  }
}

const NEVER = new AbortController().signal;
const CHART = { x: "step" as const, range: null, steps: null, width: WIDTH };
