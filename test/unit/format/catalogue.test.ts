import { describe, expect, it } from "vitest";
import { chartGroups, METRIC_GROUPS, METRICS, metricInfo } from "../../../src/core/format/catalogue.ts";

const scalars = (...names: string[]) => names.map((name) => ({ name, kind: "scalar" }));
const idsOf = (groups: ReturnType<typeof chartGroups>) =>
  groups.map((group) => [group.title, ...group.charts.map((chart) => chart.id)]);

describe("chartGroups", () => {
  it("puts every metric of the format in its group, in the format's order", () => {
    const shuffled = [...METRICS].reverse().map(({ name }) => ({
      name,
      kind: name === "kl_positional" ? "list" : "scalar",
    }));
    const groups = chartGroups(shuffled);
    expect(groups.map((group) => group.title)).toEqual(
      METRIC_GROUPS.slice(0, -1).map((group) => group.title),
    );
    expect(groups.flatMap((group) => group.charts.map((chart) => chart.id))).toEqual(
      METRICS.map((m) => m.name),
    );
    expect(groups.flatMap((g) => g.charts).find((chart) => chart.id === "kl_positional")?.kind).toBe(
      "heatmap",
    );
  });

  it("draws reward components together, by name, after the reward", () => {
    const groups = chartGroups(scalars("reward_component.z", "reward_mean", "reward_component.format.eos"));
    expect(idsOf(groups)).toEqual([["Reward", "reward_mean", "reward_components"]]);
    expect(groups[0]?.charts[1]?.series).toEqual([
      { metric: "reward_component.format.eos", label: "format.eos" },
      { metric: "reward_component.z", label: "z" },
    ]);
  });

  it("gives every other number a chart of its own under Extra", () => {
    const groups = chartGroups(
      scalars("step", "timestamp", "rank", "extra.lr/actor", "extra.", "made_up", "__proto__"),
    );
    expect(idsOf(groups)).toEqual([["Extra", "__proto__", "extra.", "extra.lr/actor", "made_up"]]);
    expect(groups[0]?.charts.map((chart) => chart.title)).toEqual([
      "__proto__",
      "extra.",
      "lr/actor",
      "made_up",
    ]);
  });

  it("leaves out what was never filled and what is no number", () => {
    const columns = [
      { name: "loss", kind: "null" },
      { name: "lr", kind: "other" },
      { name: "extra.list", kind: "list" },
    ];
    expect(chartGroups(columns)).toEqual([]);
  });

  it("splits reward components that no picture could hold", () => {
    const names = Array.from({ length: 100 }, (_, i) => `reward_component.c${i}`);
    const charts = chartGroups(scalars(...names)).flatMap((group) => group.charts);
    expect(charts.map((chart) => [chart.id, chart.series.length])).toEqual([
      ["reward_components", 64],
      ["reward_components.2", 36],
    ]);
  });
});

describe("metricInfo", () => {
  it("knows titles and units, and takes any name", () => {
    expect(metricInfo("kl_mean")).toMatchObject({ title: "KL to reference", unit: "nats", group: "kl" });
    expect(metricInfo("constructor")).toMatchObject({ title: "constructor", group: "extra" });
    expect(metricInfo("reward_component.a.b")).toMatchObject({ title: "a.b", group: "reward" });
  });
});
