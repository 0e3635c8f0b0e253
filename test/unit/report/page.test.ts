/** What stands in a report of odd runs: nothing is lost, nothing breaks it. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeSource } from "../../../src/core/io/node.ts";
import { double, int64, nulls } from "../helpers/parquet.ts";
import { range } from "../helpers/runs.ts";
import { reportOf, runOf } from "./made.ts";

const RECORDINGS = path.resolve(import.meta.dirname, "../../fixtures/oracle/synthetic/recordings");
const DEMO = path.resolve(import.meta.dirname, "../../../media/demo/grpo-length-hack");

/** The figure with this title: a title stands in its head and as the picture's name. */
function figure(html: string, title: string): string {
  // The run at a glance comes first, and has no counts.
  const found = html.split("<figure").findLast((part) => part.includes(`>${title}</title>`));
  return found?.slice(0, found.indexOf("</figure>")) ?? "";
}
/** A report is too long to be printed when something is missing. */
const found = (text: string, what: string | RegExp): boolean =>
  typeof what === "string" ? text.includes(what) : what.test(text);
const has = (text: string, what: string | RegExp): void => expect(found(text, what), `${what}`).toBe(true);
const lacks = (text: string, what: string | RegExp): void => expect(found(text, what), `${what}`).toBe(false);
const words = (part: string): string => /<desc[^>]*>([^<]*)</.exec(part)?.[1] ?? "";
const count = (text: string, of: RegExp): number => [...text.matchAll(of)].length;
/** Pens put down in the curves. */
const strokes = (part: string): number =>
  [...part.matchAll(/class="s s\d" d="([^"]*)"/g)].reduce((sum, [, d = ""]) => sum + count(d, /M/g), 0);

