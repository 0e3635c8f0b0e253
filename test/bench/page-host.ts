/** Stands in for VS Code: serves the page and passes its questions to a real worker thread. One run, one page at a time. */
import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { RunWorker } from "../../src/host/worker/client.ts";
import { type Lease, RunPool } from "../../src/host/worker/pool.ts";
import { spawnWorker } from "../../src/host/worker/spawn.ts";
import { type PageContract, pageContract, pageNotices } from "../../src/protocol/page.ts";
import { DEFAULT_PREFS } from "../../src/protocol/prefs.ts";
import { createServer, type Handlers, type Transport } from "../../src/protocol/rpc.ts";
import { runContract } from "../../src/protocol/run.ts";
import type { Params } from "../../src/protocol/wire.ts";
import { decode, encode, Frames, frameOf } from "./page-codec.ts";

export interface HostOptions {
  /** Absolute path of the run. */
  readonly dir: string;
  /** Folder with worker.cjs and the decoder. */
  readonly dist: string;
  /** The decoder is loaded before the page is asked for. */
  readonly warm: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly style: string;
  /** Charts that are not shown. */
  readonly hidden: readonly string[];
}

export interface PageHost {
  readonly url: string;
  /** Bytes of the largest message to the page so far. */
  readonly largest: () => number;
  /** Other files lie there now: opens the run again and tells the page. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<PageHost> {
  const paths = {
    script: path.join(options.dist, "worker.cjs"),
    wasm: path.join(options.dist, "parquet_wasm_bg.wasm"),
    demo: path.join(options.dist, "../media/demo/grpo-length-hack"),
  };
  const worker = new RunWorker({
    spawn: () => spawnWorker(paths, () => {}),
    log: (level, message) => {
      if (level === "error") process.stderr.write(`${message}\n`);
    },
  });
  if (options.warm) await worker.ask("", "warm", async (more) => worker.thread().ask("warm", {}, more));
  const line = new HttpLine();
  let lease: Promise<Lease> | null = null;
  const opened = (): Promise<Lease> => {
    lease ??= new RunPool(worker).acquire(options.dir, false, { ahead: true }).then((answer) => {
      if (answer.state !== "run") throw new Error("the run was refused");
      return answer.lease;
    });
    return lease;
  };
  const server = createServer(pageContract, handlers(opened, options.hidden), line, { notices: pageNotices });
  const http = createHttp((request, response) => {
    if (request.url === "/up") void line.take(request, response);
    else if (request.url === "/down") line.open(response);
    else if (request.url?.endsWith(".js"))
      send(response, "text/javascript", options.scripts[request.url.slice(1)] ?? "");
    else if (request.url === "/page.css") send(response, "text/css", options.style);
    else {
      // The run opens while the page loads, as in the product.
      void opened();
      send(response, "text/html", HTML);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    largest: () => line.largest,
    async changed() {
      const { state } = await (await opened()).run.reload();
      server.notify("changed", { state });
    },
    close: () => end(http, worker),
  };
}

async function end(http: Server, worker: RunWorker): Promise<void> {
  worker.dispose();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>bench</title>
<link rel="modulepreload" href="/page-body.js"><link rel="modulepreload" href="/page-charts.js">
<link rel="stylesheet" href="/page.css"><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;

function send(response: ServerResponse, type: string, body: string): void {
  response
    .writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" })
    .end(body);
}

function handlers(opened: () => Promise<Lease>, hidden: readonly string[]): Handlers<PageContract> {
  const methods = Object.keys(runContract) as (keyof typeof runContract)[];
  const forwarded = methods.map((method) => [
    method,
    async (params: never, { signal }: { signal: AbortSignal }) =>
      (await opened()).run.call(method, params, signal),
  ]);
  const open = async () => {
    await opened();
    return { state: "run" as const };
  };
  const nothing = () => ({});
  const own = {
    "page.open": open,
    "page.retry": open,
    "page.openLoose": open,
    "page.action": nothing,
    "page.report": ({ message }: { message: string }) => {
      process.stderr.write(`page: ${message}\n`);
      return {};
    },
    "page.diagnose": async (
      asked: Params<PageContract, "page.diagnose">,
      { signal }: { signal: AbortSignal },
    ) => ({
      diagnosis: await (await opened()).run.call(
        "run.diagnose",
        { config: null, extra: true, ...asked },
        signal,
      ),
      config: "",
    }),
    "prefs.get": () => ({ prefs: { ...DEFAULT_PREFS, hidden: [...hidden] } }),
    "prefs.set": nothing,
  };
  return { ...Object.fromEntries(forwarded), ...own } as unknown as Handlers<PageContract>;
}

/** Questions come in requests, several in one; answers go out in one stream that stays open. */
class HttpLine implements Transport {
  readonly channel = "json";
  largest = 0;
  #listener: (message: unknown) => void = () => {};
  #down: ServerResponse | null = null;
  /** Answers before the stream is there. */
  #early: Uint8Array[] = [];

  listen(listener: (message: unknown) => void): () => void {
    this.#listener = listener;
    return () => {};
  }

  post(message: unknown): void {
    const body = frameOf(encode(message));
    this.largest = Math.max(this.largest, body.byteLength);
    if (this.#down) this.#down.write(body);
    else this.#early.push(body);
  }

  open(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
    response.flushHeaders();
    this.#down = response;
    for (const body of this.#early.splice(0)) response.write(body);
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(204).end();
    for (const body of new Frames().take(Buffer.concat(chunks))) this.#listener(decode(body));
  }
}
