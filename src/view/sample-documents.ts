/** Documents about samples: one, a group, the answer to a query, a prompt over time. */
import type { GroupView, PromptTime, SampleDetail, SampleList, SampleListRow } from "../protocol/samples.ts";
import { type BuiltDocument, DocumentWriter } from "./document-writer.ts";
import { counted, factsOf, figure, placeText, VERDICTS } from "./sample-words.ts";
import { head } from "./text.ts";

/** Longest completions of a group, in characters: together they have to stay a document. */
export const MAX_GROUP_TEXT = 1_000_000;
const MAX_HEAD = 300;

export interface SampleDocumentParts {
  /** The run folder's name. */
  readonly run: string;
  readonly sample: SampleDetail;
  /** The captured samples of its group, highest reward first; empty without a group. */
  readonly group: readonly SampleListRow[];
}

export function sampleDocument({ run, sample, group }: SampleDocumentParts): BuiltDocument {
  const writer = new DocumentWriter();
  writer.heading("sample", `Sample at step ${sample.step} of ${run}`, sample);
  sampleFields(writer, run, sample);
  promptSection(writer, sample);
  writer.heading(
    "completion",
    `Completion${lengths(sample.completion, sample.completionLength, sample.tokens)}`,
    sample,
  );
  writer.recorded(sample.completion);
  if (group.length > 0) {
    const size = sample.place?.size ?? group.length;
    const shown = size > group.length ? `, ${group.length} shown` : "";
    writer.heading("group", `Group · ${counted(size, "sample")}${shown}`, sample);
    for (const mate of group)
      writer.sampleLine(mate, `${mate.row === sample.row ? "▸" : " "} ${factsOf(mate)} · ${mate.id}`);
  }
  return writer.end();
}

function promptSection(writer: DocumentWriter, sample: SampleDetail): void {
  writer.heading("prompt", `Prompt${lengths(sample.prompt, sample.promptLength, null)}`, sample);
  writer.recorded(sample.prompt);
}

/** " · 1,204 characters, 310 tokens". */
function lengths(text: string, length: number, tokens: number | null): string {
  if (length === 0) return " · empty or not recorded";
  const cut = text.length < length ? `, the first ${text.length.toLocaleString("en-US")} shown` : "";
  const token = tokens === null ? "" : `, ${counted(tokens, "token")}`;
  return ` · ${counted(length, "character")}${token}${cut}`;
}

function sampleFields(writer: DocumentWriter, run: string, sample: SampleDetail): void {
  writer.field("id", sample.id);
  writer.field("run", run);
  writer.field("step", sample.step);
  writer.field("rank", String(sample.rank));
  writer.field("reward", figure(sample.reward));
  for (const { name, value } of sample.components) writer.field("component", figure(value), `  ${name}`);
  writer.field("advantage", figure(sample.advantage));
  writer.field("KL contribution", figure(sample.kl));
  writer.field("mean logprob", figure(sample.logprob));
  writer.field("length", sample.length === null ? "" : counted(sample.length, "token"));
  writer.field("truncated", sample.truncated === null ? "" : sample.truncated ? "yes" : "no");
  writer.field("captured as", sample.reason);
  writer.field("group", sample.group);
  writer.field("place in group", placeText(sample));
  writer.field("prompt id", sample.promptId);
  writer.field("recorded in", `${sample.file}, row ${sample.fileRow}`);
}

export interface GroupDocumentParts {
  readonly run: string;
  readonly group: GroupView;
  /** Highest reward first. */
  readonly samples: readonly SampleDetail[];
}

