/** The extension's log. Names of folders and messages of a page are in it: none can begin a line of its own or hide in one. */
import type * as vscode from "vscode";
import type { OnRefused, Refused } from "../protocol/rpc.ts";
import { visibleLabel, visibleLine } from "../view/visible.ts";

export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  /** Lines stay lines, those after the first moved in: a stack has some. */
  error(problem: string | Error): void;
  show(): void;
  dispose(): void;
}

const MAX_LINE = 4000;
const MAX_LINES = 100;

export function logOver(channel: vscode.LogOutputChannel): Log {
  const line = (text: string): string => visibleLabel(text, MAX_LINE);
  return {
    debug: (text) => channel.debug(line(text)),
    info: (text) => channel.info(line(text)),
    warn: (text) => channel.warn(line(text)),
    error(problem) {
      const text = typeof problem === "string" ? problem : (problem.stack ?? problem.message);
      const lines = text.split("\n", MAX_LINES).map((each) => visibleLine(each.slice(0, MAX_LINE)).text);
      channel.error(lines.join("\n    "));
    },
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}

/** What happens without anybody's fault: a page was hidden, or asked no longer for what came. */
const USUAL: ReadonlySet<Refused["reason"]> = new Set(["not-sent", "late"]);
const MAX_TOLD = 20;

/** Tells the log of messages that were refused, of the first ones of each page only: it may send as many as it likes. */
export function refusedBy(log: Log, who: string): OnRefused {
  let told = 0;
  return ({ reason, name }) => {
    const text = `${who}: refused ${name === "" ? "a message" : name}: ${reason}`;
    if (USUAL.has(reason) || told > MAX_TOLD) log.debug(text);
    else log.warn(told++ === MAX_TOLD ? `${who}: further refusals are not told` : text);
  };
}
