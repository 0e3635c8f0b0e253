/** Samples in words: figures, one-line descriptions, names of documents. */
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
    reward === null ? "no reward" : `reward ${figure(reward)}`,
    ...(advantage === null ? [] : [`advantage ${figure(advantage)}`]),
    ...(length === null ? [] : [counted(length, "token")]),
    ...(truncated === true ? ["truncated"] : []),
  ].join(" · ");
}

export function counted(n: number, what: string): string {
  return `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
}

/** "4 of 8, mean 0.45, sd 0.07"; "" without a group. */
export function placeText({ place }: SampleDetail): string {
  if (!place) return "";
  const at =
    place.rank === null ? `one of ${place.size}, without a reward` : `${place.rank} of ${place.size}`;
  const mean = place.mean === null ? "" : `, mean ${figure(place.mean)}`;
  return `${at}${mean}${place.sd === null ? "" : `, sd ${figure(place.sd)}`}`;
}

export const VERDICTS: Readonly<Record<GroupView["verdict"], string>> = {
  varied: "rewards differ",
  right: "no variance: all at the highest reward of the run",
  wrong: "no variance: all at the lowest reward of the run",
  equal: "no variance",
  unknown: "too few rewards to tell",
};

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
  return `step ${step}, ${visibleLabel(id, MAX_NAME)}`;
}
