/** `flight-deck inspect RUN`: what is in a run, and what is wrong with it. */

import type { RunEvent } from "../core/format/event.ts";
import type { Manifest } from "../core/format/manifest.ts";
import type { RunRecords, Witness } from "../core/format/records.ts";
import { matches } from "../core/records/witness.ts";
import type { RowOrder, RunModel } from "../core/run/model.ts";
import { warningViews } from "../view/problems.ts";
import { columnSums, stepAt } from "./columns.ts";
import { type Context, DONE, open } from "./context.ts";
import { type InspectOptions, inspectText } from "./inspect-text.ts";
import { type Json, type JsonRecord, strictJson } from "./json.ts";

export async function inspect(
  context: Context,
  folder: string,
  options: InspectOptions & { readonly json: boolean },
): Promise<number> {
  const model = await open(context, folder);
  await lookAtAll(model);
  if (options.json) context.out(strictJson(await inspectJson(model, options)));
  else context.out(await inspectText(context, model, options));
  return DONE;
}

/** Samples whose text is looked at for what is wrong with it: all of most runs, the first ones of a huge one. */
const LOOKED_AT = 20_000;

/** What only reading can find: damaged lists and pages, odd cells, text that misleads. Findings end up in the warnings. */
async function lookAtAll(model: RunModel): Promise<void> {
  for (const { name, kind } of model.steps.columns)
    if (kind === "list") await model.steps.readList(name, "recorded");
  await model.samples.inSteps(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, LOOKED_AT);
}

/**
 * The run as `inspect --json` shows it: `{kind, manifest, n_steps, first_step, last_step, columns, n_samples,
 * samples_by_rank, events, rank_dirs, records, warnings}`. `columns` has the number columns that hold a value:
 * `present` counts what is not null, `sum` leaves NaN out (and is not finite where an infinite value is in it).
 */
export async function inspectJson(model: RunModel, { asRecorded }: InspectOptions): Promise<JsonRecord> {
  const order: RowOrder = asRecorded ? "recorded" : "merged";
  const axis = await model.steps.axis(order);
  const columns = await columnSums(model, order);
  const { total, byRank } = await model.samples.counts();
  return {
    kind: kindOfRun(model),
    manifest: model.manifest && manifestJson(model.manifest),
    n_steps: axis.rows,
    first_step: stepAt(axis, 0),
    last_step: stepAt(axis, axis.rows - 1),
    columns: Object.fromEntries(columns.map(({ name, present, sum }) => [name, { present, sum }])),
    n_samples: total,
    samples_by_rank: Object.fromEntries(
      [...byRank].filter(([, n]) => n > 0).map(([rank, n]) => [String(rank), n]),
    ),
    events: model.events.map(eventJson),
    events_not_held: model.eventsDropped || undefined,
    rank_dirs: model.ranks.flatMap(({ dir }) => (dir === "" ? [] : [dir])),
    records: recordsJson(model.records),
    warnings: warningViews(model.warnings()).map(({ code, file, message, remedy, count, level }) => ({
      code,
      file,
      message,
      remedy,
      count,
      level,
    })),
  };
}

function kindOfRun({ hasRecording, records }: RunModel): string {
  const hasRecords = records.witnesses.length > 0 || records.metrics.length > 0;
  if (!hasRecording) return "records";
  return hasRecords ? "recording and records" : "recording";
}

/** The format's fields, then the keys that it does not know. */
function manifestJson({ raw, ...known }: Manifest): JsonRecord {
  const unknown = Object.entries(raw).filter(([key]) => !Object.hasOwn(known, key));
  return keyed([...Object.entries(known), ...unknown]);
}

function eventJson({ timestamp, kind, step, rank, message, data, extra }: RunEvent): JsonRecord {
  return { timestamp, kind, step, rank, message, data, extra };
}

function recordsJson({ witnesses, metrics, manifestConfigHash }: RunRecords): JsonRecord {
  return {
    witnesses: witnesses.map((witness) => witnessJson(witness, manifestConfigHash)),
    metrics: metrics.map((row) => ({ ...row })),
    manifest_config_hash: manifestConfigHash,
  };
}

export function witnessJson(witness: Witness, manifestConfigHash: string | null): JsonRecord {
  const { file, attempt, fields, statedHash, computedHash } = witness;
  return {
    file,
    attempt,
    config_hash: statedHash,
    computed_config_hash: computedHash,
    config_hash_matches:
      statedHash !== null && computedHash !== null ? matches(statedHash, computedHash) : null,
    same_config_as_manifest:
      computedHash !== null && manifestConfigHash !== null ? computedHash === manifestConfigHash : null,
    fields,
  };
}

/** Without a prototype: a recording's key can be "__proto__". */
function keyed(entries: readonly (readonly [string, Json])[]): JsonRecord {
  const out = Object.setPrototypeOf({}, null) as { [key: string]: Json };
  for (const [key, value] of entries) out[key] = value;
  return out;
}
