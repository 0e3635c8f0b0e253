/** Made-up comparisons: enough to look at, not what ships. */
import type {
  Alignment,
  CompareConfigSection,
  CompareOptions,
  CompareOverview,
  ConfigCell,
  GapView,
  MetricGap,
  OverlayView,
  PairView,
  PromptGaps,
  RecordsComparison,
} from "../../src/protocol/compare.ts";
import type { CompareMember } from "../../src/protocol/compare-page.ts";
import type { DiagnosisView } from "../../src/protocol/diagnosis.ts";
import { COMPARE_CASES, type FakeCompareCase, METRICS, TWO } from "./fake-compare-cases.ts";
import type { FakeColumn } from "./fake-run.ts";
import { fakeRanges, fakeSeries } from "./fake-series.ts";

/** Between −1 and 1, the same for the same numbers. */
function noiseAt(seed: number, i: number): number {
  const x = Math.sin(seed * 127.1 + i * 311.7) * 43_758.5453;
  return (x - Math.floor(x)) * 2 - 1;
}

export class FakeCompare {
  readonly case: FakeCompareCase;
  readonly #columns = new Map<string, FakeColumn>();
  runs: string[];
  rows: number;

  constructor(name: string) {
    this.case = COMPARE_CASES[name] ?? TWO;
    this.runs = [...this.case.runs, ...this.case.lost];
    this.rows = this.case.rows;
  }

  get open(): string[] {
    return this.runs.filter((label) => !this.case.lost.includes(label));
  }

  grow(rows: number): void {
    this.rows += rows;
    this.#columns.clear();
  }

  members(): CompareMember[] {
    let run = 0;
    return this.runs.map((label) => {
      const isLost = this.case.lost.includes(label);
      const problem = {
        code: "newer-schema",
        message: "This run was written by a newer version: found 2; this version reads up to 1.",
        file: "manifest.json",
        remedy: "Update Flight Deck.",
      };
      return {
        uri: `file:///runs/${encodeURIComponent(label)}`,
        label,
        where: `runs/${label}`,
        state: isLost ? { state: "refused" as const, label, problem } : { state: "run" as const },
        run: isLost ? null : run++,
      };
    });
  }

  overview(): CompareOverview {
    const runs = this.open.map((label) => ({
      label,
      runId: `${label}-1`,
      algorithm: "grpo",
      model: "tiny",
      rows: this.rows,
      hasRecording: true,
      hasRecords: this.case.records,
    }));
    const all = runs.map((_, i) => i);
    const groups = (["health", "optimisation", "other"] as const).map((id) => ({
      id,
      title: id,
      metrics: METRICS.filter(({ group }) => group === id).map(
        ({ metric, title, unit = "", ours = false }) => ({
          ...{ metric, title, unit, ours, runs: all },
        }),
      ),
    }));
    return { runs, groups };
  }

  axis(): Float64Array {
    return Float64Array.from({ length: this.rows }, (_, i) => i + 1);
  }

  column(label: string, metric: string): FakeColumn {
    const key = `${label} ${metric}`;
    const known = this.#columns.get(key) ?? this.#make(label, metric);
    this.#columns.set(key, known);
    return known;
  }

