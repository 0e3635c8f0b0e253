/** Commands that write a file for others: what they take. */
import { type Command, JSON_OPTION, NO_CACHE, RUN } from "./options.ts";

const OUT_FORCE = {
  force: { type: "boolean", help: "Replace a file that is there." },
} as const;

export const REPORT_COMMANDS: readonly Command[] = [
  {
    name: "report",
    argument: {
      name: "RUN",
      help: "Folder of a recorded run, or of several: then they are compared with the first.",
      atLeast: 1,
      usage: "RUN [RUN…]",
    },
    help: "Write a report for others: one HTML file without scripts, Markdown for an issue, or SARIF for CI.",
    options: {
      out: {
        type: "text",
        value: "FILE",
        help: "Where to; - is standard output (default: <run>.report.html here). Never inside a run.",
      },
      format: {
        type: "text",
        value: "FORMAT",
        help: "html, md or sarif; the file's ending says it otherwise (default: html).",
      },
      config: { type: "text", value: "FILE", help: "A doctor.toml with thresholds." },
      ...OUT_FORCE,
      "no-cache": NO_CACHE,
      json: {
        type: "boolean",
        help: "Print JSON that says what was written; with --out - the report is in it.",
      },
    },
  },
  {
    name: "open",
    argument: RUN,
    help: "Open a run in VS Code, and print the link that does.",
    options: {
      step: { type: "integer", value: "N", help: "The step that is shown." },
      sample: { type: "text", value: "ID", help: "The sample_id of the sample that is opened." },
      rank: { type: "integer", value: "N", help: "Its rank, where that has to be told.", min: 0 },
      with: { type: "text", value: "RUN", help: "A run that is compared with it." },
      print: { type: "boolean", help: "Only print the link." },
      json: JSON_OPTION,
    },
  },
  {
    name: "export",
    argument: RUN,
    help: "Write metrics by step as CSV or JSON. In CSV, values that are not finite are NaN, inf and -inf.",
    options: {
      metrics: {
        type: "text",
        value: "NAMES",
        help: "Which, separated by commas; * is any text (default: all).",
      },
      from: { type: "integer", value: "N", help: "The first step." },
      to: { type: "integer", value: "N", help: "The last step." },
      out: {
        type: "text",
        value: "FILE",
        help: "Where to (default: standard output). Never inside a run.",
      },
      format: {
        type: "text",
        value: "FORMAT",
        help: "csv or json; the file's ending says it otherwise (default: csv).",
      },
      ...OUT_FORCE,
      json: JSON_OPTION,
    },
  },
];
