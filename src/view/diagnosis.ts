/** The doctor's answer about an open run: its columns are read once and stay, so that other thresholds cost only arithmetic. */
import { CHECKS } from "../core/doctor/checks/index.ts";
import { parseConfig } from "../core/doctor/config.ts";
import { searchDetectable, subjectOf } from "../core/doctor/detectable.ts";
import { type DoctorConfig, diagnose, type Inspect, valuesOf, whySkipped } from "../core/doctor/engine.ts";
import { loadDoctorRun } from "../core/doctor/load.ts";
import { figure } from "../core/doctor/measures.ts";
import type { DoctorRun } from "../core/doctor/run.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type {
  Diagnosis,
  Drawing,
  Evidence,
  Finding,
  Outcome,
  RowRange,
  Signature,
  Verdict,
} from "../core/doctor/types.ts";
import type { RunModel } from "../core/run/model.ts";
import type {
  DiagnoseParams,
  DiagnosisView,
  DrawingView,
  FindingView,
  SampleQuery,
  SignatureView,
} from "../protocol/diagnosis.ts";
import { said, t } from "../protocol/l10n.ts";
import { outcomeReason, signatureOf, titleOf, unreadForDoctor, verdictOf } from "./findings.ts";
import { warningView } from "./problems.ts";
import { Slices } from "./slices.ts";
import { cut } from "./text.ts";

const ALL: readonly Signature[] = [...SIGNATURES, ...CHECKS];
const OURS: ReadonlySet<string> = new Set(CHECKS.map(({ id }) => id));
/** Names of reward components are the recording's, and so are parts of sentences. */
const MAX_WORDS = 600;
const MAX_NAME = 120;
/** A slider leaves many answers behind. */
const MAX_KNOWN = 500;
const SAMPLES = 10;
const MAX_UNREAD = 20;

export class RunDoctor {
  readonly #model: RunModel;
  #run: Promise<DoctorRun> | null = null;
  /** Rows at which findings could first have been known, by signature, thresholds and subject. */
  readonly #known = new Map<string, number | null>();
  /** What signatures said, by signature and thresholds: a slider moves one of them. */
  readonly #verdicts = new Map<string, Verdict>();

  constructor(model: RunModel) {
    this.#model = model;
  }

