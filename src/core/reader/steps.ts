/** The step table: which files hold it, which columns they have, and reading columns when they are asked for. */
import { PARTS_DIR } from "../format/names.ts";
import type { Warn, WarningCode } from "../format/problems.ts";
import type { RunSource } from "../io/source.ts";
import type {
  Column,
  ColumnInfo,
  ColumnKind,
  ListColumn,
  RowOrder,
  StepAxis,
  StepTable,
} from "../run/model.ts";
import { arrange, arrangeList, planRows, type RowPlan } from "../run/rows.ts";
import { checkArrowSchema } from "./arrowSchema.ts";
import { learnColumns, sayMany } from "./columnChecks.ts";
import { ColumnBuilder, ListBuilder } from "./convert.ts";
import { INTEGERS, isCoerced, kindOf, LISTS } from "./kinds.ts";
import { type Cells, isBeginning, type StepsMemory } from "./memory.ts";
import { type ParquetFile, readColumns } from "./parquetFiles.ts";
import { type StepFiles, sayFooter } from "./stepFiles.ts";
import { firstOfOlderRun, toUnixSeconds } from "./times.ts";
import { WarningList } from "./warnings.ts";

/** Decoded columns that are kept: enough for all charts of a long run, bounded for thousands of metrics. */
const CACHE_BYTES = 96 * 1024 * 1024;
/** Buckets of kl_positional that are read; a row with more is cut. */
const MAX_BUCKETS = 4096;
const UNSEEN: Cells = {
  rows: 0,
  files: 0,
  coerced: false,
  bad: 0,
  firstBadRow: -1,
  unsafe: 0,
  nonFinite: 0,
  fractions: 0,
};

export class Steps implements StepTable {
  readonly columns: readonly ColumnInfo[];
  private readonly source: RunSource;
  private readonly warn: Warn;
  private readonly found: StepFiles;
  private readonly kinds: ReadonlyMap<string, ColumnKind>;
  private readonly memory: StepsMemory;
  private readonly cacheBytes: number;
  private readonly raw = new Map<string, Promise<Column | undefined>>();
  private list: { readonly name: string; readonly column: Promise<ListColumn> } | null = null;
  private readonly sizes = new Map<string, number>();
  private cached = 0;
  private filesOnce: Promise<readonly ParquetFile[]> | null = null;
  private resolved: readonly ParquetFile[] | null = null;
  private readonly plans = new Map<RowOrder, Promise<RowPlan>>();
  private saidFacts = false;
  private readonly saidCodes = new Set<string>();
  /** Columns of files that could not be read, and were reported on. */
  private readonly saidFaults = new Set<string>();

  /**
   * @param memory what an earlier opening knew; it is added to
   * @param cacheBytes of decoded columns that are kept, beside those that are asked for
   */
  constructor(
    source: RunSource,
    found: StepFiles,
    warn: Warn,
    memory: StepsMemory,
    cacheBytes = CACHE_BYTES,
  ) {
    this.source = source;
    this.found = found;
    this.warn = warn;
    this.memory = memory;
    this.cacheBytes = cacheBytes;
    this.learn();
    this.kinds = new Map(memory.kinds);
    sayMany(this.kinds, this.allFiles()[0]?.path ?? "", warn);
    this.columns = [...this.kinds].map(([name, kind]) => ({ name, kind }));
  }

  /** Looks at the footers of files that were not there before. What is said of a whole file goes on being true. */
  private learn(): void {
    const { memory } = this;
    const files = this.allFiles();
    if (!isBeginning(memory.learned, files)) memory.forget();
    const { warn } = memory.warnings;
    for (const file of files.slice(memory.learned.length)) {
      sayFooter(file, warn);
      if (file === this.found.compacted) checkArrowSchema(file, warn);
      learnColumns(file, memory.kinds, warn);
    }
    memory.learned = files;
  }

