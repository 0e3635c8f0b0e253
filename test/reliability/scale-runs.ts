/** Runs of any size, by seed: written piece by piece, so that what writes them stays small. */
import fs from "node:fs";
import path from "node:path";
import { type Cells, double, int64, parquet } from "../unit/helpers/parquet.ts";
import { manifest, range, shard } from "../unit/helpers/runs.ts";
import { random } from "../unit/random.ts";

export interface RunSize {
  readonly steps: number;
  readonly parts: number;
  /** Columns beside step and time. */
  readonly metrics: number;
  readonly ranks: number;
  /** Of each rank. */
  readonly events: number;
  /** Of each rank. */
  readonly samples: number;
}

/** From this step on the reward of a run with an odd seed falls away from that of an even one. */
export const partsAt = ({ steps }: RunSize): number => Math.floor(steps * 0.6);

const KINDS = ["checkpoint", "warning", "eval", "note"];
const START = 1.7e9;
const LINES = 10_000;

/** @param folder must not exist */
export function writeRun(folder: string, size: RunSize, seed: number): void {
  for (let rank = 0; rank < size.ranks; rank++) {
    const dir = rank === 0 ? folder : path.join(folder, `rank-${String(rank).padStart(3, "0")}`);
    fs.mkdirSync(path.join(dir, "samples"), { recursive: true });
    const own = rank === 0 ? { world_size: size.ranks } : { extra: { rank } };
    fs.writeFileSync(path.join(dir, "manifest.json"), manifest({ run_id: path.basename(folder), ...own }));
    writeEvents(path.join(dir, "events.jsonl"), size, rank, seed);
    if (size.samples > 0)
      fs.writeFileSync(
        path.join(dir, "samples/shard-00000.parquet"),
        shard(0, size.samples, `r${rank}-`, rank),
      );
  }
  writeSteps(folder, size, seed);
}

function writeEvents(file: string, { events, steps }: RunSize, rank: number, seed: number): void {
  const next = random(seed * 1000 + rank);
  const out = fs.openSync(file, "w");
  for (let from = 0; from < events; from += LINES) {
    const lines = range(from, Math.min(events, from + LINES)).map((i) => {
      const step = Math.floor((i / events) * steps);
      const kind = i === events - 1 ? "train_end" : KINDS[Math.floor(next() * KINDS.length)];
      const message = `event ${i} of rank ${rank}`;
      return JSON.stringify({ timestamp: START + step + next() / 2, kind, step, rank, message, data: { i } });
    });
    fs.writeSync(out, `${lines.join("\n")}\n`);
  }
  fs.closeSync(out);
}

function writeSteps(folder: string, size: RunSize, seed: number): void {
  const next = random(seed);
  const rows = Math.ceil(size.steps / size.parts);
  if (size.parts > 1) fs.mkdirSync(path.join(folder, "steps"));
  for (let part = 0; part < size.parts; part++) {
    const steps = range(part * rows, Math.min(size.steps, (part + 1) * rows));
    const name = size.parts === 1 ? "steps.parquet" : `steps/part-${String(part).padStart(5, "0")}.parquet`;
    const falls = (step: number) => (seed % 2 === 1 && step >= partsAt(size) ? 5 : 0);
    const columns = new Map<string, Cells>([
      ["step", int64(steps)],
      ["timestamp", double(steps.map((step) => START + step))],
      ["reward_mean", double(steps.map((step) => 1 + next() / 10 - falls(step)))],
    ]);
    for (let i = 1; i < size.metrics; i++) columns.set(`extra.m${i}`, double(steps.map(() => next())));
    fs.writeFileSync(path.join(folder, name), parquet(columns));
  }
}
