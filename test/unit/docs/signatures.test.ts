/** The pages of the signatures are written from the signatures' files, their pictures from recordings in which they fire. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { signatureChart } from "../../../scripts/lib/signature-chart.mjs";
import { diagnose } from "../../../src/core/doctor/engine.ts";
import { loadDoctorRun } from "../../../src/core/doctor/load.ts";
import { DoctorRun, type SeriesData } from "../../../src/core/doctor/run.ts";
import type { Drawing, Finding } from "../../../src/core/doctor/types.ts";
import { initParquet, nodeSource, openRun } from "../../../src/core/index.ts";
import { ALL_SIGNATURES, signatureIndex, signaturePage, tomlOf } from "../../../src/view/signature-page.ts";
import { pageOf, pageWith, ROOT } from "./sections.ts";

initParquet(fs.readFileSync(path.join(ROOT, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm")));

type Series = Map<string, Float64Array>;
interface Origin {
  /** A recording of the fixtures, or the demo run. */
  readonly run: string;
  /** What was changed in it, so that it fires. */
  readonly change?: (series: Series, rows: number) => void;
}

const synthetic = (name: string): Origin => ({ run: `test/fixtures/oracle/synthetic/recordings/${name}` });
const changed = (name: string, change: NonNullable<Origin["change"]>): Origin => ({
  ...synthetic(name),
  change,
});
const real: Origin = { run: "media/demo/grpo-length-hack" };
const set = (series: Series, metric: string, value: (v: number, row: number) => number) =>
  series.set(metric, (series.get(metric) ?? new Float64Array()).map(value));

const ORIGINS: Readonly<Record<string, Origin>> = {
  KL_BLOWUP: synthetic("kl-blowup"),
  ENTROPY_COLLAPSE: synthetic("entropy-collapse"),
  REWARD_HACK_LENGTH: real,
  FORMAT_GAMING: synthetic("format-gaming"),
  CLIP_SATURATION: synthetic("clip-saturation"),
  DEGENERATE_GROUPS: synthetic("degenerate-groups"),
  ADV_COLLAPSE: synthetic("adv-collapse"),
  VALUE_DIVERGENCE: synthetic("value-divergence"),
  GRAD_PATHOLOGY: synthetic("grad-pathology"),
  TRUNCATION_STARVE: real,
  REPETITION_SPIRAL: synthetic("repetition-spiral"),
  REWARD_STD_DEATH: synthetic("reward-std-death"),
  REF_POLICY_DRIFT_ASYMMETRY: synthetic("ref-drift-asymmetry"),
  THROUGHPUT_ROT: synthetic("throughput-rot"),
  FD_NON_FINITE: changed("healthy-grpo", (s, rows) =>
    set(s, "loss", (v, row) => (row > rows * 0.7 ? Number.NaN : v)),
  ),
  FD_BEFORE_NAN: changed("entropy-collapse", (s, rows) =>
    set(s, "entropy_mean", (v, row) => (row >= rows * 0.8 ? Number.NaN : v)),
  ),
  FD_SPIKE: changed("healthy-grpo", (s, rows) =>
    set(s, "grad_norm", (v, row) => (row === Math.round(rows * 0.6) ? v * 1000 : v)),
  ),
  FD_NEVER_HEALTHY: changed("healthy-grpo", (s) => set(s, "entropy_mean", (v) => v / 1000)),
};

async function loaded({ run, change }: Origin): Promise<{ run: DoctorRun; data: SeriesData }> {
  const model = await openRun(nodeSource(path.join(ROOT, run)));
  const { data } = (await loadDoctorRun(model, "merged", ALL_SIGNATURES)) as unknown as { data: SeriesData };
  if (!change) return { run: new DoctorRun(data), data };
  const series = new Map(data.series);
  change(series, data.rows);
  const other = { ...data, series };
  return { run: new DoctorRun(other), data: other };
}

/** The part of kl_positional that a finding names, or the one with most. */
function valuesOf(data: SeriesData, { metric }: Drawing, finding: Finding): Float64Array | null {
  if (metric === "kl_positional" && data.positional) {
    const { values, width } = data.positional;
    const bucket = Number(finding.evidence[0]?.["bucket"] ?? 0);
    return Float64Array.from({ length: data.rows }, (_, row) => values[row * width + bucket] ?? Number.NaN);
  }
  const component = data.components.find(([name]) => metric === `reward_component.${name}`);
  return component?.[1] ?? data.series.get(metric) ?? null;
}

/** What has a limit says more than a count. */
const limits = ({ drawings }: Finding): number => drawings.filter((d) => d.threshold !== undefined).length;

const MAX_PANELS = 3;

async function chartOf(id: string, origin: Origin): Promise<string> {
  const { run, data } = await loaded(origin);
  const finding = diagnose(run, {}, ALL_SIGNATURES)
    .findings.filter(({ signature }) => signature === id)
    .sort((a, b) => limits(b) - limits(a) || b.drawings.length - a.drawings.length)[0];
  if (!finding) throw new Error(`${id} does not fire in ${origin.run}`);
  const panels = finding.drawings.slice(0, MAX_PANELS).flatMap((drawing) => {
    const values = valuesOf(data, drawing, finding);
    return values ? [{ ...drawing, values }] : [];
  });
  const title = ALL_SIGNATURES.find((s) => s.id === id)?.title ?? id;
  return signatureChart({ title, steps: data.step, onset: finding.onsetRow, panels });
}

const file = (name: string): string => path.join(ROOT, "docs/signatures", name);

describe("docs/signatures (npx vitest run test/unit/docs -u)", () => {
  test.each(ALL_SIGNATURES.map(({ id }) => id))("%s has its page", async (id) => {
    const page = signaturePage(id, `${id}.svg`) ?? "";
    const { run, change } = ORIGINS[id] ?? { run: "" };
    const origin = `*The picture: \`${run}\`${change ? ", changed so that it fires" : ""}.*`;
    await expect(`${page}\n${origin}\n`).toMatchFileSnapshot(file(`${id}.md`));
  });

  test.each(ALL_SIGNATURES.map(({ id }) => id))("%s has its picture", async (id) => {
    const origin = ORIGINS[id];
    if (!origin) throw new Error(`${id} has no recording`);
    await expect(await chartOf(id, origin)).toMatchFileSnapshot(file(`${id}.svg`));
  });

  test("the index has them all", async () => {
    await expect(signatureIndex((id) => `${id}.md`)).toMatchFileSnapshot(file("README.md"));
  });

  test("nothing else lies there", () => {
    const known = ALL_SIGNATURES.flatMap(({ id }) => [`${id}.md`, `${id}.svg`]);
    expect(fs.readdirSync(file("")).sort()).toEqual([...known, "README.md"].sort());
  });

  test("docs/doctor.md has a doctor.toml with every key", async () => {
    const page = pageOf("doctor.md");
    const toml = ["```toml", ALL_SIGNATURES.map(tomlOf).join("\n\n"), "```"].join("\n");
    await expect(pageWith(page, { toml })).toMatchFileSnapshot(page);
  });
});
