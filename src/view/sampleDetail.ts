/** One sample with everything that was recorded of it, and where it stands. */
import type { Sample } from "../core/format/sample.ts";
import { groupAround, statsOf } from "../core/samples/groups.ts";
import { ordered } from "../core/samples/order.ts";
import { promptKey } from "../core/samples/promptTexts.ts";
import type { SampleIndex } from "../core/samples/sampleIndex.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { EVERYTHING } from "../core/samples/types.ts";
import type { GroupPlace, PromptKey, SampleDetail } from "../protocol/samples.ts";
import { head } from "./text.ts";

const MAX_ID = 1000;
/** Runs up to here look for the same prompt by its text, where there are no prompt ids: it takes reading all prompts once. */
const MAX_TEXT_ROWS = 50_000;

/** `null` when the sample cannot be read any more. @param row in the index @param limit longest text, characters */
export async function sampleDetail(
  store: SampleStore,
  row: number,
  limit: number,
  signal: AbortSignal,
): Promise<SampleDetail | null> {
  const { index } = store;
  const place = index.placeOf(row);
  const [sample] = place ? await store.table.shards.samples([place]) : [];
  signal.throwIfAborted();
  if (!sample) return null;
  const members = groupAround(index, row);
  return {
    ...recorded(sample, row, limit),
    place: members && placeIn(index, members, row),
    ...(await neighbours(store, sample, row, signal)),
  };
}

function recorded(sample: Sample, row: number, limit: number) {
  const { prompt_text: prompt, completion_text: completion } = sample;
  return {
    row,
    step: String(sample.step),
    id: head(sample.sample_id, MAX_ID),
    rank: sample.rank,
    group: head(sample.group_id ?? "", MAX_ID),
    promptId: head(sample.prompt_id ?? "", MAX_ID),
    reward: sample.reward_total,
    advantage: sample.advantage,
    kl: sample.kl_contribution,
    logprob: sample.logprob_mean,
    length: sample.completion_len,
    truncated: sample.truncated,
    reason: head(sample.capture_reason ?? "", MAX_ID),
    prompt: head(prompt ?? "", limit),
    completion: head(completion ?? "", limit),
    file: sample.file,
    fileRow: sample.row,
    components: Object.entries(sample.reward_components).map(([name, value]) => ({ name, value })),
    promptLength: prompt?.length ?? 0,
    completionLength: completion?.length ?? 0,
    tokens: sample.completion_token_ids?.length ?? null,
  };
}

function placeIn(index: SampleIndex, members: Uint32Array, row: number): GroupPlace {
  const { rows: byReward } = ordered(members, index.keys("reward_total"), true);
  const { mean, sd } = statsOf(index, members);
  const reward = index.number("reward_total", row);
  const finite = byReward.filter((r) => !Number.isNaN(index.number("reward_total", r)));
  const higher = finite.filter((r) => (index.number("reward_total", r) ?? 0) > (reward ?? Number.NaN));
  const lowest = finite.at(-1);
  return {
    size: members.length,
    rank: reward === null || Number.isNaN(reward) ? null : 1 + higher.length,
    ...{ mean, sd },
    best: finite[0] ?? null,
    // Of several lowest the first in reading order.
    worst:
      finite.find((r) => index.number("reward_total", r) === index.number("reward_total", lowest ?? -1)) ??
      null,
  };
}

/** The nearest steps with the same prompt, before and after. */
async function neighbours(
  store: SampleStore,
  sample: Sample,
  row: number,
  signal: AbortSignal,
): Promise<{ earlier: number | null; later: number | null }> {
  const prompt = promptOf(store.index, sample);
  const own = store.index.number("step", row);
  if (!prompt || own === null) return { earlier: null, later: null };
  const rows = await store.matching({ ...EVERYTHING, prompt }, signal);
  const step = store.index.keys("step");
  let earlier: number | null = null;
  let later: number | null = null;
  for (const other of rows) {
    if (!step.has(other)) continue;
    const at = step.values[other] as number;
    if (at < own && (earlier === null || at > (step.values[earlier] as number))) earlier = other;
    if (at > own && (later === null || at < (step.values[later] as number))) later = other;
  }
  return { earlier, later };
}

function promptOf(index: SampleIndex, { prompt_id: id, prompt_text: text }: Sample): PromptKey | null {
  if (id !== null) return { by: "id", key: id };
  if (text === null || index.rows > MAX_TEXT_ROWS || index.pool("prompt_id").size > 0) return null;
  return { by: "text", key: promptKey(text) };
}
