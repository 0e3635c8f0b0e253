import { describe, expect, it } from "vitest";
import type { DiagnosisView, FindingView } from "../../../src/protocol/diagnosis.ts";
import { pageContract, pageNotices } from "../../../src/protocol/page.ts";
import { createServer, type Handlers } from "../../../src/protocol/rpc.ts";
import { evidenceWords, withThresholds } from "../../../webview/charts/evidence.ts";
import { connect } from "../../../webview/client.ts";
import { fakeDiagnosis } from "../../../webview/dev/fake-diagnosis.ts";
import { line } from "../../../webview/dev/line.ts";
import { metaWords, severityCounts, windowOf } from "../../../webview/findings.ts";
import { scaleOf } from "../../../webview/panels/thresholds.ts";
import { Ready } from "../../../webview/ready.ts";
import { Session } from "../../../webview/session.ts";
import { INITIAL, Store, type ViewState } from "../../../webview/state.ts";

type Asked = NonNullable<Parameters<Handlers<typeof pageContract>["page.diagnose"]>[0]["values"]>;

function setup(
  answer: (values: Asked | undefined, known: boolean) => Promise<DiagnosisView> | DiagnosisView,
) {
  const { page, host } = line();
  const asked: (Asked | undefined)[] = [];
  /** Questions that take the time to find out since when findings could be known, and which of them were taken back. */
  const patient: (Asked | undefined)[] = [];
  const takenBack: (Asked | undefined)[] = [];
  const written: unknown[] = [];
  const handlers = {
    "page.diagnose": async (
      { values, known }: { values?: Asked; known: boolean },
      { signal }: { signal: AbortSignal },
    ) => {
      (known ? patient : asked).push(values);
      signal.addEventListener("abort", () => takenBack.push(values));
      return { diagnosis: await answer(values, known), config: "" };
    },
    "doctor.write": (params: unknown) => {
      written.push(params);
      return { written: true };
    },
    "chart.at": ({ at }: { at: number }) => ({
      ...{ step: at, stepText: String(at), x: at, time: 1000 + at * 2, values: [] },
    }),
    "page.report": () => ({}),
  } as unknown as Handlers<typeof pageContract>;
  const server = createServer(pageContract, handlers, host, { notices: pageNotices });
  const root = { dataset: {} } as unknown as HTMLElement;
  let kept: ViewState = INITIAL;
  const memory = {
    getState: () => kept,
    setState: (state: unknown) => {
      kept = state as ViewState;
    },
  };
  const ready = new Ready(root, (then) => setImmediate(then));
  const session = new Session(connect(page), new Store(memory), ready);
  session.axis = { first: 1, last: 250, timeFirst: 1002 } as never;
  return { session, findings: session.findings, server, asked, patient, takenBack, written, root, ready };
}

