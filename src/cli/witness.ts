/** `flight-deck witness RUN`: what each attempt really ran, checked; with `--write` the witness of one more. */
import { configRows } from "../core/compare/config.ts";
import type { JsonValue } from "../core/format/json.ts";
import type { Witness } from "../core/format/records.ts";
import { configHash } from "../core/records/config-hash.ts";
import { witnessFacts } from "../core/records/facts.ts";
import type { RunModel } from "../core/run/model.ts";
import type { AttemptConfigs } from "../protocol/run.ts";
import { attemptConfigs, attemptViews, distinctConfigs } from "../view/attempts.ts";
import { recordWarnings } from "../view/records.ts";
import { type Context, DONE, NOTHING_FOUND, open } from "./context.ts";
import { UnreadableFileError } from "./doctor.ts";
import { witnessJson } from "./inspect.ts";
import { type Json, type JsonRecord, strictJson } from "./json.ts";
import { oneLine, type Style, shorten, table } from "./terminal.ts";
import { readConfig } from "./witness-write.ts";

export interface WitnessOptions {
  /** A file with the configuration that was asked for; null without. */
  readonly config: string | null;
  readonly json: boolean;
}

const MAX_ROWS = 40;
const MAX_CELL = 48;

/** @throws UsageError for a configuration that cannot be used; UnreadableFileError when no witness can be read */
export async function witness(
  context: Context,
  folder: string,
  { config, json }: WitnessOptions,
): Promise<number> {
  const requested = config === null ? null : await configHash(readConfig(config).tree);
  const model = await open(context, folder);
  const { witnesses } = model.records;
  const warnings = recordWarnings(model);
  const [fault] = warnings.filter(({ file, level }) => file.startsWith("observed.") && level === "warning");
  if (witnesses.length === 0 && fault) throw new UnreadableFileError(fault);
  if (json) context.out(strictJson(attemptsJson(model, requested)));
  else if (witnesses.length === 0) context.err("no attempt of this run left a witness");
  else context.out(attemptsText(context.style, model, requested));
  return witnesses.length === 0 ? NOTHING_FOUND : DONE;
}

/**
 * `{run, manifest_config_hash, requested_config_hash, attempts, configurations, differences, warnings}`: attempts as `inspect --json`
 * has them, with their facts under one name each; the configurations that really ran, each once; and where these differ.
 */
function attemptsJson(model: RunModel, requested: string | null): JsonRecord {
  const { witnesses, manifestConfigHash } = model.records;
  const configs = distinctConfigs(model);
  return {
    run: model.manifest?.run_id ?? model.label,
    manifest_config_hash: manifestConfigHash,
    requested_config_hash: requested ?? undefined,
    attempts: witnesses.map((one, i) => attemptJson(one, witnesses[i - 1], manifestConfigHash, requested)),
    configurations: configs.map(({ hash, attempts, manifest }) => ({
      config_hash: hash,
      attempts: [...attempts],
      manifest,
    })),
    differences: configRows(configs.map(({ config }) => config))
      .filter(({ differs }) => differs)
      .map(({ parts, values }) => ({
        path: [...parts],
        values: values.map((value) =>
          value === undefined ? { present: false } : { present: true, value: json(value) },
        ),
      })),
    warnings: recordWarnings(model).map(({ code, file, message, count, level }) => ({
      code,
      file,
      message,
      count,
      level,
    })),
  };
}

function attemptJson(
  one: Witness,
  before: Witness | undefined,
  manifestConfigHash: string | null,
  requested: string | null,
): JsonRecord {
  const { fields, ...rest } = witnessJson(one, manifestConfigHash);
  const facts = witnessFacts(one.fields);
  const same = (hash: string | null | undefined): boolean | null =>
    hash === null || hash === undefined || one.computedHash === null ? null : hash === one.computedHash;
  return {
    ...rest,
    same_config_as_previous: same(before?.computedHash),
    same_config_as_requested: requested === null ? undefined : same(requested),
    run_id: json(facts.runId),
    device: json(facts.device),
    device_name: json(facts.deviceName),
    peak_memory_bytes: json(facts.peakMemoryBytes),
    cpu_allocation: json(facts.cpuAllocation),
    elapsed_seconds: json(facts.elapsedSeconds),
    fields,
  };
}

const json = (value: JsonValue): Json => value as Json;

function attemptsText(style: Style, model: RunModel, requested: string | null): string {
  const blocks = [
    attemptsTable(style, model, requested),
    configsText(style, attemptConfigs(model)),
    ...recordWarnings(model).map(({ code, file, message, level }) => {
      const label = level === "warning" ? style.yellow(code) : style.dim(code);
      return `${label}  ${oneLine(file)}: ${oneLine(message)}`;
    }),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

function attemptsTable(style: Style, model: RunModel, requested: string | null): string {
  const { witnesses, manifestConfigHash } = model.records;
  const views = attemptViews(model);
  const more = [
    ...(manifestConfigHash === null ? [] : ["manifest.json"]),
    ...(requested === null ? [] : ["requested"]),
  ];
  const rows = views.map((view, i) => [
    String(view.attempt),
    view.computedHash === "" ? "-" : view.computedHash,
    HASH_WORDS[view.hash],
    ...(manifestConfigHash === null ? [] : [sameWord(manifestConfigHash, witnesses[i])]),
    ...(requested === null ? [] : [sameWord(requested, witnesses[i])]),
    ...[view.runId, view.device, view.deviceName, view.peakMemory, view.cpus, view.elapsed].map(({ text }) =>
      text === "" ? "-" : shorten(oneLine(text), MAX_CELL),
    ),
  ]);
  const titles = ["attempt", "configuration", "config_hash", ...more, "run_id", "device", "name"];
  return table(
    [
      ...titles.map((title) => ({ title })),
      ...["peak memory", "cpus", "elapsed"].map((title) => ({ title, align: "right" as const })),
    ],
    rows,
    style,
  );
}

const HASH_WORDS = { match: "matches", mismatch: "mismatch", unknown: "unknown" } as const;

function sameWord(hash: string, one: Witness | undefined): string {
  if (!one || one.computedHash === null) return "unknown";
  return hash === one.computedHash ? "same" : "differs";
}

function configsText(style: Style, { columns, rows, differing, droppedColumns }: AttemptConfigs): string {
  if (columns.length < 2) return "";
  if (differing === 0) return "The configurations differ only in how numbers are written: 1 is not 1.0.";
  const shown = rows.filter(({ differs }) => differs).slice(0, MAX_ROWS);
  const text = table(
    ["configuration", ...columns.map(({ name }) => name)].map((title) => ({ title })),
    shown.map(({ path, cells }) => [
      shorten(oneLine(path), MAX_CELL),
      ...cells.map(({ present, value }) => (present ? shorten(oneLine(value), MAX_CELL) : "-")),
    ]),
    style,
  );
  const notes = [
    ...(differing > shown.length ? [`and ${differing - shown.length} more values`] : []),
    ...(droppedColumns > 0 ? [`and ${droppedColumns} more configurations`] : []),
  ];
  return [text, ...notes.map((note) => style.dim(`  ${note}`))].join("\n");
}
