/** The real recordings that are mutated: file by file, and once more without compression, so that a page's own bytes can be reached. */
import fs from "node:fs";
import path from "node:path";
import {
  Compression,
  EnabledStatistics,
  initSync,
  readParquet,
  WriterPropertiesBuilder,
  writeParquet,
} from "parquet-wasm/esm";

export type Files = ReadonlyMap<string, Uint8Array>;

export interface Base {
  readonly name: string;
  readonly files: Files;
}

function filesBelow(dir: string): Map<string, Uint8Array> {
  const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  return new Map(
    names
      .filter((name) => fs.statSync(path.join(dir, name)).isFile())
      .map((name) => [name.replaceAll(path.sep, "/"), new Uint8Array(fs.readFileSync(path.join(dir, name)))]),
  );
}

/** A part that was torn when its recorder was killed stays as it is. */
function plain(bytes: Uint8Array): Uint8Array {
  if (new TextDecoder("latin1").decode(bytes.slice(-4)) !== "PAR1") return bytes;
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.UNCOMPRESSED)
    .setStatisticsEnabled(EnabledStatistics.None)
    .build();
  return writeParquet(readParquet(bytes), properties).slice();
}

/** A run with records beside it: of those no recorder of the others' fixtures writes any. */
const RECORDS: Readonly<Record<string, unknown>> = {
  "observed.attempt1.json": {
    run_record_format: 1,
    attempt: 1,
    run_id: "made-up",
    rank: 0,
    device: "cuda:0",
    device_name: "made up",
    torch_peak_memory_bytes: 123_456_789,
    cpu_cores_used: 3.5,
    elapsed_s: 12.25,
    config_hash: "0".repeat(64),
    config: { learning_rate: 1e-5, layers: [1, 2, 3], name: "made up", deep: { a: null, b: true } },
  },
  "metrics.json": [0, 1, 2, 3].map((seed) => ({
    benchmark: "made-up",
    metric: "accuracy",
    horizon: 1 + (seed % 2),
    seed,
    value: seed / 7,
  })),
};

/** @param fixtures test/fixtures @param wasm bytes of the decoder, which writes as well */
export function loadBases(fixtures: string, wasm: Uint8Array): readonly Base[] {
  initSync({ module: wasm });
  const bases: Base[] = [];
  for (const family of ["synthetic", "trl", "random"]) {
    const dir = path.join(fixtures, "oracle", family, "recordings");
    for (const name of fs.readdirSync(dir).sort()) {
      const files = filesBelow(path.join(dir, name));
      bases.push({ name, files }, { name: `${name}, not compressed`, files: uncompressed(files) });
    }
  }
  const [first] = bases;
  if (!first) throw new Error("no recordings to mutate");
  const records = Object.entries(RECORDS).map(([name, value]): [string, Uint8Array] => [
    name,
    new TextEncoder().encode(JSON.stringify(value, null, 1)),
  ]);
  bases.push({ name: "with records", files: new Map([...first.files, ...records]) });
  bases.push({ name: "records alone", files: new Map(records) });
  return bases;
}

function uncompressed(files: Files): Files {
  return new Map(
    [...files].map(([name, bytes]) => [name, name.endsWith(".parquet") ? plain(bytes) : bytes] as const),
  );
}
