/** Damaged runs of megabytes, or with rights that git cannot keep: made here from the base run, a line of code each. */
import fs from "node:fs";
import path from "node:path";
import { double, int64, parquet, text } from "../unit/helpers/parquet.ts";

type Maker = (dir: string, root: string) => unknown;

const file = (dir: string, ...p: string[]) => path.join(dir, ...p);
const manifestOf = (dir: string): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(file(dir, "manifest.json"), "utf8"));
const rewrite = (dir: string, more: Record<string, unknown>) =>
  fs.writeFileSync(file(dir, "manifest.json"), JSON.stringify({ ...manifestOf(dir), ...more }));
const append = (dir: string, line: string) => fs.appendFileSync(file(dir, "events.jsonl"), line);
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Nothing may be read by anyone but root; tests read as another user. */
const lock = (dir: string, name: string) => fs.chmodSync(file(dir, name), 0);

const MAKERS: Record<string, Maker> = {
  "d-cols-2000": (dir) => {
    const columns = new Map([["step", int64(range(60))]]);
    for (const i of range(2000)) columns.set(`extra.m${i}`, double(range(60).map((s) => s + i)));
    fs.writeFileSync(file(dir, "steps.parquet"), parquet(columns));
  },
  "e-1e6-lines": (dir) => {
    const lines = fs.readFileSync(file(dir, "events.jsonl"), "utf8").split("\n").filter(Boolean).length;
    const out = fs.openSync(file(dir, "events.jsonl"), "a");
    const line = (i: number) =>
      `{"timestamp":${1.7e9 + i},"kind":"checkpoint","step":${i},"rank":0,"message":"saved","data":{}}\n`;
    for (let i = lines; i < 1_000_000; ) {
      let chunk = "";
      for (let k = 0; k < 10_000 && i < 1_000_000; k++, i++) chunk += line(i);
      fs.writeSync(out, chunk);
    }
    fs.closeSync(out);
  },
  "e-long-line": (dir) =>
    append(
      dir,
      `${JSON.stringify({ timestamp: 2, kind: "note", message: "m".repeat(20_000_000), data: {} })}\n`,
    ),
  "f-name-bytes": (dir, root) => {
    const odd = Buffer.concat([Buffer.from(`${path.join(root, "runs")}/run-`), Buffer.from([0xe9])]);
    fs.rmSync(odd, { recursive: true, force: true });
    fs.renameSync(dir, odd);
    return path.join(root, "runs", "run-\ufffd");
  },
  "f-sparse-8g": (dir) => fs.truncateSync(file(dir, "events.jsonl"), 8 * 2 ** 30),
  "f-sparse-parquet": (dir) => {
    const bytes = fs.readFileSync(file(dir, "steps.parquet"));
    const out = fs.openSync(file(dir, "steps.parquet"), "w");
    fs.writeSync(out, bytes, 0, bytes.length, 4 * 2 ** 30);
    fs.closeSync(out);
  },
  "j-10mb": (dir) => {
    const row = (i: number) => ({
      benchmark: `benchmark-${i % 50}`,
      metric: `metric-${i % 20}-with-a-name`,
      horizon: i % 7,
      seed: i,
      value: i / 3,
    });
    fs.writeFileSync(file(dir, "metrics.json"), JSON.stringify(range(100_000).map(row)));
  },
  "l-part-1000-small": (dir) => {
    fs.rmSync(file(dir, "steps"), { recursive: true });
    fs.mkdirSync(file(dir, "steps"));
    for (const i of range(1000))
      fs.writeFileSync(
        file(dir, "steps", `part-${String(i).padStart(5, "0")}.parquet`),
        parquet({ step: int64([i]), reward_mean: double([i]) }),
      );
  },
  "m-50mb": (dir) => rewrite(dir, { notes: "n".repeat(50_000_000) }),
  "m-deep-1000000": (dir) => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const whole = JSON.stringify({ ...manifestOf(dir), trainer_config: { deep: "HERE" } });
    fs.writeFileSync(file(dir, "manifest.json"), whole.replace('"HERE"', deep));
  },
  "m-run-id-long": (dir) => rewrite(dir, { run_id: "r".repeat(1_000_000) }),
  "p-claim-created-by-10mb": (dir) => {
    // A file's footer may hold any amount of metadata: here under an unknown field of the footer's struct.
    const bytes = fs.readFileSync(file(dir, "steps.parquet"));
    const length = bytes.readUInt32LE(bytes.length - 8);
    const footer = bytes.subarray(bytes.length - 8 - length, bytes.length - 9);
    const size = 10_000_000;
    const varint = Buffer.from([
      (size & 0x7f) | 0x80,
      ((size >> 7) & 0x7f) | 0x80,
      ((size >> 14) & 0x7f) | 0x80,
      size >> 21,
    ]);
    // Field 100 (long form: type 8, zigzag id), its bytes, and the struct's end.
    const field = Buffer.concat([
      Buffer.from([0x08, 0xc8, 0x01]),
      varint,
      Buffer.alloc(size, 0x61),
      Buffer.from([0]),
    ]);
    const longer = Buffer.concat([footer, field]);
    const tail = Buffer.alloc(8);
    tail.writeUInt32LE(longer.length, 0);
    tail.write("PAR1", 4);
    fs.writeFileSync(
      file(dir, "steps.parquet"),
      Buffer.concat([bytes.subarray(0, bytes.length - 8 - length), longer, tail]),
    );
  },
  "r-300": (dir) => {
    for (let i = 3; i <= 300; i++)
      fs.cpSync(file(dir, "rank-001"), file(dir, `rank-${String(i).padStart(3, "0")}`), { recursive: true });
  },
  "s-5000-shards": (dir) => {
    for (let i = 1; i < 5000; i++)
      fs.writeFileSync(
        file(dir, "samples", `shard-${String(i).padStart(5, "0")}.parquet`),
        parquet({
          step: int64([i % 60]),
          sample_id: text([`q${i}`]),
          completion_text: text([`completion ${i}`]),
          reward_total: double([i]),
        }),
      );
  },
  "f-perm-steps": (dir) => lock(dir, "steps.parquet"),
  "f-perm-samples": (dir) => lock(dir, "samples"),
  "f-perm-manifest": (dir) => lock(dir, "manifest.json"),
  "f-perm-run": (dir) => lock(dir, "."),
  "f-perm-rank": (dir) => lock(dir, "rank-001"),
};

/** @returns the folder to open */
export function build(root: string, dir: string, id: string): string {
  const make = MAKERS[id];
  if (!make) throw new Error(`no maker for ${id}`);
  const elsewhere = make(dir, root);
  return typeof elsewhere === "string" ? elsewhere : dir;
}