  get rowCount(): number {
    const { compacted, parts } = this.found;
    return compacted ? compacted.footer.rows : parts.reduce((n, f) => n + f.footer.rows, 0);
  }

  async axis(order: RowOrder): Promise<StepAxis> {
    const plan = await this.plan(order);
    const [step, timestamp] = await this.read(["step", "timestamp"], order);
    if (!step) return { rows: 0, step: EMPTY, timestamp: null, sorted: true };
    const sorted = order === "merged" || plan.facts.backwards === 0;
    const seconds = timestamp ? toUnixSeconds(timestamp, this.path(await this.files()), this.warnOnce) : null;
    return { rows: plan.rows, step, timestamp: seconds, sorted };
  }

  async read(
    names: readonly string[],
    order: RowOrder,
    { keep = true }: { readonly keep?: boolean } = {},
  ): Promise<readonly (Column | undefined)[]> {
    const plan = await this.plan(order);
    const wanted = names.map((n) => (this.kinds.get(n) === "scalar" ? n : null));
    const scalars = wanted.filter((n) => n !== null);
    const isKept = keep || this.memory.goesOn;
    const columns = isKept ? await this.readRaw(scalars) : await this.readOnce(scalars);
    return wanted.map((n, i) => {
      const column = n === null ? undefined : columns.get(n);
      if (column) return arrange(plan, column);
      return this.kinds.get(names[i] as string) === "null" ? emptyColumn(plan.rows) : undefined;
    });
  }

  async readList(name: string, order: RowOrder): Promise<ListColumn | undefined> {
    if (this.kinds.get(name) !== "list") return undefined;
    const plan = await this.plan(order);
    // A heat map is asked for again with every zoom; there is one such column in the format.
    if (this.list?.name !== name) {
      const entry = { name, column: this.loadList(name) };
      this.list = entry;
      entry.column.catch(() => {
        if (this.list === entry) this.list = null;
      });
    }
    return arrangeList(plan, await this.list.column);
  }

  private async loadList(name: string): Promise<ListColumn> {
    const files = await this.files();
    const kept = this.memory.takeList(name, files);
    const builder = kept?.builder ?? new ListBuilder(0, MAX_BUCKETS);
    const before = builder.rows;
    builder.grow(totalRows(files));
    let isWhole = true;
    const rest = files.slice(kept?.files.length ?? 0);
    await readColumns(this.source, rest, [name], (f, n) => this.kindIn(f, n) === "list", {
      append: (_, vector, row) => {
        builder.append(vector, before + row);
      },
      nulls: (_, row, count) => builder.nulls(before + row, before + row + count),
      fault: (n, f, code, detail) => {
        isWhole = false;
        this.warn(code, f.path, detail, { column: n });
      },
    });
    if (isWhole) this.memory.keepList(name, { builder, files });
    if (builder.nullElements > 0)
      this.warn("bad-cell", files[0]?.path ?? "", "list elements are null", {
        column: name,
        count: builder.nullElements,
      });
    if (builder.cut > 0)
      this.warn("column-limit", files[0]?.path ?? "", `rows have more than ${MAX_BUCKETS} buckets`, {
        column: name,
        count: builder.cut,
      });
    return builder.finish();
  }

  /** The file to name for what concerns the table as a whole. */
  private path(files: readonly ParquetFile[]): string {
    return files.length === 1 ? (files[0]?.path ?? "") : PARTS_DIR;
  }

  /** An axis is built in two orders, but said about once. */
  private readonly warnOnce: Warn = (code, file, detail, more) => {
    if (this.saidCodes.has(code)) return;
    this.saidCodes.add(code);
    this.warn(code, file, detail, more);
  };

  private plan(order: RowOrder): Promise<RowPlan> {
    let plan = this.plans.get(order);
    if (!plan) {
      plan = this.makePlan(order);
      this.plans.set(order, plan);
      plan.catch(() => this.plans.delete(order));
    }
    return plan;
  }

