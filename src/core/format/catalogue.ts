/**
 * The step metrics that the recording format names, in its order, and how the columns of a run become charts.
 *
 * One metric, one chart, except the reward components, which are parts of one sum and only mean something together.
 * Mean, minimum and maximum of the reward stay apart: the extremes would set the scale and flatten the mean, and
 * findings cite single metrics.
 */

export type MetricGroupId =
  | "reward"
  | "kl"
  | "policy"
  | "advantages"
  | "grpo"
  | "ppo"
  | "optimization"
  | "generation"
  | "throughput"
  | "extra";

export interface MetricGroup {
  readonly id: MetricGroupId;
  readonly title: string;
}

/** The groups of the format's table, in its order; "extra" takes what the table does not name. */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  { id: "reward", title: "Reward" },
  { id: "kl", title: "KL to reference" },
  { id: "policy", title: "Policy" },
  { id: "advantages", title: "Advantages" },
  { id: "grpo", title: "GRPO" },
  { id: "ppo", title: "PPO" },
  { id: "optimization", title: "Optimization" },
  { id: "generation", title: "Generation" },
  { id: "throughput", title: "Throughput" },
  { id: "extra", title: "Extra" },
];

export interface MetricInfo {
  /** Column name. */
  readonly name: string;
  readonly title: string;
  /** "" for what has none: rewards, fractions, ratios, counts. */
  readonly unit: string;
  readonly group: MetricGroupId;
}

const metric = (group: MetricGroupId, name: string, title: string, unit = ""): MetricInfo => ({
  name,
  title,
  unit,
  group,
});

/** Every numeric field of StepRecord but step, rank and timestamp, in the format's order. */
export const METRICS: readonly MetricInfo[] = [
  metric("reward", "reward_mean", "Reward"),
  metric("reward", "reward_std", "Reward spread (std)"),
  metric("reward", "reward_min", "Lowest reward"),
  metric("reward", "reward_max", "Highest reward"),
  metric("kl", "kl_mean", "KL to reference", "nats"),
  metric("kl", "kl_max", "Highest KL to reference", "nats"),
  metric("kl", "kl_positional", "KL by token position", "nats"),
  metric("policy", "entropy_mean", "Policy entropy", "nats"),
  metric("policy", "logprob_mean", "Log-probability", "nats"),
  metric("policy", "ratio_mean", "Importance ratio"),
  metric("policy", "ratio_p95", "Importance ratio (p95)"),
  metric("policy", "clip_fraction", "Clip fraction"),
  metric("advantages", "adv_mean", "Advantage"),
  metric("advantages", "adv_std", "Advantage spread (std)"),
  metric("advantages", "adv_zero_frac", "Zero advantages"),
  metric("grpo", "group_reward_std_mean", "Reward spread within groups"),
  metric("grpo", "zero_variance_group_frac", "Groups without variance"),
  metric("ppo", "value_loss", "Value loss"),
  metric("ppo", "value_explained_variance", "Explained variance"),
  metric("ppo", "value_clip_fraction", "Value clip fraction"),
  metric("optimization", "loss", "Loss"),
  metric("optimization", "lr", "Learning rate"),
  metric("optimization", "grad_norm", "Gradient norm"),
  metric("optimization", "grad_norm_post_clip", "Gradient norm after clipping"),
  metric("optimization", "nan_count", "NaN count"),
  metric("optimization", "inf_count", "Inf count"),
  metric("optimization", "weight_update_ratio", "Weight update ratio"),
  metric("generation", "completion_len_mean", "Completion length", "tok"),
  metric("generation", "completion_len_p95", "Completion length (p95)", "tok"),
  metric("generation", "completion_len_max", "Longest completion", "tok"),
  metric("generation", "max_len_hit_frac", "Length limit hit"),
  metric("generation", "eos_rate", "EOS rate"),
  metric("generation", "repetition_rate", "Repetition rate"),
  metric("generation", "truncation_rate", "Truncation rate"),
  metric("throughput", "step_time_s", "Step time", "s"),
  metric("throughput", "generation_time_s", "Generation time", "s"),
  metric("throughput", "optimization_time_s", "Optimization time", "s"),
];

