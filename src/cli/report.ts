/** `flight-deck report RUN [RUN…]`: what the editor shows as one file for others. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RunModel } from "../core/index.ts";
import { cacheFileFor } from "../core/io/cacheFolder.ts";
import { isWithin } from "../core/io/within.ts";
import { MAX_REPORT_RUNS, REPORT_FORMATS, type ReportFormat } from "../protocol/report.ts";
import { makeReport } from "../report/index.ts";
import { compareViews } from "../view/compare.ts";
import { reportName } from "../view/report-names.ts";
import { runViews } from "../view/run.ts";
import { pause } from "../view/slices.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, InRunError, open } from "./context.ts";
import { configText, expectReadable } from "./doctor.ts";
import { strictJson } from "./json.ts";
import { checkOut, writeOut } from "./out-file.ts";
import { oneLine } from "./terminal.ts";

export interface ReportOptions {
  /** "-" is standard output; `null` for a file in the working directory. */
  readonly out: string | null;
  readonly format: string | null;
  /** A doctor.toml; `null` for the defaults. */
  readonly config: string | null;
  readonly force: boolean;
  readonly cache: boolean;
  readonly json: boolean;
}

const STANDARD = "-";

/** @throws UsageError; InRunError naming the run that cannot be read */
export async function report(
  context: Context,
  folders: readonly string[],
  options: ReportOptions,
): Promise<number> {
  if (folders.length > MAX_REPORT_RUNS)
    throw new UsageError(`a report is about ${MAX_REPORT_RUNS} runs at most`);
  const format = formatOf(options);
  const out =
    options.out ??
    reportName(
      folders.map((folder) => path.basename(path.resolve(folder))),
      format,
    );
  if (out !== STANDARD) checkOut(out, folders, options.force);
  const config = options.config === null ? null : configText(options.config);
  const models: RunModel[] = [];
  for (const folder of folders) models.push(await opened(context, folder));
  const views = models.map((model, i) =>
    runViews(model, () => context.nowMs, {
      cache:
        options.cache && context.cacheFolder !== undefined
          ? cacheFileFor(context.cacheFolder, path.resolve(folders[i] ?? ""))
          : null,
    }),
  );
  const { text, findings } = await makeReport(
    { runs: views, compare: models.length > 1 ? compareViews(models, pause) : null },
    {
      format,
      runs: folders.map((folder) => ({
        config,
        configName: options.config === null ? "" : path.basename(options.config),
        address: addressOf(folder),
      })),
      version: context.version ?? "",
      madeAt: context.nowMs,
    },
    new AbortController().signal,
  );
  if (out === STANDARD) {
    const whole = text.replace(/\n$/, "");
    context.out(options.json ? strictJson({ format, runs: folders.length, findings, text }) : whole);
    return DONE;
  }
  const bytes = writeOut(out, [text], options.force);
  if (options.json) context.out(strictJson({ file: out, format, bytes, runs: folders.length, findings }));
  else context.out(oneLine(`${out} (${Math.ceil(bytes / 1024)} KB)`));
  return DONE;
}

function formatOf({ format, out }: ReportOptions): ReportFormat {
  const ending = out === null || out === STANDARD ? "" : path.extname(out).slice(1).toLowerCase();
  const named = format ?? ENDINGS.get(ending) ?? (ending === "" ? "html" : ending);
  const found = REPORT_FORMATS.find((each) => each === named);
  if (found) return found;
  const what = format === null ? `the ending .${ending} says no format` : "--format";
  throw new UsageError(`${what}: there are ${REPORT_FORMATS.join(", ")}`);
}

const ENDINGS: ReadonlyMap<string, ReportFormat> = new Map([
  ["htm", "html"],
  ["html", "html"],
  ["md", "md"],
  ["markdown", "md"],
  ["sarif", "sarif"],
  ["json", "sarif"],
]);

/** A run whose steps cannot be read would look as if it were healthy. */
async function opened(context: Context, folder: string): Promise<RunModel> {
  try {
    const model = await open(context, folder);
    await expectReadable(model);
    return model;
  } catch (error) {
    throw new InRunError(folder, error);
  }
}

/** Relative to the working directory where the run lies below it, as CI wants it. */
function addressOf(folder: string): string {
  const [dir, here] = [path.resolve(folder), process.cwd()];
  const whole = pathToFileURL(dir).href.replace(/\/+$/, "");
  if (!isWithin(here, dir) || dir === here) return dir === here ? "." : whole;
  return whole.slice(pathToFileURL(here).href.replace(/\/+$/, "").length + 1);
}
