/** What callers log → rows of the step and sample tables. A value that is no such thing refuses the row; null and undefined are no values. */
import { EXTRA, REWARD_COMPONENT } from "../format/names.ts";
import { BadRecord, shortName, wellFormed } from "./bad.ts";
import { SAMPLE_COLUMNS, STEP_COLUMNS } from "./columns.ts";
import type { Cell, ColumnKind, Row } from "./table.ts";
import { entriesOf, itemsOf, toBoolean, toDouble, toId, toInteger, toText, UNTIMED } from "./values.ts";

const STEP_KINDS: ReadonlyMap<string, ColumnKind> = new Map(STEP_COLUMNS);
const SAMPLE_KINDS: ReadonlyMap<string, ColumnKind> = new Map(SAMPLE_COLUMNS);
const IDS: ReadonlySet<string> = new Set(["sample_id", "group_id", "prompt_id"]);

/** Characters of one text: what is larger is no completion, and the encoder's memory has an end. */
export const MAX_TEXT = 16 * 1024 * 1024;
const MAX_LIST = 4 * 1024 * 1024;
const MAX_NAME = 4096;
/** Names that one record may bring along. */
const MAX_OPEN = 4000;

export interface StepInput {
  readonly step: unknown;
  readonly metrics: unknown;
  /** Unix seconds, or {@link UNTIMED}; null leaves it to the metrics and then to `now`. */
  readonly timestamp: unknown;
  readonly now: number;
  readonly rank: number;
}

/** @throws BadRecord */
export function stepRow({ step, metrics, timestamp, now, rank }: StepInput): Row {
  const named = new Map<string, Cell>([
    ["step", toInteger(step, "step")],
    ["timestamp", now],
    ["rank", BigInt(rank)],
  ]);
  const open = new Map<string, number>();
  const given = metrics === null || metrics === undefined ? [] : entriesOf(metrics, "metrics");
  for (const [name, value] of given) {
    if (name === "step" || value === null || value === undefined) continue;
    const kind = STEP_KINDS.get(name);
    if (kind) named.set(name, cell(kind, value, name));
    else if (name === "reward_components") addOpen(open, REWARD_COMPONENT, value, name);
    else if (name === "extra") addOpen(open, EXTRA, value, name);
    else open.set(EXTRA + ownName(name), toDouble(value, name));
  }
  if (timestamp === UNTIMED) named.delete("timestamp");
  else if (timestamp !== null && timestamp !== undefined)
    named.set("timestamp", toDouble(timestamp, "timestamp"));
  if (open.size > MAX_OPEN) throw new BadRecord(`it has more than ${MAX_OPEN} metrics`);
  return { named, open: ordered(open) };
}

/** Reward components stand before metrics of the caller's own. */
function ordered(open: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const isComponent = ([name]: readonly [string, number]) => name.startsWith(REWARD_COMPONENT);
  const all = [...open];
  return new Map([...all.filter(isComponent), ...all.filter((entry) => !isComponent(entry))]);
}

export interface SampleContext {
  readonly step: unknown;
  readonly rank: number;
  /** Place among the samples of the call. */
  readonly index: number;
}

/** Fields that the format does not name are left out. @throws BadRecord */
export function sampleRow(sample: unknown, { step, rank, index }: SampleContext): Row {
  const named = new Map<string, Cell>();
  const open = new Map<string, number>();
  for (const [name, value] of entriesOf(sample, "the sample")) {
    if (value === null || value === undefined) continue;
    const kind = SAMPLE_KINDS.get(name);
    if (kind) named.set(name, cell(kind, value, name));
    else if (name === "reward_components") addOpen(open, REWARD_COMPONENT, value, name);
  }
  if (!named.has("step")) named.set("step", toInteger(step, "step"));
  if (!named.has("rank")) named.set("rank", BigInt(rank));
  if (!named.has("sample_id")) named.set("sample_id", `${String(named.get("step"))}_${index}`);
  return { named, open };
}

function cell(kind: ColumnKind, value: unknown, name: string): Cell {
  switch (kind) {
    case "double":
      return toDouble(value, name);
    case "int64":
      return toInteger(value, name);
    case "bool":
      return toBoolean(value, name);
    case "text":
      return text(value, name);
    case "doubles":
      return list(value, name).map((v) => toDouble(v, name));
    case "int64s":
      return list(value, name).map((v) => toInteger(v, name));
  }
}

function text(value: unknown, name: string): string {
  const whole = IDS.has(name) ? toId(value, name) : toText(value, name);
  if (whole.length > MAX_TEXT) throw new BadRecord(`${name} is longer than ${MAX_TEXT} characters`);
  return whole;
}

function list(value: unknown, name: string): readonly unknown[] {
  const items = itemsOf(value, name);
  if (items.length > MAX_LIST) throw new BadRecord(`${name} has more than ${MAX_LIST} values`);
  return items;
}

function addOpen(open: Map<string, number>, prefix: string, value: unknown, name: string): void {
  for (const [key, v] of entriesOf(value, name))
    if (v !== null && v !== undefined)
      open.set(prefix + ownName(key), toDouble(v, `${name}.${shortName(key)}`));
}

function ownName(name: string): string {
  if (name.length > MAX_NAME) throw new BadRecord(`a name is longer than ${MAX_NAME} characters`);
  return wellFormed(name);
}