/** What places a row and is no measurement. */
const NOT_METRICS: ReadonlySet<string> = new Set(["step", "rank", "timestamp"]);

export const REWARD_COMPONENT_PREFIX = "reward_component.";
export const EXTRA_PREFIX = "extra.";
export const REWARD_COMPONENTS_ID = "reward_components";
/** More lines than this in one picture cannot be told apart; the rest follow in charts of their own. */
const MAX_LINES = 64;

const BY_NAME: ReadonlyMap<string, MetricInfo> = new Map(METRICS.map((info) => [info.name, info]));

/** Whether the format names this column; others are called as they are. */
export const isOfFormat = (name: string): boolean => BY_NAME.has(name);

/** Title, unit and group of any column; names that the format does not know go to "extra" under their own name. */
export function metricInfo(name: string): MetricInfo {
  const known = BY_NAME.get(name);
  if (known) return known;
  if (isComponent(name)) return metric("reward", name, withoutPrefix(name, REWARD_COMPONENT_PREFIX));
  return metric("extra", name, withoutPrefix(name, EXTRA_PREFIX));
}

export interface CatalogueChart {
  /** The metric's name, or "reward_components". */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly kind: "lines" | "heatmap";
  readonly series: readonly { readonly metric: string; readonly label: string }[];
}

export interface CatalogueGroup extends MetricGroup {
  readonly charts: readonly CatalogueChart[];
}

/**
 * Charts of a run from its columns: known metrics in the format's order, others by name. Columns that were never
 * filled ("null") or hold no numbers ("other") give none; of lists, kl_positional alone has a picture.
 */
export function chartGroups(
  columns: readonly { readonly name: string; readonly kind: string }[],
): CatalogueGroup[] {
  const kinds = new Map(columns.map((column) => [column.name, column.kind]));
  const charts = new Map<MetricGroupId, CatalogueChart[]>(METRIC_GROUPS.map((group) => [group.id, []]));
  for (const info of METRICS) {
    const kind = kinds.get(info.name);
    if (kind === "scalar") charts.get(info.group)?.push(single(info, "lines"));
    else if (kind === "list" && info.name === "kl_positional") {
      charts.get(info.group)?.push(single(info, "heatmap"));
    }
  }
  const names = [...kinds.keys()].filter((name) => kinds.get(name) === "scalar" && !NOT_METRICS.has(name));
  const others = names.filter((name) => !BY_NAME.has(name)).sort(byCodeUnit);
  charts.get("reward")?.push(...componentCharts(others.filter(isComponent)));
  for (const name of others) {
    if (!isComponent(name)) charts.get("extra")?.push(single(metricInfo(name), "lines"));
  }
  return METRIC_GROUPS.map((group) => ({ ...group, charts: charts.get(group.id) ?? [] })).filter(
    (group) => group.charts.length > 0,
  );
}

function single(info: MetricInfo, kind: CatalogueChart["kind"]): CatalogueChart {
  const { name, title, unit } = info;
  return { id: name, title, unit, kind, series: [{ metric: name, label: title }] };
}

function componentCharts(names: readonly string[]): CatalogueChart[] {
  const charts: CatalogueChart[] = [];
  for (let start = 0; start < names.length; start += MAX_LINES) {
    const number = charts.length + 1;
    charts.push({
      id: number === 1 ? REWARD_COMPONENTS_ID : `${REWARD_COMPONENTS_ID}.${number}`,
      title: number === 1 ? "Reward components" : `Reward components (${number})`,
      unit: "",
      kind: "lines",
      series: names
        .slice(start, start + MAX_LINES)
        .map((name) => ({ metric: name, label: metricInfo(name).title })),
    });
  }
  return charts;
}

const isComponent = (name: string): boolean => name.startsWith(REWARD_COMPONENT_PREFIX);

/** A name that is nothing but its prefix is shown whole, so that no chart is without a title. */
function withoutPrefix(name: string, prefix: string): string {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return rest.trim() === "" ? name : rest;
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
