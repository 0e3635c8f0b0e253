/**
 * The marks that the reader, the extension host and the package have to reach at 100,000 steps of 42 columns. Those of the
 * page (first chart, zoom, heap) are measured in a browser, by the tests of the workbench.
 */
import type { FileSize } from "./package-size.ts";
import { type Figures, ratio, spread, type Target } from "./report.ts";

export const LONG = "100000 steps";
const MB = 1024 * 1024;

export function targets(figures: Figures, sizes: readonly FileSize[]): readonly Target[] {
  const median = (run: string, what: string, who = "flight-deck") =>
    spread(figures.get(run, who, what))?.median ?? null;
  const sum = (run: string, ...names: string[]) =>
    names.reduce<number | null>((total, name) => {
      const value = median(run, name);
      return total === null || value === null ? null : total + value;
    }, 0);
  const bytes = (test: (name: string) => boolean) => sizes.find((s) => test(s.name))?.bytes ?? null;
  const scaled = (value: number | null, by: number) => (value === null ? null : value / by);
  const floor = ratio(
    figures.get(LONG, "flight-deck", "read charts cpu"),
    figures.get(LONG, "floor", "read charts cpu"),
  );
  return [
    // In processor time, of the minima: both run on one thread, and a busy machine stretches the longer one more.
    {
      what: "14 columns warm, times the zstd floor (CPU)",
      unit: "x",
      must: 5,
      aim: 3,
      value: floor?.min ?? null,
    },
    {
      what: "opening: the reader's share of the header",
      unit: " ms",
      must: 300,
      aim: 150,
      value: median(LONG, "open cold"),
    },
    {
      what: "memory of a process that reads 14 columns",
      unit: " MB",
      must: 260,
      aim: 170,
      value: median(LONG, "memory charts"),
    },
    {
      what: "500 parts of 3 rows: 14 columns, all in, cold",
      unit: " ms",
      must: 1_800,
      aim: 900,
      value: median("500 parts x 3", "ready charts cold"),
    },
    {
      what: "500 parts of 200 rows: 14 columns, all in, cold",
      unit: " ms",
      must: 1_800,
      aim: 900,
      value: median("500 parts x 200", "ready charts cold"),
    },
    {
      what: "40,000 shards of 20 rows: index, all in, cold",
      unit: " s",
      must: 60,
      aim: 30,
      value: scaled(
        sum("40000 shards x 20", "load cold", "open cold", "sample counts cold", "sample index cold"),
        1_000,
      ),
    },
    {
      what: "doctor of 100,000 steps, whole process, times rlprobe's",
      unit: "x",
      must: 1 / 8,
      aim: 1 / 20,
      value:
        ratio(
          figures.get(LONG, "flight-deck", "doctor process"),
          figures.get(LONG, "rlprobe", "doctor process"),
        )?.min ?? null,
    },
    {
      what: "activation of our own code",
      unit: " ms",
      must: 50,
      aim: 10,
      value: sum("package", "load", "activate") ?? median("package", "load"),
    },
    {
      what: "what VS Code loads at its start",
      unit: " KB",
      must: 300,
      aim: 100,
      value: scaled(
        bytes((n) => n.endsWith("extension.cjs")),
        1024,
      ),
    },
    {
      what: "package",
      unit: " MB",
      must: 4,
      aim: 3,
      value: scaled(
        bytes((n) => n.endsWith(".vsix")),
        MB,
      ),
    },
  ];
}
