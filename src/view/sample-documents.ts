/** Documents about samples: one, a group, the answer to a query, a prompt over time. */
import { t } from "../protocol/l10n.ts";
import type { GroupView, PromptTime, SampleDetail, SampleList, SampleListRow } from "../protocol/samples.ts";
import { type BuiltDocument, DocumentWriter } from "./document-writer.ts";
import { counted, factsOf, figure, placeText, verdictOf } from "./sample-words.ts";
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
  writer.heading("sample", t("Sample at step {0} of {1}", sample.step, run), sample);
  sampleFields(writer, run, sample);
  promptSection(writer, sample);
  writer.heading(
    "completion",
    `${t("Completion")}${lengths(sample.completion, sample.completionLength, sample.tokens)}`,
    sample,
  );
  writer.recorded(sample.completion);
  if (group.length > 0) {
    const size = sample.place?.size ?? group.length;
    const count = counted(size, "sample");
    const title =
      size > group.length ? t("Group · {0}, {1} shown", count, group.length) : t("Group · {0}", count);
    writer.heading("group", title, sample);
    for (const mate of group)
      writer.sampleLine(mate, `${mate.row === sample.row ? "▸" : " "} ${factsOf(mate)} · ${mate.id}`);
  }
  return writer.end();
}

function promptSection(writer: DocumentWriter, sample: SampleDetail): void {
  writer.heading("prompt", `${t("Prompt")}${lengths(sample.prompt, sample.promptLength, null)}`, sample);
  writer.recorded(sample.prompt);
}

/** " · 1,204 characters, 310 tokens". */
function lengths(text: string, length: number, tokens: number | null): string {
  if (length === 0) return t(" · empty or not recorded");
  const cut = text.length < length ? t(", the first {0} shown", text.length.toLocaleString("en-US")) : "";
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
  writer.field("truncated", sample.truncated === null ? "" : sample.truncated ? t("yes") : t("no"));
  writer.field("captured as", sample.reason);
  writer.field("group", sample.group);
  writer.field("place in group", placeText(sample));
  writer.field("prompt id", sample.promptId);
  writer.field("recorded in", t("{0}, row {1}", sample.file, sample.fileRow));
}

export interface GroupDocumentParts {
  readonly run: string;
  readonly group: GroupView;
  /** Highest reward first. */
  readonly samples: readonly SampleDetail[];
}

export function groupDocument({ run, group, samples }: GroupDocumentParts): BuiltDocument {
  const writer = new DocumentWriter();
  writer.heading("about", t("Group {0} at step {1} of {2}", group.group, group.step, run));
  const isCut = group.size > samples.length;
  writer.field("samples", isCut ? t("{0}, {1} shown", group.size, samples.length) : String(group.size));
  writer.field("rewards", rewardsText(group));
  writer.field("verdict", verdictOf(group.verdict));
  const [first] = samples;
  if (first) promptSection(writer, first);
  samples.forEach((sample, i) => {
    writer.heading(
      "completion",
      `${t("{0} of {1}", i + 1, group.size)} · ${factsOf(sample)} · ${sample.id}`,
      sample,
    );
    writer.recorded(sample.completion);
    if (sample.completion.length < sample.completionLength)
      writer.field("note", t("{0} in all", counted(sample.completionLength, "character")));
  });
  return writer.end();
}

function rewardsText({ mean, sd, min, max }: GroupView): string {
  if (mean === null) return "";
  return [
    t("mean {0}", figure(mean)),
    ...(sd === null ? [] : [t("sd {0}", figure(sd))]),
    ...(min === null || max === null ? [] : [t("{0} to {1}", figure(min), figure(max))]),
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
  writer.heading("about", t("Samples of {0}", run));
  writer.field("query", query === "" ? t("all samples") : query);
  writer.field("order", order);
  const { rows, total, without } = list;
  writer.field("samples", totalText(total, rows.length));
  if (without > 0) writer.field("note", withoutText(without));
  rows.forEach((row, i) => {
    writer.heading(
      "result",
      `${i + 1} · ${t("step {0}", row.step)} · ${t("rank {0}", row.rank)} · ${factsOf(row)} · ${row.id}`,
      row,
    );
    if (row.prompt !== "") writer.sampleLine(row, `${t("prompt").padEnd(11)} ${head(row.prompt, MAX_HEAD)}`);
    writer.sampleLine(row, `${t("completion").padEnd(11)} ${head(row.completion, MAX_HEAD)}`);
  });
  return writer.end();
}

function totalText(total: number, shown: number): string {
  const all = total.toLocaleString("en-US");
  return shown < total ? t("{0}, the first {1} shown", all, shown) : all;
}

const withoutText = (n: number): string =>
  n === 1
    ? t("1 sample more without a value to sort by")
    : t("{0} samples more without a value to sort by", n.toLocaleString("en-US"));

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
  writer.heading("about", t("A prompt over time in {0}", run));
  writer.field("prompt id", sample.promptId);
  writer.field("samples", totalText(total, rows.length));
  writer.field("steps", steps.map(({ stepText }) => stepText).join(", "));
  promptSection(writer, sample);
  const byStep = new Map<string, SampleListRow[]>();
  for (const row of rows) byStep.set(row.step, [...(byStep.get(row.step) ?? []), row]);
  for (const { stepText, n, mean, min, max } of steps) {
    const rewards =
      mean === null || min === null || max === null
        ? t("no reward")
        : t("mean {0}, {1} to {2}", figure(mean), figure(min), figure(max));
    writer.heading("step", `${t("Step {0}", stepText)} · ${counted(n, "sample")} · ${rewards}`);
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