const sick = (values: Asked = {}, known = true) => fakeDiagnosis(250, values, known);
const chart = (metric: string) => ({
  ...{ id: metric, title: metric, unit: "", kind: "lines" as const },
  series: [{ metric, label: metric }],
});
const quiet = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("findings of the page", () => {
  it("are asked one question at a time; the last values win", async () => {
    const answers: (() => void)[] = [];
    const { findings, asked } = setup(
      (values) => new Promise((resolve) => answers.push(() => resolve(sick(values)))),
    );
    void findings.ask();
    await quiet();
    for (const value of [0.6, 0.65, 0.9]) findings.try("TRUNCATION_STARVE", "threshold", value);
    await quiet();
    expect(asked).toEqual([undefined]);
    answers.shift()?.();
    await quiet();
    expect(asked).toEqual([undefined, { TRUNCATION_STARVE: { threshold: 0.9 } }]);
    answers.shift()?.();
    await quiet();
    expect(asked.length).toBe(2);
    expect(findings.all.map(({ signature }) => signature)).not.toContain("TRUNCATION_STARVE");
    findings.reset("TRUNCATION_STARVE");
    await quiet();
    answers.shift()?.();
    await quiet();
    expect(asked.at(-1)).toBeUndefined();
    expect(findings.all.map(({ signature }) => signature)).toContain("TRUNCATION_STARVE");
  });

  it("are asked again when doctor.toml is saved, and write what was tried there", async () => {
    const { findings, server, asked, written } = setup(sick);
    await findings.ask();
    server.notify("diagnosis", { reason: "The thresholds have changed." });
    await quiet();
    expect(asked.length).toBe(2);
    findings.try("TRUNCATION_STARVE", "threshold", 0.6);
    await findings.ask();
    expect(await findings.write("TRUNCATION_STARVE")).toBe(true);
    expect(written).toEqual([{ signature: "TRUNCATION_STARVE", values: { threshold: 0.6 } }]);
    expect(findings.tried("TRUNCATION_STARVE").size).toBe(0);
  });

  it("show evidence around the onset, as soon as they are known when they were asked for before", async () => {
    const { session, findings, server } = setup(sick);
    server.notify("focus", { finding: "TRUNCATION_STARVE" });
    await quiet();
    expect(session.store.state.finding).toBeNull();
    await findings.ask();
    expect(session.store.state).toMatchObject({ finding: "TRUNCATION_STARVE", tab: "charts" });
    const [from = 0, to = 0] = session.store.state.range ?? [];
    expect(from).toBeLessThan(139);
    expect(to).toBeGreaterThan(139);
    expect(findings.marksFor(chart("truncation_rate"))).toEqual({
      axis: "step",
      onsets: [{ id: "TRUNCATION_STARVE", title: "Answers are cut off", severity: "warn", x: 139 }],
      drawn: {
        ...{ title: "Answers are cut off", severity: "warn", thresholds: [0.5] },
        early: { steps: [1, 62], x: [1, 62] },
        late: { steps: [201, 250], x: [201, 250] },
        onset: { step: 139, x: 139 },
      },
    });
    expect(findings.marksFor(chart("grad_norm"))).toMatchObject({ drawn: null });
    expect(findings.marksFor(chart("loss"))).toBeNull();
    findings.hide();
    expect(findings.marksFor(chart("truncation_rate"))).toMatchObject({ drawn: null });
  });

  it("stand at their time on an axis of time", async () => {
    const { session, findings } = setup(sick);
    await findings.ask();
    findings.show("TRUNCATION_STARVE");
    session.store.dispatch({ type: "axis", x: "relative" });
    await expect.poll(() => findings.marksFor(chart("truncation_rate"))?.axis).toBe("relative");
    const marks = findings.marksFor(chart("truncation_rate"));
    expect(marks?.drawn?.onset).toEqual({ step: 139, x: 276 });
    expect(marks?.drawn?.early).toEqual({ steps: [1, 62], x: [0, 122] });
  });

  it("are there before it is found out since when they could be known, and slider for slider again", async () => {
    const answers: (() => void)[] = [];
    const { findings, asked, patient, takenBack } = setup((values, known) => {
      if (!known) return sick(values, false);
      return new Promise((resolve) => answers.push(() => resolve(sick(values))));
    });
    const found = () => findings.all.find(({ id }) => id === "TRUNCATION_STARVE");
    void findings.ask();
    await expect.poll(() => patient.length).toBe(1);
    expect(found()).toMatchObject({ knownStep: null, knownIsOpen: true });
    expect(metaWords(found() as FindingView)).toContain("seen from step …");
    answers.shift()?.();
    await expect.poll(() => found()?.knownStep).toBe(150);

    findings.try("TRUNCATION_STARVE", "threshold", 0.6);
    await expect.poll(() => patient.length).toBe(2);
    // The next value does not wait for what the last one is still looking for.
    findings.try("TRUNCATION_STARVE", "threshold", 0.55);
    await expect.poll(() => patient.length).toBe(3);
    const values = [0.6, 0.55].map((threshold) => ({ TRUNCATION_STARVE: { threshold } }));
    expect(asked.slice(1)).toEqual(values);
    expect(takenBack).toEqual(values.slice(0, 1));
    for (const end of answers) end();
    await expect.poll(() => found()?.knownStep).toBe(150);
    expect(findings.problem).toBeNull();
  });

  it("that cannot be had say why, and what was there stays", async () => {
    let fails = false;
    const { findings } = setup(() => {
      if (fails) throw new Error("lost");
      return sick();
    });
    await findings.ask();
    fails = true;
    await findings.ask();
    expect(findings.problem).not.toBeNull();
    expect(findings.all.length).toBe(3);
  });
});

