/** Arrow vectors → plain columns. Everything is copied out, so that nothing keeps a decoded buffer alive. */
import { type Data, DataType, type Vector } from "apache-arrow";
import type { Column, ListColumn } from "../run/model.ts";

/** How a column's file type relates to numbers. */
export type NumberSource = "exact" | "coerced" | "none";

/** A growing numeric column: parts of a run are appended in file order, each with its own type. */
export class ColumnBuilder {
  private values: Float64Array;
  private valid: Uint8Array | null = null;
  private exact: BigInt64Array | BigUint64Array | null = null;
  private unsigned = false;
  /** Values that were there but are no numbers (text that does not parse); they read as null. */
  badCells = 0;
  firstBadRow = -1;
  /** Some value came from text, decimals or other types that had to be converted. */
  coerced = false;
  /** Integers beyond 2^53. */
  unsafe = 0;
  /** Integers all along: there is nothing to look for. */
  private whole = true;

  constructor(rows: number) {
    this.values = new Float64Array(rows);
  }

  get rows(): number {
    return this.values.length;
  }

  /** Memory that it holds. */
  get bytes(): number {
    const { values, valid, exact } = this;
    return values.buffer.byteLength + (valid?.buffer.byteLength ?? 0) + (exact?.buffer.byteLength ?? 0);
  }

  /** Makes room for more rows behind those that are there. What was finished before stays as it is. */
  grow(rows: number): void {
    const before = this.values.length;
    this.values = longer(this.values, rows);
    this.valid = this.valid && longer(this.valid, rows).fill(1, before);
    this.exact = this.exact && longer(this.exact, rows);
  }

  /** Marks rows `[from, to)` as null. */
  nulls(from: number, to: number): void {
    if (to <= from) return;
    this.validity().fill(0, from, to);
    this.values.fill(Number.NaN, from, to);
  }

  /** Writes a vector at `row`. @returns rows written */
  append(vector: Vector, row: number): number {
    let at = row;
    for (const data of vector.data) {
      this.chunk(data, at);
      at += data.length;
    }
    return at - row;
  }

  /** NaN and ±Infinity that were written, from a row on. */
  nonFinite(from: number): number {
    if (this.whole) return 0;
    const { values, valid } = this;
    let n = 0;
    // Only NaN and infinities differ from themselves less themselves.
    for (let i = from; i < values.length; i++) {
      const v = values[i] as number;
      if (v - v !== 0 && (valid === null || valid[i] === 1)) n++;
    }
    return n;
  }

  /** Finite values with a fraction, from a row on. */
  fractions(from: number): number {
    if (this.whole) return 0;
    let n = 0;
    for (const v of this.values.subarray(from)) if (Number.isFinite(v) && !Number.isInteger(v)) n++;
    return n;
  }

  finish(): Column {
    return { values: this.values, valid: this.valid, exact: this.exact };
  }

  private validity(): Uint8Array {
    this.valid ??= new Uint8Array(this.values.length).fill(1);
    return this.valid;
  }

  private chunk(data: Data, at: number): void {
    const { type, length } = data;
    if (!DataType.isInt(type) && !DataType.isNull(type)) this.whole = false;
    if (DataType.isNull(type)) this.nulls(at, at + length);
    else if (DataType.isDictionary(type)) this.dictionary(data, at);
    else if (DataType.isFloat(type) && type.precision > 0) this.values.set(subarray(data.values, length), at);
    else if (DataType.isInt(type)) this.integers(data, at, type.bitWidth === 64, type.isSigned);
    else if (DataType.isBool(type))
      this.each(data, at, (i) => bit(data.values as Uint8Array, data.offset + i));
    else this.converted(data, at);
    if (this.exact && !(DataType.isInt(type) && type.bitWidth === 64))
      this.fillExact(this.exact, at, at + length);
    if (!DataType.isNull(type) && !DataType.isDictionary(type)) this.mask(data, at);
  }

  /** NaN where the bitmap says null: the slot below holds a stale neighbour (parquet-wasm leaves it there). */
  private mask(data: Data, at: number): void {
    if (data.nullCount === 0 || data.nullBitmap.length === 0) return;
    const valid = this.validity();
    for (let i = 0; i < data.length; i++)
      if (bit(data.nullBitmap, data.offset + i) === 0) {
        valid[at + i] = 0;
        this.values[at + i] = Number.NaN;
        if (this.exact) this.exact[at + i] = 0n;
      }
  }

  private integers(data: Data, at: number, wide: boolean, signed: boolean): void {
    if (!wide) {
      this.values.set(subarray(data.values, data.length), at);
      return;
    }
    const source = data.values as BigInt64Array | BigUint64Array;
    // By halves: a bigint for each row would cost ten times as much.
    const halves = new Uint32Array(source.buffer, source.byteOffset, data.length * 2);
    for (let i = 0; i < data.length; i++) {
      const high = halves[2 * i + 1] as number;
      const n = (signed ? high | 0 : high) * 2 ** 32 + (halves[2 * i] as number);
      this.values[at + i] = n;
      if (!Number.isSafeInteger(n) && isValid(data, i)) this.keepExact(at + i, source[i] as bigint, !signed);
      else if (this.exact) this.exact[at + i] = source[i] as bigint;
    }
  }

