/** Captured samples as text for a terminal and as JSON, and the index they are chosen from. */
import path from "node:path";
import type { Sample } from "../core/format/sample.ts";
import { cacheFileFor } from "../core/io/cacheFolder.ts";
import type { RunModel } from "../core/run/model.ts";
import { SampleStore } from "../core/samples/store.ts";
import type { Context } from "./context.ts";
import type { JsonRecord } from "./json.ts";
import { figure, lines, oneLine, shorten } from "./terminal.ts";

/** Characters of a text that are shown without `--full`. */
const EXCERPT = 240;

/** @param keep look into the cache, and write to it */
export function samplesOf(context: Context, model: RunModel, folder: string, keep: boolean): SampleStore {
  const home = keep ? context.cacheFolder : undefined;
  return new SampleStore(model, { cache: home ? cacheFileFor(home, path.resolve(folder)) : null });
}

/** Full samples of some rows, in their order. */
export function readRows(store: SampleStore, rows: Uint32Array): Promise<readonly Sample[]> {
  return store.table.shards.samples([...rows].flatMap((row) => store.index.placeOf(row) ?? []));
}

/** All that was recorded of it. */
export function sampleJson(sample: Sample): JsonRecord {
  const { file: _file, row: _row, ...fields } = sample;
  return fields;
}

export function sampleText({ style, columns }: Context, sample: Sample, full: boolean): string {
  const facts = [
    `step ${sample.step}`,
    oneLine(sample.sample_id),
    `rank ${sample.rank}`,
    `reward ${figure(sample.reward_total)}`,
    `advantage ${figure(sample.advantage)}`,
    `length ${figure(sample.completion_len)}`,
    oneLine(sample.capture_reason ?? "-"),
  ];
  const components = Object.entries(sample.reward_components).map(
    ([name, value]) => `${shorten(oneLine(name), 48)} ${figure(value)}`,
  );
  const body = (title: string, text: string | null) => {
    if (text === null) return [];
    if (full) return [style.dim(title), lines(text).replace(/^/gm, "  ")];
    return [shorten(`  ${oneLine(text.slice(0, EXCERPT))}${text.length > EXCERPT ? "…" : ""}`, columns)];
  };
  return [
    style.bold(facts.join("  ")),
    ...(components.length ? [`  ${components.join("  ")}`] : []),
    ...(full ? body("prompt", sample.prompt_text) : []),
    ...body("completion", sample.completion_text),
  ].join("\n");
}
