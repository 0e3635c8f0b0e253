/** Builds the package for Node, packs and checks it. `bytes` as packed. */
export function packForNode(options?: {
  readonly to?: string;
  readonly staged?: string;
  readonly update?: boolean;
}): Promise<{
  readonly file: string;
  readonly names: readonly string[];
  readonly bytes: number;
  readonly problems: readonly string[];
}>;
