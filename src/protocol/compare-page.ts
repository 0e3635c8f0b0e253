/** Page ↔ host of the compare editor: questions about the runs together, and what only the host can do. */
import * as z from "zod/mini";
import { compareContract, IgnorePatterns, MAX_RUNS } from "./compare.ts";
import { DiagnosisView } from "./diagnosis.ts";
import { OpenState } from "./page.ts";
import { type Contract, Problem } from "./wire.ts";

/** Place in the list of runs as the user put them together, those that could not be opened too. */
const Member = z.int().check(z.gte(0), z.lte(MAX_RUNS));

export const CompareMember = z.object({
  /** Address of the run's folder: what is remembered over a reload. */
  uri: z.string(),
  /** Folder name. */
  label: z.string(),
  /** What tells it from others of the same name, "" where none has it. */
  where: z.string(),
  state: OpenState,
  /** Its number in questions about the comparison; `null` when it could not be opened. */
  run: z.nullable(z.int()),
});
export type CompareMember = z.infer<typeof CompareMember>;

export const CompareOpen = z.object({
  members: z.array(CompareMember),
  ignore: IgnorePatterns,
});
export type CompareOpen = z.infer<typeof CompareOpen>;

/** What the page remembers and the host needs after a reload of the window; more may be in it. */
export const ComparePanelState = z.object({
  uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(MAX_RUNS)),
});
export type ComparePanelState = z.infer<typeof ComparePanelState>;

/** Row over all shards and ranks, in reading order. */
const SampleRowIndex = z.int().check(z.gte(0));
const Run = z.int().check(z.gte(0), z.lte(MAX_RUNS));
const RowPair = z.object({ a: SampleRowIndex, b: SampleRowIndex });

export const CompareAction = z.discriminatedUnion("action", [
  /** Choose more runs; those of this comparison are left out. */
  z.object({ action: z.enum(["addRuns", "showLog", "openIgnoreSetting"]) }),
  /** Put the runs in another order, or leave some out: places of those that stay. */
  z.object({ action: z.literal("arrange"), members: z.array(Member).check(z.maxLength(MAX_RUNS)) }),
  /** Try again to open what could not be opened. */
  z.object({ action: z.literal("retry") }),
  /** Show a run in the run editor, at a finding by its id where one is given. */
  z.object({
    action: z.literal("openRun"),
    member: Member,
    finding: z.optional(z.string().check(z.maxLength(500))),
  }),
  /** Configurations as documents side by side: the baseline's and one other's, or `null` for all others. */
  z.object({ action: z.literal("diffConfig"), other: z.nullable(Run) }),
  /** A sample of the baseline and one of another run side by side; rows as the answers of prompts name them. */
  z.object({ action: z.literal("diffSamples"), other: Run, ...RowPair.shape }),
  /** Many of them in one editor of changes. */
  z.object({
    action: z.literal("diffAllSamples"),
    other: Run,
    pairs: z
      .array(z.object({ label: z.string().check(z.maxLength(200)), ...RowPair.shape }))
      .check(z.maxLength(100)),
  }),
  z.object({ action: z.literal("explainSignature"), signature: z.string().check(z.maxLength(80)) }),
]);
export type CompareAction = z.infer<typeof CompareAction>;

export const comparePageContract = {
  ...compareContract,
  /** First call of a page; answered when every run is open or could not be opened. */
  "page.open": { params: z.object({}), result: CompareOpen },
  "page.action": { params: CompareAction, result: z.object({}) },
  /** Diagnosis of one run with the doctor.toml and the settings that count for it. */
  "page.diagnose": { params: z.object({ run: Run }), result: DiagnosisView },
  /** An error in the page, for the log. */
  "page.report": { params: z.object({ message: z.string() }), result: z.object({}) },
} as const satisfies Contract;
export type ComparePageContract = typeof comparePageContract;

/** Notices from the host to the page. */
export const comparePageNotices = {
  /** The panel was shown or hidden. */
  visible: z.object({ visible: z.boolean() }),
  /** Other runs, other files in one of them, or another reader: ask `page.open` and for what is shown once more, quietly. */
  changed: z.object({ reason: z.string() }),
  /** Reading something of a run ended the reader; the rest is there. */
  stopped: z.object({ problem: Problem }),
  /** Other thresholds count from now on: diagnoses are asked for again. */
  diagnosis: z.object({ reason: z.string() }),
} as const;