describe("work for afterwards", () => {
  const PATIENT = 1e6;

  it("waits until everything else is painted, and the page is ready after it", async () => {
    const { ready, root } = setup(sick);
    const done = ready.begin();
    let end: () => void = () => {};
    let begun = 0;
    ready.afterwards(() => {
      begun++;
      return new Promise((resolve) => {
        end = resolve;
      });
    }, PATIENT);
    await quiet();
    expect([begun, root.dataset["ready"]]).toEqual([0, "false"]);
    done();
    await expect.poll(() => begun).toBe(1);
    await quiet();
    expect(root.dataset["ready"]).toBe("false");
    end();
    await expect.poll(() => root.dataset["ready"]).toBe("true");
    expect(begun).toBe(1);
  });

  it("does not wait for what hangs, and is done once", async () => {
    const { ready, root } = setup(sick);
    const done = ready.begin();
    let begun = 0;
    ready.afterwards(async () => {
      begun++;
    }, 1);
    await expect.poll(() => begun).toBe(1);
    await quiet();
    expect(root.dataset["ready"]).toBe("false");
    done();
    await expect.poll(() => root.dataset["ready"]).toBe("true");
    expect(begun).toBe(1);
  });
});

describe("a finding in words", () => {
  const [spike, cut, drift] = sick().findings as [FindingView, FindingView, FindingView];

  it("says how grave it is, where it begins, since when that could be seen, and how sure it is", () => {
    expect(metaWords(cut)).toEqual(["warning", "onset step 139", "seen from step 150", "80%"]);
    expect(metaWords(spike)).toEqual(["critical", "onset step 25", "95%"]);
    expect(metaWords(drift)).toEqual(["info", "70%"]);
  });

  it("is counted by severity", () => {
    expect(severityCounts([cut, drift, cut])).toEqual([
      { severity: "warn", count: 2 },
      { severity: "info", count: 1 },
    ]);
  });

  it("is shown around its onset, or with the whole run", () => {
    expect(windowOf(cut, [1, 250])).toEqual([52, 226]);
    expect(windowOf(cut, [100, 150])).toEqual([119, 159]);
    expect(windowOf(drift, [1, 250])).toBeNull();
  });

  it("is told to who cannot see it, and its threshold is in sight", () => {
    const marks = {
      axis: "step" as const,
      onsets: [],
      drawn: {
        ...{ title: "Answers are cut off", severity: "warn" as const, thresholds: [0.5] },
        ...{ early: { steps: [1, 62], x: [1, 62] } as const, late: null, onset: { step: 139, x: 139 } },
      },
    };
    expect(evidenceWords(marks)).toBe(
      "Evidence of Answers are cut off: threshold 0.5, early steps 1 to 62, begins at step 139",
    );
    expect(evidenceWords(null)).toBe("");
    expect(withThresholds([0.6, 0.8], marks, false)).toEqual([0.5, 0.8]);
    expect(withThresholds(null, marks, false)).toBeNull();
  });
});

describe("a slider", () => {
  const param = (usual: number, min: number, max: number, integer = false) => ({
    ...{ name: "x", doc: "", default: usual, value: usual, min, max, integer },
  });

  it("is even where the default is not at its edge", () => {
    const scale = scaleOf(param(0.5, 0, 1));
    expect(scale).toMatchObject({ min: 0, max: 1, step: 0.001 });
    expect(scale.toValue(scale.toPlace(0.25))).toBe(0.25);
  });

  it("has the default in its middle otherwise, and both ends", () => {
    for (const one of [param(2, 1, 1000), param(0.02, 0, 1), param(15, 1, 10_000, true)]) {
      const scale = scaleOf(one);
      expect(scale.toPlace(one.default)).toBe(500);
      expect([0, 500, 1000].map(scale.toValue)).toEqual([one.min, one.default, one.max]);
      const values = Array.from({ length: 101 }, (_, i) => scale.toValue(i * 10));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      if (one.integer) expect(values.every(Number.isInteger)).toBe(true);
    }
  });
});