  #make(label: string, name: string): FakeColumn {
    const metric = METRICS.find((one) => one.metric === name);
    const seed = [...label].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 7);
    const isOther = label !== (this.case.runs[0] ?? "") && !this.case.calm;
    const strength = label.startsWith("sweep") ? (seed % 7) / 6 : 1;
    const { base = 0, noise = 1, leaves, separates } = metric ?? {};
    const values = Float64Array.from({ length: this.rows }, (_, i) => {
      const share = i / this.rows;
      const own = base + noise * noiseAt(seed + base * 13, i);
      if (!isOther) return own;
      if (leaves) return own + leaves[1] * strength * (1 / (1 + Math.exp(-(share - leaves[0] - 0.04) * 60)));
      if (separates !== undefined) return own + 0.32 * strength * (1 - Math.exp(-share * 9));
      return name === "grad_norm" && i === Math.floor(this.rows * 0.2) ? 9 : own;
    });
    return { values, valid: null };
  }

  pair(other: number, options: CompareOptions): PairView {
    const base = { other, align: options.align, skipped: [], problems: [] };
    if (this.case.apart && options.align === "step")
      return {
        ...base,
        commonSteps: 3,
        compared: 0,
        comparedOurs: 0,
        metrics: [],
        first: null,
        suggestion: "relative",
      };
    const metrics = METRICS.map((metric) => this.gap(metric.metric, options)).sort(
      (a, b) => rank(a) - rank(b),
    );
    const first = metrics.find(({ divergence, ours }) => divergence && !ours)?.metric ?? null;
    return {
      ...base,
      commonSteps: this.rows,
      compared: METRICS.filter(({ ours }) => !ours).length,
      comparedOurs: METRICS.filter(({ ours }) => ours).length,
      metrics,
      first,
      suggestion: null,
    };
  }

  gap(name: string, { z, sustain, align }: CompareOptions): MetricGap {
    const metric = METRICS.find((one) => one.metric === name);
    const place = (share: number) => {
      const step = Math.round(share * this.rows) + sustain - 4 + Math.round((z - 4) * 2);
      return { step, text: String(step), x: this.#x(step, align) };
    };
    const quarter = Math.floor(this.rows / 4);
    const isCalm = this.case.calm || z > 100;
    return {
      metric: name,
      title: metric?.title ?? name,
      unit: metric?.unit ?? "",
      ours: metric?.ours ?? false,
      n: this.rows,
      divergence: metric?.leaves && !isCalm ? place(metric.leaves[0]) : null,
      gapEarly: 0,
      noise: (metric?.noise ?? 1) * 0.8,
      gapLate: metric?.leaves?.[1] ?? 0,
      zLate: metric?.leaves && metric.noise > 0 ? metric.leaves[1] / metric.noise : -0.2,
      higherLate: metric?.leaves ? "b" : "a",
      early: [this.#x(1, align), this.#x(quarter, align)],
      late: [this.#x(this.rows - quarter, align), this.#x(this.rows, align)],
      separation:
        metric?.separates !== undefined && !this.case.calm
          ? { at: place(metric.separates), before: 0.05, after: 0.31, score: 14.2 }
          : null,
    };
  }

  #x(step: number, align: Alignment): number {
    return align === "step" ? step : align === "relative" ? step - 1 : (step - 1) * 2.2;
  }

  series(
    metric: string,
    runs: readonly number[] | null,
    align: Alignment,
    range: readonly [number, number] | null,
    width: number,
  ): OverlayView {
    const x = this.axis().map((step) => this.#x(step, align));
    const domain: [number, number] = range ? [range[0], range[1]] : [x[0] ?? 0, x.at(-1) ?? 1];
    const asked = runs ?? this.open.map((_, i) => i);
    const columns = asked.map((run) => this.column(this.open[run] ?? "", metric));
    const { full, robust, outside } = fakeRanges(columns, x, domain);
    const series = asked.map((run, i) => ({
      run,
      series: fakeSeries(metric, x, columns[i] ?? { values: x, valid: null }, domain, width),
    }));
    return { metric, series, xDomain: domain, yFull: full, yRobust: robust, outside, problems: [] };
  }

  gapSeries(
    metric: string,
    other: number,
    options: CompareOptions,
    range: readonly [number, number] | null,
    width: number,
  ): GapView {
    const x = this.axis().map((step) => this.#x(step, options.align));
    const domain: [number, number] = range ? [range[0], range[1]] : [x[0] ?? 0, x.at(-1) ?? 1];
    const [a, b] = [0, other].map((run) => this.column(this.open[run] ?? "", metric).values);
    const column = { values: x.map((_, i) => (b?.[i] ?? 0) - (a?.[i] ?? 0)), valid: null };
    const { full, robust, outside } = fakeRanges([column], x, domain);
    const series = fakeSeries(metric, x, column, domain, width);
    const gap = this.gap(metric, options);
    return {
      metric,
      other,
      series,
      gap,
      xDomain: domain,
      yFull: full,
      yRobust: robust,
      outside,
      problems: [],
    };
  }

  at(at: number, align: Alignment, metrics: readonly string[]) {
    const step = align === "time" ? at / 2.2 + 1 : align === "relative" ? at + 1 : at;
    const row = Math.min(this.rows - 1, Math.max(0, Math.round(step) - 1));
    return this.open.map((label) => ({
      step: String(row + 1),
      x: this.#x(row + 1, align),
      values: metrics.map((metric) => this.column(label, metric).values[row] ?? null),
    }));
  }

  config(ignore: readonly string[]): CompareConfigSection[] {
    const cell = (value: string, type: ConfigCell["type"], present = true): ConfigCell => ({
      present,
      value,
      type,
    });
    const row = (path: string, cells: (run: number) => ConfigCell) => {
      const all = this.open.map((_, i) => cells(i));
      const ignored = ignore.some((pattern) => path.endsWith(pattern.replace("*", "")));
      const differs = all.some((one) => JSON.stringify(one) !== JSON.stringify(all[0]));
      return { path, parts: path.split("."), cells: all, differs, ignored };
    };
    const label = (run: number): string => this.open[run] ?? "";
    const sections = [
      {
        id: "run" as const,
        title: "Run",
        rows: [
          row("run_id", (run) => cell(`${label(run)}-1`, "string")),
          row("algorithm", () => cell("grpo", "string")),
        ],
      },
      {
        id: "trainer_config" as const,
        title: "Trainer configuration",
        rows: [
          row("output_dir", (run) => cell(`out/${label(run)}`, "string")),
          row("learning_rate", (run) => cell(run === 0 ? "0.00005" : "0.0001", "number")),
          row("use_vllm", (run) => (run === 0 ? cell("false", "boolean") : cell("", "empty", false))),
          row("scheduler.warmup", (run) => (run === 0 ? cell("0", "number") : cell("null", "null"))),
          row("suffix", (run) => (run === 0 ? cell("", "empty") : cell("false", "string"))),
          row("batch_size", () => cell("16", "number")),
          row("betas", () => cell("[0.9, 0.999]", "list")),
        ],
      },
      {
        id: "environment" as const,
        title: "Environment",
        rows: [row("packages.trl", (run) => cell(run === 0 ? "0.19.0" : "0.19.1", "string"))],
      },
    ];
    return sections.map((section) => ({
      ...section,
      differing: section.rows.filter(({ differs, ignored }) => differs && !ignored).length,
      dropped: 0,
    }));
  }

  prompts(other: number, offset: number, limit: number): PromptGaps {
    const nouns = ["tree", "teacher", "cat", "river", "dog", "bee", "lamp", "city"];
    const texts = nouns.flatMap((noun) => [
      `tell me about the ${noun} :`,
      `what likes the ${noun} ?`,
      `what finds the ${noun} ?`,
    ]);
    const best = (run: number, i: number) => ({
      row: i * 10 + run,
      step: String(200 + i),
      id: `s${i}`,
      rank: 0,
      reward: 0.5 + run * 0.45,
      completion: `the ${nouns[i % nouns.length]} is ${"very ".repeat(run * 6)}old`,
      completionLength: 20 + run * 30,
    });
    const all = texts.map((text, i) => ({
      key: text,
      text,
      nA: 12,
      nB: 11,
      rewardA: 0.48 + noiseAt(3, i) * 0.01,
      rewardB: 0.99 - i * 0.035,
      gap: 0.51 - i * 0.035,
      bestA: best(0, i),
      bestB: best(1, i),
    }));
    return { other, by: "text", total: all.length, offset, prompts: all.slice(offset, offset + limit) };
  }

  records(): RecordsComparison {
    const rows = this.case.records
      ? ["gsm8k", "math-500"].map((benchmark, row) => ({
          benchmark,
          metric: "pass@1",
          horizon: "200",
          cells: this.open.map((_, i) =>
            i === 2 && row === 1
              ? null
              : {
                  n: i === 2 ? 1 : 3,
                  mean: 0.41 + i * 0.03,
                  sd: i === 2 ? Number.NaN : 0.012,
                  min: 0.39,
                  max: 0.45,
                  seeds: "0, 1, 2",
                },
          ),
          differences: this.open.map((_, i) =>
            i === 0 || (i === 2 && row === 1)
              ? null
              : {
                  value: i * 0.03,
                  low: i === 2 ? Number.NaN : 0.004,
                  high: i === 2 ? Number.NaN : 0.056,
                  df: 3.9,
                  p: i === 2 ? Number.NaN : 0.03,
                },
          ),
        }))
      : [];
    return { method: "Mean difference with a 95 % interval by Welch's t.", rows, dropped: 0 };
  }

  diagnosis(run: number): DiagnosisView {
    const isSick = run === 1 && !this.case.calm;
    const finding = (signature: string, title: string, severity: "critical" | "warn", step: number) => ({
      id: signature,
      signature,
      title,
      severity,
      ours: false,
      firstStep: step,
      firstStepText: String(step),
      knownStep: null,
      knownStepText: "",
      knownIsOpen: false,
      confidence: 0.93,
      words: "Reward rises with length.",
      what: "",
      tries: [],
      evidence: [],
      drawings: [],
      samples: { from: 1, to: 2, sort: "advantage" as const, descending: true, k: 8, why: "" },
    });
    const findings = isSick
      ? [
          finding("REWARD_HACK_LENGTH", "Reward follows length", "critical", 112),
          finding("TRUNCATION_STARVE", "Completions are cut off", "warn", 88),
        ]
      : [];
    const passed = ["REWARD_HACK_LENGTH", "TRUNCATION_STARVE", "KL_BLOWUP"]
      .filter((signature) => !findings.some((one) => one.signature === signature))
      .map((signature) => ({ signature, title: signature, words: "far from its threshold", ratio: 0.2 }));
    return {
      steps: this.rows,
      verdict: isSick
        ? { state: "findings", words: "" }
        : { state: "clear", words: "No failure signature fired" },
      unread: [],
      unreadCount: 0,
      findings,
      passed,
      skipped: [{ signature: "VALUE_DIVERGENCE", title: "Value divergence", words: "no value loss" }],
      signatures: [],
      configProblems: [],
    };
  }
}

const rank = ({ divergence, separation }: MetricGap): number =>
  divergence ? divergence.step : separation ? 1e6 + separation.at.step : 1e9;
