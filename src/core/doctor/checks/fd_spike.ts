import { max, median, select, withoutNaN } from "../../stats/series.ts";
import { below, figure } from "../measures.ts";
import { phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { type Distance, defineSignature, type Report } from "../types.ts";

const WATCHED = ["grad_norm", "loss", "kl_mean", "value_loss"] as const;

export default defineSignature({
  id: "FD_SPIKE",
  title: "A single spike",
  severity: "warn",
  needs: WATCHED,
  needsAny: true,
  params: {
    ratio: { default: 50, min: 2, max: 1e6, doc: "Above this many times the median." },
    above_usual: {
      default: 20,
      min: 1,
      max: 1e6,
      doc: "And above this many times what 99 of 100 steps stay below.",
    },
    max_spikes: {
      default: 10,
      min: 1,
      max: 10_000,
      integer: true,
      doc: "More of them are no single spikes.",
    },
  },
  samples: { sort: "advantage", descending: true, why: "the completions of the step that spiked" },
  pages: {
    what: "One step, or a few, far outside of everything else: a bad batch, a corrupt sample, an overflow. rlprobe wants three spikes of the gradient; one of a thousand times passes it by and can still cost the run.",
    looks: "A needle on an otherwise quiet chart; the y range says that a point lies outside.",
    tries: [
      "Look at the samples of that step.",
      "Check what followed: did reward or KL change for good after it?",
      "Clip gradients, or skip updates whose norm is far above the usual.",
    ],
    falseAlarms: "Metrics that are zero almost always and large when they are not.",
  },
  inspect(run, p) {
    const reports: Report[] = [];
    let nearest: Distance | null = null;
    for (const metric of WATCHED) {
      const seen = spikesOf(run, metric, p);
      if (!seen) continue;
      if (seen.rows.length > 0 && seen.rows.length <= p.max_spikes) reports.push(reportOf(metric, seen));
      else {
        const distance = below(seen.highest, seen.level);
        if (distance && (!nearest || distance.ratio > nearest.ratio)) nearest = distance;
      }
    }
    return nearest ? { reports, distance: nearest } : { reports };
  },
});

interface Spikes {
  readonly rows: readonly number[];
  readonly median: number;
  readonly level: number;
  readonly highest: number;
}

function spikesOf(run: DoctorRun, metric: string, p: { ratio: number; above_usual: number }): Spikes | null {
  if (!run.has(metric)) return null;
  const x = run.series(metric);
  const size = x.map(Math.abs);
  const finite = withoutNaN(size.map((v) => (v === Number.POSITIVE_INFINITY ? Number.NaN : v)));
  const middle = median(finite);
  if (!(middle > 0)) return null;
  const highest = max(finite);
  const place = Math.floor(finite.length * 0.99) - 1;
  const usual = place < 0 ? highest : select(finite, place);
  const level = Math.max(p.ratio * middle, p.above_usual * usual);
  const rows: number[] = [];
  size.forEach((v, row) => {
    if (v > level && Number.isFinite(v)) rows.push(row);
  });
  return { rows, median: middle, level, highest };
}

function reportOf(metric: string, { rows, median: middle, level, highest }: Spikes): Report {
  const [first = -1] = rows;
  return {
    confidence: 0.8,
    onset: first,
    evidence: [{ metric, n_spikes: rows.length, median: middle, max: highest, threshold: level }],
    phrase:
      rows.length === 1
        ? phrase(
            "{0} jumps to {1}, {2}× its median, at one step.",
            metric,
            figure(highest),
            figure(highest / middle),
          )
        : phrase(
            "{0} jumps to {1}, {2}× its median, at {3} steps.",
            metric,
            figure(highest),
            figure(highest / middle),
            rows.length,
          ),
    drawings: [{ metric, threshold: level }],
  };
}
