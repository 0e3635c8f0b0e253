/** All that can be asked about the captured samples of a run, answered from the index; text is read of what is shown. */
import type { RunModel } from "../core/run/model.ts";
import { histogram, scatter } from "../core/samples/counts.ts";
import { findSample } from "../core/samples/find.ts";
import { Groups } from "../core/samples/groups.ts";
import { overTime, type PromptSummary, promptsOf } from "../core/samples/prompts.ts";
import { promptKey } from "../core/samples/promptTexts.ts";
import { Search } from "../core/samples/search.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { EVERYTHING } from "../core/samples/types.ts";
import type { Handlers } from "../protocol/rpc.ts";
import {
  type GroupView,
  MAX_SAMPLE_HEAD,
  type PromptKey,
  type PromptTime,
  type PromptView,
  type SampleFilter,
  type SamplesContract,
} from "../protocol/samples.ts";
import type { Params } from "../protocol/wire.ts";
import { sampleDetail } from "./sampleDetail.ts";
import { SampleRows } from "./sampleRows.ts";
import { SampleStates } from "./sampleState.ts";
import { head } from "./text.ts";

/** Milliseconds of one piece of a search. */
const SEARCH_BUDGET = 250;
/** Rows that one answer names beside what it shows. */
const MAX_ROWS = 20_000;
const MAX_GROUP_ROWS = 1_000;

/** @param now milliseconds, for the pieces of a search */
export function sampleAnswers(
  model: RunModel,
  store: SampleStore,
  now: () => number,
): Handlers<SamplesContract> {
  const answers = new Answers(model, store, now);
  return {
    "samples.state": ({ seen }, { signal }) => answers.states.state(seen, signal),
    "samples.list": (params, { signal }) => answers.list(params, signal),
    "samples.rows": ({ rows, components }, { signal }) => answers.some(rows, components ?? null, signal),
    "samples.place": async ({ filter, order, row }, { signal }) => {
      const { rows } = await store.ordered(filter, order, signal);
      const place = rows.indexOf(row);
      return { place: place < 0 ? null : place };
    },
    "samples.detail": async ({ row, text }, { signal }) => {
      const index = await store.upTo(row, signal);
      if (row >= index.rows) return null;
      return sampleDetail(store, row, text, signal);
    },
    "samples.find": (wanted, { signal }) => findSample(store, wanted, signal),
    "samples.histogram": async ({ filter, bins }, { signal }) =>
      histogram(store.index, await store.matching({ ...filter, reward: null }, signal), bins),
    "samples.scatter": async ({ filter, columns, rows }, { signal }) => {
      const among = await store.matching({ ...filter, reward: null, length: null }, signal);
      const { x, y, ...rest } = scatter(store.index, among, columns, rows);
      return { ...rest, x: x && [...x], y: y && [...y] };
    },
    "samples.groups": (params, { signal }) => answers.groupPage(params, signal),
    "samples.prompts": (params, { signal }) => answers.promptPage(params, signal),
    "samples.prompt": ({ prompt }, { signal }) => answers.promptTime(prompt, signal),
    "samples.search": (query, { signal }) => answers.search.find(query, signal),
  };
}

class Answers {
  readonly states: SampleStates;
  readonly rows: SampleRows;
  readonly search: Search;
  private readonly store: SampleStore;
  private grouped: { readonly indexed: number; readonly groups: Groups } | null = null;
  private prompts: { readonly rows: Uint32Array; readonly list: PromptSummary[] } | null = null;

  constructor(model: RunModel, store: SampleStore, now: () => number) {
    this.store = store;
    this.states = new SampleStates(model, store);
    this.rows = new SampleRows(store);
    this.search = new Search(store, { now, budget: SEARCH_BUDGET });
  }

  async list(params: Params<SamplesContract, "samples.list">, signal: AbortSignal) {
    const { filter, order, offset, components } = params;
    const { store } = this;
    const { rows, total, without } = await store.page(filter, order, params, signal);
    const indexed = store.index.rows;
    const shown =
      params.texts === false
        ? this.rows.figures(rows)
        : await this.rows.rows(rows, components ?? null, signal);
    return { total, without, offset, rows: shown, indexed };
  }

  async some(rows: readonly number[], components: readonly string[] | null, signal: AbortSignal) {
    const index = await this.store.some(signal);
    const known = rows.filter((row) => row < index.rows);
    return { rows: await this.rows.rows(known, components, signal) };
  }

