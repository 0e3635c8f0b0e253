/** Opening Parquet files (footer only) and reading columns over many of them at once. */
import type { Vector } from "apache-arrow";
import { FlightDeckError, type WarningCode } from "../format/problems.ts";
import type { ByteRange, RunSource } from "../io/source.ts";
import { DecodeError, decodeParquet } from "./decode.ts";
import { buildExcerpt, type ExcerptPart, leavesOf, signature } from "./excerpt.ts";
import { FOOTER_LIMITS, type Footer, FooterError, parseFooter } from "./footer.ts";
import { checkPages } from "./pages.ts";

/** One Parquet file of a run, opened: its footer is known, none of its pages are. */
export interface ParquetFile {
  /** Relative to the run. */
  readonly path: string;
  readonly size: number;
  readonly footer: Footer;
}

/** A first guess that holds most footers (42 columns are 9 KB), so that one read does. */
const TAIL = 16 * 1024;
const HEAD_SNIFF = 512;

/** @throws FooterError naming what is wrong; FlightDeckError from the source */
export async function openParquet(
  source: RunSource,
  path: string,
  size: number,
  keepArrowSchema = false,
): Promise<ParquetFile> {
  if (size === 0) throw new FooterError("empty-file", "it has 0 bytes");
  const start = Math.max(0, size - TAIL);
  const tail = await source.read(path, start, TAIL);
  const length = footerLength(tail, size);
  if (length === null) throw await diagnoseTail(source, path, size, tail);
  const footerStart = size - 8 - length;
  const bytes =
    footerStart >= start
      ? tail.subarray(footerStart - start, tail.length - 8)
      : await source.read(path, footerStart, length);
  return { path, size, footer: parseFooter(bytes, footerStart, keepArrowSchema) };
}

/** Footer length where the file ends as a Parquet file must and the length is possible; else null. */
function footerLength(tail: Uint8Array, size: number): number | null {
  if (tail.length < 12 || !endsWith(tail, "PAR1")) return null;
  const length = new DataView(tail.buffer, tail.byteOffset + tail.length - 8, 4).getUint32(0, true);
  if (length > size - 12 || length > FOOTER_LIMITS.footerBytes)
    throw new FooterError("footer-corrupt", `its footer claims ${length} bytes in a file of ${size}`);
  return length;
}