  private async makePlan(order: RowOrder): Promise<RowPlan> {
    const columns = await this.readRaw(["step", "timestamp"]);
    const step = columns.get("step");
    if (!step) return NO_ROWS;
    const plan = planRows(step, order);
    if (!this.saidFacts) {
      this.saidFacts = true;
      await this.sayFacts(plan, columns.get("timestamp"));
    }
    return plan;
  }

  private async sayFacts(plan: RowPlan, timestamp: Column | undefined): Promise<void> {
    const { facts } = plan;
    const files = await this.files();
    const file = this.path(files);
    if (facts.badRows > 0)
      this.warn("bad-row", file, "rows without a usable step were left out", {
        count: facts.badRows,
        row: facts.firstBadRow,
      });
    if (facts.repeats > 0) {
      const resumed = facts.backwards > 0;
      const detail = resumed
        ? `steps were recorded again from step ${facts.resumedAt} on, as by a run resumed from a checkpoint`
        : "a step has further rows, as a closing summary or an evaluation adds";
      this.warn("duplicate-steps", file, detail, {
        count: facts.repeats,
        level: resumed ? "warning" : "info",
      });
    }
    if (facts.backwards > 0)
      this.warn("unsorted-steps", file, `steps go back, first to step ${facts.resumedAt}`, {
        count: facts.backwards,
      });
    if (facts.negative > 0) this.warn("negative-step", file, "steps are negative", { count: facts.negative });
    if (facts.unsafe > 0)
      this.warn("unsafe-integer", file, "steps are beyond 2^53", { column: "step", count: facts.unsafe });
    const jump = timestamp ? firstOfOlderRun(timestamp) : -1;
    if (jump >= 0)
      this.warn(
        "mixed-attempts",
        file,
        "all rows from here on are older than those before: files of two runs lie in one folder",
        {
          row: jump,
        },
      );
  }

  private files(): Promise<readonly ParquetFile[]> {
    this.filesOnce ??= this.resolveFiles().then((files) => {
      this.resolved = files;
      return files;
    });
    return this.filesOnce;
  }

  private allFiles(): readonly ParquetFile[] {
    return this.found.compacted ? [this.found.compacted, ...this.found.parts] : this.found.parts;
  }

  /** steps.parquet beside parts: parts whose steps it holds are ignored, others are newer and appended. */
  private async resolveFiles(): Promise<readonly ParquetFile[]> {
    const { compacted, parts } = this.found;
    if (!compacted || parts.length === 0) return this.allFiles();
    const verdicts = this.memory.newer;
    const unknown = parts.filter((part) => !verdicts.has(part));
    const held = unknown.length > 0 ? await this.heldBy(compacted) : EMPTY.values;
    for (const part of unknown) {
      const steps = await this.stepsOf(part);
      verdicts.set(
        part,
        steps.values.some((s) => !holds(held, s) && !Number.isNaN(s)),
      );
    }
    const newer = parts.filter((part) => verdicts.get(part) === true);
    if (newer.length > 0)
      this.warn(
        "stale-compacted",
        compacted.path,
        "parts beside it hold steps that it lacks: the folder was used again",
        { count: newer.length },
      );
    if (newer.length < parts.length)
      this.warn("compaction-interrupted", compacted.path, "parts that it already holds were left beside it", {
        count: parts.length - newer.length,
        level: "info",
      });
    return [compacted, ...newer];
  }

  /** Its steps, ascending; read once as long as it stays the same file. */
  private async heldBy(compacted: ParquetFile): Promise<Float64Array> {
    const known = this.memory.held;
    if (known?.file === compacted) return known.steps;
    const steps = (await this.stepsOf(compacted)).values.slice().sort();
    this.memory.held = { file: compacted, steps };
    return steps;
  }

  private async stepsOf(file: ParquetFile): Promise<Column> {
    return (await this.load([file], ["step"])).get("step") ?? EMPTY;
  }

