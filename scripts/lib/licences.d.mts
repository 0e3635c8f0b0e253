/** What is wrong with a package that ships: its licence, or that the notices do not name it. */
export function licenceProblems(
  manifest: { readonly name: string; readonly version: string; readonly license?: unknown },
  notices: string,
): string[];

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

/** Versions that are not exact or not those of the lock file; what runs something when it is installed. */
export function pinProblems(
  manifest: {
    readonly scripts?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  },
  lock: { readonly packages: Readonly<Record<string, Locked>> },
): string[];
