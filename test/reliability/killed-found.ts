/** What readers find in a recording whose writer was killed, and what is wrong with it. */
import fs from "node:fs";
import path from "node:path";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { type Attempt, type Plan, type Record, recordOf } from "./killed-plan.ts";

/** One rank's recording. */
export interface Found {
  readonly steps: readonly (readonly [step: number, reward: number | null, own: number | null])[];
  /** Ids of samples. */
  readonly samples: readonly string[];
  readonly events: readonly (readonly [kind: string, message: string])[];
  /** Warnings of our reader; what rlprobe refused. */
  readonly complaints: readonly string[];
}

/** Whether the events of a folder, or of a rank in it, end within a line. */
export function endsTorn(folder: string): boolean {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.some((name) => {
    if (name.startsWith("rank-")) return endsTorn(path.join(folder, name));
    if (name !== "events.jsonl") return false;
    const bytes = fs.readFileSync(path.join(folder, name));
    return bytes.length > 0 && bytes.at(-1) !== 10;
  });
}

/** How far a process came. */
export interface Life {
  readonly attempt: Attempt;
  readonly isBegun: boolean;
  /** Records of which it knew that they are on the disk. */
  readonly safe: number;
}

export const hasManifest = (folder: string): boolean => fs.existsSync(path.join(folder, "manifest.json"));

/** Read by us. `null` where there is no recording yet. */
export async function readByUs(folder: string, rank: number): Promise<Found | null> {
  if (!hasManifest(folder)) return null;
  const run = await openRun(nodeSource(folder));
  const { step } = await run.steps.axis("recorded");
  const names = run.steps.columns.filter(({ kind }) => kind === "scalar").map(({ name }) => name);
  const columns = new Map(
    (await run.steps.read(names, "recorded")).map((column, i) => [names[i] ?? "", column]),
  );
  await run.steps.readList("kl_positional", "recorded");
  const at = (name: string, row: number): number | null => {
    const column = columns.get(name);
    return !column || column.valid?.[row] === 0 ? null : (column.values[row] ?? null);
  };
  const samples = await run.samples.inSteps(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1e6);
  // Another rank's process can have died with nothing but its folder made: whether that may be is asked of that rank.
  const warnings = run
    .warnings()
    .filter(({ level, code }) => level === "warning" && code !== "rank-no-manifest");
  return {
    steps: [...step.values].map((s, row) => [s, at("reward_mean", row), at(ownColumn(s), row)]),
    samples: samples.filter((sample) => sample.rank === rank).map(({ sample_id }) => sample_id),
    events: run.events
      .filter((event) => event.rank === rank)
      .map(({ kind, message }) => [kind, kind === "note" ? message : ""]),
    complaints: warnings.map(({ code, file }) => `${code} of ${file}`),
  };
}

export const ownColumn = (step: number): string => `extra.m${Math.floor(step / 25)}`;

const ABOUT_TORN = /^torn-last-line of |^a torn line of /;
const OURS = new Set(["note", "recorder_resumed"]);

/**
 * @param lives of the run's processes, in order
 * @param before what was found before the last of them began
 * @param isTorn the last of them died within a line of events: what it had begun to say is no event
 */
export function problemsOf(
  plan: Plan,
  rank: number,
  lives: readonly Life[],
  before: Found | null,
  found: Found | null,
  isTorn: boolean,
): string[] {
  // Continued, a recording that is not there yet is begun by the thread.
  const isSure = before !== null || lives.some(({ isBegun, safe }, i) => safe > 0 || (i === 0 && isBegun));
  if (!found) return isSure ? ["there is no recording"] : [];
  const out = found.complaints.filter((complaint) => !isTorn || !ABOUT_TORN.test(complaint));
  for (const [kind] of found.events) if (!OURS.has(kind)) out.push(`an event ${kind}`);
  for (const [step, reward, own] of found.steps)
    if (reward !== step / 7 || own !== step) out.push(`step ${step} has ${reward} and ${own}`);
  const expected = lives.map((life) => expectedOf(plan, rank, life));
  const kept = before ?? { steps: [], samples: [], events: [], complaints: [] };
  out.push(
    ...wrong("steps", expected, (e) => e.steps, found.steps.map(String0), kept.steps.length),
    ...wrong("samples", expected, (e) => e.samples, found.samples, kept.samples.length),
    ...wrong("events", expected, (e) => e.events, notes(found), notes(kept).length),
  );
  return out;
}

const String0 = ([step]: readonly [number, ...unknown[]]): string => String(step);
const notes = ({ events }: Found): string[] =>
  events.filter(([kind]) => kind === "note").map(([, message]) => message);

interface Expected {
  readonly steps: Series;
  readonly samples: Series;
  readonly events: Series;
}

interface Series {
  /** In order. */
  readonly logged: readonly string[];
  /** Of them, those that have to be there. */
  readonly safe: number;
}

function expectedOf(plan: Plan, rank: number, { attempt, safe }: Life): Expected {
  const all = Array.from({ length: attempt.records }, (_, i) => recordOf(plan, attempt, rank, i));
  const series = (of: (record: Record) => readonly string[]): Series => ({
    logged: all.flatMap(of),
    safe: all.slice(0, safe).flatMap(of).length,
  });
  return {
    steps: series((r) => (r.kind === "step" ? [String(r.step)] : [])),
    samples: series((r) => (r.kind === "samples" ? r.samples.map((s) => s.sample_id) : [])),
    events: series((r) => (r.kind === "event" ? [r.message] : [])),
  };
}

/** What is found has to be, of each process in turn, the beginning of what it logged: in order, nothing twice, as much as was safe. */
function wrong(
  what: string,
  expected: readonly Expected[],
  of: (expected: Expected) => Series,
  found: readonly string[],
  kept: number,
): string[] {
  const out: string[] = [];
  let at = 0;
  for (const [number, each] of expected.entries()) {
    const { logged, safe } = of(each);
    let n = 0;
    while (n < logged.length && found[at + n] === logged[n]) n++;
    if (n < safe) out.push(`${what} of process ${number}: ${n} of ${safe} that were safe`);
    at += n;
  }
  if (at < found.length) out.push(`${what}: ${found[at]} is there twice, or out of order`);
  if (found.length < kept) out.push(`${what}: ${found.length} where ${kept} were before`);
  return out;
}
