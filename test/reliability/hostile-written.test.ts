/**
 * Hostile text in what Flight Deck writes: recordings from a pipe, made-up runs, witnesses, in folders of hostile names; results; messages to a
 * webhook. Files have the names of the format and lie in the folder that was named, what was recorded is what came in, and nothing that a terminal
 * obeys is printed.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alertText } from "../../src/view/alerts.ts";
import { postText } from "../../src/view/webhook.ts";
import { bundleCommand } from "../helpers/bundle.ts";
import { FOLDERS, INHERITED, OBEYED, PAYLOADS } from "../helpers/hostile.ts";
import { hostileRun, writeRun } from "../helpers/hostile-run.ts";

/** Three commands share the names between them: a process for each would take minutes. */
const SHARES = 3;
const share = (of: number) => FOLDERS.filter((_, i) => i % SHARES === of);

let root = "";
let cli = "";

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-written-"));
  await bundleCommand(path.join(root, "bin"), { "recorder-thread": "src/recorder/thread.ts" });
  cli = path.join(root, "bin/dist/cli.cjs");
  fs.mkdirSync(path.join(root, "runs"));
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function deck(args: readonly string[], input = ""): SpawnSyncReturns<string> {
  const env = {
    PATH: process.env["PATH"],
    HOME: path.join(root, "home"),
    XDG_CACHE_HOME: path.join(root, "cache"),
  };
  return spawnSync(process.execPath, [cli, ...args], {
    cwd: path.join(root, "runs"),
    encoding: "utf8",
    input,
    env,
  });
}

/** Line ends are layout, and so are tabs in texts that have lines. */
function isQuiet({ stdout, stderr }: SpawnSyncReturns<string>): void {
  for (const text of [stdout, stderr])
    expect(text.split("\n").filter((line) => OBEYED.test(line.replaceAll("\t", "")))).toEqual([]);
}

const OWN =
  /^(manifest\.json|events\.jsonl|steps\.parquet|steps|samples|shard-\d{5}\.parquet|part-\d{5}\.parquet)$/;

/** All names below a folder that are none of the format's. */
const strays = (dir: string) =>
  fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((file) => !OWN.test(path.basename(file)));

/** Each text in every field that a line can have, and lines that are nothing but such a text. */
function hostileLines(): string[] {
  const texts = PAYLOADS.map(({ text }) => text);
  const object = (value: (text: string) => unknown) =>
    `{${texts.map((text) => `${JSON.stringify(text)}:${JSON.stringify(value(text))}`).join(",")}}`;
  const first = JSON.stringify(texts[0]);
  return [
    `{"type":"run","run_id":${first},"algorithm":${first},"model_name":${first},"notes":${JSON.stringify(texts.join("\n"))},"trainer_config":${object((t) => t)},"environment":${object((t) => t)},"extra":${object((t) => t)}}`,
    ...Array.from(
      { length: 3 },
      (_, step) =>
        `{"type":"step","step":${step},"reward_mean":0.5,"reward_components":${object(() => step)},${object(() => step).slice(1)}`,
    ),
    `{"type":"samples","step":2,"select":false,"samples":[${texts
      .map((text) => JSON.stringify(text))
      .map(
        (t) =>
          `{"sample_id":${t},"group_id":${t},"prompt_id":${t},"prompt_text":${t},"completion_text":${t},"reward_total":1}`,
      )
      .join(",")}]}`,
    ...texts.map(
      (t) =>
        `{"type":"event","kind":${JSON.stringify(t)},"step":1,"message":${JSON.stringify(t)},"data":${object((x) => x)}}`,
    ),
    ...texts.map((t) => `{"type":${JSON.stringify(t)}}`),
    ...texts.map((t) => t.replaceAll("\n", " ")),
    ...texts.map((t) => `{"type":"step","step":2,"loss":${JSON.stringify(t)}}`),
  ];
}

describe("flight-deck record", () => {
  it("takes every text down as it came", () => {
    const recorded = deck(["record", "all", "--json"], `${hostileLines().join("\n")}\n`);
    expect(recorded.status, recorded.stderr).toBe(0);
    isQuiet(recorded);
    expect(JSON.parse(recorded.stdout)).toMatchObject({ samples: PAYLOADS.length, steps: 3 });
    expect(strays(path.join(root, "runs/all"))).toEqual([]);

    const samples = deck(["samples", "all", "--json", "--full", "-k", "200"]);
    isQuiet(samples);
    const printed = JSON.stringify(JSON.parse(samples.stdout));
    const inspected = JSON.parse(deck(["inspect", "all", "--json", "--as-recorded"]).stdout);
    const manifest = fs.readFileSync(path.join(root, "runs/all/manifest.json"), "utf8");
    const events = fs.readFileSync(path.join(root, "runs/all/events.jsonl"), "utf8").trimEnd().split("\n");
    const kinds = new Set(events.map((line) => (JSON.parse(line) as { readonly kind: string }).kind));
    const columns = Object.keys(inspected.columns);
    for (const { id, text } of PAYLOADS) {
      expect(printed, id).toContain(JSON.stringify(text).slice(1, -1));
      expect([...kinds], id).toContain(text);
      expect(columns, id).toContain(`extra.${text}`);
      expect(columns, id).toContain(`reward_component.${text}`);
    }
    for (const key of ["trainer_config", "environment", "extra"])
      for (const name of INHERITED) expect(Object.keys(JSON.parse(manifest)[key]), key).toContain(name);
    expect(kinds).toContain("bad_record");
  });

  it("writes into the folder that was named, whatever it is called", () => {
    for (const { id, text } of share(0)) {
      const at = path.join(root, "runs", text);
      const done = deck(["record", `./${text}`, "--json"], '{"type":"step","step":0,"loss":1}\n');
      expect(done.status, `${id}: ${done.stderr}`).toBe(0);
      isQuiet(done);
      expect(strays(at), id).toEqual([]);
      expect(JSON.parse(fs.readFileSync(path.join(at, "manifest.json"), "utf8")).run_id, id).toBe(text);
      if (Number(id.slice(2)) % 6 !== 1) continue;
      const again = deck(["record", `./${text}`], '{"type":"step","step":0,"loss":1}\n');
      expect(again.status, id).toBe(2);
      expect(again.stderr.trimEnd().split("\n"), id).toHaveLength(1);
      isQuiet(again);
    }
  }, 300_000);
});

