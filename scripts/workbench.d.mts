export const CURRENT: string;
export const FLOOR: string;

/** An installed workbench: its program and the Node that runs it. */
export interface Program {
  readonly version: string;
  readonly node: string;
  readonly entry: string;
}

export interface StartOptions {
  /** `CURRENT` unless given. */
  readonly version?: string;
  /** Absolute. */
  readonly folder: string;
  readonly extensionsDir: string;
  /** A temporary folder, removed at the end, unless given. */
  readonly userDataDir?: string;
  /** User settings beside those that keep the workbench quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Any free one unless given. */
  readonly port?: number;
  /** A `.code-workspace` file that is opened in place of the folder, absolute. */
  readonly workspace?: string;
  /** Nothing is trusted: Restricted Mode. */
  readonly restricted?: boolean;
}

export interface RunningWorkbench {
  /** Opens the folder. */
  readonly url: string;
  readonly origin: string;
  readonly userDataDir: string;
  stop(): Promise<void>;
}

export function ensureWorkbench(options?: { readonly version?: string }): Promise<Program>;
export function ensureChromium(): Promise<string>;
export function installExtension(options: {
  readonly version?: string;
  readonly vsix: string;
  readonly extensionsDir: string;
}): Promise<void>;
export function writeMachineSettings(
  userDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void>;
export function openAddress(
  workbench: Pick<RunningWorkbench, "url" | "origin">,
  files: readonly string[],
): string;
export function startWorkbench(options: StartOptions): Promise<RunningWorkbench>;
