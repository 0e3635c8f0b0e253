/** The five tools on recordings, against what the core says of the same recordings. */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_ANSWER } from "../../../src/agents/answer.ts";
import { TOOLS } from "../../../src/agents/tools.ts";
import { compareRuns } from "../../../src/core/compare/index.ts";
import { diagnoseRun } from "../../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../../src/core/index.ts";
import { allPages, answer, ask, fault, ORACLE, sourceOver } from "./source.ts";

const TRL = path.join(ORACLE, "trl/recordings");
const trl = sourceOver(TRL);
const synthetic = sourceOver(path.join(ORACLE, "synthetic/recordings"));
const model = (...parts: string[]) => openRun(nodeSource(path.join(ORACLE, ...parts)));

describe("list_runs", () => {
  test("finds every run once, however small the pages", async () => {
    const { pages, rows } = await allPages(trl, "list_runs", { limit: 3 }, "");
    expect(pages).toBe(3);
    expect(rows.map(({ untrusted }) => untrusted.path)).toEqual([
      "grpo-baseline",
      "grpo-crash-exception",
      "grpo-length-hack",
      "grpo-live-copy",
      "grpo-sigkill",
      "manual-ppo",
      "manual-ranks",
      "manual-reused-dir",
    ]);
    expect(rows.map(({ state }) => state).slice(0, 3)).toEqual(["finished", "crashed", "finished"]);
  });

  test("filters, and says so of what it looked at", async () => {
    const found = await answer(trl, "list_runs", { filter: "finding:REWARD_HACK_LENGTH steps>100" });
    expect(found.runs.map((run: { untrusted: object }) => run.untrusted)).toMatchObject([
      { path: "grpo-length-hack" },
    ]);
    expect(found).toMatchObject({ found: 8, looked_at: 8 });
    expect(found.next_cursor).toBeUndefined();
  });

  test("without findings none are looked for", async () => {
    const { runs } = await answer(trl, "list_runs", { findings: false, limit: 1 });
    expect(runs[0]).not.toHaveProperty("findings");
  });

  test("a filter that makes no sense is refused with the place", async () => {
    expect((await fault(trl, "list_runs", { filter: "algoritm:grpo" })).error).toMatchObject({
      code: "bad-filter",
      message: expect.stringContaining("the nearest is “algorithm”"),
      next_step: expect.stringContaining("Correct the filter"),
    });
    expect((await fault(trl, "list_runs", { filter: "finding:any", findings: false })).error.code).toBe(
      "bad-filter",
    );
  });

  test("a run that cannot be read is in the list, with the reason", async () => {
    const folder = fs.mkdtempSync(path.join(tmpdir(), "fd-agents-"));
    fs.mkdirSync(path.join(folder, "newer"));
    fs.writeFileSync(path.join(folder, "newer/manifest.json"), '{"schema_version": 99, "run_id": "x"}');
    const { runs } = await answer(sourceOver(folder), "list_runs", {});
    fs.rmSync(folder, { recursive: true });
    expect(runs).toMatchObject([
      {
        state: "unreadable",
        error: { code: "newer-schema", next_step: expect.any(String) },
        untrusted: { path: "newer" },
      },
    ]);
  });
});

