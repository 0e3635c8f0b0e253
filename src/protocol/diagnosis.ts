/** What the doctor says of a run: findings that can be shown, drawn and followed, and why the rest did not fire. */
import * as z from "zod/mini";

const Steps = z.nullable(z.tuple([z.number(), z.number()]));
export const SeverityView = z.enum(["critical", "warn", "info"]);
export type SeverityView = z.infer<typeof SeverityView>;

/** What a chart of the metric needs to show why a finding fired. */
export const DrawingView = z.object({
  metric: z.string(),
  /** A level in the metric's unit, drawn as a line. */
  threshold: z.nullable(z.number()),
  /** The windows that were compared, first and last step; `null` when there was none. */
  early: Steps,
  late: Steps,
});
export type DrawingView = z.infer<typeof DrawingView>;

export const SampleSort = z.enum([
  "reward_total",
  "advantage",
  "kl_contribution",
  "completion_len",
  "logprob_mean",
]);
export type SampleSort = z.infer<typeof SampleSort>;

/** Which samples show it: a question for the table of samples. */
export const SampleQuery = z.object({
  /** Steps, both ends included. */
  from: z.number(),
  to: z.number(),
  sort: SampleSort,
  descending: z.boolean(),
  /** How many. */
  k: z.int(),
  /** Why these. */
  why: z.string(),
});
export type SampleQuery = z.infer<typeof SampleQuery>;

export const FindingView = z.object({
  /** Unlike any other of this diagnosis, and the same as long as it is about the same: "GRAD_PATHOLOGY grad_norm". */
  id: z.string(),
  signature: z.string(),
  title: z.string(),
  severity: SeverityView,
  /** One of our own checks, which rlprobe does not have. */
  ours: z.boolean(),
  /** Step at which it begins; `null` when it has none. The text has all digits. */
  firstStep: z.nullable(z.number()),
  firstStepText: z.string(),
  /** The first step at which someone who looked after every step would have known; `null` when never, or not found out yet. */
  knownStep: z.nullable(z.number()),
  knownStepText: z.string(),
  /** It has not been found out yet: ask once more, and patiently. */
  knownIsOpen: z.boolean(),
  /** 0 … 1. */
  confidence: z.number(),
  /** What this run shows, one or two sentences. */
  words: z.string(),
  /** What the failure is. */
  what: z.string(),
  tries: z.array(z.string()),
  evidence: z.array(z.object({ figures: z.array(z.object({ label: z.string(), value: z.string() })) })),
  drawings: z.array(DrawingView),
  samples: SampleQuery,
});
export type FindingView = z.infer<typeof FindingView>;

export const PassedView = z.object({
  signature: z.string(),
  title: z.string(),
  /** How far it is from firing, "" when that cannot be told. */
  words: z.string(),
  /** 1 is at the limit, 0.2 a fifth of it. */
  ratio: z.nullable(z.number()),
});
export type PassedView = z.infer<typeof PassedView>;

export const SkippedView = z.object({ signature: z.string(), title: z.string(), words: z.string() });
export type SkippedView = z.infer<typeof SkippedView>;

/** A signature with its thresholds as they were used: what a slider needs. */
export const SignatureView = z.object({
  id: z.string(),
  /** Its section in doctor.toml. */
  section: z.string(),
  title: z.string(),
  ours: z.boolean(),
  enabled: z.boolean(),
  params: z.array(
    z.object({
      name: z.string(),
      doc: z.string(),
      default: z.number(),
      value: z.number(),
      min: z.number(),
      max: z.number(),
      integer: z.boolean(),
    }),
  ),
});
export type SignatureView = z.infer<typeof SignatureView>;

export const ConfigProblemView = z.object({ line: z.nullable(z.int()), message: z.string() });
export type ConfigProblemView = z.infer<typeof ConfigProblemView>;

/** What it comes to where nothing was found. Only "clear" is an all-clear. */
export const VerdictView = z.object({
  state: z.enum([
    "findings",
    "clear",
    /** Nothing was found in what could be looked at. */
    "partly",
    /** Nothing could be looked at. */
    "none",
  ]),
  /** A sentence without its full stop; "" with findings. */
  words: z.string(),
});
export type VerdictView = z.infer<typeof VerdictView>;

/** Steps, or a metric, that the doctor would have looked at and that could not be read. */
export const UnreadView = z.object({ file: z.string(), message: z.string() });
export type UnreadView = z.infer<typeof UnreadView>;

export const DiagnosisView = z.object({
  /** Rows that were looked at: one a step. */
  steps: z.int(),
  verdict: VerdictView,
  /** The first of them; `unreadCount` has all. */
  unread: z.array(UnreadView),
  unreadCount: z.int(),
  findings: z.array(FindingView),
  passed: z.array(PassedView),
  skipped: z.array(SkippedView),
  signatures: z.array(SignatureView),
  /** What is wrong with doctor.toml; all that is right was used. */
  configProblems: z.array(ConfigProblemView),
});
export type DiagnosisView = z.infer<typeof DiagnosisView>;

/** Longest doctor.toml that is read. */
export const MAX_CONFIG = 256 * 1024;

/** Thresholds by signature id and parameter; they win over those of doctor.toml. */
const Values = z.record(
  z.string().check(z.maxLength(80)),
  z.record(z.string().check(z.maxLength(80)), z.number()),
);

export const DiagnoseParams = z.object({
  /** Text of a doctor.toml; `null` for the defaults. */
  config: z.nullable(z.string().check(z.maxLength(MAX_CONFIG))),
  values: z.optional(Values),
  /** With our own checks. */
  extra: z.boolean(),
  /**
   * Look for the step at which each finding could first have been known, which takes longer. False: answer at once, with those
   * steps that are known from before.
   */
  known: z.optional(z.boolean()),
});
export type DiagnoseParams = z.infer<typeof DiagnoseParams>;
