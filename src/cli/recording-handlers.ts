/** The commands that write a recording: what they do. */
import type { Parsed } from "./args.ts";
import type { Context } from "./context.ts";
import { record } from "./record.ts";
import { synth } from "./synth.ts";

export const RECORDING_HANDLERS: Readonly<
  Record<string, (context: Context, args: Parsed) => Promise<number>>
> = {
  record: (context, args) =>
    record(context, args.argument, {
      config: args.text("config"),
      flushInterval: args.number("flush-interval"),
      resume: args.flag("resume"),
      json: args.flag("json"),
    }),
  synth: (context, args) =>
    synth(context, args.argument, {
      pathology: args.text("pathology"),
      algorithm: args.text("algorithm"),
      steps: args.integer("n-steps"),
      seed: args.integer("seed"),
      live: args.flag("live"),
      pace: args.number("pace"),
      json: args.flag("json"),
    }),
};
