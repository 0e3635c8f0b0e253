/** Commands about samples: on the one that they are told, else on the one under the cursor, else on one that is chosen. */
import nodePath from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import type { SampleDetail } from "../../protocol/samples.ts";
import { sampleAt } from "../../view/document-writer.ts";
import { tabText } from "../../view/native.ts";
import { NO_FILTER, parseQuery, queryHelp } from "../../view/sample-query.ts";
import { sampleLabel } from "../../view/sample-words.ts";
import { visibleLine } from "../../view/visible.ts";
import { openFolder } from "../commands/openRun.ts";
import { runTargets } from "../commands/targets.ts";
import { tell, tellError } from "../say.ts";
import type { Services } from "../services.ts";
import { addressOf, groupUri, promptUri, queryUri, sampleUri } from "./address.ts";
import type { SampleDocuments } from "./documents.ts";
import { detailAt, findSample, groupOf, sampleOfRow } from "./find.ts";
import { QueryTarget, SampleTarget, StepTarget } from "./links.ts";
import { patiently } from "./patience.ts";
import { pickSample } from "./pick.ts";
import type { RunReader } from "./reader.ts";

interface Here {
  readonly dir: string;
  readonly sample: SampleDetail;
}
const Pair = z.object({ dir: z.string(), a: z.int(), b: z.int() });
const MAX_AT_ONCE = 200;
/** Characters of a prompt that are read to name its document. */
const NAMING = 200;

export class SampleCommands {
  readonly #services: Services;
  readonly #reader: RunReader;
  readonly #documents: SampleDocuments;

  constructor(services: Services, reader: RunReader, documents: SampleDocuments) {
    this.#services = services;
    this.#reader = reader;
    this.#documents = documents;
  }

  /** Runs a command by its name; what went wrong is said. */
  async run(name: SampleCommandName, argument: unknown): Promise<void> {
    try {
      await this.#commands[name](argument);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (!isAborted(error)) await tellError(error.problem.message);
    }
  }

