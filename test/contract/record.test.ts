/** `flight-deck record` as a process: what goes into the pipe is in the recording, whatever else goes into it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Command } from "./command.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];

let command: Command;
beforeAll(async () => {
  command = await Command.make();
});
afterAll(() => command?.remove());

const at = (...parts: string[]): string => path.join(command.folder, ...parts);
const line = (value: object): string => `${JSON.stringify(value)}\n`;
const step = (n: number, more: object = {}): string =>
  line({ type: "step", step: n, reward_mean: n / 10, ...more });
const badOf = (events: unknown): string[] =>
  (events as { kind: string; message: string }[])
    .filter(({ kind }) => kind === "bad_record")
    .map(({ message }) => message);

describe("what comes through the pipe", () => {
  const INPUT = [
    "\ufeffLoading weights… 100%\r\n",
    line({
      type: "run",
      run_id: "piped",
      algorithm: "grpo",
      model_name: "toy",
      world_size: 2,
      trainer_config: { lr: 2e-6 },
      environment: { python: "3.11.9" },
    }),
    step(0, { loss: 0.5, "my metric": 1 }),
    "\n",
    '{"type":"step","step":1,"reward_mean":NaN,"kl_max":Infinity,"reward_components":{"a":1}}\r\n',
    '{"type":"step","step":2,"reward_mean":"high"}\n',
    line({ type: "run", run_id: "late" }),
    line({
      type: "samples",
      step: 1,
      samples: Array.from({ length: 20 }, (_, i) => ({ completion_text: `é猫 ${i}`, reward_total: i })),
    }),
    line({ type: "samples", step: 2, samples: [{ reward_total: 1 }, { reward_total: {} }], select: false }),
    line({ type: "event", kind: "checkpoint", step: 2, message: "saved", data: { path: "x" } }),
    "{broken\n",
    '{"type":"step","step":3,"reward_mean":0.25}',
  ].join("");

  test("is recorded; what cannot be is named by its line", async () => {
    writeFileSync(at("config.json"), '{"lr": 1e-06, "beta": 0.04, "odd": NaN}');
    const { code, stdout, stderr } = await command.run(["record", "piped", "--config", "config.json"], INPUT);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "flight-deck: line 1: it is no JSON (character 1) (not recorded)",
      "flight-deck: 5 lines or samples could not be recorded: lines 1, 6, 7, 9, 11",
      "flight-deck: piped is recorded: 3 steps, 1 event, and what was chosen of 21 samples",
    ]);
    const read = await command.inspect("piped");
    expect(read).toMatchObject({
      n_steps: 3,
      first_step: 0,
      last_step: 3,
      n_samples: 9,
      manifest: {
        run_id: "piped",
        algorithm: "grpo",
        model_name: "toy",
        world_size: 2,
        trainer_config: { lr: 2e-6, beta: 0.04 },
        environment: { python: "3.11.9" },
      },
      columns: {
        "extra.my metric": { present: 1 },
        "reward_component.a": { present: 1 },
        loss: { sum: 0.5 },
      },
    });
    expect(badOf(read["events"]).sort()).toEqual(
      [
        "line 9: sample 2: reward_total is an object, not a number",
        "line 11: it is no JSON (character 2)",
        "line 1: it is no JSON (character 1)",
        "line 7: what describes the run comes before everything else",
        "line 6: reward_mean is text, not a number",
      ].sort(),
    );
    expect(read["events"]).toContainEqual(
      expect.objectContaining({ kind: "checkpoint", step: 2, message: "saved", data: { path: "x" } }),
    );
    const shown = await command.run(["samples", "piped", "--sort", "reward", "-k", "3", "--json"]);
    expect(JSON.parse(shown.stdout).samples[0]).toMatchObject({
      completion_text: "é猫 19",
      capture_reason: "top_k",
    });
    expect(readdirSync(at("piped")).sort()).toEqual([
      "events.jsonl",
      "manifest.json",
      "samples",
      "steps.parquet",
    ]);
  });

  test("is what rlprobe reads", async () => {
    if (!python) return;
    await command.run(["record", "for-rlprobe"], INPUT);
    const script = `
import json, sys
from rlprobe.storage import RunReader
run = RunReader(sys.argv[1])
print(json.dumps([[s.step for s in run.steps()], len(run.samples()), sorted(e.kind for e in run.events()), run.manifest.run_id]))`;
    const said = execFileSync(python, ["-W", "ignore", "-c", script, at("for-rlprobe")], {
      encoding: "utf8",
    });
    expect(JSON.parse(said)).toEqual([[0, 1, 3], 9, [...Array(5).fill("bad_record"), "checkpoint"], "piped"]);
  });

  test("comes as fast as it likes: nothing is dropped", async () => {
    const count = 40_000;
    const input = Array.from({ length: count }, (_, i) => step(i, { kl_mean: 0.01, loss: 1 })).join("");
    const { code, stderr } = await command.run(["record", "fast"], input);
    expect([code, stderr]).toEqual([0, `flight-deck: fast is recorded: ${count} steps, 0 events\n`]);
    expect(await command.inspect("fast")).toMatchObject({ n_steps: count, last_step: count - 1, events: [] });
  });

  test("may be a line of 50 MB", async () => {
    const samples = Array.from({ length: 50 }, (_, i) => ({
      sample_id: `s${i}`,
      completion_text: "long ".repeat(200_000),
      reward_total: i,
    }));
    const long = line({ type: "samples", step: 1, samples });
    expect(long.length).toBeGreaterThan(50e6);
    const { code } = await command.run(["record", "long"], `${step(0)}${long}${step(2)}`);
    expect(code).toBe(0);
    expect(await command.inspect("long")).toMatchObject({ n_steps: 2, n_samples: 8, events: [] });
  });

  test("may hold bytes that are not UTF-8, which is said", async () => {
    const broken = Buffer.from(line({ type: "event", kind: "note", message: "a\u00ffb" }), "latin1");
    const { code, stderr } = await command.run(
      ["record", "latin"],
      Buffer.concat([Buffer.from(step(0)), broken]),
    );
    expect(code).toBe(0);
    expect(stderr).toContain("1 line held bytes that are not UTF-8");
    expect(await command.inspect("latin")).toMatchObject({ events: [{ kind: "note", message: "a\ufffdb" }] });
  });

  test("may be somebody's log: a thousand events say so, and one how many more", async () => {
    const { code, stderr } = await command.run(
      ["record", "log"],
      `${step(0)}${"not a record\n".repeat(2500)}${step(1)}`,
    );
    expect(code).toBe(0);
    expect(stderr).toContain(
      "2500 lines or samples could not be recorded: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2490 more\n",
    );
    const read = await command.inspect("log");
    expect(read["n_steps"]).toBe(2);
    const bad = badOf(read["events"]);
    expect([bad.length, bad.at(-1)]).toEqual([1001, "lines up to 2501: 1500 more could not be recorded"]);
  });
});

describe("a folder", () => {
  test("with a recording is refused and left alone, or continued", async () => {
    await command.run(["record", "twice"], step(0) + step(1));
    const before = readdirSync(at("twice"));
    const refused = await command.run(["record", "twice"], step(7));
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(
      /^flight-deck: twice: there is a recording already[^\n]+--resume[^\n]+\n$/,
    );
    expect(readdirSync(at("twice"))).toEqual(before);
    expect(await command.inspect("twice")).toMatchObject({ n_steps: 2 });
    expect((await command.run(["record", "twice", "--resume"], step(2))).code).toBe(0);
    expect(await command.inspect("twice")).toMatchObject({ n_steps: 3, last_step: 2, warnings: [] });
  });

  test("that is none, or cannot be made, is refused in one line", async () => {
    writeFileSync(at("file"), "");
    for (const [out, why] of [
      ["file", /^flight-deck: file: it is no folder\n$/],
      ["file/below", /^flight-deck: file\/below[^\n]*: /],
    ] as const) {
      const { code, stderr } = await command.run(["record", out], step(0));
      expect(code).toBe(2);
      expect(stderr).toMatch(why);
    }
  });

  test("is made only when there is something to record", async () => {
    const nothing = await command.run(["record", "nothing"]);
    expect(nothing).toMatchObject({
      code: 0,
      stderr: "flight-deck: nothing came in that can be recorded, and nothing was written\n",
    });
    const junk = await command.run(["record", "nothing"], "a\nb\n");
    expect([junk.code, existsSync(at("nothing"))]).toEqual([2, false]);
    expect(junk.stderr).toContain("line 1: it is no JSON");
  });
});

describe("usage", () => {
  test.each([
    [["record"], /OUT is missing/],
    [["record", "x", "--config", "nowhere.json"], /nowhere\.json cannot be read/],
    [["record", "x", "--config", "list.json"], /list\.json holds no JSON object/],
    [["record", "x", "--flush-interval", "0"], /flush-interval/],
    [["record", "x", "--flush-interval", "100000"], /flush-interval/],
  ])("%j", async (args, why) => {
    writeFileSync(at("list.json"), "[1]");
    const { code, stdout, stderr } = await command.run(args, step(0));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^flight-deck: [^\n]+\n$/);
    expect(stderr).toMatch(why);
    expect(existsSync(at("x"))).toBe(false);
  });
});

describe("a pipe that stays open", () => {
  const isThere = (name: string) => expect.poll(() => existsSync(at(name)));

  test("is recorded as it comes: what went in is on the disk before it ends", async () => {
    const { child, ended } = command.start("record", "open", "--flush-interval", "0.1");
    child.stdin.write(step(0) + step(1));
    await isThere("open/steps/part-00000.parquet").toBe(true);
    expect(await command.inspect("open")).toMatchObject({ n_steps: 2 });
    child.stdin.write(line({ type: "event", kind: "note" }));
    await expect
      .poll(() => existsSync(at("open/events.jsonl")) && readFileSync(at("open/events.jsonl"), "utf8"))
      .toContain("note");
    child.stdin.end(step(2));
    expect((await ended).code).toBe(0);
    expect(await command.inspect("open")).toMatchObject({ n_steps: 3 });
  });

  const open = async (name: string) => {
    const { child, ended, stderr } = command.start("record", name, "--flush-interval", "0.1");
    child.stdin.write(step(0) + step(1));
    await isThere(`${name}/steps/part-00000.parquet`).toBe(true);
    return { child, ended, stderr };
  };
  const expectClosed = async (name: string, steps: number) => {
    expect(existsSync(at(name, "steps.parquet"))).toBe(true);
    expect(await command.inspect(name)).toMatchObject({ n_steps: steps, warnings: [] });
  };

  test("is closed in order by SIGTERM, with what it still holds", async () => {
    const { child, ended } = await open("terminated");
    child.kill("SIGTERM");
    child.stdin.write(`${step(2)}{"type":"step","step":3`);
    const { code, signal, stderr } = await ended;
    expect([code, signal]).toEqual([0, null]);
    expect(stderr).toContain("terminated is recorded: 3 steps");
    await expectClosed("terminated", 3);
  });

  test("is read to its end after Ctrl+C, which its writer has heard too; a second one closes", async () => {
    const { child, ended, stderr } = await open("interrupted");
    child.kill("SIGINT");
    await expect.poll(stderr).toContain("reading on until the input ends");
    child.stdin.end(step(2));
    expect((await ended).code).toBe(0);
    await expectClosed("interrupted", 3);

    const deaf = await open("interrupted-twice");
    deaf.child.kill("SIGINT");
    await expect.poll(deaf.stderr).toContain("reading on until the input ends");
    deaf.child.kill("SIGINT");
    expect(await deaf.ended).toMatchObject({ code: 0, signal: null });
    await expectClosed("interrupted-twice", 2);
  });

  test("outlives the terminal when its writer does", async () => {
    const { child, ended } = await open("nohup");
    child.kill("SIGHUP");
    child.stdin.write(step(2));
    await isThere("nohup/steps/part-00001.parquet").toBe(true);
    child.stdin.end(step(3));
    expect(await ended).toMatchObject({ code: 0, signal: null });
    await expectClosed("nohup", 4);
  });

  test("is recorded when nobody listens to what goes wrong any more", async () => {
    const { child, ended } = command.start("record", "deaf", "--flush-interval", "0.1");
    child.stderr.destroy();
    child.stdout.destroy();
    child.stdin.write(`junk\n${step(0)}junk\n`);
    await isThere("deaf/steps/part-00000.parquet").toBe(true);
    child.stdin.end(`junk\n${step(1)}`);
    expect((await ended).code).toBe(0);
    expect(await command.inspect("deaf")).toMatchObject({ n_steps: 2 });
  });

  test("whose folder is taken away is said, and ends as failed", async () => {
    mkdirSync(at("gone-above"));
    const { child, ended, stderr } = command.start("record", "gone-above/run", "--flush-interval", "0.1");
    child.stdin.write(step(0));
    await isThere("gone-above/run/steps/part-00000.parquet").toBe(true);
    execFileSync("rm", ["-r", at("gone-above")]);
    writeFileSync(at("gone-above"), "in its place");
    child.stdin.end(step(1));
    expect((await ended).code).toBe(2);
    expect(stderr()).toMatch(/gone-above\/run[^\n]*: /);
  });
});
