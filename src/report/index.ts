/** Reports: of one run, or of several that are compared. The same answers as the editor's, written down. */
import type { ReportParams, ReportResult } from "../protocol/report.ts";
import { comparePage } from "./compare-page.ts";
import { type Depth, gatherRun, type RunAnswers, type RunReport } from "./gather.ts";
import { type CompareAnswers, gatherCompare } from "./gather-compare.ts";
import { compareMarkdown, runMarkdown } from "./markdown.ts";
import { runPage } from "./run-page.ts";
import { sarif } from "./sarif.ts";

export interface ReportSources {
  /** One a run, the baseline first. */
  readonly runs: readonly RunAnswers[];
  /** About all of them together; `null` for one run. */
  readonly compare: CompareAnswers | null;
}

/** @throws the signal's reason once it was aborted; FlightDeckError as the answers do */
export async function makeReport(
  { runs, compare }: ReportSources,
  params: ReportParams,
  signal: AbortSignal,
): Promise<ReportResult> {
  const { format } = params;
  const isOne = runs.length === 1;
  const depth: Depth = { isFull: format === "html" && isOne, samples: format !== "sarif" && isOne };
  const reports: RunReport[] = [];
  for (const [i, ask] of runs.entries()) {
    const run = params.runs[i];
    if (run) reports.push(await gatherRun(ask, run, depth, signal));
    signal.throwIfAborted();
  }
  const findings = reports.reduce((sum, { found }) => sum + found.length, 0);
  return { text: await written(reports, compare, params, signal), findings };
}

async function written(
  reports: readonly RunReport[],
  compare: CompareAnswers | null,
  params: ReportParams,
  signal: AbortSignal,
): Promise<string> {
  const { format } = params;
  if (format === "sarif") return sarif(reports, params);
  const [first] = reports;
  if (!first) throw new RangeError("a report is about one run at least");
  if (!compare || reports.length < 2)
    return format === "md" ? runMarkdown(first, params) : runPage(first, params);
  const comparison = await gatherCompare(compare, format === "html", signal);
  return format === "md"
    ? compareMarkdown(comparison, reports, params)
    : comparePage(comparison, reports, params);
}
