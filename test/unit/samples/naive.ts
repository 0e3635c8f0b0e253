/** Answers about samples as plainly as they can be written: what the index is held against. */
import type { Sample } from "../../../src/core/format/sample.ts";
import { isSame } from "../../../src/core/samples/groups.ts";
import type { Handlers } from "../../../src/protocol/rpc.ts";
import {
  MAX_SAMPLE_HEAD,
  type PromptKey,
  type SampleFilter,
  type SampleListRow,
  type SampleOrder,
  type SamplesContract,
} from "../../../src/protocol/samples.ts";
import { head } from "../../../src/view/text.ts";

type Numbers = readonly (number | null)[];
const present = (values: Numbers): number[] => values.filter((v): v is number => v !== null);
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
const sd = (values: readonly number[]): number | null => {
  const m = mean(values);
  return m === null ? null : Math.sqrt(values.reduce((a, v) => a + (v - m) ** 2, 0) / values.length);
};
const least = (values: readonly number[]): number | null => (values.length ? Math.min(...values) : null);
const most = (values: readonly number[]): number | null => (values.length ? Math.max(...values) : null);

export function naiveAnswers(every: readonly Sample[]): Handlers<SamplesContract> {
  const all = async (): Promise<readonly Sample[]> => every;
  const listed = async (filter: SampleFilter, order: SampleOrder) => {
    const samples = await all();
    const rows = samples.map((_, i) => i).filter((i) => matches(at(samples, i), i, filter));
    return { samples, rows, ...sorted(samples, rows, order) };
  };
  return {
    "samples.state": async () => {
      const samples = await all();
      const reasons = new Map<string, number>();
      for (const s of samples) {
        const reason = s.capture_reason ?? "";
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      const steps = samples.map(({ step }) => Number(step));
      return {
        ...{ shards: 0, read: 0, rows: samples.length, folders: [] },
        ...{ done: true, problems: [] },
        steps: steps.length === 0 ? null : [Math.min(...steps), Math.max(...steps)],
        ranks: [...new Set(samples.map(({ rank }) => rank))].sort((a, b) => a - b),
        reasons: [...reasons].map(([reason, count]) => ({ reason, count })),
        components: [...new Set(samples.flatMap((s) => Object.keys(s.reward_components)))].sort(),
        present: PRESENT.filter((name) => samples.some((s) => s[name] !== null)),
      };
    },
    "samples.list": async ({ filter, order, offset, limit, components, texts }) => {
      const { samples, ordered, without } = await listed(filter, order);
      const rows = ordered.slice(offset, offset + limit).map((i) => {
        if (texts === false) return { ...listRow(at(samples, i), i, null), prompt: "", completion: "" };
        return listRow(at(samples, i), i, components ?? null);
      });
      return { total: ordered.length, without, offset, rows, indexed: samples.length };
    },
    "samples.rows": async ({ rows, components }) => {
      const samples = await all();
      const known = rows.filter((row) => row < samples.length);
      return { rows: known.map((row) => listRow(at(samples, row), row, components ?? null)) };
    },
    "samples.place": async ({ filter, order, row }) => {
      const place = (await listed(filter, order)).ordered.indexOf(row);
      return { place: place < 0 ? null : place };
    },
    "samples.detail": async ({ row, text }) => {
      const samples = await all();
      const sample = samples[row];
      if (!sample) return null;
      const rows = samples.map((_, i) => i);
      const group = rows.filter((i) => sameGroup(at(samples, i), sample));
      const rewards = present(group.map((i) => at(samples, i).reward_total));
      const byReward = sorted(samples, group, { by: "reward_total", descending: true }).ordered;
      const same = rows.filter((i) => samePrompt(at(samples, i), promptOf(sample)));
      const reward = sample.reward_total;
      return {
        ...listRow(sample, row, null),
        prompt: head(sample.prompt_text ?? "", text),
        completion: head(sample.completion_text ?? "", text),
        file: sample.file,
        fileRow: sample.row,
        components: Object.entries(sample.reward_components).map(([name, value]) => ({ name, value })),
        promptLength: sample.prompt_text?.length ?? 0,
        completionLength: sample.completion_text?.length ?? 0,
        tokens: sample.completion_token_ids?.length ?? null,
        place:
          sample.group_id === null
            ? null
            : {
                size: group.length,
                rank: reward === null ? null : 1 + rewards.filter((r) => r > reward).length,
                ...{ mean: mean(rewards), sd: sd(rewards) },
                ...{ best: byReward[0] ?? null, worst: byReward.at(-1) ?? null },
              },
        earlier: same.filter((i) => at(samples, i).step < sample.step).at(-1) ?? null,
        later: same.find((i) => at(samples, i).step > sample.step) ?? null,
      };
    },
    "samples.find": async ({ rank, step, id }) => {
      const samples = await all();
      const rows = samples.flatMap((s, i) =>
        s.sample_id === id && (rank ?? s.rank) === s.rank && (step ?? Number(s.step)) === Number(s.step)
          ? [i]
          : [],
      );
      return { row: rows[0] ?? null, count: rows.length };
    },
    "samples.histogram": async ({ filter, bins }) => {
      const { samples, rows } = await listed({ ...filter, reward: null }, READING);
      const values = rows.map((i) => at(samples, i).reward_total);
      const finite = values.filter((v): v is number => Number.isFinite(v));
      const [low, high] = [least(finite), most(finite)];
      if (low === null || high === null)
        return { edges: new Float64Array(0), counts: new Float64Array(0), missing: rows.length };
      const edges = Float64Array.from({ length: bins + 1 }, (_, i) => low + ((high - low || 1) * i) / bins);
      const counts = new Float64Array(bins);
      for (const v of finite) {
        const bin = Math.min(bins - 1, Math.floor(((v - low) / (high - low || 1)) * bins));
        counts[bin] = (counts[bin] ?? 0) + 1;
      }
      return { edges, counts, missing: values.length - finite.length };
    },
    "samples.scatter": async ({ filter, columns, rows: lines }) => {
      const { samples, rows } = await listed({ ...filter, reward: null, length: null }, READING);
      const points = rows.map((i) => [at(samples, i).completion_len, at(samples, i).reward_total] as const);
      const whole = points.filter((p): p is [number, number] => p.every(Number.isFinite));
      const x = rangeOf(whole.map(([v]) => v));
      const y = rangeOf(whole.map(([, v]) => v));
      const cells = new Float64Array(columns * lines);
      const cellOf = (v: number, range: readonly [number, number], n: number) =>
        Math.min(n - 1, Math.floor(((v - range[0]) / (range[1] - range[0] || 1)) * n));
      for (const [length, reward] of whole) {
        const cell = cellOf(reward, y ?? [0, 0], lines) * columns + cellOf(length, x ?? [0, 0], columns);
        cells[cell] = (cells[cell] ?? 0) + 1;
      }
      return { columns, rows: lines, cells, x, y, missing: points.length - whole.length };
    },
    "samples.groups": async ({ filter, flat, offset, limit }) => {
      const { samples, rows } = await listed(filter, READING);
      const run = present(samples.map((s) => s.reward_total)).filter(Number.isFinite);
      const groups = new Map<string, Sample>();
      for (const i of rows) {
        const { step, rank, group_id: group } = at(samples, i);
        if (group !== null) groups.set(`${step}\0${rank}\0${group}`, at(samples, i));
      }
      const views = [...groups.values()].map((one) => {
        const own = samples.flatMap((s, i) => (sameGroup(s, one) ? [i] : []));
        const rewards = present(own.map((i) => at(samples, i).reward_total));
        const spread = sd(rewards);
        const [low, high] = [least(rewards), most(rewards)];
        return {
          rank: one.rank,
          ...{ step: String(one.step), group: one.group_id ?? "", size: own.length, mean: mean(rewards) },
          ...{ sd: spread, min: low, max: high, rows: own },
          verdict:
            rewards.length < 2 || low === null || high === null || !rewards.every(Number.isFinite)
              ? ("unknown" as const)
              : !isSame(low, high)
                ? ("varied" as const)
                : isSame(most(run) ?? 0, least(run) ?? 0)
                  ? ("equal" as const)
                  : isSame(high, most(run) ?? 0)
                    ? ("right" as const)
                    : isSame(low, least(run) ?? 0)
                      ? ("wrong" as const)
                      : ("equal" as const),
          prompt: head(at(samples, own[0] ?? 0).prompt_text ?? "", MAX_SAMPLE_HEAD),
        };
      });
      views.sort((a, b) => Number(a.step) - Number(b.step) || (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
      const isFlat = ({ verdict }: { verdict: string }) => verdict !== "varied" && verdict !== "unknown";
      const chosen = flat ? views.filter(isFlat) : views;
      const groupsShown = chosen.slice(offset, offset + limit);
      return { total: chosen.length, flat: views.filter(isFlat).length, offset, groups: groupsShown };
    },
    "samples.prompts": async ({ filter, offset, limit }) => {
      const { samples, rows } = await listed(filter, READING);
      const by = samples.some((s) => s.prompt_id !== null) ? "id" : "text";
      const keys = new Map<string, number[]>();
      for (const i of rows) {
        const key = by === "id" ? at(samples, i).prompt_id : at(samples, i).prompt_text;
        if (key !== null) keys.set(key, [...(keys.get(key) ?? []), i]);
      }
      const prompts = [...keys].map(([key, own]) => {
        const steps = [...new Set(own.map((i) => Number(at(samples, i).step)))].sort((a, b) => a - b);
        const rewards = (step: number | null) =>
          mean(
            present(
              own
                .filter((i) => step === null || Number(at(samples, i).step) === step)
                .map((i) => at(samples, i).reward_total),
            ),
          );
        return {
          prompt: { by, key } satisfies PromptKey as PromptKey,
          text: head(at(samples, own[0] ?? 0).prompt_text ?? "", MAX_SAMPLE_HEAD),
          ...{ samples: own.length, steps: steps.length },
          ...{ firstStep: String(steps[0]), lastStep: String(steps.at(-1)), mean: rewards(null) },
          ...{ first: rewards(steps[0] ?? 0), last: rewards(steps.at(-1) ?? 0) },
        };
      });
      prompts.sort((a, b) => b.steps - a.steps);
      return { by, total: prompts.length, offset, prompts: prompts.slice(offset, offset + limit) };
    },
    "samples.prompt": async ({ prompt }) => {
      const samples = await all();
      const rows = samples.flatMap((s, i) => (samePrompt(s, prompt) ? [i] : []));
      const steps = [...new Set(rows.map((i) => Number(at(samples, i).step)))].sort((a, b) => a - b);
      return {
        text: head(samples[rows[0] ?? -1]?.prompt_text ?? "", MAX_SAMPLE_HEAD),
        steps: steps.map((step) => {
          const own = rows.filter((i) => Number(at(samples, i).step) === step);
          const rewards = present(own.map((i) => at(samples, i).reward_total));
          return {
            ...{ step, stepText: String(step), n: own.length, rows: own },
            ...{ mean: mean(rewards), min: least(rewards), max: most(rewards) },
          };
        }),
      };
    },
    "samples.search": async ({ filter, text, matchCase, after, limit }) => {
      const { samples, rows } = await listed(filter, READING);
      const fold = (s: string) => (matchCase ? s : s.toLowerCase());
      const wanted = fold(text);
      const found = rows.filter((i) => {
        const { prompt_text: prompt, completion_text: completion } = at(samples, i);
        return i >= after && (fold(prompt ?? "").includes(wanted) || fold(completion ?? "").includes(wanted));
      });
      const next = found[limit] ?? null;
      return {
        ...{ rows: Uint32Array.from(found.slice(0, limit)), next },
        ...{ searched: rows.filter((i) => next === null || i < next).length, of: rows.length },
      };
    },
  };
}

const READING: SampleOrder = { by: "row", descending: false };
const PRESENT = [
  ...["group_id", "prompt_id", "prompt_text", "completion_text", "reward_total", "advantage"],
  ...["kl_contribution", "logprob_mean", "completion_len", "truncated", "capture_reason"],
] as (keyof Sample)[];

function at(samples: readonly Sample[], row: number): Sample {
  const sample = samples[row];
  if (!sample) throw new RangeError("no such sample");
  return sample;
}

const within = (value: number | null, range: readonly [number, number] | null): boolean =>
  range === null || (value !== null && value >= range[0] && value <= range[1]);

function matches(s: Sample, row: number, f: SampleFilter): boolean {
  return (
    within(Number(s.step), f.steps) &&
    (f.rank === null || s.rank === f.rank) &&
    (f.reason === null || (s.capture_reason ?? "") === f.reason) &&
    (f.truncated === null || s.truncated === f.truncated) &&
    (f.group === null || s.group_id === f.group) &&
    (f.prompt === null || samePrompt(s, f.prompt)) &&
    within(s.reward_total, f.reward) &&
    within(s.completion_len, f.length) &&
    (f.rows === null || f.rows.includes(row))
  );
}

function sorted(samples: readonly Sample[], rows: readonly number[], { by, descending }: SampleOrder) {
  const key = (row: number): number | null => {
    const s = at(samples, row);
    if (by === "row") return row;
    if (by === "step") return Number(s.step);
    if (by.startsWith("component:")) return s.reward_components[by.slice("component:".length)] ?? null;
    return s[by as "reward_total"];
  };
  const has = rows.filter((row) => key(row) !== null);
  const ordered = has.sort((a, b) => {
    const [x, y] = [key(a) ?? 0, key(b) ?? 0];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return x === y ? a - b : x < y === descending ? 1 : -1;
  });
  return { ordered, without: rows.length - has.length };
}

const sameGroup = (a: Sample, b: Sample): boolean =>
  a.group_id !== null && a.group_id === b.group_id && a.step === b.step && a.rank === b.rank;

const promptOf = (s: Sample): PromptKey =>
  s.prompt_id === null ? { by: "text", key: s.prompt_text ?? "" } : { by: "id", key: s.prompt_id };

const samePrompt = (s: Sample, { by, key }: PromptKey): boolean =>
  (by === "id" ? s.prompt_id : s.prompt_text) === key;

function rangeOf(values: readonly number[]): [number, number] | null {
  const [low, high] = [least(values), most(values)];
  return low === null || high === null ? null : [low, high];
}

function listRow(s: Sample, row: number, components: readonly string[] | null): SampleListRow {
  return {
    ...{ row, step: String(s.step), id: s.sample_id, rank: s.rank, group: s.group_id ?? "" },
    ...{ promptId: s.prompt_id ?? "", reward: s.reward_total, advantage: s.advantage },
    ...{ kl: s.kl_contribution, logprob: s.logprob_mean, length: s.completion_len },
    ...{ truncated: s.truncated, reason: s.capture_reason ?? "" },
    prompt: head(s.prompt_text ?? "", MAX_SAMPLE_HEAD),
    completion: head(s.completion_text ?? "", MAX_SAMPLE_HEAD),
    ...(components && { values: components.map((name) => s.reward_components[name] ?? null) }),
  };
}