  /** The groups of the index as it is now. */
  private groups(): Groups {
    const { index } = this.store;
    if (this.grouped?.indexed !== index.rows)
      this.grouped = { indexed: index.rows, groups: new Groups(index) };
    return this.grouped.groups;
  }

  async groupPage(
    { filter, flat, offset, limit }: Params<SamplesContract, "samples.groups">,
    signal: AbortSignal,
  ) {
    const matching = await this.store.matching(filter, signal);
    const groups = this.groups();
    const among = groups.among(matching);
    const isFlat = (group: number): boolean => groups.isFlat(group);
    const chosen = flat ? among.filter(isFlat) : among;
    const shown = [...chosen.subarray(offset, offset + limit)].map((group) => groups.get(group));
    const prompts = await this.rows.prompts(
      shown.map(({ rows }) => rows[0] ?? 0),
      signal,
    );
    const { index } = this.store;
    const views = shown.map(({ rows, ...group }, i): GroupView => {
      const first = rows[0] ?? 0;
      return {
        ...group,
        step: index.stepText(first),
        group: index.text("group_id", first),
        rank: index.rank(first),
        size: rows.length,
        prompt: prompts[i] ?? "",
        rows: [...rows.subarray(0, MAX_GROUP_ROWS)],
      };
    });
    return { total: chosen.length, flat: among.filter(isFlat).length, offset, groups: views };
  }

  async promptPage(
    { filter, offset, limit }: Params<SamplesContract, "samples.prompts">,
    signal: AbortSignal,
  ) {
    const index = await this.store.some(signal);
    const by = await this.namedBy(signal);
    const codes = by === "id" ? index.codes("prompt_id") : (await this.store.texts(signal)).codes;
    const rows = await this.store.matching(filter, signal);
    if (this.prompts?.rows !== rows) this.prompts = { rows, list: promptsOf(index, rows, codes) };
    const { list } = this.prompts;
    const shown = list.slice(offset, offset + limit);
    const texts = await this.promptTexts(
      shown.map(({ row }) => row),
      signal,
    );
    const prompts = shown.map((prompt, i): PromptView => {
      const { code, samples, steps, first, last, mean } = prompt;
      const text = texts[i] ?? "";
      return {
        prompt: { by, key: by === "id" ? index.pool("prompt_id").text(code) : promptKey(text) },
        text: head(text, MAX_SAMPLE_HEAD),
        ...{ samples, steps, first, last, mean },
        firstStep: index.stepText(prompt.firstStepRow),
        lastStep: index.stepText(prompt.lastStepRow),
      };
    });
    return { by, total: list.length, offset, prompts };
  }

  /** "text" once it is known that no sample has a prompt_id. */
  private async namedBy(signal: AbortSignal): Promise<PromptKey["by"]> {
    while (!this.store.done && this.store.index.pool("prompt_id").size === 0) await this.store.grown(signal);
    const index = await this.store.some(signal);
    const codes = index.codes("prompt_id");
    for (let row = 0; row < index.rows; row++) if (codes[row] !== 0) return "id";
    return "text";
  }

  /** Whole prompts: their name can be all of their text. */
  private async promptTexts(rows: readonly number[], signal: AbortSignal): Promise<string[]> {
    const places = rows.flatMap((row) => this.store.index.placeOf(row) ?? []);
    const samples = await this.store.table.shards.samples(places);
    signal.throwIfAborted();
    return samples.map(({ prompt_text: text }) => text ?? "");
  }

  async promptTime(prompt: PromptKey, signal: AbortSignal): Promise<PromptTime> {
    const index = await this.store.all(signal);
    const filter: SampleFilter = { ...(EVERYTHING as SampleFilter), prompt };
    const rows = await this.store.matching(filter, signal);
    const [first] = rows;
    const texts = first === undefined ? [] : await this.rows.prompts([first], signal);
    const steps = overTime(index, rows);
    const each = Math.max(1, Math.floor(MAX_ROWS / Math.max(1, steps.length)));
    return {
      text: texts[0] ?? "",
      steps: steps.map(({ step, rows: own, mean, min, max }) => ({
        ...{ step, stepText: index.stepText(own[0] ?? 0), n: own.length, mean, min, max },
        rows: [...own.subarray(0, each)],
      })),
    };
  }
}