function endsWith(bytes: Uint8Array, text: string): boolean {
  return startsWith(bytes.subarray(bytes.length - text.length), text);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Why a file has no Parquet ending, told from its first and last bytes. */
async function diagnoseTail(
  source: RunSource,
  path: string,
  size: number,
  tail: Uint8Array,
): Promise<FooterError> {
  const head = await source.read(path, 0, HEAD_SNIFF);
  const zero = (b: Uint8Array) => b.every((x) => x === 0);
  if (zero(head) && zero(tail))
    return new FooterError("nul-file", "it holds zeros only, as after a power loss or on a full disk");
  if (startsWith(head, "version https://git-lfs"))
    return new FooterError("lfs-pointer", "it is a Git LFS pointer, not the file itself");
  if (head[0] === 0x1f && head[1] === 0x8b)
    return new FooterError("gzip-wrapped", "it is compressed with gzip as a whole");
  if (endsWith(tail, "PARE") || startsWith(head, "PARE"))
    return new FooterError("encrypted-parquet", "its footer is encrypted");
  if (startsWith(head, "PAR1")) {
    const trailing = zero(tail.subarray(-16));
    return new FooterError(
      "truncated-parquet",
      trailing ? "it ends in zeros where its footer should be" : `it ends at byte ${size} without a footer`,
    );
  }
  if (/^\s*<(!doctype|html|\?xml)/i.test(new TextDecoder("latin1").decode(head)))
    return new FooterError("html-page", "it is an HTML page");
  return new FooterError(
    size < 12 ? "truncated-parquet" : "bad-magic",
    size < 12 ? `it has ${size} bytes` : "it is not a Parquet file",
  );
}

/** Bytes of one decoding call: keeps the decoder's memory bounded whatever the run's length. */
const BATCH_COMPRESSED = 8 * 1024 * 1024;
const BATCH_UNCOMPRESSED = 64 * 1024 * 1024;
const BATCH_FILES = 2048;
/** The decoder's time grows with the square of the columns in a call. */
const BATCH_COLUMNS = 100;
/** Ranges closer than this are read as one. */
const COALESCE_GAP = 32 * 1024;

export interface ColumnSink {
  /** `vector` holds rows of `name` beginning at row `row` of the whole table. */
  append(name: string, vector: Vector, row: number): void;
  /** Rows `[row, row + rows)` of `name` are not there: no such column in the file, or never filled. */
  nulls(name: string, row: number, rows: number): void;
  /** The column of one file cannot be read; its rows are null. */
  fault(name: string, file: ParquetFile, code: WarningCode, detail: string): void;
}

interface Piece {
  readonly file: ParquetFile;
  readonly row: number;
}

/**
 * Reads columns of many files, in as few reads and decoder calls as it can. What cannot be read is reported to the
 * sink by file and column and left null; nothing else is lost.
 * @param wanted decides whether a file's column is decoded (it exists and is of a kind that the sink takes)
 */
export async function readColumns(
  source: RunSource,
  files: readonly ParquetFile[],
  names: readonly string[],
  wanted: (file: ParquetFile, name: string) => boolean,
  sink: ColumnSink,
): Promise<void> {
  const groups = new Map<string, { names: string[]; pieces: Piece[] }>();
  let row = 0;
  for (const file of files) {
    const present: string[] = [];
    let key = "";
    for (const name of names) {
      const top = file.footer.columns.get(name);
      if (!top || !wanted(file, name)) {
        sink.nulls(name, row, file.footer.rows);
        continue;
      }
      const fault = file.footer.rows > 0 ? firstFault(file, name) : null;
      if (fault) {
        sink.nulls(name, row, file.footer.rows);
        sink.fault(name, file, fault.code, fault.message);
        continue;
      }
      present.push(name);
      key += `${JSON.stringify(name)}${signature(top.node)}|`;
    }
    if (present.length > 0 && file.footer.rows > 0) {
      let group = groups.get(key);
      if (!group) {
        group = { names: present, pieces: [] };
        groups.set(key, group);
      }
      group.pieces.push({ file, row });
    }
    row += file.footer.rows;
  }
  for (const { names: present, pieces } of groups.values())
    for (const some of narrow(present, pieces))
      for (const batch of batches(some, pieces)) await readBatch(source, some, batch, sink);
}

/** What the footer itself gives away about a column's chunks. */
export function firstFault(file: ParquetFile, name: string): FooterError | null {
  const leaves = leavesOf(file.footer, [name]);
  for (const group of file.footer.rowGroups)
    for (const leaf of leaves) {
      const fault = group.fault(leaf);
      if (fault) return fault;
    }
  return null;
}

/** Splits the columns where those of one file alone would make a call too large: memory follows the width of a call. */
function narrow(names: readonly string[], pieces: readonly Piece[]): readonly (readonly string[])[] {
  const out: string[][] = [];
  let compressed = Number.POSITIVE_INFINITY;
  let uncompressed = 0;
  for (const name of names) {
    const weights = pieces.map(({ file }) => weightOf(file, [name]));
    const c = weights.reduce((most, w) => Math.max(most, w.compressed), 0);
    const u = weights.reduce((most, w) => Math.max(most, w.uncompressed), 0);
    const full =
      compressed + c > BATCH_COMPRESSED ||
      uncompressed + u > BATCH_UNCOMPRESSED ||
      (out.at(-1)?.length ?? 0) >= BATCH_COLUMNS;
    if (full) {
      out.push([]);
      compressed = 0;
      uncompressed = 0;
    }
    out.at(-1)?.push(name);
    compressed += c;
    uncompressed += u;
  }
  return out;
}

/** A constant column is a few bytes in the file and eight a row when it is decoded. */
function weightOf(file: ParquetFile, names: readonly string[]): { compressed: number; uncompressed: number } {
  let compressed = 0;
  let uncompressed = 0;
  const leaves = leavesOf(file.footer, names);
  for (const group of file.footer.rowGroups)
    for (const leaf of leaves) {
      compressed += group.compressed(leaf);
      uncompressed += Math.max(group.uncompressed(leaf), group.numValues(leaf) * 8);
    }
  return { compressed, uncompressed };
}

function* batches(names: readonly string[], pieces: readonly Piece[]): Generator<Piece[]> {
  let batch: Piece[] = [];
  let compressed = 0;
  let uncompressed = 0;
  for (const piece of pieces) {
    const { compressed: c, uncompressed: u } = weightOf(piece.file, names);
    const full =
      compressed + c > BATCH_COMPRESSED ||
      uncompressed + u > BATCH_UNCOMPRESSED ||
      batch.length >= BATCH_FILES;
    if (batch.length > 0 && full) {
      yield batch;
      batch = [];
      compressed = 0;
      uncompressed = 0;
    }
    batch.push(piece);
    compressed += c;
    uncompressed += u;
  }
  if (batch.length > 0) yield batch;
}

async function readBatch(
  source: RunSource,
  names: readonly string[],
  batch: readonly Piece[],
  sink: ColumnSink,
): Promise<void> {
  const parts: ExcerptPart[] = [];
  const sound: Piece[] = [];
  for (const piece of batch) {
    try {
      const bytes = await readChunks(source, piece.file, names);
      const faults = pageFaults(piece.file, names, bytes);
      if (faults.size > 0) {
        await withoutFaulty(source, names, piece, faults, sink);
        continue;
      }
      parts.push({ footer: piece.file.footer, bytes });
      sound.push(piece);
    } catch (error) {
      if (!(error instanceof FlightDeckError) && !(error instanceof DecodeError)) throw error;
      const code =
        error instanceof FlightDeckError && error.code === "permission-denied" ? error.code : "io-error";
      failed(names, [piece], sink, code, error instanceof DecodeError ? error.message : "it cannot be read");
    }
  }
  if (sound.length > 0) await decodeBatch(source, names, sound, parts, sink);
}

/** Columns of a file whose pages must not be decoded, with the reason. */
function pageFaults(
  file: ParquetFile,
  names: readonly string[],
  bytes: ExcerptPart["bytes"],
): Map<string, FooterError> {
  const out = new Map<string, FooterError>();
  for (const name of names)
    for (const leaf of leavesOf(file.footer, [name]))
      file.footer.rowGroups.forEach((group, g) => {
        const fault = out.has(name)
          ? null
          : checkPages(bytes(g, leaf), group, leaf, file.footer.leaves[leaf]?.physical ?? -1);
        if (fault) out.set(name, fault);
      });
  return out;
}

async function withoutFaulty(
  source: RunSource,
  names: readonly string[],
  piece: Piece,
  faults: ReadonlyMap<string, FooterError>,
  sink: ColumnSink,
): Promise<void> {
  for (const [name, fault] of faults) failed([name], [piece], sink, fault.code, fault.message);
  const rest = names.filter((n) => !faults.has(n));
  if (rest.length > 0) await readBatch(source, rest, [piece], sink);
}

async function decodeBatch(
  source: RunSource,
  names: readonly string[],
  batch: readonly Piece[],
  parts: readonly ExcerptPart[],
  sink: ColumnSink,
): Promise<void> {
  const rows = batch.reduce((n, p) => n + p.file.footer.rows, 0);
  try {
    const table = decodeParquet(buildExcerpt(parts, names));
    if (table.numRows !== rows) {
      if (batch.length > 1) return halve(source, names, batch, sink);
      if (table.numRows > rows)
        return failed(names, batch, sink, "footer-corrupt", "it holds more rows than its footer says");
    }
    names.forEach((name, i) => {
      const vector = table.getChildAt(i);
      if (vector) deliver(name, vector, batch, sink);
    });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (batch.length > 1) return halve(source, names, batch, sink);
    if (names.length > 1) for (const name of names) await readBatch(source, [name], batch, sink);
    else failed(names, batch, sink, error.code, error.message);
  }
}

async function halve(
  source: RunSource,
  names: readonly string[],
  batch: readonly Piece[],
  sink: ColumnSink,
): Promise<void> {
  const middle = batch.length >> 1;
  await readBatch(source, names, batch.slice(0, middle), sink);
  await readBatch(source, names, batch.slice(middle), sink);
}

function failed(
  names: readonly string[],
  batch: readonly Piece[],
  sink: ColumnSink,
  code: WarningCode,
  detail: string,
): void {
  for (const { file, row } of batch)
    for (const name of names) {
      sink.nulls(name, row, file.footer.rows);
      sink.fault(name, file, code, detail);
    }
}

/** Gives a decoded vector out to the places of its files; neighbours go out as one. */
function deliver(name: string, vector: Vector, batch: readonly Piece[], sink: ColumnSink): void {
  let from = 0;
  for (let i = 0; i < batch.length; ) {
    const first = batch[i] as Piece;
    let rows = first.file.footer.rows;
    let j = i + 1;
    for (let next = batch[j]; next && next.row === first.row + rows; next = batch[++j])
      rows += next.file.footer.rows;
    const got = Math.min(rows, Math.max(0, vector.length - from));
    const whole = from === 0 && got === vector.length;
    if (got > 0) sink.append(name, whole ? vector : vector.slice(from, from + got), first.row);
    // Fewer rows than promised: what was decoded is believed, the rest is missing.
    if (got < rows) {
      sink.nulls(name, first.row + got, rows - got);
      sink.fault(name, first.file, "footer-corrupt", `it holds ${got} rows, its footer says ${rows}`);
    }
    from += got;
    i = j;
  }
}

interface Place {
  readonly group: number;
  readonly leaf: number;
  readonly start: number;
  readonly length: number;
}

/** One file's chunks of the named columns, neighbouring ranges read as one. */
async function readChunks(
  source: RunSource,
  file: ParquetFile,
  names: readonly string[],
): Promise<(group: number, leaf: number) => Uint8Array> {
  const leaves = leavesOf(file.footer, names);
  const places: Place[] = file.footer.rowGroups.flatMap((g, group) =>
    leaves.map((leaf) => ({ group, leaf, start: g.start(leaf), length: g.compressed(leaf) })),
  );
  places.sort((a, b) => a.start - b.start);
  const ranges: ByteRange[] = [];
  const found = new Map<number, { range: number; at: number; length: number }>();
  const key = (group: number, leaf: number) => group * file.footer.leaves.length + leaf;
  let start = 0;
  let end = -1;
  for (const p of places) {
    if (end >= 0 && p.start > end + COALESCE_GAP) ranges.push({ start, length: end - start });
    if (end < 0 || p.start > end + COALESCE_GAP) {
      start = p.start;
      end = p.start + p.length;
    } else end = Math.max(end, p.start + p.length);
    found.set(key(p.group, p.leaf), { range: ranges.length, at: p.start - start, length: p.length });
  }
  if (end >= 0) ranges.push({ start, length: end - start });
  const buffers = await source.readRanges(file.path, ranges);
  return (group, leaf) => {
    const place = found.get(key(group, leaf));
    const buffer = place && buffers[place.range];
    if (!buffer || place.at + place.length > buffer.length)
      throw new DecodeError("the file is shorter than it was");
    return buffer.subarray(place.at, place.at + place.length);
  };
}
