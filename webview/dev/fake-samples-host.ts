/** Answers about made-up samples. */
import type { Handlers } from "../../src/protocol/rpc.ts";
import {
  type GroupView,
  MAX_SAMPLE_TEXT,
  type PromptView,
  type SampleDetail,
  type SampleListRow,
  type samplesContract,
} from "../../src/protocol/samples.ts";
import { COMPONENTS, type FakeSamples, spread } from "./fake-samples.ts";

const figuresOf = ({ values: _values, ...row }: SampleListRow): SampleListRow => ({
  ...row,
  prompt: "",
  completion: "",
});

type Answers = Handlers<typeof samplesContract>;
/** Samples that a call of a search looks at. */
const SLICE = 20_000;

export const samplesHandlers = (samples: FakeSamples): Answers => ({
  "samples.state": ({ seen }) => samples.state(seen),
  "samples.list": ({ filter, order, components, texts, offset, limit }) => {
    const { rows, without } = samples.list(filter, order);
    const row = (at: number): SampleListRow => {
      const whole = texts === false ? figuresOf(samples.listRow(at)) : samples.listRow(at, components);
      return { ...whole, row: samples.outside(at) };
    };
    return {
      total: rows.length,
      without,
      offset,
      rows: [...rows.slice(offset, offset + limit)].map(row),
      indexed: samples.rows,
    };
  },
  "samples.rows": async ({ rows, components }) => {
    await samples.unread;
    const known = rows.filter((row) => row < samples.rows);
    return {
      rows: known.map((row) => ({ ...samples.listRow(samples.inside(row), components), row })),
    };
  },
  "samples.place": ({ filter, order, row }) => {
    const place = samples.list(filter, order).rows.indexOf(samples.inside(row));
    return { place: place < 0 ? null : place };
  },
  "samples.detail": ({ row, text }) => detail(samples, samples.inside(row), text),
  "samples.find": ({ step, id }) => {
    const [row = null] = samples
      .matching({ ...NO_FILTER, steps: step === null ? null : [step, step] })
      .filter((one) => samples.id(one) === id);
    return { row, count: row === null ? 0 : 1 };
  },
  "samples.histogram": ({ filter, bins }) => {
    const rows = samples.matching({ ...filter, reward: null });
    const counts = new Float64Array(bins);
    const edges = Float64Array.from({ length: bins + 1 }, (_, i) => (2 * i) / bins);
    for (const row of rows) {
      const bin = Math.min(bins - 1, Math.floor((samples.value("reward_total", row) / 2) * bins));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return { edges: rows.length === 0 ? new Float64Array() : edges, counts, missing: 0 };
  },
  "samples.scatter": ({ filter, columns, rows: high }) => {
    const rows = samples.matching({ ...filter, reward: null, length: null });
    const cells = new Float64Array(columns * high);
    const [x, y]: [[number, number], [number, number]] = [
      [12, 64],
      [0, 2],
    ];
    for (const row of rows) {
      const c = Math.min(
        columns - 1,
        Math.floor(((samples.value("completion_len", row) - x[0]) / (x[1] - x[0])) * columns),
      );
      const r = Math.min(high - 1, Math.floor((samples.value("reward_total", row) / 2) * high));
      cells[r * columns + c] = (cells[r * columns + c] ?? 0) + 1;
    }
    const isEmpty = rows.length === 0;
    return { columns, rows: high, cells, x: isEmpty ? null : x, y: isEmpty ? null : y, missing: 0 };
  },
  "samples.groups": ({ filter, flat, offset, limit }) => {
    const firsts = [...new Set([...samples.matching(filter)].map((row) => samples.groupRows(row)[0] ?? row))];
    const groups = firsts.map((row) => groupView(samples, row));
    const flats = groups.filter(({ verdict }) => verdict !== "varied");
    const wanted = flat ? flats : groups;
    return {
      total: groups.length,
      flat: flats.length,
      offset,
      groups: wanted.slice(offset, offset + limit),
    };
  },
  "samples.prompts": ({ filter, offset, limit }) => prompts(samples, filter, offset, limit),
  "samples.prompt": ({ prompt }) => {
    const rows = samples.matching({ ...NO_FILTER, prompt });
    const steps = new Map<number, number[]>();
    for (const row of rows) steps.set(samples.step(row), [...(steps.get(samples.step(row)) ?? []), row]);
    return {
      text: rows[0] === undefined ? "" : samples.prompt(rows[0]),
      steps: [...steps].map(([step, of]) => {
        const rewards = of.map((row) => samples.value("reward_total", row));
        return {
          step,
          stepText: String(step),
          n: of.length,
          mean: spread(rewards).mean,
          min: Math.min(...rewards),
          max: Math.max(...rewards),
          rows: of,
        };
      }),
    };
  },
  "samples.search": async ({ filter, text, matchCase, after, limit }) => {
    await samples.searching();
    const all = samples.matching({ ...filter, rows: null });
    const from = all.findIndex((row) => row >= after);
    const slice = from < 0 ? new Uint32Array() : all.subarray(from, from + SLICE);
    const fold = (words: string): string => (matchCase ? words : words.toLowerCase());
    const found = [...slice].filter((row) =>
      [samples.prompt(row), samples.completion(row)].some((words) => fold(words).includes(fold(text))),
    );
    const searched = from < 0 ? all.length : from + slice.length;
    return {
      rows: Uint32Array.from(found.slice(0, limit)),
      next: searched >= all.length ? null : (all[searched] ?? null),
      searched,
      of: all.length,
    };
  },
});

const NO_FILTER = {
  ...{ steps: null, rank: null, reason: null, truncated: null, group: null },
  ...{ prompt: null, reward: null, length: null, rows: null },
};

function detail(samples: FakeSamples, row: number, text: number): SampleDetail | null {
  if (row >= samples.rows) return null;
  const completion = samples.completion(row);
  const key = samples.promptOf(row);
  const near = (way: 1 | -1): number | null => {
    for (let one = row + way; one >= 0 && one < samples.rows && Math.abs(one - row) < 4000; one += way)
      if (samples.step(one) !== samples.step(row) && samples.promptOf(one) === key) return one;
    return null;
  };
  return {
    ...samples.listRow(row),
    prompt: samples.prompt(row).slice(0, text),
    completion: completion.slice(0, Math.min(text, MAX_SAMPLE_TEXT)),
    file: "samples/shard-00000.parquet",
    fileRow: row,
    components: COMPONENTS.flatMap((name) => {
      const value = samples.component(name, row);
      return value === null ? [] : [{ name, value }];
    }),
    promptLength: samples.prompt(row).length,
    completionLength: completion.length,
    tokens: samples.value("completion_len", row),
    place: samples.place(row),
    earlier: near(-1),
    later: near(1),
  };
}

function groupView(samples: FakeSamples, first: number): GroupView {
  const rows = samples.groupRows(first);
  const rewards = rows.map((row) => samples.value("reward_total", row));
  const { mean, sd } = spread(rewards);
  const verdict = sd > 0 ? "varied" : mean === 2 ? "right" : mean === 0 ? "wrong" : "equal";
  return {
    step: String(samples.step(first)),
    group: samples.group(first),
    size: rows.length,
    mean,
    sd,
    min: Math.min(...rewards),
    max: Math.max(...rewards),
    verdict,
    prompt: samples.prompt(first),
    rows,
  };
}

function prompts(
  samples: FakeSamples,
  filter: Parameters<FakeSamples["matching"]>[0],
  offset: number,
  limit: number,
) {
  const by = new Map<string, number[]>();
  for (const row of samples.matching(filter)) {
    const key = samples.promptKey(row);
    by.set(key, [...(by.get(key) ?? []), row]);
  }
  const mean = (rows: readonly number[]): number =>
    spread(rows.map((row) => samples.value("reward_total", row))).mean;
  const views = [...by].map(([key, rows]): PromptView => {
    const steps = [...new Set(rows.map((row) => samples.step(row)))];
    const at = (step: number | undefined): number[] => rows.filter((row) => samples.step(row) === step);
    return {
      prompt: { by: samples.options.ids ? "id" : "text", key },
      text: samples.prompt(rows[0] ?? 0),
      samples: rows.length,
      steps: steps.length,
      firstStep: String(steps[0] ?? ""),
      lastStep: String(steps.at(-1) ?? ""),
      first: mean(at(steps[0])),
      last: mean(at(steps.at(-1))),
      mean: mean(rows),
    };
  });
  views.sort((a, b) => b.steps - a.steps);
  return {
    by: samples.options.ids ? ("id" as const) : ("text" as const),
    total: views.length,
    offset,
    prompts: views.slice(offset, offset + limit),
  };
}