  private keepExact(row: number, big: bigint, unsigned: boolean): void {
    this.unsafe++;
    if (!this.exact || (unsigned && !this.unsigned)) {
      const rows = this.values.length;
      const fresh = unsigned ? new BigUint64Array(rows) : new BigInt64Array(rows);
      if (this.exact) fresh.set(this.exact as BigInt64Array & BigUint64Array);
      // Files of other types come in any order: rows behind this one can be there already.
      else this.fillExact(fresh, 0, rows);
      this.exact = fresh;
      this.unsigned = unsigned;
    }
    this.exact[row] = big;
  }

  /** Rows `[from, to)` of other types than wide integers: their values are exact as they are. */
  private fillExact(exact: BigInt64Array | BigUint64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const value = this.values[i] as number;
      exact[i] = Number.isInteger(value) ? BigInt(value) : 0n;
    }
  }

  private each(data: Data, at: number, value: (i: number) => number): void {
    for (let i = 0; i < data.length; i++) this.values[at + i] = value(i);
  }

  /** Text, decimals, half floats, times: by way of the vector's own accessor, which is slow and rare. */
  private converted(data: Data, at: number): void {
    this.coerced = true;
    const read = reader(data);
    for (let i = 0; i < data.length; i++) {
      if (!isValid(data, i)) continue;
      const n = read(i);
      this.values[at + i] = n;
      if (Number.isNaN(n)) this.bad(at + i);
    }
  }

  private bad(row: number): void {
    this.badCells++;
    if (this.firstBadRow < 0) this.firstBadRow = row;
    this.validity()[row] = 0;
    this.values[row] = Number.NaN;
  }

  private dictionary(data: Data, at: number): void {
    this.coerced = true;
    const words = data.dictionary;
    const indices = data.values as ArrayLike<number>;
    for (let i = 0; i < data.length; i++) {
      if (!isValid(data, i) || !words) {
        this.nulls(at + i, at + i + 1);
        continue;
      }
      const n = toNumber(words.get(indices[i] as number));
      this.values[at + i] = n;
      if (Number.isNaN(n)) this.bad(at + i);
    }
  }
}

/** The same values with room behind them; the old array keeps showing what it showed. */
function longer<T extends Float64Array | Uint8Array | Int32Array | BigInt64Array | BigUint64Array>(
  array: T,
  length: number,
): T {
  const Kind = array.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => T;
  const bytes = length * array.BYTES_PER_ELEMENT;
  // Half as much again: a run that grows by small parts is not copied with each of them.
  const buffer =
    bytes <= array.buffer.byteLength ? array.buffer : new ArrayBuffer(Math.ceil((bytes * 1.5) / 8) * 8);
  const out = new Kind(buffer, 0, length);
  if (buffer !== array.buffer) (out as Float64Array).set(array as Float64Array);
  return out;
}

/** Typed values of a chunk without its neighbours: Arrow already applied the offset to `values`. */
function subarray(values: unknown, length: number): ArrayLike<number> {
  return (values as Float64Array).subarray(0, length);
}

