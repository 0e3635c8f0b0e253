/** Reports of runs in memory or on a disk, as the worker and the command line make them. */
import { openRun } from "../../../src/core/index.ts";
import { nodeSource } from "../../../src/core/io/node.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import type { ReportFormat } from "../../../src/protocol/report.ts";
import { makeReport } from "../../../src/report/index.ts";
import { compareViews } from "../../../src/view/compare.ts";
import { runViews } from "../../../src/view/run.ts";
import { pause } from "../../../src/view/slices.ts";
import { type Cells, parquet } from "../helpers/parquet.ts";
import { manifest, source } from "../helpers/runs.ts";

export const NOW = 1_800_000_000_000;

export async function reportOf(
  sources: readonly RunSource[],
  format: ReportFormat,
  more: { readonly config?: string; readonly signal?: AbortSignal; readonly address?: string } = {},
): Promise<string> {
  const models = await Promise.all(sources.map((each) => openRun(each)));
  const { text } = await makeReport(
    {
      runs: models.map((model) => runViews(model, () => NOW)),
      compare: models.length > 1 ? compareViews(models, pause) : null,
    },
    {
      format,
      runs: models.map((_, i) => ({
        config: more.config ?? null,
        configName: more.config === undefined ? "" : "doctor.toml",
        address: more.address ?? `runs/r${i}`,
      })),
      version: "1.2.3",
      madeAt: NOW,
    },
    more.signal ?? new AbortController().signal,
  );
  return text;
}

export const onDisk = (dir: string, format: ReportFormat): Promise<string> =>
  reportOf([nodeSource(dir)], format);

/** A run of these columns. */
export const runOf = (
  columns: Record<string, Cells>,
  more: {
    readonly label?: string;
    readonly manifest?: Record<string, unknown>;
    readonly events?: readonly object[];
  } = {},
): RunSource =>
  source(
    {
      "manifest.json": manifest(more.manifest),
      "steps.parquet": parquet(columns),
      ...(more.events
        ? {
            "events.jsonl": new TextEncoder().encode(
              more.events.map((event) => `${JSON.stringify(event)}\n`).join(""),
            ),
          }
        : {}),
    },
    more.label,
  );
