/** Things with their number, in the language of VS Code: languages count differently, so each is a pair of sentences of its own. */
import { t } from "./l10n.ts";

type Count = (n: string) => readonly [one: string, many: string];

const COUNTS = {
  attempt: (n) => [t("{0} attempt", n), t("{0} attempts", n)],
  "captured sample": (n) => [t("{0} captured sample", n), t("{0} captured samples", n)],
  character: (n) => [t("{0} character", n), t("{0} characters", n)],
  check: (n) => [t("{0} check", n), t("{0} checks", n)],
  column: (n) => [t("{0} column", n), t("{0} columns", n)],
  "common row": (n) => [t("{0} common row", n), t("{0} common rows", n)],
  "common step": (n) => [t("{0} common step", n), t("{0} common steps", n)],
  "critical finding": (n) => [t("{0} critical finding", n), t("{0} critical findings", n)],
  event: (n) => [t("{0} event", n), t("{0} events", n)],
  file: (n) => [t("{0} file", n), t("{0} files", n)],
  finding: (n) => [t("{0} finding", n), t("{0} findings", n)],
  group: (n) => [t("{0} group", n), t("{0} groups", n)],
  hit: (n) => [t("{0} hit", n), t("{0} hits", n)],
  "info finding": (n) => [t("{0} info finding", n), t("{0} info findings", n)],
  key: (n) => [t("{0} key", n), t("{0} keys", n)],
  metric: (n) => [t("{0} metric", n), t("{0} metrics", n)],
  "more character": (n) => [t("{0} more character", n), t("{0} more characters", n)],
  "more chart": (n) => [t("{0} more chart", n), t("{0} more charts", n)],
  "more configuration": (n) => [t("{0} more configuration", n), t("{0} more configurations", n)],
  "more key": (n) => [t("{0} more key", n), t("{0} more keys", n)],
  "more line": (n) => [t("{0} more line", n), t("{0} more lines", n)],
  "more metric": (n) => [t("{0} more metric", n), t("{0} more metrics", n)],
  "more problem": (n) => [t("{0} more problem", n), t("{0} more problems", n)],
  "more row": (n) => [t("{0} more row", n), t("{0} more rows", n)],
  "more run": (n) => [t("{0} more run", n), t("{0} more runs", n)],
  "more value": (n) => [t("{0} more value", n), t("{0} more values", n)],
  "more warning": (n) => [t("{0} more warning", n), t("{0} more warnings", n)],
  note: (n) => [t("{0} note", n), t("{0} notes", n)],
  point: (n) => [t("{0} point", n), t("{0} points", n)],
  position: (n) => [t("{0} position", n), t("{0} positions", n)],
  prompt: (n) => [t("{0} prompt", n), t("{0} prompts", n)],
  rank: (n) => [t("{0} rank", n), t("{0} ranks", n)],
  restart: (n) => [t("{0} restart", n), t("{0} restarts", n)],
  row: (n) => [t("{0} row", n), t("{0} rows", n)],
  run: (n) => [t("{0} run", n), t("{0} runs", n)],
  sample: (n) => [t("{0} sample", n), t("{0} samples", n)],
  signature: (n) => [t("{0} signature", n), t("{0} signatures", n)],
  step: (n) => [t("{0} step", n), t("{0} steps", n)],
  token: (n) => [t("{0} token", n), t("{0} tokens", n)],
  value: (n) => [t("{0} value", n), t("{0} values", n)],
  warning: (n) => [t("{0} warning", n), t("{0} warnings", n)],
  "warning finding": (n) => [t("{0} warning finding", n), t("{0} warning findings", n)],
} as const satisfies Record<string, Count>;

export type Counted = keyof typeof COUNTS;

/** "1 step", "2,008 steps". @param digits how the number is written */
export function counted(what: Counted, n: number, digits: string): string {
  const [one, many] = COUNTS[what](digits);
  return n === 1 ? one : many;
}
