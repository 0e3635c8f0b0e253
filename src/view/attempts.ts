/** Attempts of a run side by side: what each really ran, on what, and how its configuration stands to the others'. */
import type { JsonObject, JsonValue } from "../core/format/json.ts";
import type { Witness } from "../core/format/records.ts";
import { witnessFacts } from "../core/records/facts.ts";
import { matches } from "../core/records/witness.ts";
import type { RunModel } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";
import type { AttemptConfigs, AttemptView, RecordFact } from "../protocol/run.ts";
import { configTable } from "./compare-config.ts";
import { flatRows } from "./config.ts";
import { durationText } from "./runs-table.ts";
import { cut, jsonText } from "./text.ts";

const MAX_FIELDS = 500;
const MAX_NAME = 200;
/** Different configurations side by side. */
const MAX_COLUMNS = 8;

export function attemptViews({ records }: RunModel): AttemptView[] {
  const { witnesses, manifestConfigHash } = records;
  return witnesses.map((witness, i) => {
    const { file, attempt, fields, statedHash, computedHash } = witness;
    const before = witnesses[i - 1];
    return {
      file,
      attempt,
      statedHash: cut(statedHash ?? "", MAX_NAME),
      computedHash: computedHash ?? "",
      hash: compare(statedHash, computedHash, "mismatch"),
      manifest: compare(manifestConfigHash, computedHash, "differs"),
      previous: before ? compare(before.computedHash, computedHash, "differs") : "first",
      ...factViews(fields),
      fields: fieldRows(fields),
    };
  });
}

function compare<D extends string>(
  a: string | null,
  b: string | null,
  different: D,
): "match" | "unknown" | D {
  if (a === null || b === null) return "unknown";
  return matches(a, b) ? "match" : different;
}

function factViews(fields: JsonObject) {
  const facts = witnessFacts(fields);
  return {
    runId: plainFact(facts.runId),
    device: plainFact(facts.device),
    deviceName: plainFact(facts.deviceName),
    peakMemory: figureFact(facts.peakMemoryBytes, bytesText, "bytes"),
    cpus: plainFact(facts.cpuAllocation),
    elapsed: figureFact(facts.elapsedSeconds, elapsedText, "seconds"),
  };
}

function plainFact(value: JsonValue): RecordFact {
  if (value === null) return { text: "", exact: "" };
  const text = typeof value === "string" ? cut(value, MAX_NAME) : jsonText(value, MAX_NAME);
  return { text, exact: text };
}

/** A value that is no amount is shown as it is. */
function figureFact(value: JsonValue, words: (amount: number) => string, unit: string): RecordFact {
  const amount = typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
  if (!Number.isFinite(amount) || amount < 0) return plainFact(value);
  return { text: words(amount), exact: `${value} ${unit}` };
}

const UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/** "66.3 GiB". */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let [amount, unit] = [bytes / 1024, 0];
  while (amount >= 1023.95 && unit < UNITS.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount >= 1e6 ? amount.toExponential(1) : Number(amount.toFixed(1))} ${UNITS[unit]}`;
}

const elapsedText = (seconds: number): string =>
  seconds < 10 ? `${Number(seconds.toPrecision(2))} s` : durationText(seconds);

function fieldRows(fields: JsonObject): AttemptView["fields"] {
  const { rows, dropped } = flatRows(fields, MAX_FIELDS);
  const out = rows.map(({ path, value }) => ({ key: path, value }));
  if (dropped > 0) out.push({ key: "…", value: t("{0} more", dropped.toLocaleString("en-US")) });
  return out;
}

export interface AttemptConfig {
  readonly config: JsonObject;
  readonly hash: string;
  readonly attempts: readonly number[];
  /** It is that of manifest.json, alone or as well. */
  readonly manifest: boolean;
}

export function attemptConfigs(model: RunModel): AttemptConfigs {
  const columns = distinctConfigs(model);
  const shown = columns.slice(0, MAX_COLUMNS);
  const { rows, differing, dropped } = configTable(shown.map(({ config }) => config));
  return {
    columns: shown.map((column) => ({ name: configName(column), hash: column.hash })),
    rows: rows.map(({ path, cells, differs }) => ({ path, cells, differs })),
    differing,
    dropped,
    droppedColumns: columns.length - shown.length,
  };
}

/** Those that Python would hash alike are one; the manifest's comes first, then as they were first run. */
export function distinctConfigs({ manifest, records }: RunModel): AttemptConfig[] {
  const byHash = new Map<string, AttemptConfig & { readonly attempts: number[] }>();
  const put = (config: JsonObject, hash: string, isManifest: boolean) => {
    const column = byHash.get(hash) ?? { config, hash, attempts: [], manifest: isManifest };
    byHash.set(hash, column);
    return column;
  };
  const { manifestConfigHash, witnesses } = records;
  const ran = witnesses.filter(hasConfig);
  if (manifest && manifestConfigHash !== null && ran.length > 0)
    put(manifest.trainer_config, manifestConfigHash, true);
  for (const { attempt, config, computedHash } of ran)
    put(config, computedHash, false).attempts.push(attempt);
  return [...byHash.values()];
}

/** "manifest.json", "attempts 1–3, 5", "manifest.json, attempt 2". */
export function configName({ attempts, manifest }: Pick<AttemptConfig, "attempts" | "manifest">): string {
  const ran = attempts.length === 0 ? [] : [attemptsText(attempts)];
  return [...(manifest ? ["manifest.json"] : []), ...ran].join(", ");
}

const attemptsText = (numbers: readonly number[]): string =>
  numbers.length === 1 ? t("attempt {0}", stretches(numbers)) : t("attempts {0}", stretches(numbers));

/** Ascending numbers: "1–3, 5". */
function stretches(numbers: readonly number[]): string {
  const out: [first: number, last: number][] = [];
  for (const n of numbers) {
    const open = out.at(-1);
    if (open && n === open[1] + 1) open[1] = n;
    else out.push([n, n]);
  }
  return out.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}

type WithConfig = Witness & { readonly config: JsonObject; readonly computedHash: string };

const hasConfig = (witness: Witness): witness is WithConfig =>
  witness.config !== null && witness.computedHash !== null;
