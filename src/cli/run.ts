/** One call of `flight-deck`: arguments in, exit code out. Whatever goes wrong is one line on standard error. */
import { FlightDeckError } from "../core/index.ts";
import { problemOfError } from "../view/problems.ts";
import { COMMANDS, type Command, type Parsed, parse, UsageError, usage, usageOf } from "./args.ts";
import { type Context, DONE, FAILED, InRunError } from "./context.ts";
import { diff } from "./diff.ts";
import { doctor, UnreadableFileError } from "./doctor.ts";
import { inspect } from "./inspect.ts";
import { ls } from "./ls.ts";
import { mcp } from "./mcp.ts";
import { metrics } from "./metrics.ts";
import { RECORDING_HANDLERS } from "./recording-handlers.ts";
import { REPORT_HANDLERS } from "./report-handlers.ts";
import { samples } from "./samples.ts";
import { show } from "./show.ts";
import { oneLine } from "./terminal.ts";
import { watch } from "./watch.ts";
import { witness } from "./witness.ts";
import { refuseUnlessWriting, writeAttempt } from "./witness-write.ts";

const HANDLERS: Readonly<Record<string, (context: Context, args: Parsed) => Promise<number>>> = {
  ls: (context, args) =>
    ls(context, args.argument, {
      findings: !args.flag("no-findings"),
      filter: args.text("filter"),
      json: args.flag("json"),
    }),
  inspect: (context, args) =>
    inspect(context, args.argument, { asRecorded: args.flag("as-recorded"), json: args.flag("json") }),
  doctor: (context, args) =>
    doctor(context, args.argument, {
      config: args.text("config"),
      extra: args.flag("extra"),
      asRecorded: args.flag("as-recorded"),
      json: args.flag("json"),
    }),
  diff: (context, args) =>
    diff(context, args.all, {
      z: args.number("z-thresh"),
      sustain: args.integer("sustain"),
      align: args.text("align"),
      ignore: args.text("ignore"),
      extra: args.flag("extra"),
      asRecorded: args.flag("as-recorded"),
      json: args.flag("json"),
    }),
  watch: (context, args) =>
    watch(context, args.argument, {
      poll: args.number("poll"),
      maxTicks: args.integer("max-ticks"),
      webhook: args.text("webhook"),
      json: args.flag("json"),
    }),
  samples: (context, args) =>
    samples(context, args.argument, {
      sort: args.text("sort") ?? "reward",
      around: given(args, "around"),
      window: args.integer("window"),
      from: given(args, "from"),
      to: given(args, "to"),
      k: args.integer("k"),
      ascending: args.flag("asc"),
      search: args.text("search"),
      rank: given(args, "rank"),
      group: args.text("group"),
      full: args.flag("full"),
      json: args.flag("json"),
      cache: !args.flag("no-cache"),
    }),
  show: (context, args) =>
    show(context, args.argument, {
      step: args.integer("step"),
      window: args.integer("window"),
      maxSamples: args.integer("max-samples"),
      full: args.flag("full"),
      cache: !args.flag("no-cache"),
      asRecorded: args.flag("as-recorded"),
      json: args.flag("json"),
    }),
  witness: (context, args) => {
    const config = args.text("config");
    if (!args.flag("write")) {
      refuseUnlessWriting(args);
      return witness(context, args.argument, { config, json: args.flag("json") });
    }
    return writeAttempt(context, args.argument, {
      config,
      attempt: given(args, "attempt"),
      runId: args.text("run-id"),
      rank: given(args, "rank"),
      device: args.text("device"),
      deviceName: args.text("device-name"),
      peakMemory: given(args, "peak-memory"),
      cpus: args.text("cpus") === null ? null : args.number("cpus"),
      elapsed: args.text("elapsed") === null ? null : args.number("elapsed"),
      json: args.flag("json"),
    });
  },
  metrics: (context, args) => metrics(context, args.all, { json: args.flag("json") }),
  ...REPORT_HANDLERS,
  ...RECORDING_HANDLERS,
  mcp,
};

/** An integer that need not be given. */
const given = (args: Parsed, name: string): number | null =>
  args.text(name) === null ? null : args.integer(name);

/** @returns the exit code */
export async function run(args: readonly string[], context: Context, version: string): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    context.err(usage());
    return FAILED;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    context.out(usage());
    return DONE;
  }
  if (name === "--version") {
    context.out(`flight-deck ${version}`);
    return DONE;
  }
  const command = COMMANDS.find((c) => c.name === name);
  if (!command) return misused(context, `there is no command ${oneLine(name)}`, "flight-deck --help");
  return runCommand(command, rest, context);
}

async function runCommand(command: Command, rest: readonly string[], context: Context): Promise<number> {
  let parsed: Parsed;
  try {
    parsed = parse(command, rest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return misused(context, oneLine(error.message), `flight-deck ${command.name} --help`);
  }
  if (!parsed.help && parsed.all.includes(""))
    return misused(context, `${command.argument.name} is empty`, `flight-deck ${command.name} --help`);
  if (parsed.help) {
    context.out(usageOf(command));
    return DONE;
  }
  try {
    return (await HANDLERS[command.name]?.(context, parsed)) ?? FAILED;
  } catch (error) {
    if (error instanceof UsageError)
      return misused(context, oneLine(error.message), `flight-deck ${command.name} --help`);
    const [folder, cause] =
      error instanceof InRunError ? [error.folder, error.cause] : [parsed.argument, error];
    context.err(failure(folder, cause));
    return FAILED;
  }
}

function misused(context: Context, what: string, help: string): number {
  context.err(`flight-deck: ${what} (see ${help})`);
  return FAILED;
}

function failure(folder: string, error: unknown): string {
  if (error instanceof UnreadableFileError) {
    const { file, message, remedy } = error.view;
    return oneLine(`flight-deck: ${folder.replace(/\/$/, "")}/${file}: ${message} ${remedy}`);
  }
  const { file, message, remedy } = problemOfError(error);
  const where = file === "" ? folder : `${folder.replace(/\/$/, "")}/${file}`;
  // The remedy for a fault of our own speaks of the editor's log.
  const next = error instanceof FlightDeckError ? remedy : "";
  return oneLine(`flight-deck: ${where}: ${message}${next === "" ? "" : ` ${next}`}`);
}
