/** Runs with hostile text in every field that reaches a screen, in memory or on a disk. */
import fs from "node:fs";
import path from "node:path";
import { bool, type Cells, double, int64, parquet, text } from "../unit/helpers/parquet.ts";
import { FOLDERS, PAYLOADS, TOO_LONG } from "./hostile.ts";

export type RunFiles = ReadonlyMap<string, Uint8Array>;

const utf8 = new TextEncoder();
const TEXTS = PAYLOADS.map((payload) => payload.text);
export const STEPS = 80;

/** JSON whose keys can be anything: an object literal would take "__proto__" for more than a key. */
function object(entries: Iterable<readonly [key: string, json: string]>): string {
  return `{${[...entries].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
}

/** Each text under its own name, and once deeper. */
function tree(also = ""): string {
  const flat = TEXTS.map((t) => [t, JSON.stringify(t + also)] as const);
  return object([...flat, ["nested", object(TEXTS.map((t) => [t, object([[t, JSON.stringify([t])]])]))]]);
}

/** @param also makes the configuration of a second run another one, under the same keys */
function manifest(texts: { readonly id: string; readonly notes: string }, also: string): Uint8Array {
  const { id, notes } = texts;
  const lines = [
    ["schema_version", "1"],
    ["run_id", JSON.stringify(id)],
    ["created_at", '"2026-01-02T03:04:05+00:00"'],
    ["algorithm", JSON.stringify(id)],
    ["model_name", JSON.stringify(id)],
    ["world_size", "1"],
    ["trainer_config", tree(also)],
    ["environment", tree()],
    ["notes", JSON.stringify(notes)],
    ["extra", tree()],
  ] as const;
  return utf8.encode(object(lines));
}

const rows = Array.from({ length: STEPS }, (_, i) => i);
/** No two metrics alike, each with a value that is none and a spike. */
const wave = (n: number, lift: number) =>
  double(
    rows.map((i) =>
      i === 70 ? Number.NaN : i === 60 ? 1000 : lift * (i > 40 ? 5 : 0) + Math.sin(i * (n + 1)) + n,
    ),
  );

function steps(lift: number): Uint8Array {
  const columns = new Map<string, Cells>([
    ["step", int64(rows)],
    ["timestamp", double(rows.map((i) => 1.7e9 + i))],
    ["reward_mean", double(rows.map((i) => i / 100))],
    // A failure that the doctor knows.
    ["kl_mean", double(rows.map((i) => (i < 40 ? 0.02 : 0.02 * 1.3 ** (i - 40))))],
  ]);
  TEXTS.forEach((t, n) => {
    columns.set(`extra.${t}`, wave(n, lift));
    columns.set(t, wave(n + 100, lift));
    columns.set(
      `reward_component.${t}`,
      double(rows.map((i) => (n % 20 === 3 ? Math.min(1, i / 40) : 0.1 + (i % 2) / 100))),
    );
  });
  return parquet(columns);
}

/** Two samples of each text, in a group of their own. */
function shard(): Uint8Array {
  const each = [...TEXTS, `long ${TOO_LONG}`].flatMap((t) => [t, t]);
  const columns = new Map<string, Cells>([
    ["step", int64(each.map((_, i) => i >> 1))],
    ["sample_id", text(each.map((t, i) => (i % 2 === 0 ? t : `${t} again`)))],
    ["rank", int64(each.map(() => 0))],
    ["group_id", text(each)],
    ["prompt_id", text(each)],
    ["prompt_text", text(each.map((t) => `prompt\n${t}`))],
    ["completion_text", text(each.map((t, i) => `${t}\ncompletion ${i % 2}`))],
    ["reward_total", double(each.map((_, i) => (i % 2 === 0 ? 1 : i / 10)))],
    ["advantage", double(each.map((_, i) => i % 3))],
    ["completion_len", int64(each.map((t) => t.length))],
    ["truncated", bool(each.map((_, i) => i % 4 === 0))],
    ["capture_reason", text(each)],
  ]);
  for (const [n, t] of TEXTS.entries())
    columns.set(`reward_component.${t}`, double(each.map((_, i) => (i % 7) + n)));
  return parquet(columns);
}

function events(): Uint8Array {
  const lines = TEXTS.map((t, i) =>
    object([
      ["timestamp", String(1.7e9 + i)],
      ["kind", JSON.stringify(t)],
      ["step", String(i)],
      ["rank", "0"],
      ["message", JSON.stringify(t)],
      ["data", object([[t, JSON.stringify(t)]])],
    ]),
  );
  lines.push('{"timestamp":1700000099,"kind":"train_end","step":79,"rank":0,"message":"","data":{}}');
  return utf8.encode(`${lines.join("\n")}\n`);
}

/** The keys of a witness, its configuration and the facts of its process. */
function witness(attempt: number, also: string): Uint8Array {
  const own = TEXTS.map((t) => [t, JSON.stringify(t)] as const);
  return utf8.encode(
    object([
      ["run_record_format", "1"],
      ["run_id", JSON.stringify(TEXTS[0])],
      ["attempt", String(attempt)],
      ["config", tree(also)],
      ["config_hash", JSON.stringify(TEXTS[3])],
      ["device", JSON.stringify(TEXTS[4])],
      ["device_name", JSON.stringify(TEXTS[5])],
      ["peak_memory_bytes", "null"],
      ["cpu_allocation", "2"],
      ["elapsed_seconds", "12.5"],
      ...own,
    ]),
  );
}

function metrics(lift: number): Uint8Array {
  const each = TEXTS.flatMap((t, i) =>
    [0, 1].map((seed) =>
      object([
        ["benchmark", JSON.stringify(t)],
        ["metric", JSON.stringify(t)],
        ["horizon", "128"],
        ["seed", String(seed)],
        ["value", String((i + seed + lift) / 100)],
      ]),
    ),
  );
  return utf8.encode(`[${each.join(",\n")}]`);
}

/** A run with every payload in every field. @param variant another one has other values under the same names */
export function hostileRun(variant: 0 | 1 = 0): RunFiles {
  const also = variant === 0 ? "" : " other";
  return new Map([
    ["manifest.json", manifest({ id: TEXTS[0] ?? "", notes: `${TEXTS.join("\n")}\n${TOO_LONG}` }, also)],
    ["steps.parquet", steps(variant)],
    ["samples/shard-00000.parquet", shard()],
    ["events.jsonl", events()],
    ["observed.attempt1.json", witness(1, also)],
    ["observed.attempt2.json", witness(2, " second")],
    ["metrics.json", metrics(variant)],
    // Files that have no business there are named in warnings.
    ["steps/part-<img src=x onerror=alert(1)>.parquet", utf8.encode("hs04")],
  ]);
}

/** A short run of which one text says everything. */
export function smallRun(payload: string): RunFiles {
  const config = object([
    [payload, JSON.stringify(payload)],
    ["lr", "0.1"],
  ]);
  const lines = [
    ["schema_version", "1"],
    ["created_at", '"2026-01-02T03:04:05+00:00"'],
    ["world_size", "1"],
    ["trainer_config", config],
    ["environment", "{}"],
    ["extra", "{}"],
    ...["run_id", "algorithm", "model_name", "notes"].map((key) => [key, JSON.stringify(payload)] as const),
  ] as const;
  const few = rows.slice(0, 30);
  const columns = new Map<string, Cells>([
    ["step", int64(few)],
    ["timestamp", double(few.map((i) => 1.7e9 + i))],
    ["reward_mean", double(few.map((i) => i / 30))],
    [`extra.${payload}`, double(few.map((i) => Math.cos(i)))],
  ]);
  const end = [["kind", "message"].map((key) => [key, JSON.stringify(payload)] as const)].flat();
  return new Map([
    ["manifest.json", utf8.encode(object(lines))],
    ["steps.parquet", parquet(columns)],
    [
      "events.jsonl",
      utf8.encode(
        `${object([["timestamp", "1700000031"], ["step", "29"], ["rank", "0"], ["data", "{}"], ...end])}\n`,
      ),
    ],
  ]);
}

export function writeRun(dir: string, files: RunFiles): void {
  for (const [name, bytes] of files) {
    const file = path.join(dir, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  }
}

/**
 * `a` and `b`, which have every payload in every field, and below `named` a short run in a folder of each name that a folder can
 * have. @param names how many of them at most
 */
export function writeHostileRuns(folder: string, names = FOLDERS.length): void {
  writeRun(path.join(folder, "a"), hostileRun(0));
  writeRun(path.join(folder, "b"), hostileRun(1));
  for (const { text: name } of FOLDERS.slice(0, names))
    writeRun(path.join(folder, "named", name), smallRun(name));
}
