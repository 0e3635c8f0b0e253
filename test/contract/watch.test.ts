/** `flight-deck watch` beside rlprobe's, and its alerts. */
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/cli/context.ts";
import { run } from "../../src/cli/run.ts";
import { styleFor } from "../../src/cli/terminal.ts";

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const oracle = at("../fixtures/oracle");
const wasm = readFileSync(at("../../node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm"));
const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-watch-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Watching {
  readonly out: string[];
  readonly err: string[];
  readonly code: Promise<number>;
  interrupt(): void;
  /** Settles with the next line on standard output. */
  next(): Promise<string>;
}

function watch(...args: string[]): Watching {
  const out: string[] = [];
  const err: string[] = [];
  let interrupt = (): void => {};
  let heard = (_: string): void => {};
  const context: Context = {
    out(text) {
      out.push(text);
      heard(text);
    },
    err: (text) => err.push(text),
    style: styleFor(false),
    columns: 100,
    nowMs: 0,
    wasm: () => wasm,
    onInterrupt(stop) {
      interrupt = stop;
      return () => {};
    },
  };
  const code = run(["watch", ...args], context, "0.0.0");
  const next = () =>
    new Promise<string>((resolve) => {
      heard = resolve;
    });
  return { out, err, code, interrupt: () => interrupt(), next };
}

type Looked =
  | { findings: [string, string, number | null][]; finished: boolean; exit: number }
  | { fails: string };

/** Recorded earlier, or asked now where there is an rlprobe. */
function rlprobeSays(): Readonly<Record<string, Looked>> {
  const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
  if (!python) return JSON.parse(readFileSync(path.join(oracle, "watch.json"), "utf8"));
  const folders = ["synthetic", "trl"].map((set) => path.join(oracle, set, "recordings"));
  return JSON.parse(execFileSync(python, [at("make_watch.py"), ...folders], { encoding: "utf8" }));
}

describe("one look at a recording says what rlprobe's does", () => {
  const readable = Object.entries(rlprobeSays()).flatMap(([name, said]) =>
    "fails" in said ? [] : [[name, said] as const],
  );
  test("most recordings are compared", () => {
    expect(readable.length).toBeGreaterThan(25);
  });
  test.each(readable)("%s", async (name, said) => {
    const [set = "", recording = ""] = name.split("/");
    const { out, err, code } = watch(
      path.join(oracle, set, "recordings", recording),
      "--max-ticks",
      "1",
      "--json",
    );
    expect(await code).toBe(said.exit);
    const found = out.map((line) => JSON.parse(line));
    expect(out.every((line) => !line.includes("\n"))).toBe(true);
    expect(found.map((f) => [f.signature_id, f.severity, f.first_step])).toEqual(said.findings);
    expect(err.includes("the run has ended")).toBe(said.finished);
  });
});

describe("a run that is being recorded", () => {
  const recording = path.join(oracle, "synthetic/recordings/live-entropy-collapse");

  test("may not be there yet; a finding is said once; the watch ends with the run", async () => {
    const dir = path.join(temporary, "growing");
    const watching = watch(dir, "--poll", "0.02");
    const said = watching.next();
    cpSync(recording, dir, { recursive: true });
    expect(await said).toMatch(/Entropy collapse +ENTROPY_COLLAPSE · critical · \d+% \(onset ~step 142\)/);
    appendFileSync(
      path.join(dir, "events.jsonl"),
      '{"timestamp":1,"kind":"train_end","step":1,"rank":0,"message":"","data":{}}\n',
    );
    expect(await watching.code).toBe(1);
    expect(watching.out.length).toBe(1);
    expect(watching.err.at(-1)).toBe("the run has ended");
  });

  test("stops when it is told to, and still says by its exit code what it saw", async () => {
    const watching = watch(recording, "--poll", "3600");
    await watching.next();
    watching.interrupt();
    expect(await watching.code).toBe(1);
    expect(watching.err.at(-1)).toBe("stopped");
    expect(existsSync(path.join(temporary, "nowhere"))).toBe(false);
    expect(await watch(path.join(temporary, "nowhere"), "--max-ticks", "2", "--poll", "0").code).toBe(0);
  });

  test("that cannot be read is refused in one line", async () => {
    const { code, err, out } = watch(path.join(oracle, "watch.json"));
    expect([await code, out]).toEqual([2, []]);
    expect(err.at(-1)).toMatch(/^flight-deck: .*watch\.json: /);
  });
});

describe("the webhook", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const recording = path.join(oracle, "synthetic/recordings/grad-pathology");

  async function listen(answer: number): Promise<{ url: string; bodies: string[] }> {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        bodies.push(`${request.method} ${request.headers["content-type"]} ${body}`);
        response.writeHead(answer, answer === 302 ? { location: "/other" } : {}).end("ok");
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/secret`, bodies };
  }

  test("is told each new finding as Slack takes it", async () => {
    const { url, bodies } = await listen(200);
    const { code, err } = watch(recording, "--max-ticks", "1", "--webhook", url);
    expect(await code).toBe(1);
    expect(bodies.length).toBe(2);
    expect(bodies[0]).toMatch(
      /^POST application\/json \{"text":"\[grad-pathology\] CRITICAL GRAD_PATHOLOGY \(onset ~step 140\): [^<>]+"\}$/,
    );
    expect(err.filter((line) => line.includes("webhook"))).toEqual([]);
  });

  test.each([500, 302])(
    "that answers %i costs one line, and neither the finding nor the exit code",
    async (answer) => {
      const { url, bodies } = await listen(answer);
      const { code, err, out } = watch(recording, "--max-ticks", "1", "--webhook", url);
      expect([await code, out.length, bodies.length]).toEqual([1, 2, 2]);
      expect(err.filter((line) => line.includes("webhook"))).toEqual(
        Array(2).fill(`flight-deck: the webhook was not told: it answered ${answer}`),
      );
      expect(err.join()).not.toContain("secret");
    },
  );

  test("that is not there, too", async () => {
    const { code, err } = watch(recording, "--max-ticks", "1", "--webhook", "http://127.0.0.1:1/secret");
    expect(await code).toBe(1);
    expect(
      err.filter((line) => /^flight-deck: the webhook was not told: it could not be reached/.test(line))
        .length,
    ).toBe(2);
    expect(err.join()).not.toContain("secret");
  });

  test.each(["file:///etc/passwd", "ftp://x/y", "javascript:alert(1)", "no address", ""])(
    "%s is bad usage",
    async (url) => {
      const { code, err } = watch(recording, "--webhook", url);
      expect(await code).toBe(2);
      expect(err).toEqual([
        "flight-deck: --webhook wants an http or https address (see flight-deck watch --help)",
      ]);
    },
  );
});
