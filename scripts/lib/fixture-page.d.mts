import type { Metafile } from "esbuild";

export type KitName = "toolkit" | "elements";

export interface FixturePage {
  /** With a slash at its end; `?case=…&theme=…` choose what is shown. */
  readonly url: string;
  /** Of the page's script. */
  readonly bytes: number;
  close(): Promise<void>;
}

export function bundlePage(
  entry: string,
  options?: { readonly kit?: KitName; readonly minify?: boolean },
): Promise<{ readonly text: string; readonly metafile: Metafile }>;

export function serveFixturePage(options?: {
  readonly kit?: KitName;
  readonly minify?: boolean;
  /** Relative to the repository. */
  readonly entry?: string;
}): Promise<FixturePage>;
