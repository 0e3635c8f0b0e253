/** The list behind Open Sample: those of the worst reward first; a number lists a step, anything else is looked for as an id. */
import * as vscode from "vscode";
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import type { SampleListRow, SampleOrder } from "../../protocol/samples.ts";
import { itemText } from "../../view/native.ts";
import { NO_FILTER } from "../../view/sample-query.ts";
import { factsOf } from "../../view/sample-words.ts";
import { atStep } from "./find.ts";
import type { RunReader } from "./reader.ts";

interface Item extends vscode.QuickPickItem {
  readonly sample?: SampleListRow;
  /** Its id or its step is what was typed. */
  readonly isMeant?: boolean;
}

const LISTED = 200;
const QUIET_MS = 150;

interface Way extends vscode.QuickInputButton {
  readonly order: SampleOrder;
  readonly placeholder: string;
}
const way = (
  icon: string,
  words: Pick<Way, "tooltip" | "placeholder">,
  by: SampleOrder["by"],
  descending: boolean,
): Way => ({
  ...{ iconPath: new vscode.ThemeIcon(icon), order: { by, descending } },
  ...words,
});
const WORST = {
  tooltip: vscode.l10n.t("Worst Reward First"),
  placeholder: vscode.l10n.t("Type a step or an id, or choose from the list (worst reward first)"),
};
const BEST = {
  tooltip: vscode.l10n.t("Best Reward First"),
  placeholder: vscode.l10n.t("Type a step or an id, or choose from the list (best reward first)"),
};
const LATEST = {
  tooltip: vscode.l10n.t("Latest Step First"),
  placeholder: vscode.l10n.t("Type a step or an id, or choose from the list (latest step first)"),
};
const WAYS: readonly Way[] = [
  way("arrow-down", WORST, "reward_total", false),
  way("arrow-up", BEST, "reward_total", true),
  way("history", LATEST, "step", true),
];

/** @returns `undefined` when the user thought better of it */
export async function pickSample(
  reader: RunReader,
  dir: string,
  title: string,
): Promise<SampleListRow | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = WORST.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = WAYS;
  const list = new Listing(reader, dir, pick);
  pick.onDidChangeValue(() => list.soon());
  pick.onDidTriggerButton((button) => {
    const chosen = WAYS.find((each) => each === button);
    if (chosen) list.sort(chosen);
  });
  list.now();
  return new Promise((resolve) => {
    pick.onDidAccept(async () => {
      const item = await list.chosen();
      if (!item?.sample) return;
      resolve(item.sample);
      pick.hide();
    });
    pick.onDidHide(() => {
      list.dispose();
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

class Listing {
  readonly #reader: RunReader;
  readonly #dir: string;
  readonly #pick: vscode.QuickPick<Item>;
  #way: Way | undefined = WAYS[0];
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #meant: Item | undefined;
  #filling: Promise<void> = Promise.resolve();

  constructor(reader: RunReader, dir: string, pick: vscode.QuickPick<Item>) {
    this.#reader = reader;
    this.#dir = dir;
    this.#pick = pick;
  }

  sort(chosen: Way): void {
    this.#way = chosen;
    this.#pick.placeholder = chosen.placeholder;
    this.now();
  }

  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), QUIET_MS);
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#timer = undefined;
    this.#abort = new AbortController();
    this.#filling = this.#fill(this.#pick.value.trim(), this.#abort.signal);
  }

  /** What Enter chooses: of what was typed last, not of what the list has shown so far. */
  async chosen(): Promise<Item | undefined> {
    const [selected] = this.#pick.selectedItems;
    if (!this.#isLate) return selected;
    if (this.#timer !== undefined) this.now();
    for (let filling: Promise<void> | null = null; filling !== this.#filling; ) {
      filling = this.#filling;
      await filling;
    }
    return this.#meant ?? selected;
  }

  get #isLate(): boolean {
    return this.#timer !== undefined || this.#pick.busy;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async #fill(value: string, signal: AbortSignal): Promise<void> {
    const pick = this.#pick;
    pick.busy = true;
    try {
      const items = await this.#items(value, signal);
      if (signal.aborted) return;
      pick.items = items;
      // VS Code sorts by how well a label matches what was typed: an id or a step that was typed in full is what was meant.
      this.#meant = items[0]?.isMeant ? items[0] : undefined;
      if (this.#meant) pick.activeItems = [this.#meant];
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      const message =
        error instanceof ProblemError
          ? error.problem.message
          : vscode.l10n.t("The samples could not be read.");
      pick.items = [{ label: itemText(message, MAX_DETAIL), alwaysShow: true }];
    }
    if (!signal.aborted) pick.busy = false;
  }

  async #items(value: string, signal: AbortSignal): Promise<Item[]> {
    await this.#reader.whenIndexed(this.#dir, signal);
    const order = this.#way?.order ?? { by: "row", descending: false };
    const isStep = /^\d{1,15}$/.test(value);
    const filter = isStep ? atStep(value) : NO_FILTER;
    const named = value === "" ? [] : await this.#named(value, signal);
    const params = { filter, order, offset: 0, limit: LISTED };
    const { rows, total } = await this.#reader.call(this.#dir, "samples.list", params, signal);
    const others = rows.filter(({ row }) => named.every((each) => each.row !== row));
    const items = [...named.map((row) => itemOf(row, true)), ...others.map((row) => itemOf(row, isStep))];
    if (items.length === 0) return [{ label: vscode.l10n.t("No samples"), alwaysShow: true }];
    if (total <= rows.length) return items;
    const rest = vscode.l10n.t("{0} samples in all: type a step or an id", total.toLocaleString("en-US"));
    return [...items, { label: rest, kind: vscode.QuickPickItemKind.Separator }];
  }

  /** `id`, or `rank:step:id`. */
  async #named(value: string, signal: AbortSignal): Promise<SampleListRow[]> {
    const whole = /^(\d{1,6}):(\d{1,16}):(.+)$/.exec(value);
    const names = [
      { rank: null, step: null, id: value },
      ...(whole ? [{ rank: Number(whole[1]), step: Number(whole[2]), id: whole[3] ?? "" }] : []),
    ];
    for (const name of names) {
      const { row } = await this.#reader.call(this.#dir, "samples.find", name, signal);
      const detail =
        row === null
          ? null
          : await this.#reader.call(this.#dir, "samples.detail", { row, text: 400 }, signal);
      if (detail) return [detail];
    }
    return [];
  }
}

const MAX_DETAIL = 160;

function itemOf(sample: SampleListRow, isMeant: boolean): Item {
  return {
    label: vscode.l10n.t("step {0} · {1}", itemText(sample.step, 40), factsOf(sample)),
    description: vscode.l10n.t("{0} · rank {1}", itemText(sample.id, 80), sample.rank),
    detail: itemText(sample.completion, MAX_DETAIL),
    alwaysShow: isMeant,
    isMeant,
    sample,
  };
}
