/** Documents about samples: their text, and what each line of them is. */

import nodePath from "node:path";
import type * as vscode from "vscode";
import { t } from "../../protocol/l10n.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import { MAX_SAMPLE_ROWS, type SampleDetail } from "../../protocol/samples.ts";
import type { BuiltDocument, Structure } from "../../view/document-writer.ts";
import { problemText } from "../../view/problems.ts";
import {
  failedDocument,
  groupDocument,
  MAX_GROUP_TEXT,
  promptDocument,
  queryDocument,
  sampleDocument,
} from "../../view/sample-documents.ts";
import { NO_FILTER, orderWords, parseQuery } from "../../view/sample-query.ts";
import { type Address, addressOf } from "./address.ts";
import { atStep, findSample, groupOf, WHOLE_TEXT } from "./find.ts";
import type { RunReader } from "./reader.ts";
import { searchRows } from "./search.ts";

/** Samples of a group that stand below one sample, and that have a section each in the group's own document. */
const MAX_MATES = 100;
const MAX_IN_GROUP = 64;
/** Documents whose lines are known; one that is shown and forgotten is made again. */
const MAX_KNOWN = 32;

export class SampleDocuments {
  readonly #reader: RunReader;
  readonly #known = new Map<string, Promise<Structure>>();

  constructor(reader: RunReader) {
    this.#reader = reader;
  }

  /** @returns `null` for an address that is not of these */
  async text(uri: vscode.Uri): Promise<string | null> {
    const address = addressOf(uri);
    return address === null ? null : (await this.#make(uri, address)).text;
  }

  /** What the lines of a shown document are; `null` when it is none of these, or shows another text by now. */
  async structure(document: vscode.TextDocument): Promise<Structure | null> {
    const address = addressOf(document.uri);
    if (address === null) return null;
    const structure = await (this.#known.get(document.uri.toString()) ?? this.#make(document.uri, address));
    return structure.lineCount === document.lineCount ? structure : null;
  }

  #make(uri: vscode.Uri, address: Address): Promise<BuiltDocument> {
    const key = uri.toString();
    const built = this.#build(address);
    const structure = built.then(({ text: _, ...rest }) => rest);
    structure.catch(() => {});
    this.#known.delete(key);
    this.#known.set(key, structure);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    return built;
  }

  async #build(address: Address): Promise<BuiltDocument> {
    const run = nodePath.basename(address.dir);
    try {
      return await (address.kind === "query" ? this.#query(run, address) : this.#ofSample(run, address));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return failedDocument(t("Samples of {0} could not be read", run), problemText(error.problem));
    }
  }

  async #ofSample(run: string, address: Exclude<Address, { kind: "query" }>): Promise<BuiltDocument> {
    const { dir, kind, sample: ref } = address;
    const sample = await findSample(this.#reader, dir, ref, WHOLE_TEXT);
    if (!sample) {
      return failedDocument(
        ref.id === null
          ? t("Sample at step {0} of {1}", ref.step, run)
          : t("Sample {0} at step {1} of {2}", ref.id, ref.step, run),
        t("The run does not have this sample (any more)."),
      );
    }
    if (kind === "group") return this.#group(run, dir, sample);
    if (kind === "prompt") return this.#prompt(run, dir, sample);
    const group = await groupOf(this.#reader, dir, sample, MAX_MATES);
    return sampleDocument({ run, sample, group });
  }

  async #group(run: string, dir: string, sample: SampleDetail): Promise<BuiltDocument> {
    const rows = await groupOf(this.#reader, dir, sample, MAX_IN_GROUP);
    const filter = { ...atStep(sample.step), group: sample.group };
    const { groups } = await this.#reader.call(dir, "samples.groups", {
      filter,
      flat: false,
      offset: 0,
      limit: 1,
    });
    const [group] = groups;
    if (!group || rows.length === 0)
      return failedDocument(t("Group of {0} in {1}", sample.id, run), t("This sample belongs to no group."));
    const samples: SampleDetail[] = [];
    for (const { row } of rows) {
      const detail = await this.#reader.call(dir, "samples.detail", { row, text: MAX_GROUP_TEXT });
      if (detail) samples.push(detail);
    }
    return groupDocument({ run, group, samples });
  }

  async #prompt(run: string, dir: string, sample: SampleDetail): Promise<BuiltDocument> {
    const prompt =
      sample.promptId === ""
        ? ({ by: "text", key: sample.prompt } as const)
        : ({ by: "id", key: sample.promptId } as const);
    if (prompt.key.length > 100_000)
      return failedDocument(
        t("A prompt of {0} over time", run),
        t("The prompt is too long to be looked for."),
      );
    const time = await this.#reader.call(dir, "samples.prompt", { prompt });
    const { rows } = await this.#reader.call(dir, "samples.list", {
      filter: { ...NO_FILTER, prompt },
      order: { by: "step", descending: false },
      offset: 0,
      limit: MAX_SAMPLE_ROWS,
    });
    return promptDocument({ run, sample, time, rows });
  }

  async #query(
    run: string,
    { dir, query: typed }: Extract<Address, { kind: "query" }>,
  ): Promise<BuiltDocument> {
    const parsed = parseQuery(typed);
    if ("fault" in parsed) return failedDocument(t("Samples of {0}", run), `${typed}\n\n${parsed.fault}`);
    const { query } = parsed;
    await this.#reader.whenIndexed(dir);
    const rows = query.text === "" ? null : await searchRows(this.#reader, dir, query);
    const list = await this.#reader.call(dir, "samples.list", {
      filter: { ...query.filter, rows },
      order: query.order,
      offset: 0,
      limit: MAX_SAMPLE_ROWS,
    });
    return queryDocument({ run, query: typed, order: orderWords(query.order), list });
  }
}
