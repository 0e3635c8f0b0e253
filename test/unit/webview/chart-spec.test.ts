import { readFile } from "node:fs/promises";
import { View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { describe, expect, it } from "vitest";
import { chartRuntime, chartSpecModule } from "../../../scripts/gen/chart-spec.mjs";

const generated = new URL("../../../webview/charts/spec.generated.ts", import.meta.url);

describe("the charts' frame", () => {
  it("is compiled from its vega-lite source", async () => {
    expect(await readFile(generated, "utf8")).toBe(chartSpecModule());
  });

  it("holds syntax trees for the interpreter, and no code to evaluate", async () => {
    const { CHART_RUNTIME_JSON } = await import("../../../webview/charts/spec.generated.ts");
    const runtime: unknown = JSON.parse(CHART_RUNTIME_JSON);
    const codes: unknown[] = [];
    JSON.stringify(runtime, (key, value: unknown) => {
      if (key === "code") codes.push(value);
      return value;
    });
    expect(codes.length).toBeGreaterThan(0);
    const evaluated = JSON.stringify(runtime).match(/"code":"[^"]*","ast"|"ast":/g) ?? [];
    expect(evaluated.length).toBeGreaterThanOrEqual(codes.length);
  });

  it("draws paths as they are given, with our ticks and words", async () => {
    const view = new View(chartRuntime(), { expr: expressionInterpreter, renderer: "none" });
    view.signal("xMin", 0).signal("xMax", 10).signal("xTicks", [0, 5]).signal("xLabels", ["start", "half"]);
    view.signal("yMin", 0).signal("yMax", 1).signal("yTicks", [0.5]).signal("yLabels", ["middle"]);
    view.data("paths", [{ path: "M0,0L10,10", stroke: "#123456", fill: null, width: 1, dash: [6, 2] }]);
    const svg = await view.toSVG();
    expect(svg).toContain('d="M0,0L10,10"');
    expect(svg).toContain("#123456");
    expect(svg).toContain('stroke-dasharray="6,2"');
    for (const word of ["start", "half", "middle"]) expect(svg).toContain(`>${word}<`);
    view.data("paths", []);
    expect(await view.toSVG()).not.toContain("M0,0L10,10");
  });
});
