/** The MCP server: bundled as dist/mcp.cjs with the protocol's official SDK. Standard output carries the protocol and nothing else. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { LocalRuns } from "../agents/local.ts";
import type { Thresholds } from "../agents/source.ts";
import { answerTool, INSTRUCTIONS, TOOLS } from "../agents/tools.ts";
import { initParquet } from "../core/index.ts";
import { cacheFileFor } from "../core/io/cacheFolder.ts";

export interface ServerParts {
  readonly version: string;
  /** Absolute folders: where runs are looked for, and relative paths start. */
  readonly roots: readonly string[];
  /** Paths outside of the roots are refused. */
  readonly isConfined: boolean;
  /** Patterns of folders that are not searched. */
  readonly exclude: readonly string[];
  readonly thresholds: Thresholds;
  /** Where the index of a run's samples is kept; `null` for nowhere. */
  readonly cacheFolder: string | null;
  /** Bytes of the Parquet library's binary. */
  wasm(): Uint8Array;
  /** Told in words of what is a fault of ours. */
  onError(words: string): void;
}

/** Settles with the exit code when standard input ends. */
export async function serve(parts: ServerParts): Promise<number> {
  const { version, roots, isConfined, exclude, thresholds, cacheFolder, onError } = parts;
  let isWarm = false;
  const source = new LocalRuns({
    places: { roots: () => roots, isConfined },
    exclude,
    thresholds,
    cache: (dir) => (cacheFolder === null ? null : cacheFileFor(cacheFolder, dir)),
    warm() {
      if (!isWarm) initParquet(parts.wasm());
      isWarm = true;
    },
    now: Date.now,
  });
  const server = new Server(
    { name: "flight-deck", title: "Flight Deck", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { text, isError } = await answerTool(params.name, source, params.arguments, signal, () =>
      onError(
        `${TOOLS.some(({ name }) => name === params.name) ? params.name : "a tool"} failed inside Flight Deck`,
      ),
    );
    return { content: [{ type: "text", text }], isError };
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, resolve);
  });
  const transport = new StdioServerTransport();
  // The SDK says nothing to who wrote a line that is no message: it would wait for an answer in vain.
  server.onerror = (error) => {
    const refusal = refusalOf(error);
    if (refusal) void transport.send(refusal);
  };
  await server.connect(transport);
  await ended;
  await server.close();
  return 0;
}

/** What JSON-RPC answers to a line that is no JSON, or no message; `null` for all that is no fault of a line. */
function refusalOf(error: Error): JSONRPCMessage | null {
  const [code, message] =
    error instanceof SyntaxError
      ? [ErrorCode.ParseError, "Parse error: the line is no JSON"]
      : error.name === "ZodError"
        ? [ErrorCode.InvalidRequest, "Invalid request: the line is no JSON-RPC message"]
        : [0, ""];
  // The id of what cannot be read is null, which the SDK's own servers send and its types do not know.
  return code === 0
    ? null
    : ({ jsonrpc: "2.0", id: null, error: { code, message } } as unknown as JSONRPCMessage);
}
