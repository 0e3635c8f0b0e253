/** A report of one run, or of a comparison of several: what is asked for, and the document that comes back. */
import * as z from "zod/mini";
import { MAX_CONFIG } from "./diagnosis.ts";

/** One file for people, text for an issue, findings for a CI. */
export const ReportFormat = z.enum(["html", "md", "sarif"]);
export type ReportFormat = z.infer<typeof ReportFormat>;
export const REPORT_FORMATS: readonly ReportFormat[] = ["html", "md", "sarif"];

/** Most runs of one report. */
export const MAX_REPORT_RUNS = 32;

export const ReportRun = z.object({
  /** Text of a doctor.toml; `null` for the default thresholds. */
  config: z.nullable(z.string().check(z.maxLength(MAX_CONFIG))),
  /** How that file is called in the report, "" without one. */
  configName: z.string().check(z.maxLength(4096)),
  /** Where the run's folder is for whoever reads SARIF: an address, relative or whole, without a slash at its end. */
  address: z.string().check(z.maxLength(20_000)),
});
export type ReportRun = z.infer<typeof ReportRun>;

export const ReportParams = z.object({
  format: ReportFormat,
  /** One a run, the baseline first. */
  runs: z.array(ReportRun).check(z.minLength(1), z.maxLength(MAX_REPORT_RUNS)),
  /** Of Flight Deck. */
  version: z.string().check(z.maxLength(40)),
  /** Milliseconds since the epoch. */
  madeAt: z.number(),
});
export type ReportParams = z.infer<typeof ReportParams>;

export const ReportResult = z.object({
  text: z.string(),
  /** Findings of all runs. */
  findings: z.int(),
});
export type ReportResult = z.infer<typeof ReportResult>;
