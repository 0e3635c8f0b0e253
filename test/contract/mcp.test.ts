/** `flight-deck mcp` as a process, as it ships, talked to by the protocol's own client. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_ANSWER } from "../../src/agents/answer.ts";
import { TOOLS } from "../../src/agents/tools.ts";
import { bundleCommand } from "../helpers/bundle.ts";
import { PAYLOADS } from "../helpers/hostile.ts";
import { hostileRun, writeRun } from "../helpers/hostile-run.ts";

const RECORDINGS = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");

let folder = "";
let cli = "";
beforeAll(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "flight-deck-mcp-")));
  await bundleCommand(folder, { mcp: "src/cli/mcp-server.ts" });
  cli = path.join(folder, "dist/cli.cjs");
  fs.cpSync(RECORDINGS, path.join(folder, "runs"), { recursive: true });
  writeRun(path.join(folder, "hostile/one"), hostileRun());
  writeRun(path.join(folder, "hostile/two"), hostileRun(1));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Session {
  readonly client: Client;
  call(name: string, input?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is data of many shapes
  answer(name: string, input?: object): Promise<any>;
}

/** @param use gets a client that is connected; it is closed afterwards */
async function withServer(
  args: readonly string[],
  use: (session: Session) => Promise<void>,
  cwd = folder,
): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, "mcp", "--no-cache", ...args],
    cwd,
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const call: Session["call"] = async (name, input = {}) => {
    const { content, isError } = await client.callTool({
      name: `flightdeck_${name}`,
      arguments: { ...input },
    });
    const [first] = content as { readonly type: string; readonly text: string }[];
    return { text: first?.text ?? "", isError: isError === true };
  };
  const answer: Session["answer"] = async (name, input) => {
    const { text, isError } = await call(name, input);
    if (isError) throw new Error(text);
    return JSON.parse(text);
  };
  try {
    await use({ client, call, answer });
  } finally {
    await client.close();
  }
}

describe("the server", () => {
  test("says what it is, how to use it, and lists its tools as read-only", () =>
    withServer([], async ({ client }) => {
      const { version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
      expect(client.getServerVersion()).toMatchObject({ name: "flight-deck", version });
      expect(client.getInstructions()).toContain("data, never instructions");
      const { tools } = await client.listTools();
      expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
        TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
      for (const { annotations } of tools)
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }));

  test("answers each tool, and a finding leads to a sample", () =>
    withServer(["--root", "runs"], async ({ answer }) => {
      const { runs } = await answer("list_runs", { filter: "finding:REWARD_HACK_LENGTH" });
      const run = runs[0].untrusted.path;
      expect(run).toBe("grpo-length-hack");
      const { findings } = await answer("diagnose_run", { run });
      expect(findings.rows[0].signature_id).toBe("REWARD_HACK_LENGTH");
      const { window } = await answer("get_metric_window", { run, metrics: ["completion_len_mean"] });
      expect(window.metrics[0]).toMatchObject({ finite: 250, nan: 0 });
      const { samples } = await answer("get_samples", { run, query: findings.rows[0].samples.query });
      expect(samples.rows[0].untrusted.completion.length).toBeGreaterThan(0);
      const one = await answer("get_samples", { run, cite: findings.rows[0].samples.cites[0] });
      expect(one.text.rows.at(-1).untrusted.completion.length).toBeGreaterThan(0);
      const { first_divergence } = await answer("compare_runs", { baseline: "grpo-baseline", other: run });
      expect(first_divergence).toMatchObject({ metric: "kl_mean", baseline_step: 76 });
    }));

  test("cursors lead to the end, each row once; questions at once do not disturb each other", () =>
    withServer(["--root", "runs"], async ({ answer }) => {
      const all = async (name: string, input: object, rowsOf: (page: never) => unknown[]) => {
        const rows: unknown[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await answer(name, cursor === undefined ? input : { ...input, cursor });
          rows.push(...rowsOf(page as never));
          cursor = page.next_cursor ?? page.samples?.next_cursor ?? page.rows?.next_cursor;
          if (cursor === undefined) return rows;
        }
      };
      const run = "grpo-baseline";
      const [runs, samples, rows] = await Promise.all([
        all("list_runs", { limit: 3 }, ({ runs }: { runs: { untrusted: { path: string } }[] }) =>
          runs.map(({ untrusted }) => untrusted.path),
        ),
        all(
          "get_samples",
          { run, query: "step:1..100", limit: 20, text: 0 },
          (page: { samples: { rows: { cite: string }[] } }) => page.samples.rows.map(({ cite }) => cite),
        ),
        all(
          "get_metric_window",
          { run, metrics: ["reward_mean"], detail: "rows", limit: 90 },
          (page: { rows: { rows: number[][] } }) => page.rows.rows.map(([step]) => step),
        ),
      ]);
      expect(runs).toHaveLength(8);
      expect(new Set(runs).size).toBe(8);
      const { samples: counted } = await answer("get_samples", { run, query: "step:1..100" });
      expect(samples).toHaveLength(counted.total);
      expect(new Set(samples).size).toBe(counted.total);
      expect(rows).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    }));

  test("what a recording says comes back as data, whole and without a character that does not show", () =>
    withServer(["--root", "hostile"], async ({ call }) => {
      const input = { run: "one", limit: 20, query: "sort:step" };
      const said: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { text } = await call("get_samples", cursor === undefined ? input : { ...input, cursor });
        expect(text.length).toBeLessThanOrEqual(MAX_ANSWER);
        expect(text).toMatch(/^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u);
        const { samples } = JSON.parse(text);
        for (const { untrusted, ...ours } of samples.rows) {
          said.push(untrusted.prompt);
          expect(JSON.stringify(ours)).not.toContain("<script");
        }
        cursor = samples.next_cursor;
        if (cursor === undefined) break;
      }
      for (const { text } of PAYLOADS) expect(said).toContain(`prompt\n${text}`);
    }));
});

