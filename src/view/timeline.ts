/** The whole run at a glance: one curve, events by kind, and where samples lie. Always by step. */
import { type Domain, fullDomain, pixelColumns } from "../core/chart/grid.ts";
import { decimate } from "../core/chart/m4.ts";
import { yRanges } from "../core/chart/range.ts";
import { chartGroups } from "../core/format/catalogue.ts";
import type { RunModel } from "../core/run/model.ts";
import type { DensityView, EventTone, TimelineMark, TimelineView } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import type { RunAxes } from "./axes.ts";
import { readColumns } from "./columns.ts";
import { eventSteps, MAX_KIND } from "./events.ts";
import { cut } from "./text.ts";
import { metricTitle } from "./titles.ts";

const REWARD = "reward_mean";
/** Marks nearer to each other than this many pixels would cover each other. */
const MARK_PIXELS = 7;
const MAX_KINDS = 4;
const MAX_MESSAGE = 200;
/** Opening more sample files than this takes too long for a strip of grey. */
const MAX_SHARDS = 4000;

export interface TimelineParams {
  /** Pixel columns. */
  readonly width: number;
}

export async function timelineView(
  model: RunModel,
  axes: RunAxes,
  { width }: TimelineParams,
  signal: AbortSignal,
): Promise<TimelineView> {
  const sorted = await axes.sorted("step");
  const problems: Problem[] = [];
  const metric = curveOf(model);
  signal.throwIfAborted();
  const [column] = metric === "" ? [] : await readColumns(model, [metric], problems);
  const domain = fullDomain(sorted.x);
  const { marks, unmarked } = await marksOf(model, axes, domain, width);
  const yRange = column ? yRanges(sorted, [column], domain).robust : null;
  return {
    domain: sorted.x.length > 0 ? [domain[0], domain[1]] : null,
    metric,
    title: metric === "" ? "" : metricTitle(metric),
    series: column ? { metric, ...decimate(sorted, column, domain, width) } : null,
    yRange: yRange && [yRange[0], yRange[1]],
    marks,
    unmarked,
    problems,
  };
}

/** The reward, or whatever comes first. */
function curveOf(model: RunModel): string {
  const { columns } = model.steps;
  if (columns.some(({ name, kind }) => name === REWARD && kind === "scalar")) return REWARD;
  const lines = chartGroups(columns).flatMap(({ charts }) => charts.filter(({ kind }) => kind === "lines"));
  return lines[0]?.series[0]?.metric ?? "";
}

async function marksOf(
  model: RunModel,
  axes: RunAxes,
  domain: Domain,
  width: number,
): Promise<{ marks: TimelineMark[]; unmarked: number }> {
  const steps = await eventSteps(model, axes);
  const columnOf = pixelColumns(domain, Math.max(1, Math.floor(width / MARK_PIXELS)));
  const marks = new Map<string, TimelineMark>();
  let unmarked = 0;
  model.events.forEach((event, index) => {
    const step = steps[index] ?? Number.NaN;
    if (Number.isNaN(step)) {
      unmarked++;
      return;
    }
    const at = Math.min(domain[1], Math.max(domain[0], step));
    const kind = cut(event.kind, MAX_KIND);
    const tone = eventTone(kind);
    const key = `${columnOf(at)} ${tone}`;
    const known = marks.get(key);
    if (known) marks.set(key, joined(known, at, kind));
    else
      marks.set(key, { step: at, tone, count: 1, kinds: [kind], message: cut(event.message, MAX_MESSAGE) });
  });
  return { marks: [...marks.values()].sort((a, b) => a.step - b.step), unmarked };
}

function joined(mark: TimelineMark, step: number, kind: string): TimelineMark {
  const isNew = mark.kinds.length < MAX_KINDS && !mark.kinds.includes(kind);
  return {
    ...mark,
    step: Math.min(mark.step, step),
    count: mark.count + 1,
    kinds: isNew ? [...mark.kinds, kind] : mark.kinds,
  };
}

/** Kinds are open strings: told by the words that trainers use. */
export function eventTone(kind: string): EventTone {
  if (/crash|nan|inf_|error|fail|halt|oom|kill|exception/i.test(kind)) return "bad";
  if (/drop|warn|bad_|stall|timeout|skip|lost|retry/i.test(kind)) return "warn";
  if (/checkpoint|save/i.test(kind)) return "checkpoint";
  return /begin|start|end|finish|resume/i.test(kind) ? "edge" : "other";
}

/** How many samples each pixel column holds. */
export async function densityView(
  model: RunModel,
  axes: RunAxes,
  { width }: TimelineParams,
  signal: AbortSignal,
): Promise<DensityView> {
  const sorted = await axes.sorted("step");
  const counts = new Float64Array(width);
  if (model.samples.shardCount > MAX_SHARDS) return { counts, tooMany: true };
  signal.throwIfAborted();
  const [steps] = await model.samples.readNumbers(["step"]);
  const domain = fullDomain(sorted.x);
  const columnOf = pixelColumns(domain, width);
  steps?.values.forEach((step, i) => {
    if (steps.valid?.[i] === 0 || !(step >= domain[0] && step <= domain[1])) return;
    const column = columnOf(step);
    counts[column] = (counts[column] ?? 0) + 1;
  });
  return { counts, tooMany: false };
}