  readonly #commands = {
    openSample: (argument: unknown) => this.#open(argument),
    findSamples: (argument: unknown) => this.#find(argument),
    diffSamples: (argument: unknown) => this.#diff(argument),
    diffGroup: (argument: unknown) => this.#diffGroup(argument),
    compareWithBest: (argument: unknown) => this.#compare(argument, ({ place }) => place?.best ?? null, BEST),
    compareWithWorst: (argument: unknown) =>
      this.#compare(argument, ({ place }) => place?.worst ?? null, WORST),
    compareWithEarlier: (argument: unknown) => this.#compare(argument, ({ earlier }) => earlier, EARLIER),
    nextSample: (argument: unknown) => this.#neighbour(argument, 1),
    previousSample: (argument: unknown) => this.#neighbour(argument, -1),
    openGroup: (argument: unknown) => this.#list(argument, "group"),
    openPrompt: (argument: unknown) => this.#list(argument, "prompt"),
    showInRun: (argument: unknown) => this.#showInRun(argument),
  };

  async #open(argument: unknown): Promise<void> {
    const here = (await this.#told(argument)) ?? (await this.#chosen(argument, vscode.l10n.t("Open Sample")));
    if (!here) return;
    const editor = await show(sampleUri(here.dir, here.sample));
    const target = z.safeParse(SampleTarget, argument);
    if (target.success && "search" in target.data && target.data.search) reveal(editor, target.data.search);
  }

  async #find(argument: unknown): Promise<void> {
    const told = z.safeParse(QueryTarget, argument);
    if (told.success) {
      await show(queryUri(told.data.dir, told.data.query));
      return;
    }
    const [folder] = await runTargets(this.#services, vscode.l10n.t("Find Samples"), argument, undefined);
    if (!folder) return;
    const dir = folder.fsPath;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t("Find Samples in {0}", tabText(nodePath.basename(dir))),
      placeHolder: queryHelp(),
      prompt: vscode.l10n.t(
        "Words are looked for in prompts and completions; step, reward, length, rank, group, reason narrow the samples.",
      ),
      validateInput: (value) => {
        const parsed = parseQuery(value);
        return "fault" in parsed ? parsed.fault : null;
      },
    });
    if (typed === undefined) return;
    await show(queryUri(dir, typed.trim()));
  }

  async #diff(argument: unknown): Promise<void> {
    const pair = z.safeParse(Pair, argument);
    if (pair.success) {
      const { dir, a, b } = pair.data;
      const [left, right] = await Promise.all([a, b].map((row) => detailAt(this.#reader, dir, row, 0)));
      if (left && right) await diff({ dir, sample: left }, { dir, sample: right });
      return;
    }
    const first =
      (await this.#told(argument)) ??
      (await this.#here()) ??
      (await this.#chosen(argument, vscode.l10n.t("Diff Samples: the First")));
    if (!first) return;
    const title = vscode.l10n.t("Diff Samples: What to Compare with {0}", sampleLabel(first.sample));
    const second = await pickSample(this.#reader, first.dir, title);
    const other = second && (await sampleOfRow(this.#reader, first.dir, second));
    if (other) await diff(first, { dir: first.dir, sample: other });
  }

  async #compare(
    argument: unknown,
    with_: (sample: SampleDetail) => number | null,
    { title, none }: typeof BEST,
  ): Promise<void> {
    const here = await this.#given(argument, title);
    if (!here) return;
    const row = with_(here.sample);
    const other = row === null ? null : await detailAt(this.#reader, here.dir, row, 0);
    if (!other) return say(none);
    if (other.row === here.sample.row) return say(vscode.l10n.t("{0} is it.", sampleLabel(other)));
    await diff({ dir: here.dir, sample: other }, here);
  }

  async #diffGroup(argument: unknown): Promise<void> {
    const here = await this.#given(argument, vscode.l10n.t("Diff Group"));
    if (!here) return;
    const { dir, sample } = here;
    const [best, ...rest] = await groupOf(this.#reader, dir, sample, MAX_AT_ONCE);
    if (!best || rest.length === 0) return say(vscode.l10n.t("This sample has no others in its group."));
    const details = await patiently(vscode.l10n.t("Reading the group"), (signal) =>
      Promise.all([best, ...rest].map(({ row }) => detailAt(this.#reader, dir, row, 0, signal))),
    );
    const uris = (details ?? []).flatMap((detail) => (detail ? [sampleUri(dir, detail)] : []));
    const [left, ...others] = uris;
    if (!left) return;
    const title = vscode.l10n.t("Group at step {0}: the Best against the Others", sample.step);
    await vscode.commands.executeCommand(
      "vscode.changes",
      title,
      others.map((uri) => [uri, left, uri]),
    );
  }

  async #neighbour(argument: unknown, by: 1 | -1): Promise<void> {
    const here = await this.#given(
      argument,
      by === 1 ? vscode.l10n.t("Go to Next Sample") : vscode.l10n.t("Go to Previous Sample"),
    );
    if (!here) return;
    const row = here.sample.row + by;
    const other = row < 0 ? null : await detailAt(this.#reader, here.dir, row, 0);
    if (!other)
      return say(
        by === 1
          ? vscode.l10n.t("This is the last sample of the run.")
          : vscode.l10n.t("This is the first sample of the run."),
      );
    await vscode.window.showTextDocument(sampleUri(here.dir, other), { preview: true });
  }

  async #list(argument: unknown, kind: "group" | "prompt"): Promise<void> {
    const here = await this.#given(
      argument,
      kind === "group" ? vscode.l10n.t("Open Group") : vscode.l10n.t("Open Prompt over Time"),
    );
    if (!here) return;
    const { dir, sample } = here;
    if (kind === "prompt") {
      const named = await detailAt(this.#reader, dir, sample.row, NAMING);
      await show(promptUri(dir, named ?? sample));
    } else if (sample.place) await show(groupUri(dir, sample));
    else say(vscode.l10n.t("This sample belongs to no group."));
  }

  async #showInRun(argument: unknown): Promise<void> {
    const step = z.safeParse(StepTarget, argument);
    if (step.success) {
      await this.#showPlace(step.data.dir, { row: null, step: Number(step.data.step) });
      return;
    }
    const here = await this.#given(argument, vscode.l10n.t("Show in Run"));
    if (here) await this.#showPlace(here.dir, { row: here.sample.row, step: Number(here.sample.step) });
  }

  async #showPlace(
    dir: string,
    place: { readonly row: number | null; readonly step: number },
  ): Promise<void> {
    this.#services.sampleFocus.ask(dir, place);
    await openFolder(vscode.Uri.file(dir));
  }

  async #given(argument: unknown, title: string): Promise<Here | null> {
    return (await this.#told(argument)) ?? (await this.#here()) ?? this.#chosen(argument, title);
  }

  /** The sample that a link, a lens or a page names. @throws ProblemError */
  async #told(argument: unknown): Promise<Here | null> {
    const parsed = z.safeParse(SampleTarget, argument);
    if (!parsed.success) return null;
    const target = parsed.data;
    const { dir } = target;
    const sample = await patiently(vscode.l10n.t("Reading samples"), (signal) =>
      this.#resolve(target, signal),
    );
    return sample && { dir, sample };
  }

  async #resolve(target: SampleTarget, signal: AbortSignal): Promise<SampleDetail | null> {
    const { dir } = target;
    if ("row" in target) {
      const { row, step, rank, id } = target;
      return step === undefined || rank === undefined || id === undefined
        ? detailAt(this.#reader, dir, row, 0, signal)
        : sampleOfRow(this.#reader, dir, { row, step, rank, id });
    }
    await this.#reader.whenIndexed(dir, signal);
    const { rank, id } = target;
    const step = target.step === null ? null : Number(target.step);
    const { row } = await this.#reader.call(dir, "samples.find", { rank, step, id }, signal);
    return row === null ? null : detailAt(this.#reader, dir, row, 0, signal);
  }

  /** The sample under the cursor of a document of ours. */
  async #here(): Promise<Here | null> {
    const editor = vscode.window.activeTextEditor;
    const address = editor ? addressOf(editor.document.uri) : null;
    if (!editor || !address) return null;
    const { dir } = address;
    if (address.kind === "sample") {
      const sample = await findSample(this.#reader, dir, address.sample, 0);
      return sample && { dir, sample };
    }
    const structure = await this.#documents.structure(editor.document);
    const row = structure && sampleAt(structure, editor.selection.active.line);
    const sample = row && (await sampleOfRow(this.#reader, dir, row));
    return sample && { dir, sample };
  }

  async #chosen(argument: unknown, title: string): Promise<Here | null> {
    // What names a sample that is not there any more, names no other one.
    if (z.safeParse(SampleTarget, argument).success) {
      say(vscode.l10n.t("The run does not have this sample (any more)."));
      return null;
    }
    const [folder] = await runTargets(this.#services, title, argument, undefined);
    if (!folder) return null;
    const dir = folder.fsPath;
    const { rows } = await this.#reader.call(dir, "samples.state", { seen: -1 });
    const any = rows > 0 || (await this.#hasSamples(dir));
    if (!any) {
      say(vscode.l10n.t("{0} has no samples.", nodePath.basename(dir)));
      return null;
    }
    const row = await pickSample(this.#reader, dir, title);
    const sample = row && (await sampleOfRow(this.#reader, dir, row));
    return sample ? { dir, sample } : null;
  }

  async #hasSamples(dir: string): Promise<boolean> {
    await this.#reader.whenIndexed(dir);
    const order = { by: "row", descending: false } as const;
    const first = await this.#reader.call(dir, "samples.list", {
      filter: NO_FILTER,
      order,
      offset: 0,
      limit: 1,
    });
    return first.total > 0;
  }
}

const BEST = {
  title: vscode.l10n.t("Compare with Best of Group"),
  none: vscode.l10n.t("This sample belongs to no group."),
};
const WORST = {
  title: vscode.l10n.t("Compare with Worst of Group"),
  none: vscode.l10n.t("This sample belongs to no group."),
};
const EARLIER = {
  title: vscode.l10n.t("Compare with Same Prompt Earlier"),
  none: vscode.l10n.t("No sample of this prompt was captured before this step."),
};

const SAMPLE_COMMANDS = [
  "openSample",
  "findSamples",
  "diffSamples",
  "diffGroup",
  "compareWithBest",
  "compareWithWorst",
  "compareWithEarlier",
  "nextSample",
  "previousSample",
  "openGroup",
  "openPrompt",
  "showInRun",
] as const;
export type SampleCommandName = (typeof SAMPLE_COMMANDS)[number];

function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return Promise.resolve(vscode.window.showTextDocument(uri, { preview: false }));
}

/** The older, better or worse one on the left: what differs is read as a change of it. */
async function diff(left: Here, right: Here): Promise<void> {
  const title = `${sampleLabel(left.sample)} ↔ ${sampleLabel(right.sample)}`;
  const [a, b] = [left, right].map(({ dir, sample }) => sampleUri(dir, sample));
  await vscode.commands.executeCommand("vscode.diff", a, b, title, { preview: false });
}

function say(text: string): void {
  void tell(text);
}

/** Case does not matter, as in the search that found it. */
function reveal(editor: vscode.TextEditor, search: string): void {
  const { document } = editor;
  const lines = search.split("\n").map((line) => visibleLine(line).text);
  const wanted = new RegExp(lines.join("\n").replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&"), "i");
  const found = wanted.exec(document.getText());
  if (!found) return;
  const end = found.index + found[0].length;
  const range = new vscode.Range(document.positionAt(found.index), document.positionAt(end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
}
