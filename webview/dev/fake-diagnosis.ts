/** A made-up diagnosis, and samples with everything in them that a page must be able to show. */
import type { DiagnosisView, FindingView, SignatureView, UnreadView } from "../../src/protocol/diagnosis.ts";
import { MAX_SAMPLE_TEXT, type SampleRow, type SamplesPage } from "../../src/protocol/run.ts";

type Values = Readonly<Record<string, Readonly<Record<string, number>>>>;

const TRUNCATION = "TRUNCATION_STARVE";
/** What the late steps have. */
const LATE_SHARE = 0.66;

const param = (
  name: string,
  usual: number,
  [min, max]: readonly [number, number],
  more: { readonly doc: string; readonly integer?: boolean },
) => ({ name, doc: more.doc, default: usual, value: usual, min, max, integer: more.integer === true });

const SIGNATURES: readonly SignatureView[] = [
  {
    ...{
      id: TRUNCATION,
      section: "truncation_starve",
      title: "Answers are cut off",
      ours: false,
      enabled: true,
    },
    params: [
      param("threshold", 0.5, [0, 1], { doc: "Share of completions that hit the length limit." }),
      param("growth_ratio", 2, [1, 1000], {
        doc: "Rising: the late share is this many times the early one.",
      }),
      param("chronic_frac", 0.8, [0, 1], { doc: "Chronic: the share over the whole run is above this." }),
    ],
  },
  {
    ...{ id: "FD_SPIKE", section: "fd_spike", title: "One step stands out", ours: true, enabled: true },
    params: [param("sustain", 15, [1, 500], { doc: "Steps in a row.", integer: true })],
  },
  {
    ...{ id: "KL_BLOWUP", section: "kl_blowup", title: "KL runs away", ours: false, enabled: true },
    params: [param("ratio", 8, [1, 1000], { doc: "The late KL is this many times the early one." })],
  },
  {
    ...{
      id: "ENTROPY_COLLAPSE",
      section: "entropy_collapse",
      title: "Entropy collapse",
      ours: false,
      enabled: true,
    },
    params: [],
  },
];

const query = (from: number, to: number) => ({
  ...{ from, to, sort: "completion_len" as const, descending: true, k: 10 },
  why: "the completions that ran into the limit",
});

function finding(
  signature: string,
  title: string,
  more: Partial<FindingView> & Pick<FindingView, "severity" | "firstStep" | "words" | "drawings">,
): FindingView {
  return {
    id: signature,
    signature,
    title,
    ours: false,
    firstStepText: more.firstStep === null ? "" : String(more.firstStep),
    knownStep: null,
    knownStepText: "",
    knownIsOpen: false,
    confidence: 0.8,
    what: "Completions run into the limit on new tokens instead of ending.",
    tries: ["Raise the limit on new tokens.", "Check the end-of-sequence token: chat template, stop tokens."],
    evidence: [
      {
        figures: [
          { label: "early mean", value: "0.0823" },
          { label: "late mean", value: String(LATE_SHARE) },
        ],
      },
    ],
    samples: query(1, 40),
    ...more,
  };
}

