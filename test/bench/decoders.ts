/**
 * The same columns of the same files read in two ways: by our reader's excerpts, and by parquet-wasm's own
 * `ParquetFile.read`, file by file (docs/decisions/0001-parquet.md). Both open the files, decode, and copy the numbers out with
 * nulls masked. `decoders WAY STORY FILE-LIST WASM`, the list being JSON: `{folder, files: [relative paths], columns: [names]}`.
 */
import fs from "node:fs";
import path from "node:path";
import { type Table, tableFromIPC } from "apache-arrow";
import { initSync, ParquetFile } from "parquet-wasm/esm";
import { nodeSource } from "../../src/core/index.ts";
import { ColumnBuilder } from "../../src/core/reader/convert.ts";
import { initParquet } from "../../src/core/reader/decode.ts";
import { kindOf } from "../../src/core/reader/kinds.ts";
import { type ParquetFile as OurFile, openParquet, readColumns } from "../../src/core/reader/parquetFiles.ts";
import { peakMb } from "./process-memory.ts";
import type { Answer } from "./stories.ts";

const WARM_CALLS = 5;
/** Calls that take long are repeated fewer times. */
const WARM_BUDGET_MS = 8_000;

/** A Blob over a file that reads only what is asked for. */
class FileBlob extends Blob {
  private readonly descriptor: number;
  private readonly from: number;
  private readonly length: number;

  constructor(descriptor: number, from: number, length: number) {
    super();
    this.descriptor = descriptor;
    this.from = from;
    this.length = length;
  }
  override get size(): number {
    return this.length;
  }
  override slice(start = 0, end = this.length): Blob {
    return new FileBlob(this.descriptor, this.from + start, end - start);
  }
  override async arrayBuffer(): Promise<ArrayBuffer> {
    const out = new Uint8Array(this.length);
    fs.readSync(this.descriptor, out, 0, this.length, this.from);
    return out.buffer;
  }
}

/** Numbers copied out with nulls masked, as any caller needs them. */
function copyOut(decoded: Table): number {
  let rows = 0;
  for (const field of decoded.schema.fields) {
    const vector = decoded.getChild(field.name);
    if (!vector || vector.nullCount === vector.length) continue;
    const out = new Float64Array(vector.length);
    let at = 0;
    for (const data of vector.data) {
      const values = data.values as ArrayLike<number | bigint> | undefined;
      if (!values) continue;
      for (let i = 0; i < data.length; i++)
        out[at + i] = data.nullCount > 0 && !data.getValid(i) ? Number.NaN : Number(values[i]);
      at += data.length;
    }
    rows += out.length;
  }
  return rows;
}

async function readOne(path: string, columns: readonly string[]): Promise<number> {
  const descriptor = fs.openSync(path, "r");
  try {
    const file = await ParquetFile.fromFile(new FileBlob(descriptor, 0, fs.fstatSync(descriptor).size));
    const read = await file.read({ columns: [...columns], batchSize: 1 << 20 });
    const rows = copyOut(tableFromIPC(read.intoIPCStream()));
    file.free();
    return rows;
  } finally {
    fs.closeSync(descriptor);
  }
}

async function readByFile({ folder, files, columns }: List): Promise<void> {
  for (const file of files) await readOne(path.join(folder, file), columns);
}

async function readByExcerpt({ folder, files, columns }: List): Promise<void> {
  const source = nodeSource(folder);
  const opened: OurFile[] = [];
  for (const file of files)
    opened.push(await openParquet(source, file, fs.statSync(path.join(folder, file)).size));
  const rows = opened.reduce((n, f) => n + f.footer.rows, 0);
  const builders = new Map(columns.map((name) => [name, new ColumnBuilder(rows)]));
  const isNumber = (file: OurFile, name: string) => {
    const top = file.footer.columns.get(name);
    return top !== undefined && kindOf(name, top.node) === "scalar";
  };
  await readColumns(source, opened, columns, isNumber, {
    append: (name, vector, row) => {
      builders.get(name)?.append(vector, row);
    },
    nulls: (name, row, count) => builders.get(name)?.nulls(row, row + count),
    fault: (name, file) => {
      throw new Error(`${file.path}: ${name}`);
    },
  });
}

interface List {
  readonly folder: string;
  readonly files: readonly string[];
  readonly columns: readonly string[];
}

async function main(): Promise<void> {
  const [way = "", story = "", file = "", wasm = ""] = process.argv.slice(2);
  const list = JSON.parse(fs.readFileSync(file, "utf8")) as List;
  const bytes = fs.readFileSync(wasm);
  const read = way === "excerpts" ? readByExcerpt : readByFile;
  if (way === "excerpts") initParquet(bytes);
  else initSync({ module: bytes as Uint8Array<ArrayBuffer> });
  const calls: { ms: number; cpu: number }[] = [];
  let peak = 0;
  const begin = performance.now();
  for (let call = 0; call <= WARM_CALLS; call++) {
    if (call > 0 && performance.now() - begin > WARM_BUDGET_MS) break;
    const before = process.cpuUsage();
    const from = performance.now();
    await read(list);
    const ms = performance.now() - from;
    const { user, system } = process.cpuUsage(before);
    calls.push({ ms, cpu: (user + system) / 1000 });
    if (call === 0) peak = peakMb();
  }
  const [cold = { ms: Number.NaN, cpu: Number.NaN }, ...warm] = calls;
  const figures: Record<string, number> = {
    [`${story} cold`]: cold.ms,
    [`${story} cold cpu`]: cold.cpu,
    [`memory ${story}`]: peak,
  };
  if (warm.length > 0) {
    figures[`${story} warm`] = Math.min(...warm.map((w) => w.ms));
    figures[`${story} cpu`] = Math.min(...warm.map((w) => w.cpu));
  }
  process.stdout.write(`${JSON.stringify({ figures } satisfies Answer)}\n`);
}

void main();
