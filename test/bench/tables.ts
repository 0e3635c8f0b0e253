/** The printed report. */
import { WAYS } from "./children.ts";
import type { FileSize } from "./package-size.ts";
import { cell, digits, type Figures, ratio, spread, table } from "./report.ts";
import { CHARTS, PICKS, type Pick, type RunSpec } from "./stories.ts";

const US = "flight-deck";
const LABEL: Readonly<Record<Pick, string>> = {
  one: "1 column",
  charts: `${CHARTS} columns`,
  all: "all columns",
};

const at = (figures: Figures, run: string, who: string, what: string) => figures.get(run, who, what);
const ms = (figures: Figures, run: string, who: string, what: string) =>
  cell(spread(at(figures, run, who, what)));

/** Ours in times the floor. */
const times = (figures: Figures, run: string, what: string) =>
  cell(ratio(at(figures, run, US, what), at(figures, run, "floor", what)), "x");

export function readingTable(figures: Figures, specs: readonly RunSpec[]): string {
  const rows = [
    [
      "reading steps, ms",
      "cold",
      "warm",
      "zstd floor",
      "warm / floor",
      "CPU / floor",
      "all in, cold",
      "rlprobe steps()",
      "rlprobe / ours",
    ],
  ];
  for (const { name, kind } of specs) {
    if (kind === "shards") continue;
    for (const what of ["open", "axis"])
      rows.push([
        `${name}: ${what}`,
        ms(figures, name, US, `${what} cold`),
        ms(figures, name, US, `${what} warm`),
      ]);
    for (const pick of PICKS) {
      const read = `read ${pick}`;
      const [ours, theirs] = [
        at(figures, name, US, `ready ${pick} cold`),
        at(figures, name, "rlprobe", "steps cold"),
      ];
      rows.push([
        `${name}: ${LABEL[pick]}`,
        ms(figures, name, US, `${read} cold`),
        ms(figures, name, US, `${read} warm`),
        ms(figures, name, "floor", `${read} warm`),
        times(figures, name, `${read} warm`),
        times(figures, name, `${read} cpu`),
        cell(spread(ours)),
        cell(spread(theirs)),
        cell(ratio(theirs, ours), "x"),
      ]);
    }
  }
  return table(rows);
}

export function samplesTable(figures: Figures, specs: readonly RunSpec[]): string {
  const rows = [
    [
      "samples, ms",
      "open",
      "counts cold",
      "index cold",
      "index warm",
      "MB",
      "rlprobe samples()",
      "rlprobe MB",
    ],
  ];
  for (const { name, shards } of specs)
    if (shards > 0)
      rows.push([
        `${name}: ${digits(shards)} shards`,
        ms(figures, name, US, "open cold"),
        ms(figures, name, US, "sample counts cold"),
        ms(figures, name, US, "sample index cold"),
        ms(figures, name, US, "sample index warm"),
        ms(figures, name, US, "memory samples"),
        ms(figures, name, "rlprobe", "samples cold"),
        ms(figures, name, "rlprobe", "memory samples"),
      ]);
  return table(rows);
}

export function memoryTable(figures: Figures, specs: readonly RunSpec[]): string {
  const rows = [
    ["peak memory, MB", ...PICKS.map((p) => LABEL[p]), "rlprobe steps()", "rlprobe / all columns"],
  ];
  for (const { name, kind } of specs)
    if (kind !== "shards")
      rows.push([
        name,
        ...PICKS.map((p) => ms(figures, name, US, `memory ${p}`)),
        ms(figures, name, "rlprobe", "memory steps"),
        cell(ratio(at(figures, name, "rlprobe", "memory steps"), at(figures, name, US, "memory all")), "x"),
      ]);
  return table(rows);
}

/** Our excerpts against parquet-wasm's own projection, file by file; processor time, as the machine may be busy. */
export function decodersTable(figures: Figures, specs: readonly RunSpec[]): string {
  const [ours, theirs] = WAYS;
  const rows = [
    [
      "decoding, ms of CPU",
      `${ours} cold`,
      "warm",
      "MB",
      `${theirs} cold`,
      "warm",
      "MB",
      "theirs / ours cold",
      "warm",
    ],
  ];
  const add = (label: string, name: string, story: string) => {
    const [cold, warm] = [`${story} cold cpu`, `${story} cpu`];
    const both = [ours, theirs].flatMap((who) => [
      ms(figures, name, who, cold),
      ms(figures, name, who, warm),
      ms(figures, name, who, `memory ${story}`),
    ]);
    const compared = [cold, warm].map((what) =>
      cell(ratio(at(figures, name, theirs, what), at(figures, name, ours, what)), "x"),
    );
    rows.push([label, ...both, ...compared]);
  };
  for (const { name, kind, shards } of specs) {
    if (kind !== "shards") for (const pick of PICKS) add(`${name}: ${LABEL[pick]}`, name, `read ${pick}`);
    if (shards > 0) add(`${name}: sample index`, name, "sample index");
  }
  return table(rows);
}

export function packageTable(figures: Figures, sizes: readonly FileSize[]): string {
  const kb = (bytes: number) => digits(bytes / 1024);
  const rows = [["package", "KB", "gzip KB"], ...sizes.map((s) => [s.name, kb(s.bytes), kb(s.gzip)])];
  const load = ms(figures, "package", US, "load");
  const activate = ms(figures, "package", US, "activate");
  return `${table(rows)}\n\nloading the extension ${load} ms, activate ${activate} ms (a vscode module that does nothing)`;
}

export function doctorTable(figures: Figures, run: string): string {
  const [ours, theirs] = [US, "rlprobe"].map((who) => at(figures, run, who, "doctor process"));
  return table([
    ["doctor --json, whole process, ms", "flight-deck", "rlprobe", "rlprobe / ours"],
    [run, cell(spread(ours)), cell(spread(theirs)), cell(ratio(theirs, ours), "x")],
  ]);
}
