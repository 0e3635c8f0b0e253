/** `flight-deck mcp`: the tools for agents as an MCP server on standard input and output. What it needs is loaded with it alone. */
import fs from "node:fs";
import path from "node:path";
import type { Parsed } from "./args.ts";
import { UsageError } from "./args.ts";
import type { Context } from "./context.ts";
import { configText } from "./doctor.ts";
import { LEFT_OUT } from "./ls.ts";
import type { ServerParts } from "./mcp-server.ts";

export async function mcp(context: Context, args: Parsed): Promise<number> {
  const given = [...(args.argument === "" ? [] : [args.argument]), ...args.texts("root")];
  const config = args.text("config");
  const parts: ServerParts = {
    version: context.version ?? "0",
    roots: (given.length > 0 ? given : ["."]).map(folder),
    isConfined: given.length > 0,
    exclude: LEFT_OUT,
    thresholds: {
      file: config === null ? null : path.resolve(config),
      text: config === null ? null : configText(config),
      extra: true,
    },
    cacheFolder: args.flag("no-cache") ? null : (context.cacheFolder ?? null),
    wasm: () => context.wasm(),
    onError: (words) => context.err(`flight-deck: ${words}`),
  };
  const { serve } = await import("./mcp-server.ts");
  return serve(parts);
}

/** @throws UsageError where there is no folder */
function folder(root: string): string {
  const dir = path.resolve(root);
  let isFolder = false;
  try {
    isFolder = fs.statSync(dir).isDirectory();
  } catch {}
  if (!isFolder) throw new UsageError(`--root ${root} is no folder`);
  return dir;
}
