/** Answers the three pages' questions from real files, with the product's own views, where the page is in a browser of the test. */
import path from "node:path";
import type { Page } from "playwright-core";
import { nodeSource } from "../../src/core/io/node.ts";
import { openRun } from "../../src/core/reader/open.ts";
import type { RunModel } from "../../src/core/run/model.ts";
import { RunFigures } from "../../src/host/runs-table/figures.ts";
import { RunsTable } from "../../src/host/runs-table/table.ts";
import { compareContract } from "../../src/protocol/compare.ts";
import { type ComparePageContract, comparePageContract } from "../../src/protocol/compare-page.ts";
import { type PageContract, pageContract } from "../../src/protocol/page.ts";
import { type Channel, createServer, type Handlers, type Transport } from "../../src/protocol/rpc.ts";
import { type RunContract, runContract } from "../../src/protocol/run.ts";
import {
  type RunsPageContract,
  runsPageContract,
  runsPageNotices,
  type TableQuery,
} from "../../src/protocol/runs-page.ts";
import { compareViews } from "../../src/view/compare.ts";
import type { ListedRun } from "../../src/view/listed-run.ts";
import { runViews } from "../../src/view/run.ts";
import { decode, encode } from "../bench/page-codec.ts";

const NOW = 1_800_000_000_000;
const NEVER = { signal: new AbortController().signal };

/** What a page asked to be done: its actions, what it saved, reported and copied. */
export interface Asked {
  readonly actions: unknown[];
  readonly saved: { readonly title: string; readonly kind: string; readonly bytes: Uint8Array }[];
  readonly reports: string[];
  readonly copied: string[];
}

const nothing = (): Asked => ({ actions: [], saved: [], reports: [], copied: [] });

/** Connects a page to the handlers that `serve` gives. Before the page is loaded. */
async function connect(page: Page, serve: (transport: Transport) => void): Promise<void> {
  const listeners = new Set<(message: unknown) => void>();
  const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer;
  await page.exposeFunction("hostileUp", (text: string) => {
    for (const listener of listeners) listener(decode(bytesOf(text)));
  });
  const channel: Channel = "json";
  serve({
    channel,
    post: (message) => {
      const text = Buffer.from(encode(message)).toString("latin1");
      return page.evaluate((bytes) => window.hostile?.down(bytes), text);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}

const open = (dir: string): Promise<RunModel> => openRun(nodeSource(dir));

function noting(asked: Asked) {
  return {
    "page.action": (action: unknown) => {
      asked.actions.push(action);
      return {};
    },
    "page.report": ({ message }: { message: string }) => {
      asked.reports.push(message);
      return {};
    },
  };
}

export async function hostRun(page: Page, dir: string): Promise<Asked> {
  const asked = nothing();
  const views = runViews(await open(dir), () => NOW);
  const forwarded: Partial<Handlers<RunContract>> = Object.fromEntries(
    Object.keys(runContract).map((method) => [method, views[method as keyof RunContract & string]]),
  );
  const state = () => ({ state: "run" as const });
  const handlers = {
    ...forwarded,
    ...noting(asked),
    "page.open": state,
    "page.retry": state,
    "page.openLoose": state,
    "page.diagnose": async ({ values }: { values?: object }) => ({
      diagnosis: await views["run.diagnose"](
        { config: null, extra: true, ...(values ? { values } : {}) } as never,
        NEVER,
      ),
      config: "",
    }),
    "doctor.write": () => ({ written: false }),
    "prefs.get": () => ({ prefs: null }),
    "prefs.set": () => ({}),
    "page.save": (file: Asked["saved"][number]) => {
      asked.saved.push(file);
      return { saved: true };
    },
    "page.saveRows": () => ({ saved: false }),
    "page.pinned": () => ({}),
    "page.copyText": ({ text }: { text: string }) => {
      asked.copied.push(text);
      return {};
    },
  } as unknown as Handlers<PageContract>;
  await connect(page, (transport) => createServer(pageContract, handlers, transport));
  return asked;
}

export async function hostCompare(page: Page, dirs: readonly string[]): Promise<Asked> {
  const asked = nothing();
  const models = await Promise.all(dirs.map(open));
  const views = compareViews(models, async () => {});
  const doctors = models.map((model) => runViews(model, () => NOW));
  const forwarded = Object.fromEntries(
    Object.keys(compareContract).map((method) => [method, views[method as keyof typeof compareContract]]),
  );
  const handlers = {
    ...forwarded,
    ...noting(asked),
    "page.open": () => ({
      members: dirs.map((dir, run) => ({
        ...{ uri: `file://${dir}`, label: path.basename(dir), where: dir, run },
        state: { state: "run" as const },
      })),
      ignore: [],
    }),
    "page.diagnose": ({ run }: { run: number }) =>
      doctors[run]?.["run.diagnose"]({ config: null, extra: true } as never, NEVER),
  } as unknown as Handlers<ComparePageContract>;
  await connect(page, (transport) => createServer(comparePageContract, handlers, transport));
  return asked;
}

async function listed(dir: string): Promise<ListedRun> {
  const views = runViews(await open(dir), () => NOW);
  const summary = await views["run.summary"]({}, NEVER);
  const diagnosis = await views["run.diagnose"]({ config: null, extra: true } as never, NEVER);
  const findings = diagnosis.findings.map(({ id, signature, title, severity, firstStepText, words }) => ({
    ...{ id, signature, title, severity, words },
    firstStep: firstStepText,
  }));
  const label = path.basename(dir);
  return {
    ...{ dir, label, path: label, kind: "recording" as const },
    ...{ summary, findings, verdict: diagnosis.verdict, problem: null },
  };
}

export async function hostRuns(page: Page, dirs: readonly string[]): Promise<Asked> {
  const asked = nothing();
  const runs: ListedRun[] = [];
  for (const dir of dirs) runs.push(await listed(dir));
  let table: RunsTable | null = null;
  let tell = (): void => {};
  const figures = new RunFigures({
    read: async ({ dir }, params, signal) =>
      runViews(await open(dir), () => NOW)["run.row"](params, { signal }),
    onError: (_, error) => asked.reports.push(String(error)),
    changed: () => {
      table?.stale("figures");
      tell();
    },
  });
  table = new RunsTable({
    catalogue: {
      ...{ isSearching: false, cuts: [], list: () => runs, first: () => {} },
      get: (dir) => runs.find((run) => run.dir === dir),
    },
    figures,
    ignored: () => [],
  });
  const own = table;
  const handlers = {
    ...noting(asked),
    "table.open": () => ({ prefs: null }),
    "table.prefs": () => ({}),
    "table.view": ({
      offset,
      limit,
      find,
      ...query
    }: TableQuery & { offset: number; limit: number; find: never }) => own.view(query, offset, limit, find),
    "table.dirs": (query: never) => ({ dirs: own.answer(query).runs.map(({ dir }) => dir) }),
    "table.choices": ({ filter }: { filter: string }) => own.choices(filter),
    "table.complete": ({ text }: { text: string }) => ({ completions: own.completions(text) }),
    "page.action": (action: unknown) => {
      asked.actions.push(action);
      return { done: true };
    },
  } as unknown as Handlers<RunsPageContract>;
  await connect(page, (transport) => {
    const server = createServer(runsPageContract, handlers, transport, { notices: runsPageNotices });
    tell = () => server.notify("changed", {});
  });
  return asked;
}
