/** A recording read by us and recorded again, call by call: rows as they lie, times kept, each rank by a recorder of its own. */
import path from "node:path";
import { EXTRA, REWARD_COMPONENT } from "../../src/core/format/names.ts";
import type { Sample } from "../../src/core/format/sample.ts";
import { nodeSource, openRun, type RunModel } from "../../src/core/index.ts";
import {
  type MetricValue,
  Recorder,
  type RecorderOptions,
  type StepMetrics,
} from "../../src/recorder/index.ts";

export interface ReplayOptions {
  /** Closed, so that the parts are merged, or left as a killed run is. */
  readonly closes: boolean;
  readonly flushSteps?: number;
}

/** Calls after which the disk is waited for. */
const BATCH = 1000;

/** @throws when something could not be recorded */
export async function replay(source: string, target: string, options: ReplayOptions): Promise<void> {
  const run = await openRun(nodeSource(source));
  for (const { rank, dir } of run.ranks) {
    const own = dir === "" ? run : await openRun(nodeSource(path.join(source, dir)));
    await replayRank(own, rank, target, options);
  }
}

async function replayRank(
  run: RunModel,
  rank: number,
  target: string,
  { closes, flushSteps }: ReplayOptions,
): Promise<void> {
  const recorder = new Recorder(target, {
    ...optionsOf(run),
    ...{ rank, recordAllRanks: true, exitHandlers: false },
    ...(flushSteps === undefined ? {} : { flushSteps }),
  });
  let calls = 0;
  const wait = async (): Promise<void> => {
    if (++calls % BATCH === 0) await recorder.flush();
  };
  for (const { timestamp, kind, step, message, data } of run.events.filter((e) => e.rank === rank)) {
    recorder.logEvent(kind, { timestamp, step, message, data });
    await wait();
  }
  for (const { step, metrics, timestamp } of await stepsOf(run)) {
    recorder.logStep(step, metrics, { timestamp });
    await wait();
  }
  for await (const { step, samples } of samplesOf(run)) {
    recorder.logSamples(step, samples.map(sampleInput), { select: false });
    await wait();
  }
  await (closes ? recorder.close() : recorder.flush());
  const { problem, dropped } = recorder;
  if (problem || dropped > 0) throw new Error(`${target}: ${dropped} dropped, ${problem?.code}`);
}

function optionsOf({ manifest }: RunModel): RecorderOptions {
  if (!manifest) throw new Error("it has no manifest");
  return {
    ...{ runId: manifest.run_id, createdAt: manifest.created_at, algorithm: manifest.algorithm },
    ...{ modelName: manifest.model_name, worldSize: manifest.world_size, notes: manifest.notes },
    ...{ trainerConfig: manifest.trainer_config, environment: manifest.environment, extra: manifest.extra },
  };
}

interface Step {
  readonly step: number | bigint;
  readonly metrics: StepMetrics;
  readonly timestamp: number | null;
}

async function stepsOf({ steps }: RunModel): Promise<Step[]> {
  const { step, timestamp, rows } = await steps.axis("recorded");
  const scalars = steps.columns.filter(({ kind, name }) => kind === "scalar" && name !== "timestamp");
  const names = scalars.map(({ name }) => name);
  const columns = await steps.read(names, "recorded");
  const lists = await steps.readList("kl_positional", "recorded");
  return Array.from({ length: rows }, (_, row): Step => {
    const flat: Record<string, MetricValue> = {};
    // A metric can be called "__proto__".
    const reward_components: Record<string, MetricValue> = Object.create(null);
    const extra: Record<string, MetricValue> = Object.create(null);
    for (const [i, name] of names.entries()) {
      const column = columns[i];
      if (!column || column.valid?.[row] === 0) continue;
      const value = column.exact?.[row] ?? column.values[row] ?? Number.NaN;
      if (name.startsWith(REWARD_COMPONENT)) reward_components[name.slice(REWARD_COMPONENT.length)] = value;
      else if (name.startsWith(EXTRA)) extra[name.slice(EXTRA.length)] = value;
      else flat[name] = value;
    }
    const hasList = lists && lists.valid?.[row] !== 0;
    const kl = hasList ? [...lists.values.subarray(lists.offsets[row], lists.offsets[row + 1])] : null;
    return {
      step: step.exact?.[row] ?? step.values[row] ?? Number.NaN,
      metrics: { ...flat, reward_components, extra, kl_positional: kl },
      timestamp: !timestamp || timestamp.valid?.[row] === 0 ? null : (timestamp.values[row] ?? null),
    };
  });
}

/** Of the run's own folder, those of one step that lie behind one another together. */
async function* samplesOf({
  samples: { shards },
}: RunModel): AsyncGenerator<{ step: number | bigint; samples: readonly Sample[] }> {
  let group: Sample[] = [];
  for (const [shard, file] of shards.files.entries()) {
    if (file.rank !== null) continue;
    const { rows } = await shards.read([shard], { numbers: ["step"], texts: [] });
    const places = Array.from({ length: rows }, (_, row) => ({ shard, row }));
    for (const sample of await shards.samples(places)) {
      const step = group[0]?.step ?? sample.step;
      if (sample.step !== step) {
        yield { step, samples: group };
        group = [];
      }
      group.push(sample);
    }
  }
  if (group[0]) yield { step: group[0].step, samples: group };
}

function sampleInput({ file: _, row: __, ...fields }: Sample) {
  return {
    ...fields,
    completion_token_ids: fields.completion_token_ids?.filter((id) => id !== null) ?? null,
  };
}
