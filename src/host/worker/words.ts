/** What is said when the reader stopped: which file or chart it was about, and that the rest is there. */
import { problemOf } from "../../protocol/rpc.ts";
import type { Problem } from "../../protocol/wire.ts";
import { cut } from "../../view/text.ts";
import type { Loss } from "./thread.ts";

const MAX_NAME = 80;

export const FAILING = problemOf("worker-failing", "Reading failed several times in a row and was stopped.", {
  remedy: "Wait a minute and try again; “Flight Deck: Show Log” says what happened.",
});
export const BAD_ANSWER = problemOf("bad-answer", "The answer could not be understood.", {
  remedy: "Run “Flight Deck: Show Log” for details.",
});

const STOPPED = { time: "hung", memory: "ran out of memory", crash: "stopped unexpectedly" } as const;

/** For a question that was at work when the thread was lost, and can be asked again. */
export function lostProblem({ cause, at }: Loss): Problem {
  const where = at?.file ? ` while it read ${name(at.file)}` : "";
  return problemOf("worker-lost", `The reader ${STOPPED[cause]}${where} and was started again.`, {
    file: at?.file ?? "",
    remedy: "What is shown is read again.",
  });
}

/** For the question that the thread died of: it is not asked again. */
export function guiltyProblem({ cause, at }: Loss, question: string, limit: number): Problem {
  const subject = subjectOf(at?.file ?? "", question);
  const message = {
    time: `Reading ${subject} took longer than ${Math.round(limit / 1000)} s and was stopped.`,
    memory: `Reading ${subject} takes more memory than there is and was stopped.`,
    crash: `Reading ${subject} made the reader stop.`,
  }[cause];
  return problemOf("worker-refused", message, {
    file: at?.file ?? "",
    remedy: "The file is probably damaged. Retry reads it again.",
  });
}

/** For the pages of the run that was being read: a word beside what they go on showing. @param question "" when several were asked */
export function stoppedProblem({ cause, at }: Loss, question: string): Problem {
  const subject = subjectOf(at?.file ?? "", question);
  const message = `The reader ${STOPPED[cause]} while reading ${subject}; the rest of the run is open.`;
  return problemOf("worker-stopped", message, {
    file: at?.file ?? "",
    remedy: "Retry reads it again. If it stops once more, the file is probably damaged.",
  });
}

const SUBJECTS: Readonly<Record<string, string>> = {
  "run.counts": "the samples",
  "run.config": "the configuration",
  "run.records": "the run records",
  "run.axis": "the steps",
  "events.page": "the events",
};

function subjectOf(file: string, question: string): string {
  if (file !== "") return name(file);
  const [, method = "", metrics = ""] = /^(\S+)(?: (.+))?$/su.exec(question) ?? [];
  const [first, ...more] = metricsOf(metrics);
  if (first === undefined) return SUBJECTS[method] ?? "the run";
  return more.length === 0 ? `the chart of “${name(first)}”` : `the charts of “${name(first)}” and others`;
}

function metricsOf(json: string): readonly string[] {
  return json === "" ? [] : (JSON.parse(json) as readonly string[]);
}

/** Names are the recording's: shown as text, without what would break a line. */
const name = (text: string): string => cut(text.replace(/\p{Cc}/gu, "\ufffd"), MAX_NAME);
