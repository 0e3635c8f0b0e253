export function buildAll(options?: {
  readonly dev?: boolean;
  readonly strict?: boolean;
  readonly log?: (line: string) => void;
}): Promise<void>;
