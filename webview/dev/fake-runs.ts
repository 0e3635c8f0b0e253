/** Made-up runs for the page with their table: as many as asked for, some of them strange, and their order. */
import {
  columnOf,
  type TableColumn,
  type TableQuery,
  type TableRow,
  type TableView,
} from "../../src/protocol/runs-page.ts";

export interface FakeRun {
  readonly dir: string;
  readonly label: string;
  readonly state: NonNullable<TableRow["state"]>;
  readonly steps: number;
  readonly started: number;
  readonly algorithm: string;
  readonly model: string;
  readonly reward: number;
  readonly kl: number;
  readonly lr: string;
  readonly findings: NonNullable<TableRow["findings"]>;
  readonly problem: string;
}

const STATES = [
  "finished",
  "finished",
  "finished",
  "running",
  "crashed",
  "stalled",
  "killed",
  "halted",
] as const;
const TITLES = [
  ["KL to the reference runs away", "critical"],
  ["Reward follows length", "warn"],
  ["Answers are cut off", "warn"],
  ["Entropy collapses", "critical"],
  ["Steps take longer and longer", "info"],
] as const;

/** The same for the same number. */
const noise = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43758.5453;
  return x - Math.floor(x);
};

/** What a recording can hold to mislead. */
const STRANGE = [
  { label: "<img src=x onerror=alert(1)>", algorithm: "__proto__", model: '=HYPERLINK("x")' },
  { label: "tx\u202egnp.nur", algorithm: "constructor", model: "\u0000\u001b[31m" },
  { label: "n".repeat(300), algorithm: "grpo", model: "m".repeat(500) },
];

export function fakeRuns(count: number): FakeRun[] {
  return Array.from({ length: count }, (_, i) => {
    const strange = count > 20 ? STRANGE[i - 5] : undefined;
    const firing = TITLES.filter((_, t) => noise(i * 7 + t) < 0.18);
    const order = ["critical", "warn", "info"];
    return {
      dir: `/home/ana/runs/${i % 3 === 0 ? "a" : "b"}/run-${i}`,
      label: strange?.label ?? `grpo-${["baseline", "wide", "long", "hot"][i % 4]}-${i}`,
      state: STATES[Math.floor(noise(i) * STATES.length)] ?? "finished",
      steps: 50 + Math.floor(noise(i + 0.5) * 5000),
      started: 1_790_000_000 - i * 5400,
      algorithm: strange?.algorithm ?? (i % 5 === 0 ? "ppo" : "grpo"),
      model: strange?.model ?? "Qwen2.5-0.5B-Instruct",
      reward: noise(i + 0.1) * 2 - 0.4,
      kl: noise(i + 0.2) * 0.1,
      lr: ["1e-5", "3e-5", "1e-6"][i % 3] ?? "",
      findings: firing
        .map(([title, severity], f) => ({ id: `f${f}`, title, severity, firstStep: String(40 + f) }))
        .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)),
      problem: count > 20 && i === 9 ? "The manifest's schema is newer than Flight Deck knows." : "",
    };
  });
}

const LABELS: Readonly<Record<string, string>> = {
  name: "Run",
  state: "State",
  findings: "Findings",
  steps: "Steps",
  started: "Started",
  duration: "Duration",
  algorithm: "Algorithm",
  model: "Model",
};

export function fakeColumns(ids: readonly string[]): TableColumn[] {
  const all = ["name", ...ids].flatMap((id) =>
    id === "differing" ? ["config:trainer_config.learning_rate"] : [id],
  );
  return [...new Set(all)].map((id) => {
    const ref = columnOf(id);
    const isNumber = ref?.kind === "figure" || id === "steps" || id === "started" || id === "duration";
    const label =
      ref?.kind === "figure"
        ? `${ref.metric} ${ref.figure}`
        : ref?.kind === "spark"
          ? ref.metric
          : ref?.kind === "config"
            ? ref.key.slice(ref.key.indexOf(".") + 1)
            : (LABELS[id] ?? id);
    const kind = ref?.kind === "differing" || ref === null ? "fixed" : ref.kind;
    return { id, kind, label, title: "", isNumber };
  });
}

/** What a column sorts by. */
export function fakeKey(id: string, run: FakeRun): number | string {
  const ref = columnOf(id);
  if (ref?.kind === "figure" || ref?.kind === "spark") return ref.metric === "kl_mean" ? run.kl : run.reward;
  if (ref?.kind === "config") return run.lr;
  if (id === "findings") return run.findings.length;
  if (id === "steps" || id === "started") return run[id];
  if (id === "duration") return run.steps;
  return id === "state" || id === "algorithm" || id === "model" ? run[id] : run.label;
}

/** More than a cell holds. */
const PARTLY = "No findings in what could be read, but only 3 of 18 signatures could be looked for";

function text(id: string, run: FakeRun): string {
  const key = fakeKey(id, run);
  if (id === "findings") return "";
  if (id === "started") return new Date(run.started * 1000).toISOString().slice(0, 16).replace("T", " ");
  if (id === "duration") return `${Math.floor(run.steps / 60)} min`;
  return typeof key === "number" ? String(Number(key.toPrecision(4))) : key;
}

function path(seed: number): string {
  const points = Array.from({ length: 50 }, (_, i) => {
    const y = 18 - (i / 50) * 12 * noise(seed) - noise(seed + i) * 4;
    return `${i === 0 ? "M" : "L"}${i * 2} ${Math.round(y * 10) / 10}`;
  });
  return points.join("");
}

export function fakeRow(columns: readonly TableColumn[], run: FakeRun, isRead: boolean): TableRow {
  return {
    dir: run.dir,
    label: run.label,
    place: "",
    state: run.problem === "" ? run.state : null,
    stateReason: "As the recording says.",
    findings: run.problem === "" ? run.findings : null,
    verdict: run.findings.length > 0 ? "" : run.steps % 2 === 0 ? "No findings" : PARTLY,
    problem: run.problem,
    cells: columns.map(({ id, kind }) => {
      const isOf = kind === "figure" || kind === "spark";
      if ((isOf && !isRead) || (run.problem !== "" && id !== "name")) return { text: "", path: "" };
      return {
        text: kind === "spark" ? "last 0.5, lowest 0.1, highest 0.9" : text(id, run),
        path: kind === "spark" ? path(run.reward) : "",
      };
    }),
  };
}

/** Free words of the name, `state:` and `bad:` for a problem: enough of the language for a page. */
export function fakeFilter(
  filter: string,
  runs: readonly FakeRun[],
): Pick<TableView, "problem"> & { runs: FakeRun[] } {
  const bad = /bad:\S*/.exec(filter);
  const problem = bad
    ? { from: bad.index, to: bad.index + bad[0].length, message: "There is no key “bad”." }
    : null;
  const words = filter.split(/\s+/).filter((word) => word !== "" && !word.startsWith("bad:"));
  const fits = (run: FakeRun): boolean =>
    words.every((word) =>
      word.startsWith("state:") ? run.state === word.slice(6) : run.label.toLowerCase().includes(word),
    );
  return { problem, runs: runs.filter(fits) };
}

export function fakeOrder(runs: readonly FakeRun[], sort: TableQuery["sort"]): FakeRun[] {
  if (!sort) return [...runs];
  const sign = sort.descending ? -1 : 1;
  return runs.toSorted((a, b) => {
    const [x, y] = [fakeKey(sort.column, a), fakeKey(sort.column, b)];
    return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x) < String(y) ? -1 : 1);
  });
}
