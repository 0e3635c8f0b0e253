/** How a run stands, in a word. */
import { t } from "../../src/protocol/l10n.ts";
import type { Overview } from "../../src/protocol/run.ts";

export const STATE_NAMES: Readonly<Record<Overview["state"], string>> = {
  running: t("running"),
  stalled: t("stalled"),
  finished: t("finished"),
  crashed: t("crashed"),
  halted: t("halted"),
  killed: t("killed"),
  unknown: t("unknown"),
};