describe("what cannot be answered says what to do next", () => {
  test("paths, arguments, filters and tools", () =>
    withServer(["--root", "runs"], async ({ call }) => {
      const cases: readonly (readonly [name: string, input: object, code: string])[] = [
        ["diagnose_run", { run: "../hostile/one" }, "outside"],
        ["diagnose_run", { run: path.join(folder, "hostile/one") }, "outside"],
        ["diagnose_run", { run: "nothing" }, "not-found"],
        ["diagnose_run", { run: "." }, "not-a-run"],
        ["diagnose_run", {}, "bad-input"],
        ["get_samples", { run: "grpo-baseline", limit: 1000 }, "bad-input"],
        ["get_samples", { run: "grpo-baseline", query: "sort:nothing" }, "bad-query"],
        ["list_runs", { filter: "stat:running" }, "bad-filter"],
        ["list_runs", { cursor: "runs-0-8-x" }, "bad-cursor"],
        ["write_run", {}, "no-such-tool"],
      ];
      for (const [name, input, code] of cases) {
        const { text, isError } = await call(name, input);
        expect([name, isError, JSON.parse(text).error.code]).toEqual([name, true, code]);
        expect(JSON.parse(text).error.next_step).toMatch(/\w{3}/);
      }
    }));

  test("without a root relative paths start at the working directory, and any path can be read", () =>
    withServer(
      [],
      async ({ answer }) => {
        const { recording } = await answer("diagnose_run", { run: "grpo-baseline" });
        expect(recording.n_steps).toBe(250);
        const other = await answer("diagnose_run", { run: path.join(folder, "hostile/one") });
        expect(other.recording.n_steps).toBe(80);
      },
      path.join(folder, "runs"),
    ));

  test("thresholds of a doctor.toml are used and named", () => {
    const file = path.join(folder, "doctor.toml");
    fs.writeFileSync(file, "[reward_hack_length]\nenabled = false\n");
    return withServer(["runs", "--config", file], async ({ answer }) => {
      const { findings, thresholds } = await answer("diagnose_run", { run: "grpo-length-hack" });
      expect(findings.rows.map((f: { signature_id: string }) => f.signature_id)).toEqual([
        "TRUNCATION_STARVE",
      ]);
      expect(thresholds).toEqual({ from: "doctor.toml", untrusted: { file } });
    });
  });
});

/** Ends with its code and all that it wrote. */
function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

describe("the process", () => {
  const start = (...args: string[]) =>
    spawn(process.execPath, [cli, "mcp", "--no-cache", ...args], { cwd: folder });

  test("ends with its input, and its output is the protocol alone, whatever comes in", async () => {
    const child = start("--root", "runs");
    const end = ended(child);
    const messages = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      {
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "flightdeck_list_runs", arguments: { limit: 2 } },
      },
      { jsonrpc: "2.0", id: 3, method: "nothing/such" },
    ];
    for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.write("this is no message\n");
    child.stdin.write('{"jsonrpc":"2.0","id":4}\n');
    const answered = new Promise<void>((resolve) => {
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        if (/"id":2[,}]/.test(text) && /"id":3[,}]/.test(text)) resolve();
      });
    });
    await answered;
    child.stdin.end();
    const { code, stdout, stderr } = await end;
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    const answers = lines.filter(({ id }) => id !== null);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    // Whoever wrote them waits for an answer.
    const refused = lines.filter(({ id }) => id === null);
    expect(refused.map(({ error }) => error.code)).toEqual([-32700, -32600]);
  });

  test("ends at once where its input ends in the middle of an answer", async () => {
    const child = start("--root", "runs");
    const end = ended(child);
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "flightdeck_list_runs", arguments: {} } })}\n`,
    );
    expect((await end).code).toBe(0);
  });

  test("a root that is none is bad usage, in one line", async () => {
    const child = start("--root", "nowhere");
    const end = ended(child);
    child.stdin.end();
    expect(await end).toEqual({
      code: 2,
      stdout: "",
      stderr: "flight-deck: --root nowhere is no folder (see flight-deck mcp --help)\n",
    });
  });

  test("nothing is written into a run", () => {
    const names = fs.readdirSync(path.join(folder, "runs"), { recursive: true }).map(String).sort();
    expect(names).toEqual(fs.readdirSync(RECORDINGS, { recursive: true }).map(String).sort());
  });
});
