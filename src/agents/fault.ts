/** What a tool says when it cannot answer: words for a model, with what to do next. */
import { FlightDeckError } from "../core/format/problems.ts";
import { ProblemError } from "../protocol/rpc.ts";
import type { Problem } from "../protocol/wire.ts";
import { problemOfError } from "../view/problems.ts";
import { REFUSAL_WORDS, WARNING_WORDS } from "../view/words.ts";
import { brief, type JsonRecord } from "./json.ts";

export class ToolFault extends Error {
  override readonly name = "ToolFault";
  readonly code: string;
  readonly next: string;
  /** What comes from a recording or a file system, and is no word of ours. */
  readonly untrusted: JsonRecord | undefined;

  /** @param message what is wrong, a sentence @param next what to do about it, a sentence */
  constructor(code: string, message: string, next: string, untrusted?: JsonRecord) {
    super(message);
    this.code = code;
    this.next = next;
    this.untrusted = untrusted;
  }
}

export const CANCELLED = new ToolFault(
  "cancelled",
  "The call was cancelled.",
  "Call again if it is still wanted.",
);

/** `{"error": {"code", "message", "next_step"}, "untrusted"?}`. */
export function faultJson(error: unknown): { readonly error: JsonRecord; readonly untrusted?: JsonRecord } {
  const { code, message, next, untrusted } = faultOf(error);
  return { error: { code, message, next_step: next }, ...(untrusted ? { untrusted } : {}) };
}

function faultOf(error: unknown): ToolFault {
  if (error instanceof ToolFault) return error;
  if (error instanceof ProblemError) return problemFault(error.problem);
  if (error instanceof FlightDeckError) return problemFault(problemOfError(error));
  if (error instanceof Error && error.name === "AbortError") return CANCELLED;
  return new ToolFault(
    "internal",
    "Something went wrong inside Flight Deck.",
    "Try another question about the run; do not repeat this one more than once.",
  );
}

/** A problem's message can hold what was found in a file: said in our words, it is data beside them. */
export function problemFault({ code, message, file, remedy }: Problem): ToolFault {
  if (code === "aborted") return CANCELLED;
  const own = ownWords(code);
  const untrusted = {
    ...(file === "" ? {} : { file: brief(file, 300) }),
    ...(own === message ? {} : { detail: brief(message, 400) }),
  };
  return new ToolFault(
    code,
    own ?? "The run could not be asked.",
    [NEXT[code] ?? "", remedy].filter(Boolean).join(" ") ||
      "Call flightdeck_list_runs for runs that can be read.",
    Object.keys(untrusted).length > 0 ? untrusted : undefined,
  );
}

function ownWords(code: string): string | null {
  if (Object.hasOwn(REFUSAL_WORDS, code))
    return `${REFUSAL_WORDS[code as keyof typeof REFUSAL_WORDS].message}.`;
  return Object.hasOwn(WARNING_WORDS, code)
    ? `${WARNING_WORDS[code as keyof typeof WARNING_WORDS].message}.`
    : null;
}

const LIST = "Call flightdeck_list_runs and pass a run's path as it stands there.";
const NEXT: Readonly<Record<string, string>> = {
  "not-a-run": LIST,
  "not-found": LIST,
  "not-a-directory": LIST,
};
