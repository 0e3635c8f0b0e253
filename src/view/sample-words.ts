/** Samples in words: figures, one-line descriptions, names of documents. */
import { type Counted, counted as countedIn } from "../protocol/counts.ts";
import { t } from "../protocol/l10n.ts";
import type { GroupView, SampleDetail, SampleListRow } from "../protocol/samples.ts";
import { visibleLabel } from "./visible.ts";

/** Seven significant digits at most, as recorded numbers have (32-bit floats). */
export function figure(value: number | null): string {
  if (value === null) return "";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const short = Number(value.toPrecision(7));
  return String(Object.is(short, -0) ? 0 : short).replace("-", "−");
}

/** "reward 0.25 · advantage −1.3 · 12 tokens · truncated": what there is of it. */
export function factsOf(sample: SampleListRow): string {
  const { reward, advantage, length, truncated } = sample;
  return [
    reward === null ? t("no reward") : t("reward {0}", figure(reward)),
    ...(advantage === null ? [] : [t("advantage {0}", figure(advantage))]),
    ...(length === null ? [] : [counted(length, "token")]),
    ...(truncated === true ? [t("truncated")] : []),
  ].join(" · ");
}

export function counted(n: number, what: Counted): string {
  return countedIn(what, n, n.toLocaleString("en-US"));
}

/** "4 of 8, mean 0.45, sd 0.07"; "" without a group. */
export function placeText({ place }: SampleDetail): string {
  if (!place) return "";
  const { rank, size, mean, sd } = place;
  return [
    rank === null ? t("one of {0}, without a reward", size) : t("{0} of {1}", rank, size),
    ...(mean === null ? [] : [t("mean {0}", figure(mean))]),
    ...(sd === null ? [] : [t("sd {0}", figure(sd))]),
  ].join(", ");
}

const VERDICTS: Readonly<Record<GroupView["verdict"], () => string>> = {
  varied: () => t("rewards differ"),
  right: () => t("no variance: all at the highest reward of the run"),
  wrong: () => t("no variance: all at the lowest reward of the run"),
  equal: () => t("no variance"),
  unknown: () => t("too few rewards to tell"),
};

/** What the rewards of a group tell. */
export const verdictOf = (verdict: GroupView["verdict"]): string => VERDICTS[verdict]();

/** What a file system, a tab or a breadcrumb could take for something else. */
const UNFIT = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu;
const MAX_NAME = 40;

/** Recorded text as a part of a file's name; "" when nothing of it is fit. */
export function fileNamePart(text: string, limit = MAX_NAME): string {
  const fit = text
    .slice(0, 4 * limit)
    .replace(UNFIT, "-")
    .replace(/\s+/g, " ")
    .trim();
  const short = [...fit]
    .slice(0, limit)
    .join("")
    .replace(/[. ]+$/, "");
  return /^[-. ]*$/.test(short) ? "" : short;
}

/** "step 120 reward 0.25 1_0": the name of a sample's document, without its extension. */
export function sampleName({ step, reward, id }: Pick<SampleListRow, "step" | "reward" | "id">): string {
  const figures = reward === null ? "" : ` reward ${fileNamePart(figure(reward))}`;
  return `step ${fileNamePart(step)}${figures} ${fileNamePart(id)}`.trim();
}

/** The same for a sentence: "step 120, 1_0". */
export function sampleLabel({ step, id }: Pick<SampleListRow, "step" | "id">): string {
  return t("step {0}, {1}", step, visibleLabel(id, MAX_NAME));
}
