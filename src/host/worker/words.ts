/** What is said when the reader stopped: which file or chart it was about, and that the rest is there. */
import { t } from "../../protocol/l10n.ts";
import { problemOf } from "../../protocol/rpc.ts";
import type { Problem } from "../../protocol/wire.ts";
import { cut } from "../../view/text.ts";
import type { Loss } from "./thread.ts";

const MAX_NAME = 80;

export const FAILING = problemOf(
  "worker-failing",
  t("Reading failed several times in a row and was stopped."),
  {
    remedy: t("Wait a minute and try again; “Flight Deck: Show Log” says what happened."),
  },
);
export const BAD_ANSWER = problemOf("bad-answer", t("The answer could not be understood."), {
  remedy: t("Run “Flight Deck: Show Log” for details."),
});

const LOST = {
  time: t("The reader hung and was started again."),
  memory: t("The reader ran out of memory and was started again."),
  crash: t("The reader stopped unexpectedly and was started again."),
} as const;

const lostAt = (file: string) => ({
  time: t("The reader hung while it read {0} and was started again.", file),
  memory: t("The reader ran out of memory while it read {0} and was started again.", file),
  crash: t("The reader stopped unexpectedly while it read {0} and was started again.", file),
});

/** For a question that was at work when the thread was lost, and can be asked again. */
export function lostProblem({ cause, at }: Loss): Problem {
  const file = at?.file ? name(at.file) : "";
  return problemOf("worker-lost", file === "" ? LOST[cause] : lostAt(file)[cause], {
    file: at?.file ?? "",
    remedy: t("What is shown is read again."),
  });
}

/** For the question that the thread died of: it is not asked again. */
export function guiltyProblem({ cause, at }: Loss, question: string, limit: number): Problem {
  const subject = subjectOf(at?.file ?? "", question);
  const message = {
    time: t("Reading {0} took longer than {1} s and was stopped.", subject, Math.round(limit / 1000)),
    memory: t("Reading {0} takes more memory than there is and was stopped.", subject),
    crash: t("Reading {0} made the reader stop.", subject),
  }[cause];
  return problemOf("worker-refused", message, {
    file: at?.file ?? "",
    remedy: t("The file is probably damaged. Retry reads it again."),
  });
}

/** For the pages of the run that was being read: a word beside what they go on showing. @param question "" when several were asked */
export function stoppedProblem({ cause, at }: Loss, question: string): Problem {
  const subject = subjectOf(at?.file ?? "", question);
  const message = {
    time: t("The reader hung while reading {0}; the rest of the run is open.", subject),
    memory: t("The reader ran out of memory while reading {0}; the rest of the run is open.", subject),
    crash: t("The reader stopped unexpectedly while reading {0}; the rest of the run is open.", subject),
  }[cause];
  return problemOf("worker-stopped", message, {
    file: at?.file ?? "",
    remedy: t("Retry reads it again. If it stops once more, the file is probably damaged."),
  });
}

const SUBJECTS: Readonly<Record<string, string>> = {
  "run.counts": t("the samples"),
  "run.config": t("the configuration"),
  "run.records": t("the run records"),
  "run.axis": t("the steps"),
  "events.page": t("the events"),
};

function subjectOf(file: string, question: string): string {
  if (file !== "") return name(file);
  const [, method = "", metrics = ""] = /^(\S+)(?: (.+))?$/su.exec(question) ?? [];
  const [first, ...more] = metricsOf(metrics);
  if (first === undefined) return SUBJECTS[method] ?? t("the run");
  return more.length === 0
    ? t("the chart of “{0}”", name(first))
    : t("the charts of “{0}” and others", name(first));
}

function metricsOf(json: string): readonly string[] {
  return json === "" ? [] : (JSON.parse(json) as readonly string[]);
}

/** Names are the recording's: shown as text, without what would break a line. */
const name = (text: string): string => cut(text.replace(/\p{Cc}/gu, "\ufffd"), MAX_NAME);
