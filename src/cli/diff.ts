/** `flight-deck diff A B [C…]`: rlprobe's comparison, its flags and JSON; each further run is compared with the first. */
import { ignorer } from "../core/compare/config.ts";
import { compareRuns, type RunComparison } from "../core/compare/index.ts";
import type { Alignment, CompareSettings } from "../core/compare/types.ts";
import { initParquet, nodeSource, openRun, type RunModel } from "../core/index.ts";
import { diffJson } from "../view/compare-json.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, InRunError } from "./context.ts";
import { diffText } from "./diff-text.ts";
import { expectReadable } from "./doctor.ts";
import { type Json, strictJson } from "./json.ts";

export interface DiffOptions {
  /** Noise units beyond which a gap counts. */
  readonly z: number;
  readonly sustain: number;
  /** An alignment's name; null for steps. */
  readonly align: string | null;
  /** Keys that may differ, separated by commas. */
  readonly ignore: string | null;
  readonly extra: boolean;
  readonly asRecorded: boolean;
  readonly json: boolean;
}

const ALIGNMENTS: readonly Alignment[] = ["step", "relative", "time"];

/** @throws UsageError; InRunError naming the run that cannot be read */
export async function diff(
  context: Context,
  folders: readonly string[],
  options: DiffOptions,
): Promise<number> {
  const align = ALIGNMENTS.find((name) => name === (options.align ?? "step"));
  if (!align) throw new UsageError(`--align is one of ${ALIGNMENTS.join(", ")}`);
  const { z, sustain } = options;
  const settings: CompareSettings = { z, sustain, align, order: options.asRecorded ? "recorded" : "merged" };
  const isIgnored = ignorer(options.ignore?.split(",") ?? []);
  const [first = "", ...others] = folders;
  const a = await opened(context, first, settings);
  const out: Json[] = [];
  for (const folder of others) {
    const b = await opened(context, folder, settings);
    const comparison = await compared(folder, a, b, settings, {
      extra: options.extra,
      separate: options.extra || !options.json,
      isIgnored,
    });
    if (options.json) out.push((await diffJson(comparison, { extra: options.extra, isIgnored })) as Json);
    else context.out(await diffText(context, comparison, { extra: options.extra, isIgnored }));
  }
  if (options.json) context.out(strictJson(out.length === 1 ? (out[0] ?? null) : out));
  return DONE;
}

async function compared(
  folder: string,
  a: RunModel,
  b: RunModel,
  settings: CompareSettings,
  options: Parameters<typeof compareRuns>[3],
): Promise<RunComparison> {
  try {
    return await compareRuns(a, b, settings, options);
  } catch (error) {
    throw new InRunError(folder, error);
  }
}

/** A run whose steps cannot be read would look as if it had nothing to compare. */
async function opened(context: Context, folder: string, { order }: CompareSettings): Promise<RunModel> {
  try {
    initParquet(context.wasm());
    const model = await openRun(nodeSource(folder));
    await expectReadable(model, order);
    return model;
  } catch (error) {
    throw new InRunError(folder, error);
  }
}
