/** What tests use of l10n.mjs. */
export function sentencesOf(
  name: string,
  text: string,
): { readonly sentences: (readonly [key: string, message: string])[]; readonly hidden: readonly string[] };
export function collect(): Promise<{
  readonly bundle: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}>;
export function asFile(bundle: Readonly<Record<string, string>>): string;
export function translation(language: string): Promise<Readonly<Record<string, string>>>;
