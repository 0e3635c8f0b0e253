/** What metrics are called in the language of VS Code; their keys are the same in all. */
import { isOfFormat, metricInfo } from "../core/format/catalogue.ts";
import { said } from "../protocol/l10n.ts";

/** What the format does not know is called as the recording calls it. */
export function metricTitle(metric: string): string {
  const { title } = metricInfo(metric);
  return isOfFormat(metric) ? said(title) : title;
}