  async view(params: DiagnoseParams, signal: AbortSignal): Promise<DiagnosisView> {
    const run = await this.#loaded();
    signal.throwIfAborted();
    const slices = new Slices(signal);
    const parsed = parseConfig(params.config ?? "", ALL);
    const config = withValues(parsed.config, params.values ?? {});
    const signatures = params.extra ? ALL : SIGNATURES;
    for (const signature of signatures) {
      this.#prepare(run, signature, config);
      await slices.rest();
    }
    const diagnosis = diagnose(run, config, signatures, this.#inspect);
    const { findings } = diagnosis;
    if (params.known !== false)
      for (const finding of findings) await this.#findKnown(run, finding, config, slices);
    const views = findings.map((finding) =>
      findingView(run, finding, this.#known.get(knownKey(finding, config))),
    );
    return {
      ...this.#summary(diagnosis),
      findings: numbered(views),
      signatures: signatures.map((s) => signatureView(s, config)),
      configProblems: parsed.problems.map(({ line, phrase }) => ({
        line,
        message: cut(said(phrase), MAX_WORDS),
      })),
    };
  }

  #summary(diagnosis: Diagnosis): Omit<DiagnosisView, "findings" | "signatures" | "configProblems"> {
    const { outcomes, rows } = diagnosis;
    const unread = unreadForDoctor(this.#model.warnings());
    const words = (outcome: Outcome): string => cut(outcomeReason(outcome, unread), MAX_WORDS);
    return {
      steps: rows,
      verdict: verdictOf(diagnosis, this.#model),
      unread: unread.slice(0, MAX_UNREAD).map((warning) => {
        const { file, message } = warningView(warning);
        return { file: cut(file, MAX_WORDS), message: cut(message, MAX_WORDS) };
      }),
      unreadCount: unread.length,
      passed: outcomes.flatMap((o) =>
        o.state === "passed"
          ? [{ ...named(o.signature), words: words(o), ratio: o.distance?.ratio ?? null }]
          : [],
      ),
      skipped: outcomes.flatMap((o) =>
        o.state === "skipped" ? [{ ...named(o.signature), words: words(o) }] : [],
      ),
    };
  }

  /** A failure is not kept: the next question reads again. */
  #loaded(): Promise<DoctorRun> {
    if (!this.#run) {
      const loading = loadDoctorRun(this.#model, "merged", ALL);
      loading.catch(() => {
        if (this.#run === loading) this.#run = null;
      });
      this.#run = loading;
    }
    return this.#run;
  }

  #prepare(run: DoctorRun, signature: Signature, config: DoctorConfig): void {
    const own = config[signature.id];
    if (own?.enabled === false || whySkipped(signature, run)) return;
    this.#inspect(signature, run, valuesOf(signature, own?.values));
  }

  readonly #inspect: Inspect = (signature, run, values) => {
    const key = JSON.stringify([signature.id, values]);
    const known = this.#verdicts.get(key);
    if (known) return known;
    const verdict = signature.inspect(run, values);
    keep(this.#verdicts, key, verdict);
    return verdict;
  };

  async #findKnown(run: DoctorRun, finding: Finding, config: DoctorConfig, slices: Slices): Promise<void> {
    const key = knownKey(finding, config);
    const signature = signatureOf(finding.signature);
    if (this.#known.has(key) || !signature) return;
    const search = searchDetectable(run, signature, finding, config[signature.id]?.values);
    keep(this.#known, key, await slices.through(search));
  }
}

function knownKey(finding: Finding, config: DoctorConfig): string {
  const { signature: id } = finding;
  const signature = signatureOf(id);
  return JSON.stringify([id, subjectOf(finding), signature && valuesOf(signature, config[id]?.values)]);
}

/** The oldest goes when there are too many. */
function keep<T>(answers: Map<string, T>, key: string, answer: T): void {
  for (const [oldest] of answers) {
    if (answers.size < MAX_KNOWN) break;
    answers.delete(oldest);
  }
  answers.set(key, answer);
}

/** Values that a slider cannot have are left out, and so is what no signature knows. */
function withValues(
  config: DoctorConfig,
  values: Readonly<Record<string, Readonly<Record<string, number>>>>,
): DoctorConfig {
  const all: Record<string, NonNullable<DoctorConfig[string]>> = Object.assign(Object.create(null), config);
  for (const { id, params } of ALL) {
    if (!Object.hasOwn(values, id)) continue;
    const set = { ...all[id]?.values };
    for (const [name, value] of Object.entries(values[id] ?? {})) {
      const param = Object.hasOwn(params, name) ? params[name] : undefined;
      if (!param || !Number.isFinite(value)) continue;
      const near = Math.min(param.max, Math.max(param.min, value));
      set[name] = param.integer ? Math.round(near) : near;
    }
    all[id] = { ...all[id], values: set };
  }
  return all;
}

/** @param knownRow undefined while that has not been looked for */
function findingView(run: DoctorRun, finding: Finding, knownRow: number | null | undefined): FindingView {
  const { signature, onsetRow } = finding;
  const known = knownRow ?? null;
  const page = signatureOf(signature);
  const subject = subjectOf(finding);
  return {
    id: cut(subject === "" ? signature : `${signature} ${subject}`, MAX_NAME),
    ...named(signature),
    severity: finding.severity,
    ours: OURS.has(signature),
    firstStep: stepNumber(run, onsetRow),
    firstStepText: stepText(run, onsetRow),
    knownStep: known === null ? null : stepNumber(run, known),
    knownStepText: known === null ? "" : stepText(run, known),
    knownIsOpen: knownRow === undefined,
    confidence: finding.confidence,
    words: cut(said(finding.phrase), MAX_WORDS),
    what: said(page?.pages.what ?? ""),
    tries: (page?.pages.tries ?? []).map(said),
    evidence: finding.evidence.map((piece) => ({ figures: figuresOf(piece) })),
    drawings: finding.drawings.map((drawing) => drawingView(run, drawing)),
    samples: sampleQuery(run, finding),
  };
}

/** Two components can have names that begin alike for longer than an id is. */
function numbered(findings: readonly FindingView[]): FindingView[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const n = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, n);
    return n === 1 ? finding : { ...finding, id: `${finding.id} ${n}` };
  });
}

function named(signature: string): { signature: string; title: string } {
  return { signature, title: titleOf(signature) };
}

function figuresOf(piece: Evidence): { label: string; value: string }[] {
  return Object.entries(piece).map(([key, value]) => ({
    label: key.replaceAll("_", " "),
    value: cut(valueText(value), MAX_NAME * 2),
  }));
}

function valueText(value: Evidence[string]): string {
  if (typeof value === "number") return figure(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : value.map(figure).join(", ");
}

function drawingView(run: DoctorRun, { metric, threshold, early, late }: Drawing): DrawingView {
  return {
    metric,
    threshold: threshold ?? null,
    early: early ? stepsOf(run, early) : null,
    late: late ? stepsOf(run, late) : null,
  };
}

/** Around the onset; without one the late window, which is what such a signature looks at. */
function sampleQuery(run: DoctorRun, { signature, onsetRow, drawings }: Finding): SampleQuery {
  const around = Math.max(25, Math.round(run.rows / 50));
  const late = drawings.find((d) => d.late)?.late ?? { from: Math.floor(run.rows * 0.8), to: run.rows };
  const rows =
    onsetRow < 0
      ? late
      : { from: Math.max(0, onsetRow - around), to: Math.min(run.rows, onsetRow + around + 1) };
  const [from, to] = stepsOf(run, rows) ?? [0, 0];
  const hint = signatureOf(signature)?.samples;
  return {
    from,
    to,
    sort: hint?.sort ?? "reward_total",
    descending: hint?.descending ?? true,
    k: SAMPLES,
    why: said(hint?.why ?? ""),
  };
}

function signatureView({ id, title, params }: Signature, config: DoctorConfig): SignatureView {
  const own = config[id];
  return {
    id,
    section: id.toLowerCase(),
    title: said(title),
    ours: OURS.has(id),
    enabled: own?.enabled !== false,
    params: Object.entries(params).map(([name, p]) => ({
      name,
      doc: said(p.doc),
      default: p.default,
      value: own?.values?.[name] ?? p.default,
      min: p.min,
      max: p.max,
      integer: p.integer === true,
    })),
  };
}

function stepsOf(run: DoctorRun, { from, to }: RowRange): [number, number] | null {
  if (to <= from) return null;
  return [Number(run.stepAt(from)), Number(run.stepAt(to - 1))];
}

function stepNumber(run: DoctorRun, row: number): number | null {
  return row < 0 ? null : Number(run.stepAt(row));
}

function stepText(run: DoctorRun, row: number): string {
  return row < 0 ? "" : String(run.stepAt(row));
}
