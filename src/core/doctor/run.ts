/** What a signature sees of a run: series in memory, nothing that reads, waits or changes. */
import { rollingCorrelation } from "../stats/rolling.ts";

export interface Positional {
  /** Values of the row, one a bucket; NaN where missing. */
  readonly values: Float64Array;
  readonly width: number;
}

export interface SeriesData {
  readonly rows: number;
  readonly step: Float64Array;
  /** Exact step numbers where some are beyond 2^53. */
  readonly exact: BigInt64Array | BigUint64Array | null;
  readonly series: ReadonlyMap<string, Float64Array>;
  /** Which rows hold a written value, 1 or 0; a metric that is not in it has one in every row. */
  readonly written: ReadonlyMap<string, Uint8Array>;
  /** In the order of the first row that holds each, then column order. */
  readonly components: readonly (readonly [string, Float64Array])[];
  /** Row-major, `rows × width`; null when no row has one. */
  readonly positional: Positional | null;
}

export class DoctorRun {
  readonly rows: number;
  readonly components: readonly (readonly [string, Float64Array])[];
  readonly positional: Positional | null;
  private readonly data: SeriesData;
  /** The run that this is the beginning of; itself when it is all there is. */
  private readonly whole: DoctorRun;
  private nothing: Float64Array | null = null;
  /** Values before each row, by metric: prefixes look their own count up. */
  private readonly counts = new Map<string, Int32Array>();
  private correlated: { readonly key: string; readonly values: Float64Array } | null = null;

  constructor(data: SeriesData, whole: DoctorRun | null = null) {
    this.data = data;
    this.whole = whole ?? this;
    this.rows = data.rows;
    this.components = data.components;
    this.positional = data.positional;
  }

  /** One float a row; NaN where missing, all NaN for a metric that was not recorded. */
  series(name: string): Float64Array {
    return this.data.series.get(name) ?? this.missing();
  }

  /** Rows whose value was written and is NaN or infinite; a value that was not written is none of them. */
  nonFinite(name: string): readonly number[] {
    const x = this.data.series.get(name);
    if (!x) return [];
    const written = this.data.written.get(name);
    const rows: number[] = [];
    for (let i = 0; i < x.length; i++)
      if (!Number.isFinite(x[i]) && (!written || written[i] === 1)) rows.push(i);
    return rows;
  }

  /** Last row with a written value; -1 when there is none. */
  lastWritten(name: string): number {
    const x = this.data.series.get(name);
    if (!x) return -1;
    return this.data.written.get(name)?.lastIndexOf(1) ?? x.length - 1;
  }

  /** Recorded at all, if only once. */
  isRecorded(name: string): boolean {
    return this.present(name) > 0;
  }

  /** Enough to judge by: at least `max(10, ⌊rows/4⌋)` values. */
  has(name: string): boolean {
    return this.present(name) >= this.enough;
  }

  get enough(): number {
    return Math.max(10, Math.floor(this.rows / 4));
  }

  present(name: string): number {
    if (!this.data.series.has(name)) return 0;
    return this.whole.countsOf(name)[this.rows] as number;
  }

  /** Pearson's correlation of two metrics over each trailing window; the last one is kept, prefixes share it. */
  correlation(a: string, b: string, window: number): Float64Array {
    const { whole } = this;
    const key = `${a}\0${b}\0${window}`;
    if (whole.correlated?.key !== key)
      whole.correlated = { key, values: rollingCorrelation(whole.series(a), whole.series(b), window) };
    return whole.correlated.values.subarray(0, this.rows);
  }

  /** The step number of a row. */
  stepAt(row: number): number | bigint {
    return this.data.exact?.[row] ?? (this.data.step[row] as number);
  }

  /** The run as it stood after its first rows: what a watcher would have seen. Views, no copies. */
  prefix(rows: number): DoctorRun {
    const cut = (x: Float64Array) => x.subarray(0, rows);
    const { data } = this;
    const seen: SeriesData = {
      rows,
      step: cut(data.step),
      exact: data.exact,
      series: new Map([...data.series].map(([name, x]) => [name, cut(x)])),
      written: new Map([...data.written].map(([name, x]) => [name, x.subarray(0, rows)])),
      components: data.components
        .map(([name, x]) => [name, cut(x)] as const)
        .filter(([, x]) => x.some((v) => !Number.isNaN(v))),
      positional: data.positional && {
        width: data.positional.width,
        values: data.positional.values.subarray(0, rows * data.positional.width),
      },
    };
    return new DoctorRun(seen, this.whole);
  }

  private missing(): Float64Array {
    this.nothing ??= new Float64Array(this.rows).fill(Number.NaN);
    return this.nothing;
  }

  private countsOf(name: string): Int32Array {
    let known = this.counts.get(name);
    if (!known) {
      const x = this.series(name);
      known = new Int32Array(x.length + 1);
      for (let i = 0, n = 0; i < x.length; i++) known[i + 1] = Number.isNaN(x[i]) ? n : ++n;
      this.counts.set(name, known);
    }
    return known;
  }
}
