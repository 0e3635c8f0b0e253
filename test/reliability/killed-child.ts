/** Records as its plan says until it is killed: `child FOLDER PLAN ATTEMPT`. Says on standard output what is safe by then. */
import fs from "node:fs";
import { setEnvironmentData } from "node:worker_threads";
import { Recorder } from "../../src/recorder/index.ts";
import { dieAt } from "./killed-fs.ts";
import { type Attempt, type Plan, planOf, recordOf, type Said } from "./killed-plan.ts";

/** As it is before calls of the disk are counted. */
const { writeSync } = fs;

function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

function recorderOf(folder: string, plan: Plan, attempt: Attempt, rank: number): Recorder {
  const { death, flushSteps, flushIntervalSeconds } = attempt;
  const isMine = death.by === "call" && death.rank === rank;
  setEnvironmentData("death", isMine ? { from: death.from, at: death.at, share: death.share } : undefined);
  return new Recorder(folder, {
    ...{ flushSteps, flushIntervalSeconds, rank, recordAllRanks: true, worldSize: plan.ranks },
    ...{ runId: `killed-${plan.seed}`, captureEnv: false, resume: attempt.number > 0 },
  });
}

function log(recorder: Recorder, plan: Plan, attempt: Attempt, rank: number, index: number): void {
  const record = recordOf(plan, attempt, rank, index);
  if (record.kind === "step") recorder.logStep(record.step, record.metrics);
  else if (record.kind === "samples") recorder.logSamples(record.step, record.samples, { select: false });
  else recorder.logEvent("note", { message: record.message, step: record.at });
}

async function main(): Promise<void> {
  const [folder = "", seed, number] = process.argv.slice(2);
  const plan = planOf(Number(seed));
  const attempt = plan.attempts[Number(number)];
  if (!attempt) throw new Error("no such attempt");
  const { death, records, flushEvery } = attempt;
  if (death.by === "claim") dieAt({ from: "start", at: death.at, share: death.share });
  const recorders = Array.from({ length: plan.ranks }, (_, rank) => recorderOf(folder, plan, attempt, rank));
  say({ said: "begun" });
  for (let index = 0; index < records; index++) {
    if (death.by === "record" && death.at === index) process.kill(process.pid, "SIGKILL");
    for (const [rank, recorder] of recorders.entries()) log(recorder, plan, attempt, rank, index);
    if ((index + 1) % flushEvery !== 0) continue;
    await Promise.all(recorders.map((recorder) => recorder.flush()));
    for (const { problem, dropped } of recorders)
      if (problem !== null || dropped > 0) throw new Error(`${dropped} dropped, ${problem?.code}`);
    say({ said: "flushed", records: index + 1 });
  }
  if (attempt.closes) {
    say({ said: "closing" });
    await Promise.all(recorders.map((recorder) => recorder.close()));
    say({ said: "closed" });
  }
  // Whoever started it ends it.
  if (death.by !== "nobody") setInterval(() => {}, 60_000);
}

void main();
