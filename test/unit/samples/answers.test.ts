/** The index held against answers written as plainly as can be, on random samples in random shards. */
import { describe, expect, it } from "vitest";
import type { Sample } from "../../../src/core/format/sample.ts";
import { SampleStore } from "../../../src/core/samples/store.ts";
import { EVERYTHING } from "../../../src/core/samples/types.ts";
import type { Handlers } from "../../../src/protocol/rpc.ts";
import type { SampleFilter, SampleOrder, SamplesContract } from "../../../src/protocol/samples.ts";
import { sampleAnswers } from "../../../src/view/sampleAnswers.ts";
import { random } from "../random.ts";
import { fakeModel } from "../view/model.ts";
import { fakeSamples, whole } from "./fake.ts";
import { naiveAnswers } from "./naive.ts";

const NEVER = { signal: new AbortController().signal };
const ALL = EVERYTHING as SampleFilter;
type Answers = Handlers<SamplesContract>;
type Pick = ReturnType<typeof picker>;

function picker(next: () => number) {
  const int = (n: number): number => Math.floor(next() * n);
  const of = <T>(...values: readonly T[]): T => values[int(values.length)] as T;
  return { int, of, maybe: <T>(value: T, share = 0.8): T | null => (next() < share ? value : null) };
}

const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324, 1e308];

function sample({ int, of, maybe }: Pick, hasIds: boolean): Partial<Sample> {
  const figure = (): number | null => maybe(of(int(5) / 4 - 0.5, int(100) / 7, of(...ODD)));
  return {
    ...{ step: of(int(6), int(6), 2 ** 53 + int(2) * 2), sample_id: `s${int(20)}`, rank: int(2) },
    ...{ group_id: maybe(`g${int(4)}`), prompt_id: hasIds ? maybe(`p${int(5)}`) : null },
    ...{ prompt_text: maybe(of("What is 1 + 1?", "Où est la gare ?", "", "x".repeat(1200 + int(2)))) },
    ...{ completion_text: maybe(of("Two.", "two hundred", "ÉTÉ 😀", "\ud800 alone")) },
    ...{ reward_total: figure(), advantage: figure(), kl_contribution: figure(), logprob_mean: figure() },
    ...{
      completion_len: maybe(int(300)),
      truncated: maybe(int(2) === 1),
      capture_reason: maybe(of("top_k", "")),
    },
    reward_components: Object.assign(Object.create(null), int(3) ? { exact: int(3), ["__proto__"]: 1 } : {}),
  };
}

function run(seed: number) {
  const pick = picker(random(seed));
  const hasIds = seed % 2 === 0;
  const shards = Array.from({ length: 1 + pick.int(7) }, () => ({
    samples: Array.from({ length: pick.int(25) }, () => sample(pick, hasIds)),
  }));
  const samples = fakeSamples(shards);
  const model = fakeModel({ samples });
  const ours = sampleAnswers(model, new SampleStore(model), () => 0);
  const every = shards.flatMap(({ samples: own }) => own.map((one) => shown(whole(one))));
  return { pick, samples, ours, naive: naiveAnswers(every), every };
}

/** As a reader decodes it: half a surrogate pair is U+FFFD, 0 is 0. */
function shown(one: Sample): Sample {
  const text = (value: string | null): string | null => value && Buffer.from(value).toString();
  return { ...one, completion_text: text(one.completion_text) };
}

function filterOf({ int, of, maybe }: Pick, rows: number): SampleFilter {
  const range = (low: number, span: number): [number, number] | null => maybe([low, low + span], 0.25);
  return {
    ...{
      steps: range(int(4), int(4)),
      rank: maybe(int(2), 0.2),
      reason: maybe(of("top_k", "", "none"), 0.2),
    },
    ...{ truncated: maybe(int(2) === 0, 0.2), group: maybe(`g${int(5)}`, 0.2), prompt: null },
    ...{ reward: range(int(3) - 1, 3), length: range(int(100), 150) },
    rows: maybe(
      Uint32Array.from({ length: rows }, (_, i) => i).filter(() => int(2) === 0),
      0.2,
    ),
  };
}

const ORDERS = ["reward_total", "advantage", "completion_len", "step", "row", "component:exact"] as const;
const orderOf = ({ int, of }: Pick): SampleOrder => ({ by: of(...ORDERS), descending: int(2) === 0 });

async function both<M extends keyof SamplesContract & string>(
  { ours, naive }: { ours: Answers; naive: Answers },
  method: M,
  params: Parameters<Answers[M]>[0],
): Promise<[unknown, unknown]> {
  const ask = (answers: Answers) => (answers[method] as (p: unknown, c: unknown) => unknown)(params, NEVER);
  return [await ask(ours), await ask(naive)];
}

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

describe.each(SEEDS)("random samples %i", (seed) => {
  it("are filtered, sorted, paged and placed", async () => {
    const at = run(seed);
    for (let i = 0; i < 12; i++) {
      const filter = filterOf(at.pick, at.every.length);
      const order = orderOf(at.pick);
      const page = {
        filter,
        order,
        offset: at.pick.int(20),
        limit: 1 + at.pick.int(30),
        components: ["exact"],
      };
      const [ours, theirs] = await both(at, "samples.list", page);
      expect(ours).toEqual(theirs);
      const [figures, asked] = await both(at, "samples.list", { ...page, texts: false });
      expect(figures).toEqual(asked);
      const some = { rows: [at.pick.int(30), at.pick.int(30), 1e6], components: ["exact"] };
      const [rows, wanted] = await both(at, "samples.rows", some);
      expect(rows).toEqual(wanted);
      const place = { filter, order, row: at.pick.int(at.every.length + 1) };
      const [here, there] = await both(at, "samples.place", place);
      expect(here).toEqual(there);
    }
  });

  it("are counted, grouped and followed", async () => {
    const at = run(seed);
    const filter = filterOf(at.pick, at.every.length);
    const page = { offset: 0, limit: 500 };
    for (const [method, params] of [
      ["samples.groups", { filter, flat: false, ...page }],
      ["samples.groups", { filter: ALL, flat: true, ...page }],
      ["samples.scatter", { filter, columns: 1, rows: 1 }],
      ["samples.find", { rank: at.pick.maybe(0), step: at.pick.maybe(3), id: "s3" }],
    ] as const) {
      const [ours, theirs] = await both(at, method, params);
      expect(close(ours), method).toEqual(close(theirs));
    }
  });
});

/** Without figures of rewards that are not finite, which the plain answers make nothing of. */
function close(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, v) => {
      if (["mean", "sd", "min", "max"].includes(key)) return undefined;
      return ArrayBuffer.isView(v)
        ? Array.from(v as Float64Array)
        : typeof v === "number"
          ? Number(v.toPrecision(9))
          : v;
    }),
  );
}
