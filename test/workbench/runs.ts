/** Folders of runs for the workbench's tests: real recordings copied, long and damaged ones made. */
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { double, int64, parquet } from "../unit/helpers/parquet.ts";
import { manifest } from "../unit/helpers/runs.ts";

const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle");

/** Where the long run has what must not get lost among 100,000 steps. */
export const LONG = { steps: 100_000, spikeAt: 61_803, spike: 1000, nanAt: 30_000, infAt: 30_001 } as const;

/**
 * @returns a workspace folder with: `baseline` (a real TRL run), `length-hack` (another), `live` (copied while it was
 *   recorded: its last part is torn), `long` (100,000 steps), `newer` (a schema that is not known), `nothing` (no run),
 *   `loose` (steps without a manifest), `ranks` (three ranks)
 */
export async function workspace(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "fd-runs-"));
  const copy = (from: string, to: string) =>
    cp(path.join(oracle, from), path.join(folder, to), { recursive: true });
  await copy("trl/recordings/grpo-baseline", "baseline");
  await copy("trl/recordings/grpo-length-hack", "length-hack");
  await copy("trl/recordings/grpo-live-copy", "live");
  await copy("trl/recordings/manual-ranks", "ranks");
  await writeLong(path.join(folder, "long"));
  for (const name of ["newer", "nothing", "loose"]) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, "newer", "manifest.json"), manifest({ schema_version: 2 }));
  await writeFile(path.join(folder, "nothing", "note.txt"), "no run here\n");
  await writeFile(
    path.join(folder, "loose", "steps.parquet"),
    await readFile(path.join(folder, "baseline", "steps.parquet")),
  );
  return folder;
}

/** `long-0` and so on, alike, each of 100,000 steps. */
export async function writeLongRuns(folder: string, count: number): Promise<void> {
  const at = (i: number): string => path.join(folder, `long-${i}`);
  await writeLong(at(0));
  for (let i = 1; i < count; i++) await cp(at(0), at(i), { recursive: true });
}

async function writeLong(dir: string): Promise<void> {
  await mkdir(dir);
  await writeFile(path.join(dir, "manifest.json"), manifest({ run_id: "long" }));
  const steps = Array.from({ length: LONG.steps }, (_, i) => i);
  const wave = (i: number) => 1 + Math.sin(i / 5000) / 4 + ((i * 7919) % 101) / 1000;
  const grad = steps.map((i) =>
    i === LONG.spikeAt
      ? LONG.spike
      : i === LONG.nanAt
        ? Number.NaN
        : i === LONG.infAt
          ? Number.POSITIVE_INFINITY
          : wave(i),
  );
  const file = parquet({
    step: int64(steps),
    timestamp: double(steps.map((i) => 1.7e9 + i)),
    reward_mean: double(steps.map(wave)),
    grad_norm: double(grad),
  });
  await writeFile(path.join(dir, "steps.parquet"), file);
}
