/** `flight-deck samples RUN`: captured completions ranked by a metric in a step range, with rlprobe's flags and exit codes. */
import type { RunModel } from "../core/run/model.ts";
import { best } from "../core/samples/order.ts";
import { isSort, SORTS, type Sort } from "../core/samples/query.ts";
import { Search } from "../core/samples/search.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { EVERYTHING, type SampleFilter } from "../core/samples/types.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, NOTHING_FOUND, open } from "./context.ts";
import { strictJson } from "./json.ts";
import { readRows, sampleJson, samplesOf, sampleText } from "./sampleText.ts";

export interface SamplesOptions {
  readonly sort: string;
  /** Step in the middle; wins over `from` and `to`. */
  readonly around: number | null;
  readonly window: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly k: number;
  readonly ascending: boolean;
  /** Text that prompt or completion must hold, in whatever case. */
  readonly search: string | null;
  readonly rank: number | null;
  /** group_id, exactly. */
  readonly group: string | null;
  readonly full: boolean;
  readonly json: boolean;
  /** Look into the cache, and write to it. */
  readonly cache: boolean;
}

/** @throws UsageError when it cannot be sorted so; FlightDeckError as opening does */
export async function samples(context: Context, folder: string, options: SamplesOptions): Promise<number> {
  const { sort } = options;
  if (!isSort(sort)) throw new UsageError(`--sort wants one of ${Object.keys(SORTS).join(", ")}`);
  if (options.search === "") throw new UsageError("--search wants a text");
  const model = await open(context, folder);
  const store = samplesOf(context, model, folder, options.cache);
  const filter = await filterOf(store, options);
  const index = await store.all();
  const matching = await store.matching(filter);
  const keys = index.keys(SORTS[sort]);
  const { rows, total } = best(matching, keys, !options.ascending, Math.min(options.k, matching.length));
  const shown = await readRows(store, rows);
  if (options.json) {
    const { k } = options;
    const [from, to] = stepsOf(options) ?? [null, null];
    const asked = { sort, descending: !options.ascending, from, to, k };
    context.out(strictJson({ ...asked, n_samples: total, samples: shown.map(sampleJson) }));
  } else if (shown.length > 0) {
    const head = `${headOf(sort, options, shown.length)}, of ${total}:`;
    context.out([head, ...shown.map((sample) => sampleText(context, sample, options.full))].join("\n\n"));
  }
  if (shown.length > 0) return DONE;
  context.err(`flight-deck: ${nothing(model, options)}`);
  return NOTHING_FOUND;
}

function stepsOf({ around, window, from, to }: SamplesOptions): [number | null, number | null] | null {
  if (around !== null) return [around - window, around + window];
  return from === null && to === null ? null : [from, to];
}

async function filterOf(store: SampleStore, options: SamplesOptions): Promise<SampleFilter> {
  const steps = stepsOf(options);
  const filter: SampleFilter = {
    ...EVERYTHING,
    steps: steps && [steps[0] ?? Number.NEGATIVE_INFINITY, steps[1] ?? Number.POSITIVE_INFINITY],
    rank: options.rank,
    group: options.group,
  };
  const { search: text } = options;
  if (text === null) return filter;
  await store.all();
  const search = new Search(store, { now: () => 0, budget: 1 });
  const query = { filter, text, matchCase: false, after: 0, limit: Number.MAX_SAFE_INTEGER };
  const { rows } = await search.find(query, new AbortController().signal);
  return { ...filter, rows };
}

function headOf(sort: Sort, options: SamplesOptions, count: number): string {
  const [from, to] = stepsOf(options) ?? [null, null];
  const scope = from === null && to === null ? "" : ` in steps ${from ?? "first"} to ${to ?? "last"}`;
  return `${count} samples by ${sort}, ${options.ascending ? "lowest" : "highest"} first${scope}`;
}

function nothing(model: RunModel, { sort }: SamplesOptions): string {
  return model.samples.shardCount === 0
    ? "the run has no captured samples"
    : `no samples with a value for ${sort} matched`;
}
