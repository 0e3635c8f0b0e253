/** Prompts that two runs share, with the best completion of each. Rewards and names are read once a run. */
import { type PairPrompts, pairPrompts } from "../core/compare/index.ts";
import { promptsOf, type RunPrompts } from "../core/compare/prompts.ts";
import type { Sample } from "../core/format/sample.ts";
import type { RunModel } from "../core/run/model.ts";
import {
  type BestSample,
  type CompareContract,
  MAX_PROMPT_HEAD,
  type PromptGaps,
} from "../protocol/compare.ts";
import type { Params } from "../protocol/wire.ts";
import { modelAt } from "./compare-columns.ts";
import { bestSamples } from "./compare-json.ts";
import { cut } from "./text.ts";

const MAX_ID = 200;

export class ComparePrompts {
  readonly #models: readonly RunModel[];
  readonly #read = new Map<RunModel, Map<string, Promise<RunPrompts>>>();
  readonly #pairs = new Map<number, PairPrompts>();

  constructor(models: readonly RunModel[]) {
    this.#models = models;
  }

  async view(
    { other, offset, limit }: Params<CompareContract, "compare.prompts">,
    signal: AbortSignal,
  ): Promise<PromptGaps> {
    const [a, b] = [modelAt(this.#models, 0), modelAt(this.#models, other)];
    let prompts = this.#pairs.get(other);
    if (!prompts) {
      prompts = await pairPrompts(a, b, false, signal, (model, column) => this.#once(model, column));
      this.#pairs.set(other, prompts);
    }
    signal.throwIfAborted();
    const { by, pairs } = prompts;
    const shown = pairs.slice(offset, offset + limit);
    const best = await bestSamples(a, b, prompts, shown);
    signal.throwIfAborted();
    const of = prompts;
    return {
      other,
      by,
      total: pairs.length,
      offset,
      prompts: shown.map(({ codeA, codeB, gap }, i) => {
        const key = of.a.keys.text(codeA);
        const samples = best[i];
        const text = samples?.a?.prompt_text || samples?.b?.prompt_text || (by === "text" ? key : "");
        return {
          key: head(key, MAX_PROMPT_HEAD),
          text: head(text, MAX_PROMPT_HEAD),
          nA: of.a.n[codeA] ?? 0,
          nB: of.b.n[codeB] ?? 0,
          rewardA: of.a.mean[codeA] ?? Number.NaN,
          rewardB: of.b.mean[codeB] ?? Number.NaN,
          gap,
          bestA: bestView(samples?.a ?? null, of.a.best[codeA] ?? 0),
          bestB: bestView(samples?.b ?? null, of.b.best[codeB] ?? 0),
        };
      }),
    };
  }

  /** Not stopped by a signal: whoever asks next waits for the same reading. A failure is not kept. */
  #once(model: RunModel, column: "prompt_id" | "prompt_text"): Promise<RunPrompts> {
    let columns = this.#read.get(model);
    if (!columns) {
      columns = new Map();
      this.#read.set(model, columns);
    }
    let reading = columns.get(column);
    if (!reading) {
      reading = promptsOf(model, column, false);
      columns.set(column, reading);
      const known = columns;
      reading.catch(() => known.delete(column));
    }
    return reading;
  }
}

function bestView(sample: Sample | null, row: number): BestSample {
  const completion = sample?.completion_text ?? "";
  return {
    row: Math.max(0, row),
    step: sample ? String(sample.step) : "",
    id: cut(sample?.sample_id ?? "", MAX_ID),
    rank: sample?.rank ?? 0,
    reward: sample?.reward_total ?? null,
    completion: head(completion, MAX_PROMPT_HEAD),
    completionLength: completion.length,
  };
}

/** Never between the halves of a surrogate pair. */
function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}
