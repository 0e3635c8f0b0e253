/** Pairs of runs in memory. */
import type { Column, RunModel } from "../../../src/core/run/model.ts";
import { random } from "../random.ts";
import { column, fakeModel, manifest } from "../view/model.ts";

/** Normal noise, seeded (Box–Muller). */
export function noise(seed: number): () => number {
  const next = random(seed);
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

export const series = (n: number, at: (i: number) => number | null): Column =>
  column(Array.from({ length: n }, (_, i) => at(i)));

export const steps = (n: number, from = 0, stride = 1): Column => series(n, (i) => from + i * stride);

export function run(
  columns: Readonly<Record<string, Column>>,
  config: Readonly<Record<string, never>> | Record<string, unknown> = {},
): RunModel {
  return fakeModel({ columns, manifest: manifest({ trainer_config: config } as never) });
}
