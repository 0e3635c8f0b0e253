/** What a hover over a mention says: the sample, or what the run recorded at the step. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import type { SampleDetail } from "../../protocol/samples.ts";
import { sampleHover, stepHover } from "../../view/sample-hover.ts";
import { commandLine } from "../command-links.ts";
import { atStep, detailAt } from "../samples/find.ts";
import { hoverLinks } from "../samples/links.ts";
import type { RunReader } from "../samples/reader.ts";
import type { Answer, Asked } from "./inline.ts";

/** Metrics that a step is told by, those that there are. */
const METRICS = [
  "reward_mean",
  "reward_std",
  "kl_mean",
  "entropy_mean",
  "clip_fraction",
  "grad_norm",
  "completion_len_mean",
  "truncation_rate",
];
/** Characters of a completion that are read. */
const START = 2000;

/** @param log told of what could not be read: a hover has no place for it */
export function answerFrom(reader: RunReader, log: (text: string) => void): Answer {
  return async (dir, asked, token) => {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      return await (asked.kind === "step"
        ? stepAnswer(reader, dir, asked.step, abort.signal)
        : sampleAnswer(reader, dir, asked, abort.signal));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (!isAborted(error)) log(`hover: ${dir}: ${error.problem.code}`);
      return null;
    } finally {
      listening.dispose();
    }
  };
}

async function sampleAnswer(
  reader: RunReader,
  dir: string,
  asked: Exclude<Asked, { kind: "step" }>,
  signal: AbortSignal,
): Promise<vscode.Hover | null> {
  await reader.whenIndexed(dir, signal);
  const name = asked.kind === "id" ? { rank: null, step: null } : { rank: asked.rank, step: asked.step };
  const { row, count } = await reader.call(dir, "samples.find", { ...name, id: asked.id }, signal);
  const sample: SampleDetail | null = row === null ? null : await detailAt(reader, dir, row, START, signal);
  if (!sample) return null;
  const more = count > 1 ? vscode.l10n.t("\n\nThe first of {0} samples of this name.", count) : "";
  const text = sampleHover(sample, nodePath.basename(dir)) + more;
  return new vscode.Hover([new vscode.MarkdownString(text), hoverLinks(dir, sample)]);
}

async function stepAnswer(
  reader: RunReader,
  dir: string,
  step: number,
  signal: AbortSignal,
): Promise<vscode.Hover | null> {
  const { groups } = await reader.call(dir, "run.overview", {}, signal);
  const known = new Set(
    groups.flatMap(({ charts }) => charts.flatMap(({ series }) => series.map(({ metric }) => metric))),
  );
  const names = METRICS.filter((name) => known.has(name));
  const at = await reader.call(dir, "chart.at", { x: "step", at: step, metrics: names }, signal);
  await reader.whenIndexed(dir, signal);
  const [worst, best] = await Promise.all(
    [false, true].map((descending) =>
      reader.call(
        dir,
        "samples.list",
        { filter: atStep(String(step)), order: { by: "reward_total", descending }, offset: 0, limit: 1 },
        signal,
      ),
    ),
  );
  const samples = (worst?.total ?? 0) + (worst?.without ?? 0);
  if (at.step !== step && samples === 0) return null;
  const values = at.step === step ? at.values : [];
  const metrics = names.flatMap((name, i) => {
    const value = values[i] ?? null;
    return value === null ? [] : [{ name, value }];
  });
  const text = stepHover({
    run: nodePath.basename(dir),
    step: String(step),
    metrics,
    samples,
    worst: worst?.rows[0]?.reward ?? null,
    best: best?.rows[0]?.reward ?? null,
  });
  const query = `step:${step} sort:reward`;
  const links = commandLine([
    [vscode.l10n.t("Show in Run"), "showInRun", { dir, step: String(step) }],
    ...(samples === 0
      ? []
      : ([[vscode.l10n.t("Samples of This Step"), "findSamples", { dir, query }]] as const)),
  ]);
  return new vscode.Hover([new vscode.MarkdownString(text), links]);
}