  private async readRaw(names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    const files = await this.files();
    const missing = [...new Set(names.filter((n) => !this.raw.has(n)))];
    if (missing.length > 0) {
      const batch = this.load(files, missing, { note: true, keep: true });
      for (const name of missing) this.remember(name, batch);
    }
    const out = new Map<string, Column>();
    for (const name of names) {
      const entry = this.raw.get(name);
      const column = await entry;
      if (column) out.set(name, column);
      // Moving to the end makes the map's order the order of last use.
      if (entry && this.raw.get(name) === entry) {
        this.raw.delete(name);
        this.raw.set(name, entry);
      }
    }
    this.evict(new Set(names));
    return out;
  }

  /** What is there already, and the rest anew without keeping it. */
  private async readOnce(names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    const files = await this.files();
    const missing = [...new Set(names.filter((n) => !this.raw.has(n)))];
    const out = new Map(missing.length > 0 ? await this.load(files, missing, { note: true }) : []);
    for (const name of names) {
      const column = out.has(name) ? undefined : await this.raw.get(name);
      if (column) out.set(name, column);
    }
    return out;
  }

  private remember(name: string, batch: Promise<ReadonlyMap<string, Column>>): void {
    const entry: Promise<Column | undefined> = batch.then((columns) => {
      const column = columns.get(name);
      // Where it had to go before it came, nothing is kept of it.
      if (column && this.raw.get(name) === entry) {
        const bytes =
          column.values.byteLength + (column.valid?.byteLength ?? 0) + (column.exact?.byteLength ?? 0);
        this.sizes.set(name, bytes);
        this.cached += bytes;
      }
      return column;
    });
    this.raw.set(name, entry);
    entry.catch(() => {
      if (this.raw.get(name) === entry) this.raw.delete(name);
    });
  }

  private evict(keep: ReadonlySet<string>): void {
    for (const name of this.raw.keys()) {
      if (this.cached <= this.cacheBytes) return;
      if (keep.has(name) || name === "step" || name === "timestamp") continue;
      this.raw.delete(name);
      this.cached -= this.sizes.get(name) ?? 0;
      this.sizes.delete(name);
    }
  }

  /** What an earlier opening has read of a column that is kept is not read again. */
  private async load(
    files: readonly ParquetFile[],
    names: readonly string[],
    { note = false, keep = false }: { readonly note?: boolean; readonly keep?: boolean } = {},
  ): Promise<ReadonlyMap<string, Column>> {
    const scalars = names.filter((n) => this.kinds.get(n) === "scalar");
    const faulty = new Set<string>();
    const builders = new Map<string, ColumnBuilder>();
    for (const [known, some] of this.begun(files, scalars, keep)) {
      for (const [name, builder] of some) builders.set(name, builder);
      await this.continue(files, known, some, faulty);
    }
    const out = new Map<string, Column>();
    for (const name of scalars) {
      const builder = builders.get(name);
      if (!builder) continue;
      if (note) this.noteCells(name, builder, files);
      if (keep && !faulty.has(name)) this.memory.keep(name, { builder, files });
      out.set(name, builder.finish());
    }
    return out;
  }

  /** Columns by the number of files that they hold already. */
  private begun(
    files: readonly ParquetFile[],
    names: readonly string[],
    keep: boolean,
  ): ReadonlyMap<number, ReadonlyMap<string, ColumnBuilder>> {
    const out = new Map<number, Map<string, ColumnBuilder>>();
    for (const name of names) {
      const kept = keep ? this.memory.take(name, files) : null;
      const known = kept?.files.length ?? 0;
      const group = out.get(known) ?? new Map<string, ColumnBuilder>();
      group.set(name, kept?.builder ?? new ColumnBuilder(0));
      out.set(known, group);
    }
    return out;
  }

