/** Codes and facts of the core as sentences. No message quotes the content of a file; a column's name is the most said. */
import {
  FlightDeckError,
  type RefusalCode,
  type Warning,
  type WarningCode,
} from "../core/format/problems.ts";
import { said, t } from "../protocol/l10n.ts";
import type { WarningView } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import { cut } from "./text.ts";
import { REFUSAL_WORDS, WARNING_WORDS, type Words } from "./words.ts";

const MAX_NAME = 80;

export function warningView(warning: Warning): WarningView {
  const { code, file, count, level } = warning;
  const words = WARNING_WORDS[code];
  return {
    code,
    file,
    message: sentence(said(words.message), factsOf(warning, words.message)),
    // A file's own fault says better what to do than its consequence does.
    remedy: said((warning.cause && WARNING_WORDS[warning.cause].remedy) || words.remedy),
    count,
    level,
  };
}

/** Worst first, otherwise in the order they were found. */
export function warningViews(warnings: readonly Warning[]): WarningView[] {
  const views = warnings.map(warningView);
  return [...views.filter((w) => w.level === "warning"), ...views.filter((w) => w.level === "info")];
}

function factsOf({ detail, column, line, row, count }: Warning, message: string): string[] {
  const facts: string[] = [];
  if (detail !== "" && !repeats(message, detail)) facts.push(detail);
  if (column !== undefined && !detail.includes(column)) facts.push(t("column “{0}”", cut(column, MAX_NAME)));
  const isFirst = count > 1;
  if (line !== undefined) facts.push(isFirst ? t("first at line {0}", line) : t("line {0}", line));
  if (row !== undefined && !/\(rows? \d/.test(detail))
    facts.push(isFirst ? t("first at row {0}", row) : t("row {0}", row));
  return facts;
}

/** "This is a web page" needs no "(it is a web page)". */
function repeats(message: string, detail: string): boolean {
  return message.toLowerCase().includes(detail.toLowerCase().replace(/^it is /, ""));
}

function sentence(message: string, facts: readonly string[]): string {
  return facts.length === 0 ? `${message}.` : `${message} (${facts.join("; ")}).`;
}

/** A refusal, or whatever else was thrown, as words; what is not the core's own error gives nothing away. */
export function problemOfError(error: unknown): Problem {
  if (!(error instanceof FlightDeckError)) return refusal(new FlightDeckError("internal", ""));
  return refusal(error);
}

function refusal({ code, file, facts }: FlightDeckError): Problem {
  const words = REFUSAL_WORDS[code];
  const told: string[] = [];
  const found = facts["found"];
  const supported = facts["supported"];
  if (code === "newer-schema" || code === "bad-schema-version") {
    if (found !== undefined) told.push(t("found {0}", cut(found, MAX_NAME)));
    if (supported !== undefined) told.push(t("this version reads up to {0}", supported));
  } else if (code === "io-error" && found !== undefined && /^[A-Z0-9_]{2,24}$/.test(found)) told.push(found);
  return { code, message: sentence(said(words.message), told), file, remedy: said(words.remedy) };
}

/** A warning as plain text, for the clipboard. */
export function warningText({ code, file, message, remedy, count }: WarningView): string {
  const head = count > 1 ? `${code} × ${count}` : code;
  return lines([file === "" ? head : `${head}: ${plain(file)}`, message, remedy]);
}

export function problemText({ code, file, message, remedy }: Problem): string {
  return lines([file === "" ? code : `${code}: ${plain(file)}`, message, remedy]);
}

/** What a code says in general. "" for what is no code of ours. */
export function codeText(code: string, file: string): string {
  const words = wordsOf(code);
  return words
    ? problemText({ code, file, message: `${said(words.message)}.`, remedy: said(words.remedy) })
    : "";
}

function wordsOf(code: string): Words | undefined {
  if (Object.hasOwn(WARNING_WORDS, code)) return WARNING_WORDS[code as WarningCode];
  return Object.hasOwn(REFUSAL_WORDS, code) ? REFUSAL_WORDS[code as RefusalCode] : undefined;
}

const lines = (all: readonly string[]): string => all.filter((line) => line !== "").join("\n");

/** A file's name can hold line breaks and control characters. */
const plain = (name: string): string => cut(name.replace(/\p{Cc}/gu, "\ufffd"), MAX_NAME * 4);
