/** Stable orders of rows by a number: either way up, ties in reading order, NaN last both ways, rows without a value left out. */
import type { Keys } from "./types.ts";

export interface Ordered {
  readonly rows: Uint32Array;
  /** Rows that have no value. */
  readonly without: number;
}

/** @param rows ascending */
export function ordered(rows: Uint32Array, keys: Keys, descending: boolean): Ordered {
  const { have, nan, without } = split(rows, keys);
  const out = new Uint32Array(have.length + nan.length);
  out.set(radix(have, keys.values, descending));
  out.set(nan, have.length);
  return { rows: out, without };
}

interface Split {
  readonly have: Uint32Array;
  readonly nan: Uint32Array;
  readonly without: number;
}

function split(rows: Uint32Array, { values, has }: Keys): Split {
  const have = new Uint32Array(rows.length);
  const nan: number[] = [];
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (!has(row)) continue;
    const value = values[row] as number;
    if (Number.isNaN(value)) nan.push(row);
    else have[n++] = row;
  }
  return {
    have: have.subarray(0, n),
    nan: Uint32Array.from(nan),
    without: rows.length - n - nan.length,
  };
}

const BITS = 16;
const BUCKETS = 1 << BITS;
/** Below this many rows a comparison sort is faster than counting into 65,536 buckets. */
const FEW = 5_000;

/** Least significant digit first, over the bits of the doubles turned so that they sort as unsigned numbers. */
function radix(rows: Uint32Array, values: ArrayLike<number>, descending: boolean): Uint32Array {
  if (rows.length < FEW) return compared(rows, values, descending);
  const n = rows.length;
  const words = new Uint32Array(n * 2);
  const doubles = new Float64Array(words.buffer);
  const flip = descending ? 0xffffffff : 0;
  for (let i = 0; i < n; i++) {
    // Adding 0 makes 0 of −0: they are equal.
    doubles[i] = (values[rows[i] as number] as number) + 0;
    const high = words[2 * i + 1] as number;
    const turn = high & 0x80000000 ? 0xffffffff : 0;
    words[2 * i] = ((words[2 * i] as number) ^ turn ^ flip) >>> 0;
    words[2 * i + 1] = (high ^ (turn || 0x80000000) ^ flip) >>> 0;
  }
  let from: Uint32Array = Uint32Array.from({ length: n }, (_, i) => i);
  let to = new Uint32Array(n);
  const counts = new Uint32Array(BUCKETS);
  for (let digit = 0; digit < 4; digit++) {
    const word = digit >> 1;
    const shift = (digit & 1) * BITS;
    counts.fill(0);
    for (let i = 0; i < n; i++) {
      const bucket = ((words[2 * i + word] as number) >>> shift) & (BUCKETS - 1);
      (counts[bucket] as number)++;
    }
    if (isOneBucket(counts, ((words[word] as number) >>> shift) & (BUCKETS - 1), n)) continue;
    let sum = 0;
    for (let b = 0; b < BUCKETS; b++) {
      const count = counts[b] as number;
      counts[b] = sum;
      sum += count;
    }
    for (let i = 0; i < n; i++) {
      const item = from[i] as number;
      const bucket = ((words[2 * item + word] as number) >>> shift) & (BUCKETS - 1);
      const at = counts[bucket] as number;
      to[at] = item;
      counts[bucket] = at + 1;
    }
    const swap = from;
    from = to;
    to = swap as typeof to;
  }
  for (let i = 0; i < n; i++) to[i] = rows[from[i] as number] as number;
  return to;
}

const isOneBucket = (counts: Uint32Array, bucket: number, n: number): boolean => counts[bucket] === n;

function compared(rows: Uint32Array, values: ArrayLike<number>, descending: boolean): Uint32Array {
  const sign = descending ? -1 : 1;
  return rows.slice().sort((a, b) => {
    const [x, y] = [values[a] as number, values[b] as number];
    return x === y ? a - b : x < y ? -sign : sign;
  });
}

/**
 * The first `k` of {@link ordered}, without ordering the rest, and how many there are in all.
 * @param rows ascending
 */
export function best(
  rows: Uint32Array,
  keys: Keys,
  descending: boolean,
  k: number,
): Ordered & { readonly total: number } {
  const { values, has } = keys;
  const sign = descending ? -1 : 1;
  // A heap with the last of the best on top: whatever does not come before that is not one of them.
  const heap = new Uint32Array(k);
  let size = 0;
  let total = 0;
  const nan: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (!has(row)) continue;
    total++;
    const value = values[row] as number;
    if (Number.isNaN(value)) {
      if (nan.length < k) nan.push(row);
      continue;
    }
    // Equal ones come later: they are read later.
    if (size === k && (k === 0 || sign * value >= sign * (values[heap[0] as number] as number))) continue;
    if (size < k) {
      heap[size] = row;
      siftUp(heap, size++, values, sign);
    } else {
      heap[0] = row;
      siftDown(heap, size, values, sign);
    }
  }
  const first = compared(heap.slice(0, size).sort(), values, descending);
  const rest = nan.slice(0, k - size);
  const out = new Uint32Array(size + rest.length);
  out.set(first);
  out.set(rest, size);
  return { rows: out, without: rows.length - total, total };
}

/** True when row a comes after row b. */
function after(a: number, b: number, values: ArrayLike<number>, sign: number): boolean {
  const [x, y] = [sign * (values[a] as number), sign * (values[b] as number)];
  return x === y ? a > b : x > y;
}

function siftUp(heap: Uint32Array, from: number, values: ArrayLike<number>, sign: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const [own, above] = [heap[at] as number, heap[parent] as number];
    if (!after(own, above, values, sign)) return;
    heap[at] = above;
    heap[parent] = own;
    at = parent;
  }
}

function siftDown(heap: Uint32Array, size: number, values: ArrayLike<number>, sign: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) return;
    if (child + 1 < size && after(heap[child + 1] as number, heap[child] as number, values, sign)) child++;
    const [own, below] = [heap[at] as number, heap[child] as number];
    if (!after(below, own, values, sign)) return;
    heap[at] = below;
    heap[child] = own;
    at = child;
  }
}