describe("flight-deck synth", () => {
  it("makes a run up in the folder that was named", () => {
    for (const { id, text } of share(1)) {
      const done = deck(["synth", `./${text}`, "--n-steps", "2"]);
      expect(done.status, `${id}: ${done.stderr}`).toBe(0);
      isQuiet(done);
      expect(done.stdout.trimEnd().split("\n"), id).toHaveLength(1);
      expect(strays(path.join(root, "runs", text)), id).toEqual([]);
    }
  }, 300_000);

  it("refuses failures that there are not in one line", () => {
    for (const { id, text } of PAYLOADS.filter((_, i) => i % 6 === 0)) {
      const refused = deck(["synth", "./none", `--pathology=${text.replaceAll("\0", "")}`]);
      expect(refused.status, id).toBe(2);
      isQuiet(refused);
    }
    expect(fs.existsSync(path.join(root, "runs/none"))).toBe(false);
  }, 300_000);
});

describe("flight-deck witness --write", () => {
  it("writes one file of the format's name, in the folder that was named, with what it was given", () => {
    const config = path.join(root, "config.json");
    const texts = PAYLOADS.map(({ text }) => `${JSON.stringify(text)}:${JSON.stringify(text)}`);
    fs.writeFileSync(config, `{${texts.join(",")}}`);
    for (const { id, text } of share(2)) {
      const at = path.join(root, "runs", text);
      fs.mkdirSync(at);
      const device = text.startsWith("-") ? `x${text}` : text;
      const args = [
        "--attempt",
        "1",
        "--run-id",
        "7",
        "--config",
        config,
        "--device",
        "mps",
        `--device-name=${device}`,
      ];
      const done = deck(["witness", `./${text}`, "--write", ...args]);
      expect(done.status, `${id}: ${done.stderr}`).toBe(0);
      isQuiet(done);
      expect(fs.readdirSync(at), id).toEqual(["observed.attempt1.json"]);
      const written = fs.readFileSync(path.join(at, "observed.attempt1.json"), "utf8");
      expect(Object.keys(JSON.parse(written).config), id).toHaveLength(PAYLOADS.length);
      expect(JSON.parse(written).device_name, id).toBe(device);
      const shown = deck(["witness", `./${text}`]);
      expect(shown.status, id).toBe(0);
      isQuiet(shown);
    }
  }, 300_000);

  it("says of a file or a run id that it cannot use so in one line", () => {
    for (const { id, text } of PAYLOADS.filter((_, i) => i % 6 === 1)) {
      const name = text.replaceAll("\0", "");
      for (const args of [[`--config=./${name}`], ["--attempt", "1", `--run-id=${name}`]]) {
        const refused = deck(["witness", "./nowhere", "--write", ...args]);
        expect(refused.status, id).toBe(2);
        isQuiet(refused);
        expect(refused.stdout, id).toBe("");
      }
    }
  }, 300_000);
});

describe("a message to a webhook", () => {
  const bodies: string[] = [];
  let server: http.Server;
  let url: URL;
  beforeAll(async () => {
    server = http.createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        bodies.push(body);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** One line, nothing hidden, and none of Slack's marks for links and mentions. */
  function isPlain(text: string): void {
    expect(text).not.toMatch(OBEYED);
    expect(text).not.toMatch(/[<>]/);
    expect(text.replaceAll(/&(amp|lt|gt);/g, "")).not.toContain("&");
  }

  it("is a line, whatever the run is called and the finding says", async () => {
    for (const { text } of PAYLOADS) {
      bodies.length = 0;
      const kind = { signature: "KL_BLOWUP", severity: "critical", firstStep: "1" };
      expect(await postText(url, alertText({ ...kind, run: text, words: text }))).toBe(null);
      const body: unknown = JSON.parse(bodies[0] ?? "");
      expect(Object.keys(body as object)).toEqual(["text"]);
      isPlain((body as { readonly text: string }).text);
    }
  });

  it("comes from flight-deck watch --webhook for each finding of a run with such names", async () => {
    bodies.length = 0;
    const folder = path.join(root, "runs", "watched\n[forged] CRITICAL \u202e<!channel> \u001b[2J");
    writeRun(folder, hostileRun());
    const child = spawn(process.execPath, [cli, "watch", folder, "--max-ticks", "1", "--webhook", url.href], {
      stdio: "pipe",
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => out.push(chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => err.push(chunk));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code, err.join("")).toBe(1);
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) {
      const { text } = JSON.parse(body) as { readonly text: string };
      isPlain(text);
      expect(text).toMatch(
        /^\[watched \[forged\] CRITICAL <U\+202E>|^\[watched \[forged\] CRITICAL &lt;U\+202E&gt;/,
      );
    }
    for (const text of [out.join(""), err.join("")])
      expect(text.split("\n").filter((line) => OBEYED.test(line))).toEqual([]);
  });
});
