/** What a signature is, and what it says. One signature is one file; everything else is generated from it. */
import type { Phrase } from "./phrase.ts";
import type { DoctorRun } from "./run.ts";

export type Severity = "critical" | "warn" | "info";

/** A threshold that doctor.toml can set. */
export interface Param {
  readonly default: number;
  /** Range that makes sense, both ends included. */
  readonly min: number;
  readonly max: number;
  /** Counts of rows and the like. */
  readonly integer?: boolean;
  /** One sentence: what it decides. */
  readonly doc: string;
}

export type Params = Readonly<Record<string, Param>>;
export type Values<P extends Params> = { readonly [K in keyof P]: number };

/** Figures of one piece of evidence, in rlprobe's keys and order of meaning. */
export type Evidence = Readonly<Record<string, number | string | boolean | readonly number[] | null>>;

/** Rows `[from, to)`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** What a chart needs to show why a finding fired. */
export interface Drawing {
  readonly metric: string;
  /** A level that was crossed, drawn as a line. */
  readonly threshold?: number;
  readonly early?: RowRange;
  readonly late?: RowRange;
}

/** Which samples show it, relative to the onset (or the late window where there is none). */
export interface SampleHint {
  readonly sort: "reward_total" | "advantage" | "kl_contribution" | "completion_len" | "logprob_mean";
  readonly descending: boolean;
  /** Why these. */
  readonly why: string;
}

/** What a signature reports when it fires. */
export interface Report {
  /** Where it is not the signature's own. */
  readonly severity?: Severity;
  readonly confidence: number;
  /** Row of the onset; -1 when it has none. */
  readonly onset: number;
  readonly evidence: readonly Evidence[];
  /** Fills the blanks of the explanation. */
  readonly phrase: Phrase;
  readonly drawings: readonly Drawing[];
  /** rlprobe's rule for links_to_samples, where it has one. */
  readonly links?: "longest-rewarded";
}

/** How near a quiet signature is to firing: 1 is at its limit, 0.2 a fifth of it. */
export interface Distance {
  readonly ratio: number;
  /** "0.11 of 0.5" and the like. */
  readonly words: string;
  readonly phrase: Phrase;
}

export interface Verdict {
  readonly reports: readonly Report[];
  /** For a signature that did not fire, where what kept it quiet can be measured. */
  readonly distance?: Distance | undefined;
}

export interface Signature<P extends Params = Params> {
  /** rlprobe's id, or one of ours with `FD_`. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** Metrics without which it says nothing. */
  readonly needs: readonly string[];
  /** Of `needs`, one is enough. */
  readonly needsAny?: boolean;
  readonly params: P;
  readonly samples: SampleHint;
  readonly pages: Pages;
  inspect(run: DoctorRun, p: Values<P>): Verdict;
}

/** The signature in words, for its page and for findings. */
export interface Pages {
  /** What the failure is, in terms of the training. */
  readonly what: string;
  /** What it looks like on the curves. */
  readonly looks: string;
  /** What to try, the likeliest first. */
  readonly tries: readonly string[];
  /** When it fires and nothing is wrong. */
  readonly falseAlarms: string;
}

export function defineSignature<const P extends Params>(signature: Signature<P>): Signature<P> {
  return signature;
}

/** Rows that a run must have before anything is diagnosed. */
export const MIN_ROWS = 30;

export interface Finding {
  readonly signature: string;
  readonly severity: Severity;
  /** Step number of the onset; null when it has none. */
  readonly firstStep: number | bigint | null;
  readonly onsetRow: number;
  /** 0 … 1. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** In English. */
  readonly words: string;
  /** The same for whoever says it in another language. */
  readonly phrase: Phrase;
  readonly drawings: readonly Drawing[];
  readonly links: "longest-rewarded" | null;
}

export type Outcome =
  | { readonly signature: string; readonly state: "fired" }
  | { readonly signature: string; readonly state: "passed"; readonly distance: Distance | null }
  | {
      readonly signature: string;
      readonly state: "skipped";
      readonly reason: "off" | "short-run" | "missing" | "too-few";
      /** Metrics that are missing or too thin. */
      readonly metrics: readonly string[];
    };

export interface Diagnosis {
  /** Sorted: severity, then confidence, then the order of the signatures. */
  readonly findings: readonly Finding[];
  /** One a signature, in their order. */
  readonly outcomes: readonly Outcome[];
  readonly rows: number;
}
