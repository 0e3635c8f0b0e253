/** A table of runs as CSV: numbers with all their digits, times in UTC, findings by their signatures. */
import { csvText } from "../protocol/csv.ts";
import { columnOf, type TableColumn } from "../protocol/runs-page.ts";
import type { ListedRun } from "./listed-run.ts";
import { durationOf, type FiguresOf, type KnownFigures, startedOf } from "./runs-table.ts";

/** Drawings are left out; where each run lies is the last column. */
export function runsCsv(
  columns: readonly TableColumn[],
  runs: readonly ListedRun[],
  figuresOf: FiguresOf,
): string {
  const written = columns.filter(({ kind }) => kind !== "spark");
  const head = [...written.map(headOf), "path"];
  const lines = runs.map((run) => {
    const known = figuresOf(run);
    return [...written.map(({ id }) => cellText(id, run, known)), csvText(run.dir)];
  });
  return `${[head, ...lines].map((line) => line.join(",")).join("\n")}\n`;
}

/** As it is asked for elsewhere: "reward_mean last", "trainer_config.learning_rate". */
function headOf({ id, label }: TableColumn): string {
  const ref = columnOf(id);
  if (ref?.kind === "config") return csvText(ref.key);
  if (ref?.kind === "fixed") {
    if (ref.name === "started") return "started (UTC)";
    return ref.name === "duration" ? "duration (s)" : ref.name;
  }
  return csvText(label);
}

function cellText(id: string, run: ListedRun, known: KnownFigures | null): string {
  const ref = columnOf(id);
  const { summary } = run;
  const number = (value: number | null | undefined): string => (value == null ? "" : String(value));
  switch (ref?.kind) {
    case "figure":
      return number(known?.figures.get(ref.metric)?.[ref.figure]);
    case "config":
      return csvText(summary?.config.find(([key]) => key === ref.key)?.[1] ?? "");
    case "fixed":
      break;
    default:
      return "";
  }
  switch (ref.name) {
    case "name":
      return csvText(run.label);
    case "findings":
      return csvText((run.findings ?? []).map(({ signature }) => signature).join(" "));
    case "started":
      return timeText(startedOf(run));
    case "duration":
      return number(durationOf(run));
    case "steps":
      return number(summary?.steps);
    default:
      return csvText(summary?.[ref.name] ?? "");
  }
}

function timeText(ms: number | null): string {
  const at = new Date(ms ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
