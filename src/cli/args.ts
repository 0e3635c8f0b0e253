/** Command-line arguments: what each command takes, its help, and what is wrong with what was typed. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { AGENT_COMMANDS } from "./agent-commands.ts";
import { AS_RECORDED, type Command, JSON_OPTION, NO_CACHE, RUN } from "./options.ts";
import { RECORDING_COMMANDS } from "./recording-commands.ts";
import { RECORDS_COMMANDS } from "./records-commands.ts";
import { REPORT_COMMANDS } from "./report-commands.ts";

export type { Command };

export const COMMANDS: readonly Command[] = [
  {
    name: "ls",
    argument: {
      name: "ROOT",
      help: "Folder that is searched, however deep, or a run (default: here).",
      default: ".",
    },
    help: "List all runs below a folder, with state, steps, last reward and findings. Exit code 1 when there are none.",
    options: {
      filter: {
        type: "text",
        value: "QUERY",
        help: "Only runs that fit, as in 'algorithm:grpo trainer_config.lr>=1e-5 finding:KL_BLOWUP -state:running'.",
      },
      "no-findings": { type: "boolean", help: "Do not diagnose, which is faster." },
      json: JSON_OPTION,
    },
  },
  {
    name: "inspect",
    argument: RUN,
    help: "Show what a run holds: manifest, steps, columns, samples, events, run records, and what is wrong with it.",
    options: { "as-recorded": AS_RECORDED, json: JSON_OPTION },
  },
  {
    name: "doctor",
    argument: RUN,
    help: "Diagnose a run by fourteen failure signatures. Exit code 1 when a critical one fired.",
    options: {
      config: { type: "text", value: "FILE", help: "A doctor.toml with thresholds." },
      extra: { type: "boolean", help: "Add Flight Deck's own checks (FD_…), which rlprobe does not have." },
      "as-recorded": AS_RECORDED,
      json: JSON_OPTION,
    },
  },
  {
    name: "diff",
    argument: {
      name: "RUN",
      help: "Folders of recorded runs: the baseline first, then one or more that are compared with it.",
      atLeast: 2,
      usage: "A B [C…]",
    },
    help: "Compare runs: where metrics diverge, how the configuration differs, which prompts earn more.",
    options: {
      "z-thresh": {
        type: "number",
        value: "Z",
        help: "Sigmas beyond the noise of the early gap that count as divergence",
        default: 4,
        min: 0,
      },
      sustain: {
        type: "integer",
        value: "N",
        help: "Consecutive steps beyond it that make a divergence",
        default: 5,
        min: 1,
      },
      align: {
        type: "text",
        value: "HOW",
        help: "How rows meet: step, relative (steps since each run's first) or time (default: step).",
      },
      ignore: {
        type: "text",
        value: "KEYS",
        help: "Configuration keys that may differ, separated by commas; * is any text.",
      },
      extra: {
        type: "boolean",
        help: "Add what rlprobe does not have: other metrics, separations, nested configuration.",
      },
      "as-recorded": AS_RECORDED,
      json: JSON_OPTION,
    },
  },
  {
    name: "watch",
    argument: { name: "RUN", help: "Folder of a run; it may not be there yet." },
    help: "Follow a run that is being recorded, and say what is new, until it ends. Exit code 1 when a critical finding was seen.",
    options: {
      poll: { type: "number", value: "SECONDS", help: "Seconds between two looks", default: 3, min: 0 },
      "max-ticks": {
        type: "integer",
        value: "N",
        help: "Stop after N looks; 0 for when the run ends",
        default: 0,
        min: 0,
      },
      webhook: { type: "text", value: "URL", help: "Post each new finding to a Slack-compatible address." },
      json: { type: "boolean", help: "Print a line of JSON for each new finding." },
    },
  },
  {
    name: "samples",
    argument: RUN,
    help: "Rank captured completions by a metric in a range of steps. Exit code 1 when there are none.",
    options: {
      sort: {
        type: "text",
        value: "BY",
        help: "reward (unless said), advantage, kl, length or logprob; highest first.",
      },
      around: { type: "integer", value: "N", help: "A step; --window says how far around it." },
      window: { type: "integer", value: "N", help: "Steps before and after --around", default: 10, min: 0 },
      from: { type: "integer", value: "N", help: "The first step." },
      to: { type: "integer", value: "N", help: "The last step." },
      k: { type: "integer", value: "N", help: "Samples shown at most", default: 10, min: 0, short: "k" },
      asc: { type: "boolean", help: "Lowest first." },
      search: {
        type: "text",
        value: "TEXT",
        help: "Only where prompt or completion hold this text, in any case.",
      },
      rank: { type: "integer", value: "N", help: "Only of this rank." },
      group: { type: "text", value: "ID", help: "Only of this group_id." },
      full: { type: "boolean", help: "Show prompts and completions whole." },
      "no-cache": NO_CACHE,
      json: JSON_OPTION,
    },
  },
  {
    name: "show",
    argument: RUN,
    help: "Show the metrics and the captured samples around a step.",
    options: {
      step: { type: "integer", value: "N", help: "The step.", required: true },
      window: {
        type: "integer",
        value: "N",
        help: "Steps before and after it that are shown too",
        default: 5,
        min: 0,
      },
      "max-samples": { type: "integer", value: "N", help: "Samples shown at most", default: 10, min: 0 },
      full: { type: "boolean", help: "Show prompts and completions whole." },
      "no-cache": NO_CACHE,
      "as-recorded": AS_RECORDED,
      json: JSON_OPTION,
    },
  },
  ...REPORT_COMMANDS,
  ...RECORDS_COMMANDS,
  ...RECORDING_COMMANDS,
  ...AGENT_COMMANDS,
];

/** What was typed cannot be understood; the message is one line for people. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Parsed {
  readonly help: boolean;
  readonly argument: string;
  /** All positional arguments. */
  readonly all: readonly string[];
  flag(name: string): boolean;
  /** An integer; the option has a default or is required. */
  integer(name: string): number;
  /** The same for any finite number. */
  number(name: string): number;
  /** A text; null when it was not given. */
  text(name: string): string | null;
  /** All texts of an option that can be given more than once. */
  texts(name: string): readonly string[];
}

