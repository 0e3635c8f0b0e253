import type { BuildOptions } from "esbuild";

/** How the command line is bundled: what `mcp` alone needs is required from beside it. */
export const commandLine: BuildOptions;

export function buildAll(options?: {
  readonly dev?: boolean;
  readonly strict?: boolean;
  readonly log?: (line: string) => void;
}): Promise<void>;

/** Builds what a training loop needs of the package. @param folder where the package's dist/ would be */
export function buildRecorder(folder: string): Promise<void>;

/** Builds the dist/ of the package for Node: command line and recorder. */
export function buildForNode(folder: string): Promise<void>;