export function groupDocument({ run, group, samples }: GroupDocumentParts): BuiltDocument {
  const writer = new DocumentWriter();
  writer.heading("about", `Group ${group.group} at step ${group.step} of ${run}`);
  const shown = group.size > samples.length ? `, ${samples.length} shown` : "";
  writer.field("samples", `${group.size}${shown}`);
  writer.field("rewards", rewardsText(group));
  writer.field("verdict", VERDICTS[group.verdict]);
  const [first] = samples;
  if (first) promptSection(writer, first);
  samples.forEach((sample, i) => {
    writer.heading("completion", `${i + 1} of ${group.size} · ${factsOf(sample)} · ${sample.id}`, sample);
    writer.recorded(sample.completion);
    if (sample.completion.length < sample.completionLength)
      writer.field("note", `${counted(sample.completionLength, "character")} in all`);
  });
  return writer.end();
}

function rewardsText({ mean, sd, min, max }: GroupView): string {
  if (mean === null) return "";
  return [
    `mean ${figure(mean)}`,
    ...(sd === null ? [] : [`sd ${figure(sd)}`]),
    ...(min === null || max === null ? [] : [`${figure(min)} to ${figure(max)}`]),
  ].join(", ");
}

export interface QueryDocumentParts {
  readonly run: string;
  /** The query and the order in words. */
  readonly query: string;
  readonly order: string;
  readonly list: SampleList;
}

export function queryDocument({ run, query, order, list }: QueryDocumentParts): BuiltDocument {
  const writer = new DocumentWriter();
  writer.heading("about", `Samples of ${run}`);
  writer.field("query", query === "" ? "all samples" : query);
  writer.field("order", order);
  const { rows, total, without } = list;
  const shown = rows.length < total ? `${total.toLocaleString("en-US")}, the first ${rows.length} shown` : "";
  writer.field("samples", shown === "" ? total.toLocaleString("en-US") : shown);
  if (without > 0) writer.field("note", `${counted(without, "sample")} more without a value to sort by`);
  rows.forEach((row, i) => {
    writer.heading(
      "result",
      `${i + 1} · step ${row.step} · rank ${row.rank} · ${factsOf(row)} · ${row.id}`,
      row,
    );
    if (row.prompt !== "") writer.sampleLine(row, `prompt      ${head(row.prompt, MAX_HEAD)}`);
    writer.sampleLine(row, `completion  ${head(row.completion, MAX_HEAD)}`);
  });
  return writer.end();
}

export interface PromptDocumentParts {
  readonly run: string;
  /** A sample with the whole prompt. */
  readonly sample: SampleDetail;
  readonly time: PromptTime;
  /** Samples with the prompt, in step order; the first of them when there are many. */
  readonly rows: readonly SampleListRow[];
}

export function promptDocument({ run, sample, time, rows }: PromptDocumentParts): BuiltDocument {
  const writer = new DocumentWriter();
  const { steps } = time;
  const total = steps.reduce((sum, { n }) => sum + n, 0);
  writer.heading("about", `A prompt over time in ${run}`);
  writer.field("prompt id", sample.promptId);
  writer.field("samples", rows.length < total ? `${total}, the first ${rows.length} shown` : String(total));
  writer.field("steps", steps.map(({ stepText }) => stepText).join(", "));
  promptSection(writer, sample);
  const byStep = new Map<string, SampleListRow[]>();
  for (const row of rows) byStep.set(row.step, [...(byStep.get(row.step) ?? []), row]);
  for (const { stepText, n, mean, min, max } of steps) {
    const rewards =
      mean === null || min === null || max === null
        ? "no reward"
        : `mean ${figure(mean)}, ${figure(min)} to ${figure(max)}`;
    writer.heading("step", `Step ${stepText} · ${counted(n, "sample")} · ${rewards}`);
    for (const row of byStep.get(stepText) ?? [])
      writer.sampleLine(row, `${factsOf(row)} · ${row.id} · ${head(row.completion, MAX_HEAD)}`);
  }
  return writer.end();
}

/** In place of a document that cannot be: what was looked for, and why it is not there. */
export function failedDocument(title: string, why: string): BuiltDocument {
  const writer = new DocumentWriter();
  writer.heading("about", title);
  writer.recorded(why);
  return writer.end();
}