/** @throws UsageError */
export function parse(command: Command, args: readonly string[]): Parsed {
  const { values, positionals } = split(command, args);
  const help = values["help"] === true;
  const [argument = command.argument.default] = positionals;
  if (!help) expectCount(command, positionals.length, argument);
  const numbers = new Map<string, number>();
  for (const [name, option] of Object.entries(command.options)) {
    if ((option.type !== "integer" && option.type !== "number") || help) continue;
    const given = values[name];
    const read = option.type === "integer" ? toInteger : toNumber;
    if (typeof given === "string") numbers.set(name, read(name, given, option.min));
    else if (option.default !== undefined) numbers.set(name, option.default);
    else if (option.required) throw new UsageError(`--${name} is missing`);
  }
  return {
    help,
    argument: argument ?? "",
    all: positionals,
    flag: (name) => values[name] === true,
    integer: (name) => numbers.get(name) ?? 0,
    number: (name) => numbers.get(name) ?? 0,
    text: (name) => {
      const value = values[name];
      return typeof value === "string" ? value : null;
    },
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    },
  };
}

function expectCount({ argument }: Command, given: number, first: string | undefined): void {
  const { name, atLeast } = argument;
  if (atLeast !== undefined && atLeast > 1 && given < atLeast)
    throw new UsageError(`${atLeast} ${name}s at least are expected, not ${given}`);
  if (atLeast === undefined && given > 1) throw new UsageError(`one ${name} is expected, not ${given}`);
  if (first === undefined) throw new UsageError(`${name} is missing`);
}

function split(command: Command, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const [name, { type, short, several }] of Object.entries(command.options)) {
    const more = { ...(short ? { short } : {}), ...(several ? { multiple: true } : {}) };
    options[name] = { type: type === "boolean" ? "boolean" : "string", ...more };
  }
  try {
    return parseArgs({ args: joined(args, command), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(/\.\s/)[0] ?? "") : "unknown option");
  }
}

/** `--step -3`: a number behind an option that wants one is its value, whatever it starts with. */
function joined(args: readonly string[], command: Command): string[] {
  const out: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const next = args[i + 1];
    if (arg === "--") return [...out, ...args.slice(i)];
    const type = arg.startsWith("--") ? command.options[arg.slice(2)]?.type : undefined;
    const wantsNumber = type === "integer" || type === "number";
    if (wantsNumber && next !== undefined && /^-[\d.]/.test(next)) {
      out.push(`${arg}=${next}`);
      i++;
    } else out.push(arg);
  }
  return out;
}

function toInteger(name: string, text: string, min = Number.NEGATIVE_INFINITY): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < min) {
    throw new UsageError(`--${name} wants a whole number${Number.isFinite(min) ? ` from ${min}` : ""}`);
  }
  return value;
}

function toNumber(name: string, text: string, min = Number.NEGATIVE_INFINITY): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || value < min)
    throw new UsageError(`--${name} wants a number${Number.isFinite(min) ? ` from ${min}` : ""}`);
  return value;
}

export function usage(): string {
  return [
    "Usage: flight-deck COMMAND [OPTIONS]",
    "",
    "Reads and writes recordings of reinforcement-learning training runs.",
    "",
    "Commands:",
    ...COMMANDS.map(({ name, help }) => `  ${name.padEnd(9)}${wrap(help, 11)}`),
    "",
    "Options:",
    "  --help     Show this, or with a command its options.",
    "  --version  Show the version.",
    "",
    "Exit codes: 0 done; 1 nothing found, or a critical finding (doctor, watch);",
    "2 bad usage, or a run that cannot be read.",
  ].join("\n");
}

export function usageOf({ name, argument, help, options }: Command): string {
  const one = argument.default === undefined ? argument.name : `[${argument.name}]`;
  const shown = argument.usage ?? one;
  const rows: [string, string][] = [
    ...Object.entries(options).map(([key, option]): [string, string] => [
      `--${key}${option.value ? ` ${option.value}` : ""}`,
      `${option.help}${option.required ? " Required." : ""}${option.default === undefined ? "" : ` (default: ${option.default}).`}`,
    ]),
    ["--help", "Show this."],
  ];
  return [
    `Usage: flight-deck ${name} ${shown} [OPTIONS]`,
    "",
    wrap(help, 0),
    "",
    `  ${argument.name.padEnd(20)}${wrap(argument.help, 22)}`,
    "",
    "Options:",
    ...rows.map(
      ([key, text]) => `  ${key.length < 20 ? key.padEnd(20) : `${key}\n${" ".repeat(22)}`}${wrap(text, 22)}`,
    ),
  ].join("\n");
}

const LINE = 88;

/** Breaks at spaces; the lines after the first are indented. */
function wrap(text: string, indent: number): string {
  const out: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > LINE) {
      out.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...out, line].join(`\n${" ".repeat(indent)}`);
}