describe("diagnose_run", () => {
  test.each(["grad-pathology", "format-gaming", "kl-blowup", "entropy-collapse", "healthy-grpo"])(
    "%s: what the doctor says",
    async (name) => {
      const said = await allPages(synthetic, "diagnose_run", { run: name }, "findings");
      const run = await model("synthetic/recordings", name);
      const { findings, detectable } = await diagnoseRun(run, {
        order: "merged",
        config: {},
        extra: true,
        detectable: true,
      });
      const number = (step: number | bigint | null | undefined) =>
        step === null || step === undefined ? null : Number(step);
      expect(
        said.rows.map((f) => [f.signature_id, f.severity, f.first_step, f.knowable_from_step, f.confidence]),
      ).toEqual(
        findings.map((f) => [
          f.signature,
          f.severity,
          number(f.firstStep),
          number(detectable.get(f)),
          f.confidence,
        ]),
      );
    },
  );

  test("a sentence that names a reward component is data, one of ours is not", async () => {
    const [gaming] = (await answer(synthetic, "diagnose_run", { run: "format-gaming" })).findings.rows.filter(
      (f: { signature_id: string }) => f.signature_id === "FORMAT_GAMING",
    );
    expect(gaming.words).toBeUndefined();
    expect(gaming.untrusted.words).toContain("reward component");
    const { findings } = await answer(synthetic, "diagnose_run", { run: "kl-blowup" });
    expect(findings.rows.some((f: { words?: string }) => f.words?.includes("KL to the reference"))).toBe(
      true,
    );
  });

  test("a finding leads to samples: its query is understood, its citations are found", async () => {
    const { findings } = await answer(trl, "diagnose_run", { run: "grpo-length-hack" });
    // It has no lengths: what was chosen by rewards is not said to be the longest.
    const [{ samples: behind }] = findings.rows;
    expect(behind).toMatchObject({ query: expect.stringContaining("sort:-reward"), not_recorded: "length" });
    expect(behind).not.toHaveProperty("why");
    for (const { samples } of findings.rows) {
      const found = await answer(trl, "get_samples", {
        run: "grpo-length-hack",
        query: samples.query,
        limit: 3,
      });
      expect(found.samples.rows.map(({ cite }: { cite: string }) => cite)).toEqual(samples.cites);
      const one = await answer(trl, "get_samples", { run: "grpo-length-hack", cite: samples.cites[0] });
      expect(one.sample.cite).toBe(samples.cites[0]);
    }
  });

  test("says why a run ended, its events and its configuration, as data", async () => {
    const all = await answer(trl, "diagnose_run", { run: "grpo-crash-exception", config: true });
    expect(all.recording).toMatchObject({ state: "crashed", n_steps: 80, last_step: 80 });
    expect(all.events.rows[0].untrusted.kind).toBe("crash");
    expect(all.config.rows.length).toBeGreaterThan(5);
    expect(all.config.rows[0]).toEqual({ section: "Run", untrusted: expect.any(Array) });
    const none = await answer(trl, "diagnose_run", { run: "grpo-crash-exception", events: "none" });
    expect(none).not.toHaveProperty("events");
    expect(none).not.toHaveProperty("config");
  });
});