/** @param known since when findings could be known has been found out */
export function fakeDiagnosis(steps: number, values: Values, known = true): DiagnosisView {
  const [early, late] = [
    [1, Math.floor(steps / 4)],
    [Math.floor(steps * 0.8) + 1, steps],
  ] as [[number, number], [number, number]];
  const at = (share: number): number => Math.round(steps * share);
  const threshold = values[TRUNCATION]?.["threshold"] ?? 0.5;
  const isCut = threshold < LATE_SHARE;
  const findings = [
    finding("FD_SPIKE", "One step stands out", {
      id: "FD_SPIKE grad_norm",
      ...{ severity: "critical", ours: true, firstStep: at(0.1), confidence: 0.95 },
      words: "grad_norm is 350 at step 25, 824 times its usual size.",
      drawings: [{ metric: "grad_norm", threshold: 10, early: null, late: null }],
    }),
    finding(TRUNCATION, "Answers are cut off", {
      ...{ severity: "warn", firstStep: at(0.556) },
      ...(known
        ? { knownStep: at(0.6), knownStepText: String(at(0.6)) }
        : { knownStep: null, knownStepText: "", knownIsOpen: true }),
      words: "66% of the completions hit the length limit in the last steps; 8.2% did at first.",
      drawings: [{ metric: "truncation_rate", threshold, early, late }],
      samples: query(at(0.456), at(0.656)),
    }),
    finding("REF_POLICY_DRIFT_ASYMMETRY", "Drift sits in few positions", {
      ...{ severity: "info", firstStep: null, confidence: 0.7 },
      words: "Positions 0 to 3 hold 61% of the KL of the last steps.",
      drawings: [{ metric: "kl_positional", threshold: null, early: null, late }],
    }),
  ] satisfies FindingView[];
  return {
    ...QUIET,
    steps,
    verdict: { state: "findings", words: "" },
    findings: findings.filter(({ signature }) => isCut || signature !== TRUNCATION),
    passed: [
      { signature: "ENTROPY_COLLAPSE", title: "Entropy collapse", words: "3.1 times its limit", ratio: 0.32 },
      { signature: "KL_BLOWUP", title: "KL runs away", words: "at 22% of its limit", ratio: 0.22 },
      ...(isCut
        ? []
        : [
            {
              signature: TRUNCATION,
              title: "Answers are cut off",
              words: "0.66, limit is higher",
              ratio: 0.9,
            },
          ]),
    ],
    skipped: [{ signature: "VALUE_DIVERGENCE", title: "Value divergence", words: "no value_loss recorded" }],
    signatures: SIGNATURES.map((signature) => ({
      ...signature,
      params: signature.params.map((one) => ({
        ...one,
        value: values[signature.id]?.[one.name] ?? one.value,
      })),
    })),
    configProblems: [],
  };
}

const QUIET = {
  ...{
    unread: [],
    unreadCount: 0,
    findings: [],
    passed: [],
    skipped: [],
    signatures: [],
    configProblems: [],
  },
  verdict: { state: "clear" as const, words: "No findings" },
};

/** Nothing is found, in what could be read if not everything could. */
export function quietDiagnosis(steps: number, unread: readonly UnreadView[] = []): DiagnosisView {
  const lost = { unread: [...unread], unreadCount: unread.length };
  const nothing = unread.length > 0 ? "no step could be read" : "no steps have been recorded";
  if (steps === 0)
    return {
      ...QUIET,
      ...lost,
      steps,
      skipped: Array.from({ length: 18 }, (_, i) => ({
        signature: `CHECK_${i}`,
        title: `Check ${i + 1}`,
        words: unread.length > 0 ? "fewer than 30 steps could be read" : "fewer than 30 steps",
      })),
      verdict: { state: "none", words: `Not diagnosed: ${nothing}` },
    };
  if (unread.length === 0) return { ...QUIET, steps };
  const verdict = { state: "partly" as const, words: "No findings in what could be read" };
  return { ...QUIET, ...lost, steps, verdict };
}

const WORDS = "every river meets a green teacher because one sleepy house keeps some wheel".split(" ");

export function fakeSamples({
  from,
  to,
  sort,
  k,
}: {
  readonly from: number;
  readonly to: number;
  readonly sort: SamplesPage["sort"];
  readonly k: number;
}): SamplesPage {
  const total = Math.max(0, Math.min(2008, (to - from + 1) * 8));
  const rows = Array.from({ length: Math.min(k, total) }, (_, i) => sample(i, from + i));
  return { total, rows, sort };
}

function sample(i: number, step: number): SampleRow {
  const long = Array.from({ length: 40 + i }, (_, w) => WORDS[(w * 7 + i) % WORDS.length]).join(" ");
  const odd = "turned \u202egnihtemos\u202c and\nanother line \u0007 <b>bold</b>";
  const whole = i === 2 ? "word ".repeat(9000) : i === 1 ? odd : long;
  return {
    row: 100 + i,
    step: String(step),
    id: `${step}_${i}`,
    rank: i % 2,
    reward: i === 3 ? null : i === 4 ? Number.NaN : 1.33 - i / 50,
    advantage: 0.91 - i / 5,
    length: 64 - i,
    truncated: i < 4,
    prompt: "Write one sentence about a river.",
    completion: whole.slice(0, MAX_SAMPLE_TEXT),
    promptLength: 33,
    completionLength: whole.length,
  };
}
