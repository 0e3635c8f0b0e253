/** Help for whoever writes a doctor.toml: what can stand at a place, and what a word there means. From the signatures themselves. */

import { headerOf, keyOf } from "../core/doctor/config.ts";
import type { Param, Signature } from "../core/doctor/types.ts";
import { said, t } from "../protocol/l10n.ts";
import { severityWord } from "../protocol/names.ts";
import { ALL_SIGNATURES } from "./signature-page.ts";

export interface Suggestion {
  readonly kind: "section" | "key" | "value";
  readonly label: string;
  /** Beside the label. */
  readonly detail: string;
  /** Markdown. */
  readonly doc: string;
  readonly insert: string;
  /** Characters of the line that it takes the place of. */
  readonly from: number;
  readonly to: number;
}

export interface Hover {
  /** Markdown. */
  readonly doc: string;
  readonly signature: string;
  readonly from: number;
  readonly to: number;
}

const BY_SECTION: ReadonlyMap<string, Signature> = new Map(
  ALL_SIGNATURES.map((s) => [s.id.toLowerCase(), s]),
);
const enabledText = (): string => t("Whether the signature is looked at at all.");
const fromText = ({ min, max, integer }: Param): string =>
  integer ? t("From {0} to {1}, whole.", min, max) : t("From {0} to {1}.", min, max);
const defaultText = ({ min, max, integer, ...p }: Param): string =>
  integer
    ? t("Default {0}; from {1} to {2}, whole.", p.default, min, max)
    : t("Default {0}; from {1} to {2}.", p.default, min, max);

/** @param lines of the file @param line from 0 @param at the cursor's place in the line, from 0 */
export function suggestionsAt(lines: readonly string[], line: number, at: number): Suggestion[] {
  const text = lines[line] ?? "";
  const before = text.slice(0, at);
  if (before.includes("#")) return [];
  if (/^\s*\[/.test(before)) return sections(lines, line, text, at);
  const signature = signatureAbove(lines, line);
  if (before.includes("=")) return values(signature, text, at);
  const found = signature ? keys(signature, lines, line, text, at) : [];
  return /^\s*\w*$/.test(before) ? [...found, ...sections(lines, line, text, at)] : found;
}

function sections(lines: readonly string[], line: number, text: string, at: number): Suggestion[] {
  const from = text.length - text.trimStart().length;
  const rest = /^[\w\]]*/.exec(text.slice(at))?.[0] ?? "";
  const taken = new Set(lines.flatMap((l, i) => (i === line ? [] : (headerOf(l) ?? []))));
  return [...BY_SECTION].flatMap(([section, s]) =>
    taken.has(section)
      ? []
      : [
          {
            kind: "section" as const,
            label: `[${section}]`,
            detail: `${said(s.title)} (${severityWord(s.severity)})`,
            doc: said(s.pages.what),
            insert: `[${section}]`,
            from,
            to: at + rest.length,
          },
        ],
  );
}

function keys(
  signature: Signature,
  lines: readonly string[],
  line: number,
  text: string,
  at: number,
): Suggestion[] {
  const from = text.length - text.trimStart().length;
  const word = /^\w*/.exec(text.slice(at))?.[0] ?? "";
  const hasValue = /^\s*=/.test(text.slice(at + word.length));
  const taken = keysOfSection(lines, line);
  const entry = (label: string, value: string, doc: string): Suggestion[] =>
    taken.has(label)
      ? []
      : [
          {
            kind: "key",
            label,
            detail: t("default {0}", value),
            doc,
            insert: hasValue ? label : `${label} = ${value}`,
            from,
            to: at + word.length,
          },
        ];
  return [
    ...Object.entries(signature.params).flatMap(([name, p]) =>
      entry(name, String(p.default), `${said(p.doc)}\n\n${fromText(p)}`),
    ),
    ...entry("enabled", "true", enabledText()),
  ];
}

function values(signature: Signature | null, text: string, at: number): Suggestion[] {
  const key = keyOf(text);
  if (!signature || key === null) return [];
  const equals = text.indexOf("=");
  const from = equals + 1 + (/^\s*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
  if (at < from) return [];
  const to = at + (/^[\w.+-]*/.exec(text.slice(at))?.[0].length ?? 0);
  const value = (label: string, detail: string, doc: string): Suggestion => ({
    kind: "value",
    label,
    detail,
    doc,
    insert: label,
    from,
    to,
  });
  if (key === "enabled")
    return [value("true", t("default"), enabledText()), value("false", "", enabledText())];
  const param = Object.hasOwn(signature.params, key) ? signature.params[key] : undefined;
  return param
    ? [value(String(param.default), t("default"), `${said(param.doc)}\n\n${fromText(param)}`)]
    : [];
}

/** The word under the cursor: a section's name or a key. */
export function hoverAt(lines: readonly string[], line: number, at: number): Hover | null {
  const text = lines[line] ?? "";
  const section = headerOf(text);
  const name = section ?? keyOf(text);
  if (name === null) return null;
  const from = text.indexOf(name);
  const to = from + name.length;
  if (at < from || at > to) return null;
  const signature = section === null ? signatureAbove(lines, line) : (BY_SECTION.get(section) ?? null);
  if (!signature) return null;
  const doc = section === null ? keyDoc(signature, name) : sectionDoc(signature);
  return doc === null ? null : { doc, signature: signature.id, from, to };
}

function sectionDoc({ title, severity, pages }: Signature): string {
  return `**${said(title)}** (${severityWord(severity)})\n\n${said(pages.what)}`;
}

function keyDoc({ id, params }: Signature, key: string): string | null {
  if (key === "enabled") return `**enabled** (${id})\n\n${enabledText()}\n\n${t("Default {0}.", "true")}`;
  const p = Object.hasOwn(params, key) ? params[key] : undefined;
  return p ? `**${key}** (${id})\n\n${said(p.doc)}\n\n${defaultText(p)}` : null;
}

function signatureAbove(lines: readonly string[], line: number): Signature | null {
  for (let i = line - 1; i >= 0; i--) {
    const section = headerOf(lines[i] ?? "");
    if (section !== null) return BY_SECTION.get(section) ?? null;
  }
  return null;
}

/** Keys that stand in the section already, the line itself left out. */
function keysOfSection(lines: readonly string[], line: number): ReadonlySet<string> {
  let from = line;
  while (from > 0 && headerOf(lines[from - 1] ?? "") === null) from--;
  const taken = new Set<string>();
  for (let i = from; i < lines.length; i++) {
    const text = lines[i] ?? "";
    if (headerOf(text) !== null) break;
    const key = keyOf(text);
    if (key !== null && i !== line) taken.add(key);
  }
  return taken;
}
