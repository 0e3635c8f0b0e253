/** Codes and facts of the core as sentences. No message quotes the content of a file; a column's name is the most said. */
import { FlightDeckError, type Warning } from "../core/format/problems.ts";
import type { WarningView } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import { cut } from "./text.ts";
import { REFUSAL_WORDS, WARNING_WORDS } from "./words.ts";

const MAX_NAME = 80;

export function warningView(warning: Warning): WarningView {
  const { code, file, count, level } = warning;
  const words = WARNING_WORDS[code];
  return {
    code,
    file,
    message: sentence(words.message, factsOf(warning)),
    remedy: words.remedy,
    count,
    level,
  };
}

/** Worst first, otherwise in the order they were found. */
export function warningViews(warnings: readonly Warning[]): WarningView[] {
  const views = warnings.map(warningView);
  return [...views.filter((w) => w.level === "warning"), ...views.filter((w) => w.level === "info")];
}

function factsOf({ detail, column, line, row, count }: Warning): string[] {
  const facts: string[] = [];
  if (detail !== "") facts.push(detail);
  if (column !== undefined && !detail.includes(column)) facts.push(`column “${cut(column, MAX_NAME)}”`);
  const first = count > 1 ? "first at " : "";
  if (line !== undefined) facts.push(`${first}line ${line}`);
  if (row !== undefined) facts.push(`${first}row ${row}`);
  return facts;
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
  const said: string[] = [];
  const found = facts["found"];
  const supported = facts["supported"];
  if (code === "newer-schema" || code === "bad-schema-version") {
    if (found !== undefined) said.push(`found ${cut(found, MAX_NAME)}`);
    if (supported !== undefined) said.push(`this version reads up to ${supported}`);
  } else if (code === "io-error" && found !== undefined && /^[A-Z0-9_]{2,24}$/.test(found)) said.push(found);
  return { code, message: sentence(words.message, said), file, remedy: words.remedy };
}
