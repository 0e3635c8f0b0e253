/** The doctor beside rlprobe's: whole processes on 100,000 steps, and how good the verdicts are on runs whose failure is known. */
import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { initParquet, nodeSource, openRun } from "../../src/core/index.ts";
import { digits, type Figures, table } from "./report.ts";

const start = promisify(execFile);

/** Milliseconds of a whole process; a finding's exit code is none of an error. */
async function wall(command: string, args: readonly string[]): Promise<number> {
  const from = performance.now();
  try {
    await start(command, args, { maxBuffer: 1 << 26 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 1) throw error;
  }
  return performance.now() - from;
}

const RLPROBE = "from rlprobe.cli import main; main()";

/** From files on disk to JSON on standard output, process start included. */
export async function doctorRound(
  number: number,
  run: { readonly name: string; readonly folder: string },
  places: { readonly root: string; readonly python: string | null },
  figures: Figures,
): Promise<void> {
  const cli = path.join(places.root, "dist/cli.cjs");
  const jobs = [
    async () =>
      figures.add(number, run.name, "flight-deck", {
        "doctor process": await wall(process.execPath, [
          cli,
          "doctor",
          run.folder,
          "--json",
          "--as-recorded",
        ]),
      }),
    async () => {
      const { python } = places;
      if (python === null) return;
      const script = path.join(path.dirname(python), "rlprobe");
      const [command, ...first] = fs.existsSync(script) ? [script] : [python, "-c", RLPROBE];
      figures.add(number, run.name, "rlprobe", {
        "doctor process": await wall(command ?? python, [...first, "doctor", run.folder, "--json"]),
      });
    },
  ];
  if (number % 2 === 1) jobs.reverse();
  for (const job of jobs) await job();
}

interface Truth {
  readonly name: string;
  /** rlprobe's name of the failure; `null` for a healthy run. */
  readonly pathology: string | null;
  readonly onset: number;
  readonly steps: number;
  readonly findings: readonly Found[];
}

interface Found {
  readonly signature: string;
  readonly onset: number | null;
}

/** The signature that a generated failure should raise. */
const RAISES: Readonly<Record<string, string>> = { ref_drift_asymmetry: "REF_POLICY_DRIFT_ASYMMETRY" };
const signatureOf = (pathology: string): string => RAISES[pathology] ?? pathology.toUpperCase();

const SICK = 20;
const HEALTHY = 200;

/** @returns the printed tables; a sentence where there is no rlprobe to make the runs */
export async function quality(root: string, cache: string, python: string | null): Promise<string> {
  if (python === null) return "Quality of findings: not measured, no rlprobe to make the runs.";
  const out = path.join(cache, "quality");
  fs.rmSync(out, { recursive: true, force: true });
  const script = path.join(root, "test/contract/make_synth.py");
  const args = [
    "-W",
    "ignore",
    script,
    out,
    "--seed",
    "11",
    "--healthy",
    String(HEALTHY),
    "--sick",
    String(SICK),
  ];
  const { status } = spawnSync(python, [...args, "--findings"], { stdio: "inherit" });
  if (status !== 0) throw new Error("rlprobe's generator failed");
  initParquet(fs.readFileSync(path.join(root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm")));
  const truth = JSON.parse(fs.readFileSync(path.join(out, "truth.json"), "utf8")) as readonly Truth[];
  const ours = new Map<string, readonly Found[]>();
  for (const { name } of truth) ours.set(name, await findingsOf(path.join(out, "recordings", name)));
  return `${sickTable(truth, ours)}\n\n${healthyTable(truth, ours)}`;
}

async function findingsOf(folder: string): Promise<readonly Found[]> {
  const { findings } = await diagnoseRun(await openRun(nodeSource(folder)), { order: "merged", extra: true });
  return findings.map(({ signature, firstStep }) => ({
    signature,
    onset: firstStep === null ? null : Number(firstStep),
  }));
}

function sickTable(truth: readonly Truth[], ours: ReadonlyMap<string, readonly Found[]>): string {
  const head = [
    `${SICK} runs of each failure`,
    "recall",
    "rlprobe",
    "onset off, steps (share of run)",
    "rlprobe",
    "other findings",
    "FD_",
  ];
  const names = [...new Set(truth.flatMap(({ pathology }) => pathology ?? []))];
  const rows = names.map((pathology) => {
    const runs = truth.filter((t) => t.pathology === pathology);
    const signature = signatureOf(pathology);
    const of = (t: Truth) => ours.get(t.name) ?? [];
    const all = runs.flatMap(of);
    return [
      signature,
      recall(runs, of, signature),
      recall(runs, (t) => t.findings, signature),
      onsetError(runs, of, signature),
      onsetError(runs, (t) => t.findings, signature),
      String(all.filter((f) => f.signature !== signature && !f.signature.startsWith("FD_")).length),
      String(all.filter((f) => f.signature.startsWith("FD_")).length),
    ];
  });
  return table([head, ...rows]);
}

const NOTHING = { off: 0, steps: 1 };

type FindingsOf = (t: Truth) => readonly Found[];

function recall(runs: readonly Truth[], of: FindingsOf, signature: string): string {
  const hit = runs.filter((t) => of(t).some((f) => f.signature === signature)).length;
  return `${hit}/${runs.length}`;
}

/** Median and largest distance between where the failure was put and where it is said to begin. */
function onsetError(runs: readonly Truth[], of: FindingsOf, signature: string): string {
  const errors = runs.flatMap((t) => {
    const onsets = of(t).flatMap((f) => (f.signature === signature && f.onset !== null ? [f.onset] : []));
    return onsets.length === 0 ? [] : [{ off: Math.min(...onsets) - t.onset, steps: t.steps }];
  });
  if (errors.length === 0) return "–";
  errors.sort((a, b) => a.off - b.off);
  const middle = errors[errors.length >> 1] ?? NOTHING;
  const worst = errors.reduce((w, e) => (Math.abs(e.off) > Math.abs(w.off) ? e : w), NOTHING);
  const words = ({ off, steps }: typeof middle) =>
    `${off < 0 ? "−" : ""}${Math.abs(off)} (${digits((Math.abs(off) / steps) * 100)}%)`;
  return `${words(middle)}, at most ${words(worst)}`;
}

function healthyTable(truth: readonly Truth[], ours: ReadonlyMap<string, readonly Found[]>): string {
  const runs = truth.filter(({ pathology }) => pathology === null);
  const alarms = (of: FindingsOf) => runs.filter((t) => of(t).length > 0).length;
  const own = runs.filter((t) => (ours.get(t.name) ?? []).some((f) => f.signature.startsWith("FD_"))).length;
  return table([
    [`${runs.length} healthy runs`, "flight-deck", "of them FD_", "rlprobe"],
    [
      "with a false alarm",
      String(alarms((t) => ours.get(t.name) ?? [])),
      String(own),
      String(alarms((t) => t.findings)),
    ],
  ]);
}
