/** What a page asks first, read while the page is still loading: the steps, and the metrics of the first charts. */
import { chartGroups } from "../core/format/catalogue.ts";
import type { RunModel } from "../core/run/model.ts";
import type { Handlers } from "../protocol/rpc.ts";
import type { RunContract } from "../protocol/run.ts";
import { pause } from "../view/slices.ts";

/** Charts in sight at first in a small window; of more, the page may hide some. */
const CHARTS = 4;

/** A column at a time: the page's own questions come between. @throws FlightDeckError */
export async function readAhead(
  model: RunModel,
  views: Pick<Handlers<RunContract>, "run.axis">,
  signal: AbortSignal,
): Promise<void> {
  await views["run.axis"]({}, { signal });
  const charts = chartGroups(model.steps.columns).flatMap((group) => group.charts);
  const lines = charts.filter(({ kind, series }) => kind === "lines" && series.length === 1);
  for (const { id } of lines.slice(0, CHARTS)) {
    await pause();
    if (signal.aborted) return;
    await model.steps.read([id], "merged");
  }
}
