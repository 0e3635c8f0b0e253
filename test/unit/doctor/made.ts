/** Runs in memory for the doctor's tests. */
import { DoctorRun } from "../../../src/core/doctor/run.ts";

type Shape = (i: number) => number;
/** A run of `rows` steps (0, 10, 20, …); null means not written. */
export function run(
  rows: number,
  metrics: Record<string, Shape | ((i: number) => number | null)>,
  positional?: number[],
): DoctorRun {
  const series = new Map<string, Float64Array>();
  const written = new Map<string, Uint8Array>();
  const components: [string, Float64Array][] = [];
  for (const [name, shape] of Object.entries(metrics)) {
    const cells = Array.from({ length: rows }, (_, i) => shape(i));
    const values = Float64Array.from(cells, (v) => v ?? Number.NaN);
    if (name.startsWith("reward_component.")) components.push([name.slice(17), values]);
    else series.set(name, values);
    if (cells.includes(null))
      written.set(
        name,
        Uint8Array.from(cells, (v) => (v === null ? 0 : 1)),
      );
  }
  const width = positional?.length ?? 0;
  return new DoctorRun({
    rows,
    step: Float64Array.from({ length: rows }, (_, i) => i * 10),
    exact: null,
    series,
    written,
    components,
    positional: positional
      ? {
          width,
          values: Float64Array.from({ length: rows * width }, (_, i) => positional[i % width] ?? Number.NaN),
        }
      : null,
  });
}
