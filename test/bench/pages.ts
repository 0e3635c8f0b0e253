/**
 * The physical limit of reading columns: their bytes off the disk, each page through native zstd, nothing else. This file
 * finds the pages; who decompresses them is Node, where it has zstd, else Python's (measure.py).
 */
import { nodeSource } from "../../src/core/index.ts";
import { leavesOf } from "../../src/core/reader/excerpt.ts";
import { openParquet } from "../../src/core/reader/parquetFiles.ts";
import { ThriftReader } from "../../src/core/reader/thrift.ts";

/** One compressed page inside a range of the file. */
export interface Page {
  /** From the range's beginning, behind the page's header. */
  readonly at: number;
  readonly compressed: number;
  readonly size: number;
}

export interface PageRange {
  readonly start: number;
  readonly length: number;
  readonly pages: readonly Page[];
}

const ZSTD = 6;

/** @param chunk bytes of a whole column chunk */
function pagesOf(chunk: Uint8Array): Page[] {
  const pages: Page[] = [];
  const r = new ThriftReader(chunk);
  while (r.pos < chunk.length) {
    let size = 0;
    let compressed = 0;
    r.struct((id, type) => {
      if (id === 2) size = r.zigzag();
      else if (id === 3) compressed = r.zigzag();
      else r.skip(type);
    });
    if (compressed > 0) pages.push({ at: r.pos, compressed, size });
    r.pos += compressed;
  }
  return pages;
}

/**
 * @param folder absolute path of a run whose steps are compacted
 * @param names columns; those that the file lacks or that were never filled are left out
 */
export async function pagePlan(folder: string, names: readonly string[]): Promise<readonly PageRange[]> {
  const source = nodeSource(folder);
  const path = "steps.parquet";
  const size = (await source.stat(path))?.size ?? 0;
  const { footer } = await openParquet(source, path, size);
  const ranges: PageRange[] = [];
  for (const leaf of leavesOf(
    footer,
    names.filter((n) => footer.columns.has(n)),
  ))
    for (const group of footer.rowGroups) {
      if (group.codec(leaf) !== ZSTD) continue;
      const start = group.start(leaf);
      const length = group.compressed(leaf);
      ranges.push({ start, length, pages: pagesOf(await source.read(path, start, length)) });
    }
  return ranges.sort((a, b) => a.start - b.start);
}
