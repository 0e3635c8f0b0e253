import { expect, test } from "vitest";
import { DEFAULT_COLUMNS, type TableColumn } from "../../../src/protocol/runs-page.ts";
import { moved, nextSort, withColumn, withoutColumn } from "../../../webview/runs/columns.ts";
import { range, selected } from "../../../webview/runs/selection.ts";
import { RunsStore } from "../../../webview/runs/state.ts";

test("a column more stands behind its like", () => {
  const ids = ["name", "state", "spark:reward_mean", "last:reward_mean", "last:kl_mean", "config:a", "model"];
  expect(withColumn(ids, "min:reward_mean").indexOf("min:reward_mean")).toBe(4);
  expect(withColumn(ids, "max:kl_mean").indexOf("max:kl_mean")).toBe(5);
  expect(withColumn(ids, "config:b").indexOf("config:b")).toBe(6);
  expect(withColumn(ids, "steps").indexOf("steps")).toBe(2);
  expect(withColumn(ids, "last:loss").at(-1)).toBe("last:loss");
  expect(withColumn(ids, "state")).toEqual(ids);
  expect(withoutColumn(withColumn(ids, "steps"), "steps")).toEqual(ids);
  expect(withColumn(withoutColumn(DEFAULT_COLUMNS, "state"), "state")).toEqual(DEFAULT_COLUMNS);
});

test("columns move by one place; the name stays first", () => {
  expect(moved(["name", "a", "b"], "a", 1)).toEqual(["name", "b", "a"]);
  for (const [id, by] of [
    ["a", -1],
    ["b", 1],
    ["name", 1],
    ["x", 1],
  ] as const)
    expect(moved(["name", "a", "b"], id, by)).toEqual(["name", "a", "b"]);
});

test("a head sorts numbers from the top and words from A, then the other way, then not", () => {
  const column = (id: string, isNumber: boolean): TableColumn => ({
    ...{ id, kind: "fixed", label: id, title: "", isNumber },
  });
  const [steps, model] = [column("steps", true), column("model", false)];
  const first = nextSort(steps, { column: "model", descending: false });
  expect(first).toEqual({ column: "steps", descending: true });
  expect(nextSort(steps, first)).toEqual({ column: "steps", descending: false });
  expect(nextSort(steps, nextSort(steps, first))).toBeNull();
  expect(nextSort(model, null)).toEqual({ column: "model", descending: false });
});

test("the selection keeps its order: the first is the baseline", () => {
  expect(selected(["a"], "b", "toggle")).toEqual(["a", "b"]);
  expect(selected(["a", "b"], "a", "toggle")).toEqual(["b"]);
  expect(selected(["a", "b"], "c", "only")).toEqual(["c"]);
  expect(range(["a", "b", "c", "d"], 1, 3)).toEqual(["b", "c", "d"]);
  expect(range(["a", "b", "c", "d"], 2, 0)).toEqual(["c", "b", "a"]);
});

test("what was stored by another version, or damaged, is left aside", () => {
  for (const stored of [null, 7, { v: 2, filter: "x" }, { v: 1, filter: 3 }])
    expect(new RunsStore({ getState: () => stored, setState: () => {} }).state.filter).toBe("");
  let kept: unknown = null;
  const store = new RunsStore({
    getState: () => null,
    setState: (state) => {
      kept = state;
    },
  });
  store.change({ filter: "a" });
  store.flush();
  expect(new RunsStore({ getState: () => kept, setState: () => {} }).state.filter).toBe("a");
});
