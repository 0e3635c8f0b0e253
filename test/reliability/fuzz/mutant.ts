/** One mutant of a real recording, told by a seed and a number. */
import type { Base, Files } from "./bases.ts";
import { type ByteMutation, mutateBytes } from "./bytes.ts";
import { Draw } from "./draw.ts";
import { mutateParquet } from "./parquet.ts";
import { mutateJson, mutateLines } from "./text.ts";

/** `null` removes the file. */
export type Change = Uint8Array | "folder" | null;

export interface Mutant {
  readonly n: number;
  readonly base: string;
  /** The run was open before it changed. */
  readonly isLive: boolean;
  readonly changes: ReadonlyMap<string, Change>;
  /** What was done, for people. */
  readonly what: readonly string[];
}

type Kind = "steps" | "samples" | "events" | "json";

function kindOf(path: string): Kind {
  if (path.endsWith(".jsonl")) return "events";
  if (path.endsWith(".json")) return "json";
  return /(^|\/)samples\//.test(path) ? "samples" : "steps";
}

const MUTATE: Readonly<Record<Kind, ByteMutation>> = {
  steps: mutateParquet,
  samples: mutateParquet,
  events: mutateLines,
  json: mutateJson,
};

export function mutantOf(bases: readonly Base[], seed: number, n: number): Mutant {
  const draw = new Draw(seed, n);
  const base = draw.of(bases);
  const changes = new Map<string, Change>();
  const what: string[] = [];
  for (let i = draw.few(4); i > 0; i--)
    what.push(
      draw.chance(0.06) ? moveFile(base.files, changes, draw) : changeFile(base, bases, changes, draw),
    );
  return { n, base: base.name, isLive: draw.chance(0.25), changes, what };
}

const WEIGHTS: Readonly<Record<Kind, number>> = { steps: 4, samples: 3, events: 2, json: 2 };

function chooseFile(files: Files, draw: Draw): string {
  const paths = [...files.keys()];
  const kinds = [...new Set(paths.map(kindOf))].map((kind) => [WEIGHTS[kind], kind] as const);
  const kind = draw.weighted(kinds);
  return draw.of(paths.filter((path) => kindOf(path) === kind));
}

/** The same kind of file, of this or another run: sometimes of another kind. */
function otherFile(bases: readonly Base[], kind: Kind, draw: Draw): Uint8Array {
  const isStranger = draw.chance(0.05);
  for (;;) {
    const { files } = draw.of(bases);
    const all = [...files].filter(([path]) => isStranger || kindOf(path) === kind);
    if (all.length > 0) return draw.of(all)[1];
  }
}

function changeFile(base: Base, bases: readonly Base[], changes: Map<string, Change>, draw: Draw): string {
  const path = chooseFile(base.files, draw);
  const kind = kindOf(path);
  const before = changes.get(path) ?? base.files.get(path);
  const bytes = before instanceof Uint8Array ? before : new Uint8Array(0);
  const mutate = draw.chance(0.03) ? mutateBytes : MUTATE[kind];
  const { bytes: after, what } = mutate(bytes, draw, otherFile(bases, kind, draw));
  changes.set(path, after);
  return `${path}: ${what}`;
}

/** Files that are gone, doubled under the next number, in another rank, or a folder. */
function moveFile(files: Files, changes: Map<string, Change>, draw: Draw): string {
  const path = chooseFile(files, draw);
  const bytes = files.get(path) ?? new Uint8Array(0);
  const to = draw.of([
    path.replace(/\d(?=\.parquet$)/, (digit) => String((Number(digit) + 1) % 10)),
    path.replace(/\d{2}(?=\.parquet$)/, "99"),
    `rank-00${draw.below(4)}/${path}`,
    path.replace(/^rank-\d+\//, ""),
    `steps/part-0000${draw.below(10)}.parquet`,
    `samples/shard-0000${draw.below(10)}.parquet`,
  ]);
  const how = draw.of(["gone", "copied", "moved", "folder", "empty"] as const);
  if (how === "folder") changes.set(path, "folder");
  else if (how === "empty") changes.set(path, new Uint8Array(0));
  else if (how === "gone" || how === "moved") changes.set(path, null);
  if (how === "copied" || how === "moved") changes.set(to, bytes);
  return `${path}: ${how}${how === "copied" || how === "moved" ? ` to ${to}` : ""}`;
}
