/** How somebody likes the charts, kept for the workspace: the same for every run opened in it. */
import * as z from "zod/mini";

const Ids = z.array(z.string().check(z.maxLength(500))).check(z.maxLength(5000));

export const ChartPrefs = z.object({
  v: z.literal(1),
  /** Ids of charts that stand above all groups, in this order. */
  pinned: Ids,
  /** Ids of charts that are not shown. */
  hidden: Ids,
  /** Ids in the order they were put in; charts that are not named keep the recording's order. */
  order: Ids,
  size: z.enum(["s", "m", "l"]),
  /** Weight of the smoothed curve; 0 is none. */
  smoothing: z.number().check(z.gte(0), z.lt(1)),
});
export type ChartPrefs = z.infer<typeof ChartPrefs>;

export const DEFAULT_PREFS: ChartPrefs = {
  v: 1,
  pinned: [],
  hidden: [],
  order: [],
  size: "m",
  smoothing: 0,
};
