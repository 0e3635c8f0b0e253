/** The commands that write a file for others: what they do. */
import type { Parsed } from "./args.ts";
import type { Context } from "./context.ts";
import { exportSeries } from "./export.ts";
import { openInEditor } from "./open.ts";
import { report } from "./report.ts";

export const REPORT_HANDLERS: Readonly<Record<string, (context: Context, args: Parsed) => Promise<number>>> =
  {
    report: (context, args) =>
      report(context, args.all, {
        out: args.text("out"),
        format: args.text("format"),
        config: args.text("config"),
        force: args.flag("force"),
        cache: !args.flag("no-cache"),
        json: args.flag("json"),
      }),
    open: (context, args) =>
      openInEditor(context, args.argument, {
        step: args.text("step") === null ? null : args.integer("step"),
        sample: args.text("sample"),
        rank: args.text("rank") === null ? null : args.integer("rank"),
        other: args.text("with"),
        print: args.flag("print"),
        json: args.flag("json"),
      }),
    export: (context, args) =>
      exportSeries(context, args.argument, {
        metrics: args.text("metrics"),
        from: args.text("from") === null ? null : args.integer("from"),
        to: args.text("to") === null ? null : args.integer("to"),
        out: args.text("out"),
        format: args.text("format"),
        force: args.flag("force"),
        json: args.flag("json"),
      }),
  };
