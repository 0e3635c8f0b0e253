import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Ready } from "../../../webview/ready.ts";
import { type Action, INITIAL, reduce, restore, Store } from "../../../webview/state.ts";

const reached = (...actions: Action[]) => actions.reduce(reduce, INITIAL);

describe("what the page remembers", () => {
  it("comes back as it was stored", () => {
    const state = reached(
      { type: "tab", tab: "events" },
      { type: "axis", x: "time" },
      { type: "zoom", range: [1, 2] },
      { type: "pin", step: 7 },
      { type: "log", chart: "loss" },
      { type: "table", chart: "loss" },
      { type: "scroll", tab: "charts", top: 340 },
      { type: "fold", group: "kl" },
      { type: "full", chart: "__proto__" },
      { type: "eventKind", kind: "crash" },
      { type: "aside", open: false },
    );
    expect(restore(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    null,
    undefined,
    7,
    "x",
    {},
    { ...INITIAL, v: 2 },
    { ...INITIAL, tab: "nope" },
    { ...INITIAL, range: [1] },
    { ...INITIAL, scroll: { nope: 1 } },
  ])("starts anew from %j", (stored) => {
    expect(restore(stored)).toEqual(INITIAL);
  });

  it("folds a group and unfolds it", () => {
    expect(reached({ type: "fold", group: "kl" }).closed).toEqual(["kl"]);
    expect(reached({ type: "fold", group: "kl" }, { type: "fold", group: "kl" }).closed).toEqual([]);
  });

  it("keeps the zoom and the step pointed out on another axis; events begin anew with each zoom", () => {
    const zoomed = reached(
      { type: "pin", step: 7 },
      { type: "zoom", range: [5, 9] },
      { type: "axis", x: "time" },
    );
    expect(zoomed).toMatchObject({ x: "time", range: [5, 9], pin: 7 });
    expect(reached({ type: "eventOffset", offset: 400 }, { type: "zoom", range: [5, 9] }).eventOffset).toBe(
      0,
    );
  });

  it("turns single charts the other way than all, until all are turned", () => {
    const one = reached({ type: "log", chart: "loss" });
    expect(one).toMatchObject({ log: false, logs: ["loss"] });
    expect(reduce(one, { type: "logAll", on: true })).toMatchObject({ log: true, logs: [] });
  });

  it("forgets single charts' ranges when all are set", () => {
    expect(reached({ type: "full", chart: "loss" }, { type: "fullRange", on: true })).toMatchObject({
      fullRange: true,
      full: [],
    });
  });

  it("starts at the first page of another kind", () => {
    expect(
      reached({ type: "eventOffset", offset: 400 }, { type: "eventKind", kind: "crash" }).eventOffset,
    ).toBe(0);
    expect(reached({ type: "eventOffset", offset: -200 }).eventOffset).toBe(0);
  });

  describe("is written down", () => {
    beforeEach(() => vi.useFakeTimers());
    afterEach(() => vi.useRealTimers());

    it("once for many changes, and at once when the page goes", () => {
      const written: unknown[] = [];
      const store = new Store({ getState: () => null, setState: (state) => written.push(state) });
      for (let top = 0; top < 50; top++) store.dispatch({ type: "scroll", tab: "charts", top });
      expect(written).toHaveLength(0);
      vi.advanceTimersByTime(200);
      expect(written).toHaveLength(1);
      expect(written[0]).toMatchObject({ scroll: { charts: 49 } });
      store.dispatch({ type: "tab", tab: "records" });
      store.flush();
      expect(written[1]).toMatchObject({ tab: "records" });
      vi.advanceTimersByTime(500);
      expect(written).toHaveLength(2);
    });

    it("and told to those who listen", () => {
      const store = new Store({ getState: () => ({ ...INITIAL, tab: "records" }), setState: () => {} });
      expect(store.state.tab).toBe("records");
      const seen: string[] = [];
      const stop = store.subscribe((_, action) => seen.push(action.type));
      store.dispatch({ type: "zoom", range: [1, 2] });
      stop();
      store.dispatch({ type: "zoom", range: null });
      expect(seen).toEqual(["zoom"]);
    });
  });
});

describe("readiness", () => {
  const setup = () => {
    const frames: (() => void)[] = [];
    const root = { dataset: {} as Record<string, string> } as unknown as HTMLElement;
    const ready = new Ready(root, (then) => frames.push(then));
    const frame = () => {
      for (const then of frames.splice(0)) then();
    };
    return { root, ready, frame };
  };

  it("comes two frames after the last work has ended", () => {
    const { root, ready, frame } = setup();
    expect(root.dataset["ready"]).toBe("false");
    const first = ready.begin();
    const second = ready.begin();
    first();
    first();
    frame();
    frame();
    expect(ready.busy).toBe(true);
    expect(root.dataset["ready"]).toBe("false");
    second();
    frame();
    expect(root.dataset["ready"]).toBe("false");
    frame();
    expect(root.dataset["ready"]).toBe("true");
  });

  it("waits for work that the first frame begins", () => {
    const { root, ready, frame } = setup();
    ready.begin()();
    frame();
    const late = ready.begin();
    frame();
    expect(root.dataset["ready"]).toBe("false");
    late();
    frame();
    frame();
    expect(root.dataset["ready"]).toBe("true");
  });

  it("ends when new work begins", () => {
    const { root, ready, frame } = setup();
    ready.settle();
    frame();
    frame();
    expect(root.dataset["ready"]).toBe("true");
    ready.begin();
    expect(root.dataset["ready"]).toBe("false");
  });
});
