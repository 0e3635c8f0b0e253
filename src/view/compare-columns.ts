/** Columns and axes of runs that are compared: kept as far as a fixed room goes, whatever the number of runs. */

import type { SortedX } from "../core/chart/grid.ts";
import type { Alignment } from "../core/compare/types.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";
import { ProblemError, problemOf } from "../protocol/rpc.ts";
import type { Problem } from "../protocol/wire.ts";
import { RunAxes } from "./axes.ts";
import { problemOfError } from "./problems.ts";

/** 50 runs of 10,000 steps keep all of their 42 metrics; of longer ones the last that were asked for. */
const ROOM = 160 * 1024 * 1024;

export class CompareColumns {
  readonly #axes = new WeakMap<RunModel, RunAxes>();
  readonly #relative = new WeakMap<SortedX, SortedX>();
  readonly #numbers = new WeakMap<RunModel, number>();
  readonly #kept = new Map<string, Column>();
  readonly #room: number;
  #bytes = 0;
  #models = 0;

  constructor(room = ROOM) {
    this.#room = room;
  }

  axes(model: RunModel): RunAxes {
    let axes = this.#axes.get(model);
    if (!axes) {
      axes = new RunAxes(model);
      this.#axes.set(model, axes);
    }
    return axes;
  }

  /** The rows of a run along the axis of an alignment. */
  async sorted(model: RunModel, align: Alignment): Promise<SortedX> {
    const axes = this.axes(model);
    if (align === "time") return axes.sorted("relative");
    const sorted = await axes.sorted("step");
    if (align === "step") return sorted;
    let shifted = this.#relative.get(sorted);
    if (!shifted) {
      const first = sorted.x[0] ?? 0;
      shifted = { x: sorted.x.map((x) => x - first), rows: sorted.rows };
      this.#relative.set(sorted, shifted);
    }
    return shifted;
  }

  /** One value a merged row; `undefined` where there is no such column or it cannot be read, which is said. */
  async read(
    model: RunModel,
    names: readonly string[],
    problems: Problem[],
  ): Promise<readonly (Column | undefined)[]> {
    const missing = names.filter((name) => !this.#kept.has(this.#key(model, name)));
    const fresh = new Map<string, Column | undefined>();
    if (missing.length > 0) {
      const columns = await readEach(model, missing, problems);
      missing.forEach((name, i) => {
        fresh.set(name, columns[i]);
      });
    }
    const columns = names.map((name) => fresh.get(name) ?? this.#kept.get(this.#key(model, name)));
    names.forEach((name, i) => {
      const column = columns[i];
      if (column) this.#keep(this.#key(model, name), column);
    });
    return columns;
  }

  #key(model: RunModel, name: string): string {
    let number = this.#numbers.get(model);
    if (number === undefined) {
      number = this.#models++;
      this.#numbers.set(model, number);
    }
    return `${number} ${name}`;
  }

  /** Asked for last, thrown out last. */
  #keep(key: string, column: Column): void {
    if (!this.#kept.delete(key)) this.#bytes += bytesOf(column);
    this.#kept.set(key, column);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= this.#room || oldest === key) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytesOf(old);
    }
  }
}

const bytesOf = ({ values, valid, exact }: Column): number =>
  values.byteLength + (valid?.byteLength ?? 0) + (exact?.byteLength ?? 0);

async function readEach(
  model: RunModel,
  names: readonly string[],
  problems: Problem[],
): Promise<readonly (Column | undefined)[]> {
  try {
    return await model.steps.read(names, "merged", { keep: false });
  } catch (error) {
    if (names.length > 1) {
      const all: (Column | undefined)[] = [];
      for (const name of names) all.push(...(await readEach(model, [name], problems)));
      return all;
    }
    problems.push({ ...problemOfError(error), message: `${model.label}: ${problemOfError(error).message}` });
    return [undefined];
  }
}

/** @throws ProblemError when the comparison has no such run */
export function modelAt(models: readonly RunModel[], run: number): RunModel {
  const model = models[run];
  if (!model) throw new ProblemError(noRun());
  return model;
}

const noRun = () =>
  problemOf("bad-request", t("The comparison has no such run."), {
    remedy: t("Close the comparison and open it again."),
  });
