/** Columns of a run for a view: what cannot be read is said, and costs itself only. */

import type { Column, RunModel } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";
import type { Problem } from "../protocol/wire.ts";
import { problemOfError } from "./problems.ts";
import { cut } from "./text.ts";

/** One pass for all; where that fails, one by one, so that a damaged column costs itself only. */
export async function readColumns(
  model: RunModel,
  metrics: readonly string[],
  problems: Problem[],
): Promise<readonly (Column | undefined)[]> {
  let columns: readonly (Column | undefined)[];
  try {
    columns = await model.steps.read(metrics, "merged");
  } catch (error) {
    if (metrics.length <= 1) {
      problems.push(problemOfError(error));
      return metrics.map(() => undefined);
    }
    const singles: (Column | undefined)[] = [];
    for (const metric of metrics) singles.push(...(await readColumns(model, [metric], problems)));
    return singles;
  }
  metrics.forEach((metric, i) => {
    if (!columns[i]) problems.push(missing(metric));
  });
  return columns;
}

export const missing = (metric: string): Problem => ({
  code: "missing-column",
  message: t("There is no readable column “{0}”.", cut(metric, 80)),
  file: "",
  remedy: t("The warnings about the recording say what could not be read."),
});