describe("get_metric_window", () => {
  test("without metrics: every name once", async () => {
    const { rows } = await allPages(
      trl,
      "get_metric_window",
      { run: "grpo-length-hack", limit: 7 },
      "metrics",
    );
    const names = rows.map((row) => row.metric ?? row.untrusted.metric);
    const { steps } = await model("trl/recordings/grpo-length-hack");
    const recorded = steps.columns.filter(
      ({ kind, name }) => kind === "scalar" && name !== "step" && name !== "timestamp",
    );
    for (const name of ["reward_mean", "reward_component.letter_e", "extra.epoch"])
      expect(names).toContain(name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeLessThanOrEqual(recorded.length);
  });

  test("a spike is in the shape, and the totals are those of all rows", async () => {
    const { steps } = await model("synthetic/recordings/grad-pathology");
    const [column] = await steps.read(["grad_norm"], "merged");
    const values = [...(column?.values ?? [])];
    const finite = values.filter(Number.isFinite);
    const highest = Math.max(...finite);
    const { window, curves } = await answer(synthetic, "get_metric_window", {
      run: "grad-pathology",
      metrics: ["grad_norm"],
      limit: 12,
    });
    expect(window.metrics[0]).toMatchObject({
      max: highest,
      max_step: values.indexOf(highest),
      finite: finite.length,
    });
    const [curve] = curves.rows;
    expect(curve.points).toContainEqual([values.indexOf(highest), Number(highest.toPrecision(7))]);
    expect(curve.points.length).toBeLessThanOrEqual(16);
  });

  test("rows: each once, with all digits, to the end of the window", async () => {
    const input = {
      run: "grpo-length-hack",
      metrics: ["reward_mean", "kl_mean"],
      from: 10,
      to: 99,
      detail: "rows",
      limit: 13,
    };
    const { pages, rows } = await allPages(trl, "get_metric_window", input, "rows");
    expect(pages).toBe(7);
    const { steps } = await model("trl/recordings/grpo-length-hack");
    const [step, reward, kl] = await steps.read(["step", "reward_mean", "kl_mean"], "merged");
    const expected = [...(step?.values ?? [])].flatMap((s, i) =>
      s >= 10 && s <= 99 ? [[s, reward?.values[i], kl?.values[i]]] : [],
    );
    expect(rows).toEqual(expected);
  });

  test("a name that is not there, with the nearest that is", async () => {
    const { error, untrusted } = await fault(trl, "get_metric_window", {
      run: "grpo-length-hack",
      metrics: ["reward_meen"],
    });
    expect(error).toMatchObject({
      code: "no-such-metric",
      next_step: expect.stringContaining("without metrics"),
    });
    expect(untrusted).toEqual({ missing: ["reward_meen"], nearest: ["reward_mean"] });
    expect(
      (
        await fault(trl, "get_metric_window", {
          run: "grpo-length-hack",
          metrics: ["kl_mean"],
          from: 5,
          to: 1,
        })
      ).error.code,
    ).toBe("bad-window");
  });

  test("the longest answer that can be asked for stays within bounds", async () => {
    const metrics = [
      "reward_mean",
      "reward_std",
      "kl_mean",
      "entropy_mean",
      "loss",
      "grad_norm",
      "completion_len_mean",
      "step_time_s",
    ];
    for (const detail of ["shape", "rows"]) {
      const text = await ask(trl, "get_metric_window", {
        run: "grpo-length-hack",
        metrics,
        detail,
        limit: 400,
      });
      expect(text.length).toBeLessThanOrEqual(MAX_ANSWER);
      expect(text.length).toBeGreaterThan(MAX_ANSWER / 4);
    }
  });
});

describe("get_samples", () => {
  test("each once, in the order asked for", async () => {
    const input = { run: "grpo-length-hack", query: "step:1..60 sort:-reward", limit: 20, text: 0 };
    const { rows } = await allPages(trl, "get_samples", input, "samples");
    const run = await model("trl/recordings/grpo-length-hack");
    const all = await run.samples.inSteps(1, 60, 100_000);
    expect(rows).toHaveLength(all.length);
    expect(new Set(rows.map(({ cite }) => cite)).size).toBe(all.length);
    const rewards = rows.map(({ reward }) => reward);
    expect(rewards).toEqual([...rewards].sort((a, b) => b - a));
  });

  test("a text is looked for, and cut where asked", async () => {
    const { samples } = await answer(trl, "get_samples", {
      run: "grpo-length-hack",
      query: "house sort:step",
      text: 20,
      limit: 4,
    });
    expect(samples.rows).toHaveLength(4);
    for (const { untrusted, prompt_chars, is_cut } of samples.rows) {
      expect(untrusted.prompt.length).toBeLessThanOrEqual(20);
      expect(is_cut ?? prompt_chars <= 20).toBe(true);
    }
  });

  test("sorted by what no sample has: said, with a way on", async () => {
    const { samples, notes } = await answer(trl, "get_samples", {
      run: "grpo-length-hack",
      query: "sort:-length",
    });
    expect(samples).toMatchObject({ total: 0, rows: [] });
    expect(samples.without_a_value_to_sort_by).toBeGreaterThan(0);
    expect(notes).toContainEqual(expect.stringContaining("call again with sort:reward"));
  });

  test("says that samples are not the population", async () => {
    const { notes } = await answer(trl, "get_samples", { run: "grpo-length-hack" });
    expect(notes).toContainEqual(expect.stringContaining("not the population"));
  });

  test.each([
    [{ query: "sort:foo" }, "bad-query"],
    [{ query: "step:x" }, "bad-query"],
    [{ query: "rewrd<0.2" }, "bad-query"],
    [{ cite: "nothing" }, "bad-citation"],
    [{ cite: "grpo-length-hack/1/0/none" }, "no-such-sample"],
    [{ cite: "a/1/0/b", query: "rank:0" }, "bad-input"],
  ])("%o is refused as %s", async (more, code) => {
    const { error } = await fault(trl, "get_samples", { run: "grpo-length-hack", ...more });
    expect(error).toMatchObject({ code, next_step: expect.stringMatching(/\.$|"$/) });
  });
});

describe("compare_runs", () => {
  const input = { baseline: "grpo-baseline", other: "grpo-length-hack" };

  test("where they part is what the comparison says", async () => {
    const [a, b] = [
      await model("trl/recordings/grpo-baseline"),
      await model("trl/recordings/grpo-length-hack"),
    ];
    const settings = { z: 4, sustain: 5, align: "step", order: "merged" } as const;
    const { diverged } = await compareRuns(a, b, settings, {
      extra: false,
      separate: false,
      isIgnored: () => false,
    });
    const { first_divergence, common_steps } = await answer(trl, "compare_runs", input);
    expect(common_steps).toBe(250);
    expect(first_divergence.metric).toBe(diverged[0]?.metric);
  });

  test.each(["metrics", "config", "prompts"])("%s: each once, to the end", async (part) => {
    const all = await answer(trl, "compare_runs", { ...input, sections: [part], limit: 50 });
    const { pages, rows } = await allPages(trl, "compare_runs", { ...input, limit: 4 }, part);
    expect(pages).toBe(Math.ceil(all[part].total / 4));
    expect(rows).toHaveLength(all[part].total);
    expect(rows.slice(0, all[part].rows.length)).toEqual(all[part].rows);
  });

  test("a run with itself is refused", async () => {
    expect(
      (await fault(trl, "compare_runs", { baseline: "grpo-baseline", other: "./grpo-baseline" })).error.code,
    ).toBe("same-run");
  });
});

describe("cursors", () => {
  test("belong to their own call", async () => {
    const { next_cursor: cursor } = await answer(trl, "list_runs", { limit: 3 });
    const code = async (name: string, input: object) => (await fault(trl, name, input)).error.code;
    expect(await code("list_runs", { limit: 4, cursor })).toBe("bad-cursor");
    expect(await code("list_runs", { limit: 3, cursor: "x" })).toBe("bad-cursor");
    expect(await code("diagnose_run", { run: "grpo-baseline", cursor })).toBe("bad-cursor");
  });
});

describe("input", () => {
  test.each([
    [{}, "run: Invalid input: expected string, received undefined."],
    [{ run: 3 }, "run: Invalid input: expected string, received number."],
    [{ run: "x", step: 1 }, 'Unrecognized key: "step".'],
  ])("%o is refused in words", async (input, message) => {
    expect((await fault(trl, "diagnose_run", input)).error).toEqual({
      code: "bad-input",
      message,
      next_step: "Correct the arguments of flightdeck_diagnose_run as its input schema says.",
    });
  });

  test("a folder that is no run, and a tool that is none", async () => {
    const { error } = await fault(sourceOver(ORACLE), "diagnose_run", { run: "trl" });
    expect(error).toMatchObject({
      code: "not-a-run",
      next_step: expect.stringContaining("flightdeck_list_runs"),
    });
    expect((await fault(trl, "delete_run", {})).error.code).toBe("no-such-tool");
  });
});

test("every description says when not to use the tool, and every argument is described", () => {
  for (const { description, inputSchema } of TOOLS) {
    expect(description).toMatch(/Do NOT use it/);
    expect(description.length).toBeLessThan(1000);
    expect(inputSchema["additionalProperties"]).toBe(false);
    for (const property of Object.values(
      inputSchema["properties"] as Record<string, { description?: string }>,
    ))
      expect(property.description).toMatch(/\S/);
  }
});