function bit(bitmap: Uint8Array, i: number): number {
  return ((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1;
}

function isValid(data: Data, i: number): boolean {
  return data.nullCount === 0 || data.nullBitmap.length === 0 || bit(data.nullBitmap, data.offset + i) === 1;
}

function reader(data: Data): (i: number) => number {
  const { type } = data;
  if (DataType.isFloat(type)) return (i) => half((data.values as Uint16Array)[i] ?? 0);
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    const text = new TextDecoder("utf-8");
    const offsets = data.valueOffsets as Int32Array;
    const bytes = data.values as Uint8Array;
    return (i) => toNumber(text.decode(bytes.subarray(offsets[i], offsets[i + 1])));
  }
  if (DataType.isDecimal(type))
    return (i) => decimal(data.values as Uint32Array, i, type.bitWidth / 32, type.scale);
  if (DataType.isTimestamp(type)) {
    // Unit 0 second, 1 milli, 2 micro, 3 nano; read as Unix seconds.
    const scale = 1000 ** type.unit;
    return (i) => Number((data.values as BigInt64Array)[i] ?? 0n) / scale;
  }
  return () => Number.NaN;
}

/** IEEE 754 half precision. */
function half(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >> 10) & 0x1f;
  const fraction = h & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A little-endian two's complement integer of `words` 32-bit words, divided by 10^scale. */
function decimal(values: Uint32Array, row: number, words: number, scale: number): number {
  let big = 0n;
  for (let w = words - 1; w >= 0; w--) big = (big << 32n) | BigInt(values[row * words + w] ?? 0);
  const bits = BigInt(words * 32);
  return Number(BigInt.asIntN(Number(bits), big)) / 10 ** scale;
}

/** Text as a number where all of it is one ("12", " 1e-3 "); NaN otherwise. */
function toNumber(value: unknown): number {
  if (typeof value !== "string" || value.trim() === "") return Number.NaN;
  return Number(value);
}

/** A list of numbers a row → flat values with offsets. Null elements become NaN and are counted. */
export class ListBuilder {
  private values: Float64Array = new Float64Array(1024);
  private length = 0;
  /** Where each row's values begin, and how many they are: files can arrive in any order. */
  private starts: Int32Array;
  private lengths: Int32Array;
  private valid: Uint8Array | null = null;
  nullElements = 0;
  firstNullRow = -1;
  /** Rows longer than the limit, cut to it. */
  cut = 0;
  private readonly maxPerRow: number;

  constructor(rows: number, maxPerRow: number) {
    this.starts = new Int32Array(rows);
    this.lengths = new Int32Array(rows);
    this.maxPerRow = maxPerRow;
  }

  get rows(): number {
    return this.starts.length;
  }

  /** As {@link ColumnBuilder.grow}. */
  grow(rows: number): void {
    const before = this.starts.length;
    this.starts = longer(this.starts, rows).fill(0, before);
    this.lengths = longer(this.lengths, rows).fill(0, before);
    this.valid = this.valid && longer(this.valid, rows).fill(1, before);
  }

  nulls(from: number, to: number): void {
    for (let row = from; row < to; row++) this.nullRow(row);
  }

  append(vector: Vector, row: number): number {
    let at = row;
    for (const data of vector.data) {
      this.chunk(data, at);
      at += data.length;
    }
    return at - row;
  }

  finish(): ListColumn {
    const rows = this.starts.length;
    const offsets = new Int32Array(rows + 1);
    // Files that came in their order lie as they should.
    const inOrder = this.isInOrder();
    const values = inOrder ? this.values.subarray(0, this.length) : new Float64Array(this.length);
    let at = 0;
    for (let row = 0; row < rows; row++) {
      const start = this.starts[row] as number;
      if (!inOrder) values.set(this.values.subarray(start, start + (this.lengths[row] as number)), at);
      at += this.lengths[row] as number;
      offsets[row + 1] = at;
    }
    return { values, offsets, valid: this.valid };
  }

  private isInOrder(): boolean {
    let at = 0;
    for (let row = 0; row < this.starts.length; row++) {
      const length = this.lengths[row] as number;
      if (length > 0 && this.starts[row] !== at) return false;
      at += length;
    }
    return at === this.length;
  }

  private nullRow(row: number): void {
    this.valid ??= new Uint8Array(this.starts.length).fill(1);
    this.valid[row] = 0;
    this.lengths[row] = 0;
  }

  private chunk(data: Data, at: number): void {
    const child = data.children[0];
    const inner = child ? new ColumnBuilder(child.length) : null;
    if (inner && child) inner.append(vectorOf(child), 0);
    const column = inner?.finish();
    const offsets = data.valueOffsets as Int32Array | undefined;
    if (column && offsets && this.isPlain(data, column, offsets)) {
      this.block(at, data.length, column, offsets);
      return;
    }
    for (let i = 0; i < data.length; i++) {
      if (!column || !offsets || !isValid(data, i)) this.nullRow(at + i);
      else this.row(at + i, column, offsets[i] ?? 0, offsets[i + 1] ?? 0);
    }
  }

  /** Nothing in it is null, cut or counted: its values can be taken as one block. */
  private isPlain(data: Data, column: Column, offsets: Int32Array): boolean {
    if (data.nullCount > 0 || column.valid) return false;
    for (let i = 0; i < data.length; i++) {
      const length = (offsets[i + 1] as number) - (offsets[i] as number);
      if (!(length >= 0 && length <= this.maxPerRow)) return false;
    }
    return true;
  }

  private block(row: number, rows: number, column: Column, offsets: Int32Array): void {
    const first = offsets[0] ?? 0;
    const values = column.values.subarray(first, offsets[rows]);
    this.reserve(values.length);
    this.values.set(values, this.length);
    for (let i = 0; i < rows; i++) {
      this.starts[row + i] = this.length + (offsets[i] as number) - first;
      this.lengths[row + i] = (offsets[i + 1] as number) - (offsets[i] as number);
    }
    this.length += values.length;
  }

  private row(row: number, column: Column, from: number, to: number): void {
    const end = Math.min(to, from + this.maxPerRow);
    if (end < to) this.cut++;
    this.reserve(end - from);
    this.starts[row] = this.length;
    this.lengths[row] = end - from;
    for (let i = from; i < end; i++) {
      this.values[this.length++] = column.values[i] ?? Number.NaN;
      if (column.valid && column.valid[i] === 0) {
        this.nullElements++;
        if (this.firstNullRow < 0) this.firstNullRow = row;
      }
    }
  }

  private reserve(n: number): void {
    if (this.length + n <= this.values.length) return;
    const grown = new Float64Array(Math.max(this.values.length * 2, this.length + n));
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }
}

function vectorOf(data: Data): Vector {
  return { data: [data] } as unknown as Vector;
}
