/**
 * What the doctor says of the run, as the page knows it: asked when everything else is painted, again with other
 * thresholds; and which finding's evidence the charts draw.
 */

import type { DiagnosisView, FindingView, SeverityView, SignatureView } from "../src/protocol/diagnosis.ts";
import { t } from "../src/protocol/l10n.ts";
import { severityWord } from "../src/protocol/names.ts";
import type { ChartSpec, XAxis } from "../src/protocol/run.ts";
import type { Problem } from "../src/protocol/wire.ts";
import type { ChartMarks, OnsetMark } from "./charts/evidence.ts";
import { problemFrom } from "./client.ts";
import { stepText } from "./panels/words.ts";
import type { Session } from "./session.ts";
import type { XRange } from "./state.ts";
import type { Onset } from "./timeline/marks.ts";

/** Each side of the onset, of the run's length and in steps. */
const AROUND = 0.35;
const LEAST_AROUND = 20;

export class Findings {
  diagnosis: DiagnosisView | null = null;
  /** The doctor.toml that counts, "" for the defaults. */
  config = "";
  problem: Problem | null = null;
  readonly #session: Session;
  readonly #listeners = new Set<() => void>();
  /** Thresholds that are being tried, by signature and parameter. */
  readonly #tried = new Map<string, ReadonlyMap<string, number>>();
  /** Where the steps that charts draw stand on x. */
  #places: { readonly axis: XAxis; readonly at: ReadonlyMap<number, number | null> } = {
    axis: "step",
    at: new Map(),
  };
  #asking: Promise<void> | null = null;
  #isStale = false;
  /** The patient question, which the next one overtakes. */
  #searching: AbortController | null = null;
  /** What should be shown as soon as it is known. */
  #wanted: string | null = null;

  constructor(session: Session) {
    this.#session = session;
    session.store.subscribe((_, { type }) => {
      if (type === "axis") void this.#place().then(() => this.#changed());
      if (type === "finding") this.#changed();
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One question at a time: what is asked meanwhile is asked once, afterwards. Never rejects. */
  ask(): Promise<void> {
    this.#isStale = true;
    this.#searching?.abort();
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  get all(): readonly FindingView[] {
    return this.diagnosis?.findings ?? [];
  }

  /** Whose evidence is drawn. */
  get selected(): FindingView | null {
    const { finding } = this.#session.store.state;
    return this.all.find(({ id }) => id === finding) ?? null;
  }

  signature(id: string): SignatureView | null {
    return this.diagnosis?.signatures.find((signature) => signature.id === id) ?? null;
  }

  /** Draws a finding's evidence, around where it begins; as soon as it is known. */
  show(id: string): void {
    const { store } = this.#session;
    const finding = this.all.find((other) => other.id === id);
    if (!finding) {
      this.#wanted = this.#asking || !this.diagnosis ? id : null;
      return;
    }
    this.#wanted = null;
    store.dispatch({ type: "tab", tab: "charts" });
    const full = this.#session.fullSteps();
    this.#session.zoom(full && windowOf(finding, full));
    store.dispatch({ type: "finding", id });
  }

  hide(): void {
    this.#session.store.dispatch({ type: "finding", id: null });
  }

  /** Thresholds of a signature as they are tried; those of doctor.toml are not among them. */
  tried(signature: string): ReadonlyMap<string, number> {
    return this.#tried.get(signature) ?? new Map();
  }

  try(signature: string, name: string, value: number): void {
    this.#tried.set(signature, new Map(this.tried(signature)).set(name, value));
    this.#changed();
    void this.ask();
  }

  reset(signature: string): void {
    if (this.#tried.delete(signature)) void this.ask();
    this.#changed();
  }

  /** @returns whether they stand in doctor.toml now */
  async write(signature: string): Promise<boolean> {
    const values = Object.fromEntries(this.tried(signature));
    try {
      const { written } = await this.#session.client.call("doctor.write", { signature, values });
      if (written) this.reset(signature);
      return written;
    } catch (error) {
      this.#session.report(error);
      return false;
    }
  }

  /** Onsets for the timeline. */
  onsets(): Onset[] {
    return this.all.flatMap(({ id, title, severity, firstStep }) =>
      firstStep === null
        ? []
        : [{ id, title, severity: severity === "warn" ? ("warning" as const) : severity, step: firstStep }],
    );
  }

  /** What a chart draws of the findings that cite it; `null` when none does. */
  marksFor(spec: ChartSpec): ChartMarks | null {
    const metrics = new Set(spec.series.map(({ metric }) => metric));
    const citing = this.all.filter(({ drawings }) => drawings.some(({ metric }) => metrics.has(metric)));
    if (citing.length === 0) return null;
    const onsets = citing.flatMap((finding) => this.#onsetMark(finding));
    const { selected } = this;
    const isCited = selected !== null && citing.includes(selected);
    return { axis: this.#places.axis, onsets, drawn: isCited ? this.#drawn(selected, metrics) : null };
  }

  #onsetMark({ id, title, severity, firstStep }: FindingView): OnsetMark[] {
    const x = this.#at(firstStep);
    return x === null ? [] : [{ id, title, severity, x }];
  }

  #drawn(finding: FindingView, metrics: ReadonlySet<string>): ChartMarks["drawn"] {
    const drawings = finding.drawings.filter(({ metric }) => metrics.has(metric));
    const windowOn = (steps: XRange | null | undefined) => {
      const [from, to] = [this.#at(steps?.[0] ?? null), this.#at(steps?.[1] ?? null)];
      return steps && from !== null && to !== null ? { steps, x: [from, to] as XRange } : null;
    };
    const { title, severity, firstStep } = finding;
    const onset = this.#at(firstStep);
    return {
      title,
      severity,
      thresholds: [...new Set(drawings.flatMap(({ threshold }) => threshold ?? []))],
      early: windowOn(drawings.find(({ early }) => early)?.early),
      late: windowOn(drawings.find(({ late }) => late)?.late),
      onset: firstStep === null || onset === null ? null : { step: firstStep, x: onset },
    };
  }

  #at(step: number | null): number | null {
    if (step === null) return null;
    return this.#places.axis === "step" ? step : (this.#places.at.get(step) ?? null);
  }

  async #askAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#askOnce(false);
      await this.#place();
      this.#changed();
      if (this.#wanted !== null && !this.#isStale) this.show(this.#wanted);
      if (!this.#isStale) await this.#askPatiently();
    }
  }

  /** Since when findings could be known takes longer to find out than what they are: that comes first. */
  async #askPatiently(): Promise<void> {
    if (!this.all.some(({ knownIsOpen }) => knownIsOpen)) return;
    const searching = new AbortController();
    this.#searching = searching;
    await this.#askOnce(true, searching.signal);
    this.#searching = null;
    if (!searching.signal.aborted) this.#changed();
  }

  async #askOnce(known: boolean, signal?: AbortSignal): Promise<void> {
    const tried = [...this.#tried].map(([id, values]) => [id, Object.fromEntries(values)] as const);
    const values = tried.length === 0 ? {} : { values: Object.fromEntries(tried) };
    try {
      const answer = await this.#session.client.call("page.diagnose", { known, ...values }, { signal });
      this.diagnosis = answer.diagnosis;
      this.config = answer.config;
      this.problem = null;
    } catch (error) {
      this.problem = problemFrom(error) ?? this.problem;
      this.#session.report(error);
    }
  }

  /** Looks up where the steps that are drawn stand on an axis of time. */
  async #place(): Promise<void> {
    const axis = this.#session.store.state.x;
    const at = new Map<number, number | null>();
    if (axis !== "step") {
      const steps = new Set(this.all.flatMap(stepsOf));
      await Promise.all(
        [...steps].map(async (step) => at.set(step, await this.#session.placeOf(step, axis))),
      );
    }
    // Another axis may have been asked for meanwhile.
    if (axis === this.#session.store.state.x) this.#places = { axis, at };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function stepsOf({ firstStep, drawings }: FindingView): number[] {
  const windows = drawings.flatMap(({ early, late }) => [...(early ?? []), ...(late ?? [])]);
  return firstStep === null ? windows : [firstStep, ...windows];
}

/** Steps that show how a finding begins; `null`, the whole run, when it begins nowhere. */
export function windowOf({ firstStep }: FindingView, [first, last]: XRange): XRange | null {
  if (firstStep === null) return null;
  const reach = Math.max(LEAST_AROUND, Math.round((last - first) * AROUND));
  return [firstStep - reach, firstStep + reach];
}

/** How many of each, grave ones first; kinds without any are left out. */
export function severityCounts(
  findings: readonly FindingView[],
): { severity: SeverityView; count: number }[] {
  return (["critical", "warn", "info"] as const)
    .map((severity) => ({ severity, count: findings.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0);
}

/** "warning · onset step 139 · seen from step 143 · 80%". */
export function metaWords(finding: FindingView): string[] {
  const { severity, firstStepText, knownIsOpen, knownStepText, confidence } = finding;
  const known = knownIsOpen ? "…" : stepText(knownStepText);
  return [
    severityWord(severity),
    firstStepText === "" ? "" : t("onset step {0}", stepText(firstStepText)),
    known === "" ? "" : t("seen from step {0}", known),
    `${Math.round(confidence * 100)}%`,
  ].filter((part) => part !== "");
}