describe("a report of one run", () => {
  it("draws a single spike, and says where it is", async () => {
    const n = 50_000;
    const steps = range(0, n);
    const html = await reportOf(
      [
        runOf({
          step: int64(steps),
          grad_norm: double(steps.map((i) => (i === 31_337 ? 1000 : 1 + (i % 7) / 100))),
        }),
      ],
      "html",
    );
    const part = figure(html, "Gradient norm");
    has(part, "1 outside ↑");
    has(part, "highest 1,000 at 31,337");
    has(part, 'class="out"');
    expect(words(part)).toContain("highest 1,000 at step 31,337");
    expect(html.length).toBeLessThan(300_000);
  });

  it("counts and marks NaN and infinite values, and leaves gaps as gaps", async () => {
    const steps = range(0, 100);
    const odd = new Map<number, number | null>([
      [10, Number.NaN],
      [11, Number.NaN],
      [40, Number.POSITIVE_INFINITY],
      [60, Number.NEGATIVE_INFINITY],
      [80, null],
    ]);
    const html = await reportOf(
      [
        runOf({
          step: int64(steps),
          loss: double(steps.map((i) => (odd.has(i) ? (odd.get(i) ?? null) : i))),
        }),
      ],
      "html",
    );
    const part = figure(html, "Loss");
    for (const badge of ["2 NaN", "1 +Inf", "1 −Inf"]) has(part, `>${badge}<`);
    expect(words(part)).toContain("95 values, last 99, lowest 0 at step 0, highest 99 at step 99");
    expect(words(part)).toContain("1 row without a value, 2 NaN, 1 +Inf, 1 −Inf");
    expect(strokes(part)).toBe(5);
    has(part, /class="nan" d="M/);
    has(part, /class="inf" d="M/);
    lacks(html, /\bundefined\b|>NaN,|d="[^"]*(NaN|Infinity)/);
  });

  it.each([
    ["values that are all missing", nulls(20), range(0, 20)],
    ["nothing but NaN", double(range(0, 20).map(() => Number.NaN)), range(0, 20)],
    ["one point", double([3]), [7]],
    ["numbers as large as they get", double([-1.7e308, 1.7e308, 0]), [0, 1, 2]],
    ["numbers as small as they get", double([5e-324, 0, 5e-324]), [0, 1, 2]],
    ["steps beyond what numbers count", double([1, 2, 3]), [2n ** 60n, 2n ** 60n + 1n, 2n ** 60n + 2n]],
    ["one step, far away", double([1]), [2n ** 62n]],
    ["negative steps", double([1, 2]), [-5, -4]],
    ["no steps", double([]), []],
  ] as const)("stands whatever the curve is: %s", async (_, loss, steps) => {
    const html = await reportOf(
      [runOf({ step: int64(steps), loss, reward_mean: double([...steps].map(() => 1)) })],
      "html",
    );
    lacks(html, /="[^"]*(NaN|Infinity|undefined)[^"]*"/);
    has(html, "</html>");
    if (steps.some((step) => typeof step === "bigint")) has(html, String(steps[0]));
  });

  it("says why there is no answer where there is none", async () => {
    const html = await reportOf([runOf({ step: int64([0]), reward_mean: double([1]) })], "html");
    has(html, "1 step is too few");
    lacks(html, "<h2>Findings");
  });

  it("says that a healthy run is healthy, and what was looked at", async () => {
    const html = await reportOf([nodeSource(path.join(RECORDINGS, "healthy-grpo"))], "html");
    has(html, "<b>No findings over 200 steps.</b>");
    has(html, /Passed \(1\d\)/);
    has(html, "no value_explained_variance");
  });

  it("draws the evidence of a finding: threshold, windows, onset; and shows the samples behind it", async () => {
    const html = await reportOf([nodeSource(DEMO)], "html");
    const part = html.slice(html.indexOf('id="f2"'), html.indexOf("What passed"));
    has(part, "Answers are cut off");
    has(part, ">threshold 0.5<");
    has(part, 'class="win early"');
    has(part, 'class="win late"');
    has(part, /class="onset warn" d="M/);
    has(part, "onset step 139");
    expect(words(part)).toContain("a warning finding begins at step 139");
    expect(count(part, /class="sample"/g)).toBe(4);
    has(part, "grpo-length-hack/129/0/129_11");
    // It has no lengths: what was chosen by rewards is not said to be the longest.
    has(part, "The recording has no <code>completion_len</code> to choose by.");
    lacks(html, "he longest completions");
  });

  it("is called by the folder, which people know the run by, and by its id where that is another", async () => {
    const named = (id: string) =>
      reportOf(
        [runOf({ step: int64([1]), loss: double([1]) }, { label: "tries-3", manifest: { run_id: id } })],
        "html",
      );
    const both = await named("run-2026-a");
    has(both, "<title>tries-3 (run-2026-a): report</title>");
    has(both, /<h1><bdi[^>]*>tries-3<\/bdi><\/h1>/);
    has(both, /Run id<\/dt><dd><bdi[^>]*>run-2026-a/);
    const one = await named("tries-3");
    has(one, "<title>tries-3: report</title>");
    lacks(one, "Run id");
  });

  it("names the windows of a chart above it, after the curves, so that none strikes them out", async () => {
    const html = await reportOf([nodeSource(path.join(RECORDINGS, "entropy-collapse"))], "html");
    const [part = ""] = html.split("<figure").filter((each) => each.includes('class="label early"'));
    const y = Number(/class="label early" x="[\d.]+" y="([\d.]+)"/.exec(part)?.[1]);
    const top = Number(/<clipPath[^>]*><rect[^>]* y="([\d.]+)"/.exec(part)?.[1]);
    expect(top).toBeGreaterThan(0);
    expect(y).toBeLessThan(top);
    expect(part.indexOf('class="label early"')).toBeGreaterThan(part.indexOf('class="s s'));
  });

  it("cuts long texts and says so, never through a character", async () => {
    const html = await reportOf(
      [
        runOf(
          { step: int64([0, 1]), reward_mean: double([1, 2]) },
          {
            events: [
              { timestamp: 1, kind: "note", step: 0, rank: 0, message: `${"x".repeat(599)}😀 end`, data: {} },
            ],
          },
        ),
      ],
      "html",
    );
    has(html, `${"x".repeat(599)}…`);
    lacks(html, /\p{Cs}/u);
  });

  it("leaves the middle of many events out, and says how many", async () => {
    const events = range(0, 500).map((i) => ({
      timestamp: 1.7e9 + i,
      kind: "note",
      step: i,
      rank: 0,
      message: `event ${i}`,
      data: {},
    }));
    const html = await reportOf(
      [runOf({ step: int64([0, 1]), reward_mean: double([1, 2]) }, { events })],
      "html",
    );
    has(html, "500 events");
    has(html, ">event 99<");
    lacks(html, ">event 100<");
    has(html, "350 events left out here");
    has(html, ">event 499<");
  });

  it("lets nothing in: no script, no address, and a policy for its own style alone", async () => {
    const html = await reportOf([nodeSource(DEMO)], "html");
    has(
      html,
      /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
    lacks(html, /<script|<img|<link|<iframe|\bstyle="|\bsrc=|url\((?!#)|https?:/);
    for (const [, to] of html.matchAll(/href="([^"]*)"/g)) expect(to).toMatch(/^#/);
    lacks(html, path.dirname(DEMO));
  });

  it("has names that are all different, and each is there that is referred to", async () => {
    const html = await reportOf([nodeSource(DEMO)], "html");
    const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [
      ...[...html.matchAll(/aria-labelledby="([^"]*)"/g)].flatMap(([, all = ""]) => all.split(" ")),
      ...[...html.matchAll(/(?:href="|url\()#([^")]*)/g)].map(([, id]) => id ?? ""),
    ];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("uses the thresholds that it is given, and says which", async () => {
    const html = await reportOf([nodeSource(DEMO)], "html", {
      config: "[truncation_starve]\nenabled = false\n",
    });
    lacks(html, "2. Answers are cut off");
    has(html, ">doctor.toml</bdi>");
  });

  it("ends when nobody wants it any more", async () => {
    const abort = new AbortController();
    abort.abort(new Error("no more"));
    await expect(reportOf([nodeSource(DEMO)], "html", { signal: abort.signal })).rejects.toThrow("no more");
  });
});

describe("a report of a comparison", () => {
  it("says where the runs part, and draws them over each other with the gap and its noise", async () => {
    const html = await reportOf(
      ["healthy-grpo", "kl-blowup"].map((name) => nodeSource(path.join(RECORDINGS, name))),
      "html",
    );
    has(html, "The runs part at step 100, first in Highest KL to reference.");
    const part = html.slice(html.indexOf("Where they part first"), html.indexOf("All shared metrics"));
    has(part, "Gap (B − A) with the noise of its early window");
    // The other run is higher, and that is above zero.
    expect(part).toMatch(/Gap \(B − A\) −?[\d.,]+ early, [\d.,]+ late: [\d,.]+ times its noise; B is higher/);
    lacks(part, /−[\d,.]+ times its noise/);
    has(html, ">baseline, A<");
    has(html, ">B<");
    has(part, 'class="noise"');
    expect(figure(html, "Highest KL to reference")).toMatch(/class="s s0"[\s\S]*class="s s1"/);
    has(html, "Configured differently");
    has(html, "Same prompt, other reward");
    has(html, "Findings side by side");
  });

  it("stands with three runs, of which one shares nothing", async () => {
    const other = runOf({ step: int64([5]), "extra.own": double([1]) }, { manifest: { run_id: "other" } });
    const html = await reportOf(
      [nodeSource(path.join(RECORDINGS, "healthy-grpo")), nodeSource(path.join(RECORDINGS, "mixed")), other],
      "html",
    );
    has(html, "Comparison of 3 runs");
    has(html, "Too few rows meet");
    lacks(html, /="[^"]*(NaN|Infinity|undefined)[^"]*"/);
  });
});
