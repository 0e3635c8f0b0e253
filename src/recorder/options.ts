/** What a caller asked for, checked, with its defaults. */
import path from "node:path";
import { manifestBytes } from "../core/recorder/manifest.ts";
import type { Setup } from "./channel.ts";
import { captureEnvironment } from "./environment.ts";
import type { RecorderOptions } from "./types.ts";

const MAX_RANK = 999_999;

/** Where this rank writes, and whether it does. @throws TypeError, RangeError */
export function target(dir: string, options: RecorderOptions): { folder: string; isActive: boolean } {
  if (typeof dir !== "string" || dir === "") throw new TypeError("the recorder needs the path of a folder");
  const rank = count("rank", options.rank, 0, 0, MAX_RANK);
  const folder = path.resolve(dir);
  if (rank === 0) return { folder, isActive: true };
  const name = `rank-${String(rank).padStart(3, "0")}`;
  return { folder: path.join(folder, name), isActive: options.recordAllRanks === true };
}

/** @throws TypeError, RangeError */
export function setupOf(folder: string, options: RecorderOptions): Setup {
  const { topK, bottomK, random, seed } = options.sampling ?? {};
  const interval = options.flushIntervalSeconds ?? 5;
  if (!(interval > 0) || interval > 86_400)
    throw new RangeError("flushIntervalSeconds is above 0 and at most a day");
  const rank = options.rank ?? 0;
  return {
    folder,
    rank,
    manifest: manifest(options, rank),
    sampling: {
      topK: count("sampling.topK", topK, 2),
      bottomK: count("sampling.bottomK", bottomK, 2),
      random: count("sampling.random", random, 4),
      seed: count("sampling.seed", seed, 0, Number.MIN_SAFE_INTEGER),
    },
    flushSteps: count("flushSteps", options.flushSteps, 200, 1),
    flushIntervalSeconds: interval,
    queueSize: count("queueSize", options.queueSize, 8192, 1, 1_000_000),
    resume: options.resume === true,
  };
}

function manifest(options: RecorderOptions, rank: number): Uint8Array {
  const { runId, createdAt, algorithm, modelName, notes } = options;
  const texts = Object.entries({ runId, createdAt, algorithm, modelName, notes });
  for (const [name, value] of texts)
    if (value !== undefined && value !== null && typeof value !== "string")
      throw new TypeError(`${name} is a text`);
  const now = new Date().toISOString();
  return manifestBytes({
    runId: runId ?? defaultRunId(now),
    createdAt: createdAt ?? now.replace("Z", "+00:00"),
    algorithm: algorithm ?? "unknown",
    modelName: modelName ?? null,
    worldSize: count("worldSize", options.worldSize, 1, 1),
    trainerConfig: object("trainerConfig", options.trainerConfig),
    environment: options.environment
      ? object("environment", options.environment)
      : options.captureEnv === false
        ? {}
        : captureEnvironment(),
    notes: notes ?? null,
    extra: { ...object("extra", options.extra), ...(rank === 0 ? {} : { rank }) },
  });
}

/** `run-20260101-120000-a1b2c3` */
function defaultRunId(now: string): string {
  const time = now.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const random = Math.floor(Math.random() * 0x1000000);
  return `run-${time}-${random.toString(16).padStart(6, "0")}`;
}

function object(name: string, value: object | undefined): object {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${name} is an object`);
  return value;
}

function count(
  name: string,
  value: number | undefined,
  missing: number,
  least = 0,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined) return missing;
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} is a whole number from ${least} to ${most}`);
  return value;
}
