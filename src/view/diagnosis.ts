/** The doctor's answer about an open run: its columns are read once and stay, so that other thresholds cost only arithmetic. */
import { CHECKS } from "../core/doctor/checks/index.ts";
import { parseConfig } from "../core/doctor/config.ts";
import { detectableRow, subjectOf } from "../core/doctor/detectable.ts";
import { type DoctorConfig, diagnose, valuesOf } from "../core/doctor/engine.ts";
import { loadDoctorRun } from "../core/doctor/load.ts";
import { figure } from "../core/doctor/measures.ts";
import type { DoctorRun } from "../core/doctor/run.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type { Drawing, Evidence, Finding, RowRange, Signature } from "../core/doctor/types.ts";
import type { RunModel } from "../core/run/model.ts";
import type {
  DiagnoseParams,
  DiagnosisView,
  DrawingView,
  FindingView,
  SampleQuery,
  SignatureView,
} from "../protocol/diagnosis.ts";
import { outcomeReason, signatureOf } from "./findings.ts";
import { cut } from "./text.ts";

const ALL: readonly Signature[] = [...SIGNATURES, ...CHECKS];
const OURS: ReadonlySet<string> = new Set(CHECKS.map(({ id }) => id));
/** Names of reward components are the recording's, and so are parts of sentences. */
const MAX_WORDS = 600;
const MAX_NAME = 120;
/** A slider leaves many answers behind. */
const MAX_KNOWN = 500;
const SAMPLES = 10;

export class RunDoctor {
  readonly #model: RunModel;
  #run: Promise<DoctorRun> | null = null;
  /** Rows at which findings could first have been known, by signature, thresholds and subject. */
  readonly #known = new Map<string, number | null>();

  constructor(model: RunModel) {
    this.#model = model;
  }

  async view(params: DiagnoseParams, signal: AbortSignal): Promise<DiagnosisView> {
    const run = await this.#loaded();
    signal.throwIfAborted();
    const parsed = parseConfig(params.config ?? "", ALL);
    const config = withValues(parsed.config, params.values ?? {});
    const signatures = params.extra ? ALL : SIGNATURES;
    const { findings, outcomes, rows } = diagnose(run, config, signatures);
    const views: FindingView[] = [];
    for (const finding of findings) {
      const known = params.known === false ? null : this.#knownRow(run, finding, config);
      views.push(findingView(run, finding, known));
    }
    return {
      steps: rows,
      findings: numbered(views),
      passed: outcomes.flatMap((o) =>
        o.state === "passed"
          ? [{ ...named(o.signature), words: outcomeReason(o), ratio: o.distance?.ratio ?? null }]
          : [],
      ),
      skipped: outcomes.flatMap((o) =>
        o.state === "skipped" ? [{ ...named(o.signature), words: outcomeReason(o) }] : [],
      ),
      signatures: signatures.map((s) => signatureView(s, config)),
      configProblems: parsed.problems.map(({ line, message }) => ({
        line,
        message: cut(message, MAX_WORDS),
      })),
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

  #knownRow(run: DoctorRun, finding: Finding, config: DoctorConfig): number | null {
    const signature = signatureOf(finding.signature);
    if (!signature) return null;
    const set = config[signature.id]?.values ?? {};
    const key = JSON.stringify([signature.id, subjectOf(finding), valuesOf(signature, set)]);
    let row = this.#known.get(key);
    if (row === undefined) {
      row = detectableRow(run, signature, finding, set);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(key, row);
    }
    return row;
  }
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

function findingView(run: DoctorRun, finding: Finding, known: number | null): FindingView {
  const { signature, onsetRow } = finding;
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
    confidence: finding.confidence,
    words: cut(finding.words, MAX_WORDS),
    what: page?.pages.what ?? "",
    tries: [...(page?.pages.tries ?? [])],
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
  return { signature, title: signatureOf(signature)?.title ?? signature };
}

function figuresOf(piece: Evidence): { label: string; value: string }[] {
  return Object.entries(piece).map(([key, value]) => ({
    label: key.replaceAll("_", " "),
    value: cut(valueText(value), MAX_NAME * 2),
  }));
}

function valueText(value: Evidence[string]): string {
  if (typeof value === "number") return figure(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
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
    why: hint?.why ?? "",
  };
}

function signatureView({ id, title, params }: Signature, config: DoctorConfig): SignatureView {
  const own = config[id];
  return {
    id,
    section: id.toLowerCase(),
    title,
    ours: OURS.has(id),
    enabled: own?.enabled !== false,
    params: Object.entries(params).map(([name, p]) => ({
      name,
      doc: p.doc,
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
