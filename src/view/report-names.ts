/** Names of files that are made for others. */
import type { ReportFormat } from "../protocol/report.ts";

const MAX_NAME = 120;
/** What no file system takes in a name, and what no terminal shows. */
const UNFIT = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** "<run>.report.html", of several "<a>-vs-<b>.report.html". @param names of folders */
export function reportName(names: readonly string[], format: ReportFormat): string {
  const [first = "", second = ""] = names.map(fitName);
  const rest = names.length > 2 ? `-and-${names.length - 2}-more` : "";
  return `${second === "" ? first : `${first}-vs-${second}${rest}`}.report.${format}`;
}

/** A name that every system takes. */
export function fitName(name: string): string {
  const fit = [...name.normalize("NFC").replace(UNFIT, "-").trim()]
    .slice(0, MAX_NAME)
    .join("")
    .replace(/^[-.]+|[. ]+$/g, "");
  // Windows keeps these for devices.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(fit) ? `_${fit}` : fit;
  return safe === "" ? "run" : safe;
}