  /** Reads the files behind the known ones into the columns. */
  private async continue(
    files: readonly ParquetFile[],
    known: number,
    builders: ReadonlyMap<string, ColumnBuilder>,
    faulty: Set<string>,
  ): Promise<void> {
    const rows = totalRows(files);
    const rest = files.slice(known);
    const first = rows - totalRows(rest);
    for (const builder of builders.values()) builder.grow(rows);
    await readColumns(this.source, rest, [...builders.keys()], (f, n) => this.kindIn(f, n) === "scalar", {
      append: (name, vector, row) => {
        builders.get(name)?.append(vector, first + row);
      },
      nulls: (name, row, count) => builders.get(name)?.nulls(first + row, first + row + count),
      fault: (name, file, code, detail) => {
        faulty.add(name);
        const key = `${name}\0${file.path}`;
        if (!this.saidFaults.has(key)) this.warn(code, file.path, detail, { column: name });
        this.saidFaults.add(key);
      },
    });
  }

  /** Looks at the cells that nobody has looked at yet. */
  private noteCells(name: string, builder: ColumnBuilder, files: readonly ParquetFile[]): void {
    const { cells } = this.memory;
    const before = cells.get(name) ?? UNSEEN;
    const from = Math.min(before.rows, builder.rows);
    const added = before.files < files.length ? files.slice(before.files) : [];
    cells.set(name, {
      rows: builder.rows,
      files: files.length,
      coerced: before.coerced || added.some((f) => this.isCoercedIn(f, name)),
      bad: builder.badCells,
      firstBadRow: builder.firstBadRow,
      unsafe: builder.unsafe,
      nonFinite: before.nonFinite + builder.nonFinite(from),
      fractions: before.fractions + (INTEGERS.has(name) ? builder.fractions(from) : 0),
    });
  }

  private isCoercedIn(file: ParquetFile, name: string): boolean {
    const top = file.footer.columns.get(name);
    return top !== undefined && this.kindIn(file, name) === "scalar" && isCoerced(name, top.node);
  }

  /** What is odd about the cells of the columns that were read, here or by an earlier opening. */
  cellWarnings(): WarningList {
    const list = new WarningList();
    const file = this.path(this.resolved ?? this.allFiles());
    for (const [name, seen] of this.memory.cells) {
      const say = (code: WarningCode, detail: string, count: number, more: object = {}): void => {
        if (count > 0) list.warn(code, file, detail, { column: name, count, ...more });
      };
      say("coerced-type", "its values were converted to numbers", seen.coerced ? 1 : 0);
      // What is odd about the step itself is said of the table.
      if (name === "step") continue;
      const info = { level: "info" };
      say("bad-cell", "values are no numbers", seen.bad, { row: seen.firstBadRow });
      say("non-finite", "values are NaN or infinite", seen.nonFinite, info);
      say("bad-cell", "values are no whole numbers", seen.fractions);
      say("unsafe-integer", "integers are beyond 2^53", seen.unsafe, info);
    }
    return list;
  }

  private kindIn(file: ParquetFile, name: string): ColumnKind | null {
    const top = file.footer.columns.get(name);
    if (!top) return null;
    const kind = kindOf(name, top.node);
    return kind === "scalar" && LISTS.has(name) ? "other" : kind;
  }
}

/** @param ascending NaN last */
function holds(ascending: Float64Array, value: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === value;
}

/** Without a step column no row can be placed. */
const NO_ROWS: RowPlan = {
  ...planRows({ values: new Float64Array(0), valid: null, exact: null }, "recorded"),
  map: new Int32Array(0),
};

const EMPTY: Column = { values: new Float64Array(0), valid: null, exact: null };

function emptyColumn(rows: number): Column {
  return { values: new Float64Array(rows).fill(Number.NaN), valid: new Uint8Array(rows), exact: null };
}

function totalRows(files: readonly ParquetFile[]): number {
  return files.reduce((n, f) => n + f.footer.rows, 0);
}
