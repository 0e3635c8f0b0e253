/** What commands about samples are told, and links to them that are made of it. */

import nodePath from "node:path";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { t } from "../../protocol/l10n.ts";
import type { SampleDetail, SampleListRow } from "../../protocol/samples.ts";
import { commandLine } from "../command-links.ts";

const Dir = z.string().check(
  z.maxLength(4096),
  z.refine((dir) => nodePath.isAbsolute(dir) && !dir.includes("\0")),
);
const Step = z.string().check(z.maxLength(40));

/** A sample by its row (with who it was, where rows may have moved), or by its name as a text has it. */
export const SampleTarget = z.union([
  z.object({
    dir: Dir,
    row: z.int().check(z.gte(0)),
    step: z.optional(Step),
    rank: z.optional(z.int()),
    id: z.optional(z.string()),
    /** Looked for in the document, which opens there. */
    search: z.optional(z.string().check(z.maxLength(1000))),
  }),
  z.object({
    dir: Dir,
    step: z.nullable(Step),
    rank: z.nullable(z.int()),
    id: z.string().check(z.maxLength(1000)),
  }),
]);
export type SampleTarget = z.infer<typeof SampleTarget>;

/** A step of a run. */
export const StepTarget = z.strictObject({ dir: Dir, step: Step });
export type StepTarget = z.infer<typeof StepTarget>;

/** A query over the samples of a run. */
export const QueryTarget = z.strictObject({ dir: Dir, query: z.string().check(z.maxLength(2000)) });

/** Longest id in a link; a row finds a sample with a longer one. */
const MAX_ID = 500;

export function targetOf(dir: string, sample: SampleListRow | SampleDetail): SampleTarget {
  const { row, step, rank, id } = sample;
  return id.length > MAX_ID ? { dir, row } : { dir, row, step, rank, id };
}

export function hoverLinks(dir: string, sample: SampleListRow | SampleDetail): vscode.MarkdownString {
  const target = targetOf(dir, sample);
  return commandLine([
    [t("Open Sample"), "openSample", target],
    [t("Show in Run"), "showInRun", target],
  ]);
}
