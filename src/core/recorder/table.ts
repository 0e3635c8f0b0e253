/** Rows → columns, and columns of several tables → one. Nothing here knows of Parquet. */

export type ColumnKind = "double" | "int64" | "bool" | "text" | "doubles" | "int64s";

/** One column of a table. Without `valid` every row has a value; with it a byte a row, 0 where there is none. */
export type ColumnData =
  | { readonly kind: "null" }
  | { readonly kind: "double"; readonly values: Float64Array; readonly valid: Uint8Array | null }
  | { readonly kind: "int64"; readonly values: BigInt64Array; readonly valid: Uint8Array | null }
  | { readonly kind: "bool"; readonly values: readonly (boolean | null)[] }
  | { readonly kind: "text"; readonly values: readonly (string | null)[] }
  | ListData<"doubles", Float64Array>
  | ListData<"int64s", BigInt64Array>;

/** Values of row `i` are `values[offsets[i] .. offsets[i + 1]]`. */
export interface ListData<Kind, Values> {
  readonly kind: Kind;
  readonly values: Values;
  readonly offsets: Int32Array;
  readonly valid: Uint8Array | null;
}

export interface TableData {
  readonly rows: number;
  /** In the file's order. */
  readonly columns: ReadonlyMap<string, ColumnData>;
}

export type Cell = number | bigint | boolean | string | readonly number[] | readonly bigint[];

/** One record: its named fields, and what its columns of the open kind hold. Missing cells are null. */
export interface Row {
  readonly named: ReadonlyMap<string, Cell>;
  /** By column name, prefix included. */
  readonly open: ReadonlyMap<string, number>;
}

/**
 * All named columns are there, those that no row filled as null; open ones come behind them in the order in which they first appear.
 * @param named columns of the format in its order
 */
export function tableOf(rows: readonly Row[], named: readonly (readonly [string, ColumnKind])[]): TableData {
  const columns = new Map<string, ColumnData>();
  for (const [name, kind] of named) {
    const cells = rows.map((row) => row.named.get(name) ?? null);
    columns.set(name, cells.some((cell) => cell !== null) ? column(kind, cells) : { kind: "null" });
  }
  const open = new Set(rows.flatMap((row) => [...row.open.keys()]));
  for (const name of open)
    columns.set(
      name,
      column(
        "double",
        rows.map((row) => row.open.get(name) ?? null),
      ),
    );
  return { rows: rows.length, columns };
}

function column(kind: ColumnKind, cells: readonly (Cell | null)[]): ColumnData {
  switch (kind) {
    case "double":
      return {
        kind,
        values: Float64Array.from(cells, (c) => (c ?? Number.NaN) as number),
        valid: validity(cells),
      };
    case "int64":
      return { kind, values: BigInt64Array.from(cells, (c) => (c ?? 0n) as bigint), valid: validity(cells) };
    case "bool":
      return { kind, values: cells as readonly (boolean | null)[] };
    case "text":
      return { kind, values: cells as readonly (string | null)[] };
    case "doubles": {
      const lists = cells as readonly (readonly number[] | null)[];
      return { kind, values: Float64Array.from(lists.flatMap((l) => l ?? [])), ...shape(lists) };
    }
    case "int64s": {
      const lists = cells as readonly (readonly bigint[] | null)[];
      return { kind, values: BigInt64Array.from(lists.flatMap((l) => l ?? [])), ...shape(lists) };
    }
  }
}

function validity(cells: readonly unknown[]): Uint8Array | null {
  return cells.includes(null) ? Uint8Array.from(cells, (c) => (c === null ? 0 : 1)) : null;
}

function shape(lists: readonly (readonly unknown[] | null)[]): {
  offsets: Int32Array;
  valid: Uint8Array | null;
} {
  const offsets = new Int32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = (offsets[i] ?? 0) + (list?.length ?? 0);
  return { offsets, valid: validity(lists) };
}

/**
 * Tables one below the other. A column that some lack is null there; whole numbers beside others become doubles.
 * @returns null when two of them have a column of the same name and kinds that do not go together
 */
export function concatenated(tables: readonly TableData[]): TableData | null {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const names = new Set(tables.flatMap((table) => [...table.columns.keys()]));
  const columns = new Map<string, ColumnData>();
  for (const name of names) {
    const pieces = tables.map((t) => ({ rows: t.rows, data: t.columns.get(name) ?? NO_VALUES }));
    const whole = joined(pieces, rows);
    if (!whole) return null;
    columns.set(name, whole);
  }
  return { rows, columns };
}

const NO_VALUES: ColumnData = { kind: "null" };

interface Piece {
  readonly rows: number;
  readonly data: ColumnData;
}

function joined(pieces: readonly Piece[], rows: number): ColumnData | null {
  const kinds = new Set(pieces.map(({ data }) => data.kind));
  kinds.delete("null");
  if (kinds.size === 0) return NO_VALUES;
  const [kind] = kinds;
  if (kinds.size === 2 && kinds.has("double") && kinds.has("int64")) return doubles(pieces, rows);
  if (kinds.size > 1) return null;
  if (kind === "double") return doubles(pieces, rows);
  if (kind === "int64") return integers(pieces, rows);
  if (kind === "doubles") return lists(pieces, rows);
  // Step tables have no others.
  return null;
}

function doubles(pieces: readonly Piece[], rows: number): ColumnData {
  const values = new Float64Array(rows).fill(Number.NaN);
  let at = 0;
  for (const { rows: n, data } of pieces) {
    if (data.kind === "double") values.set(data.values, at);
    else if (data.kind === "int64") for (let i = 0; i < n; i++) values[at + i] = Number(data.values[i] ?? 0n);
    at += n;
  }
  return { kind: "double", values, valid: validOf(pieces, rows) };
}

function integers(pieces: readonly Piece[], rows: number): ColumnData {
  const values = new BigInt64Array(rows);
  let at = 0;
  for (const { rows: n, data } of pieces) {
    if (data.kind === "int64") values.set(data.values, at);
    at += n;
  }
  return { kind: "int64", values, valid: validOf(pieces, rows) };
}

function lists(pieces: readonly Piece[], rows: number): ColumnData {
  const length = pieces.reduce(
    (sum, { data }) => sum + (data.kind === "doubles" ? data.values.length : 0),
    0,
  );
  const values = new Float64Array(length);
  const offsets = new Int32Array(rows + 1);
  let at = 0;
  let end = 0;
  for (const { rows: n, data } of pieces) {
    const first = end;
    if (data.kind === "doubles") {
      values.set(data.values, first);
      end += data.values.length;
    }
    for (let i = 1; i <= n; i++)
      offsets[at + i] = data.kind === "doubles" ? first + (data.offsets[i] ?? 0) : first;
    at += n;
  }
  return { kind: "doubles", values, offsets, valid: validOf(pieces, rows) };
}

function validOf(pieces: readonly Piece[], rows: number): Uint8Array | null {
  if (pieces.every(({ data }) => data.kind !== "null" && !("valid" in data && data.valid))) return null;
  const valid = new Uint8Array(rows);
  let at = 0;
  for (const { rows: n, data } of pieces) {
    if (data.kind !== "null") {
      const own = "valid" in data ? data.valid : null;
      if (own) valid.set(own, at);
      else valid.fill(1, at, at + n);
    }
    at += n;
  }
  return valid;
}
