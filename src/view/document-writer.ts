/**
 * Writes a document about samples line by line, and remembers what each line is: whoever offers folding, links or actions
 * asks here and never looks at the text, which holds whatever was recorded.
 */
import { said } from "../protocol/l10n.ts";
import type { SampleListRow } from "../protocol/samples.ts";
import { visibleLine, type Written, writtenLabel } from "./visible.ts";

/** Begins each heading of ours, and no line of recorded text: there it is written by name. */
export const MARK = "▌";
const NAMED_MARK: Written = { text: "<U+258C>", named: [{ from: 0, to: 8, code: 0x258c }] };
/** Characters whose places are remembered; the rest are written by name all the same. */
const MAX_NAMED = 20_000;
const FIELD_WIDTH = 16;
const MAX_LABEL = 120;
/** Longest recorded text in a field's line. */
const MAX_VALUE = 1000;

export type SectionKind = "sample" | "about" | "prompt" | "completion" | "group" | "result" | "step";

export interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  /** Line of the heading, and last line that is not empty; from 0. */
  readonly from: number;
  readonly to: number;
  /** The sample that it is about. */
  readonly sample: SampleListRow | null;
}

/** A line that stands for a sample. */
export interface SampleLine {
  readonly line: number;
  readonly sample: SampleListRow;
}

export interface FieldLine {
  readonly line: number;
  readonly field: Field;
}

export interface NamedAt {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly code: number;
}

export interface BuiltDocument {
  readonly text: string;
  readonly lineCount: number;
  readonly sections: readonly Section[];
  readonly samples: readonly SampleLine[];
  readonly fields: readonly FieldLine[];
  /** In order. */
  readonly named: readonly NamedAt[];
}

/** Names of fields, and what they mean: sentences that are said by `said`. */
export const FIELDS = {
  id: "What the recording calls this sample.",
  run: "The folder of the run.",
  step: "The training step at which the completion was sampled.",
  rank: "The process that recorded it.",
  reward: "The whole reward of this completion (`reward_total`).",
  component: "One part of the reward (`reward_component.…`).",
  advantage: "The weight that the update gave to this completion.",
  "KL contribution":
    "What this completion adds to the distance from the reference policy (`kl_contribution`).",
  "mean logprob": "Mean log-probability of its tokens under the policy that sampled it (`logprob_mean`).",
  length: "Tokens of the completion (`completion_len`).",
  truncated: "Whether the completion was cut off at the length limit.",
  "captured as": "Why the recorder kept this sample (`capture_reason`). What was not kept cannot be shown.",
  group: "Completions of one prompt that were compared with one another (`group_id`).",
  "prompt id": "What the recording calls the prompt (`prompt_id`).",
  "place in group": "Its reward among those of its group that were captured; 1 is the highest.",
  "recorded in": "The file of the run and the row in it, from 0.",
  samples: "How many there are.",
  steps: "From the first to the last.",
  rewards: "Mean, standard deviation over the group (population), lowest and highest.",
  verdict: "Rewards that do not differ teach nothing in group-relative methods.",
  query: "What was asked for.",
  order: "By what they are sorted.",
  note: "",
} as const;
export type Field = keyof typeof FIELDS;

export class DocumentWriter {
  readonly #lines: string[] = [];
  readonly #sections: Section[] = [];
  readonly #samples: SampleLine[] = [];
  readonly #fields: FieldLine[] = [];
  readonly #named: NamedAt[] = [];

  /** Begins a section. @param title may hold recorded text: it is made visible, on one line */
  heading(kind: SectionKind, title: string, sample: SampleListRow | null = null): void {
    if (this.#lines.length > 0) this.#lines.push("");
    const shown = writtenLabel(title, 2 * MAX_LABEL);
    this.#close();
    const line = this.#lines.length;
    this.#sections.push({ kind, title: shown.text, from: line, to: line, sample });
    this.#put([`${MARK} `, shown]);
  }

  /** One line with a name and a value; nothing without a value. @param value may hold recorded text */
  field(field: Field, value: string, label: string = said(field)): void {
    if (value === "") return;
    this.#fields.push({ line: this.#lines.length, field });
    const name = writtenLabel(label, 60);
    this.#put([
      name,
      " ".repeat(Math.max(0, FIELD_WIDTH - name.text.length) + 1),
      writtenLabel(value, MAX_VALUE),
    ]);
  }

  /** A line that stands for a sample. @param text may hold recorded text */
  sampleLine(sample: SampleListRow, text: string): void {
    this.#samples.push({ line: this.#lines.length, sample });
    this.#put(["  ", writtenLabel(text, MAX_VALUE)]);
  }

  /** Text as it was recorded: its lines stay lines, whatever does not show is named. */
  recorded(text: string): void {
    for (const line of text.split("\n")) {
      const isLikeOurs = line.startsWith(MARK);
      if (isLikeOurs) this.#put([NAMED_MARK, visibleLine(line.slice(1))]);
      else this.#put([visibleLine(line)]);
    }
  }

  end(): BuiltDocument {
    this.#close();
    this.#lines.push("");
    return {
      text: this.#lines.join("\n"),
      lineCount: this.#lines.length,
      sections: this.#sections,
      samples: this.#samples,
      fields: this.#fields,
      named: this.#named,
    };
  }

  #put(parts: readonly (string | Written)[]): void {
    const line = this.#lines.length;
    let text = "";
    for (const part of parts) {
      const { text: more, named } = typeof part === "string" ? { text: part, named: [] } : part;
      for (const { from, to, code } of named) {
        if (this.#named.length >= MAX_NAMED) break;
        this.#named.push({ line, from: text.length + from, to: text.length + to, code });
      }
      text += more;
    }
    this.#lines.push(text);
  }

  /** The section before ends where its last text stands. */
  #close(): void {
    const last = this.#sections.pop();
    if (!last) return;
    let to = this.#lines.length - 1;
    while (to > last.from && this.#lines[to] === "") to--;
    this.#sections.push({ ...last, to });
  }
}

/** What a document's lines are, without its text. */
export type Structure = Omit<BuiltDocument, "text">;

/** The section that a line lies in. */
export function sectionAt({ sections }: Structure, line: number): Section | null {
  return sections.findLast(({ from }) => from <= line) ?? null;
}

/** The sample that a line is about: the one it stands for, else its section's, else the document's only one. */
export function sampleAt(document: Structure, line: number): SampleListRow | null {
  const own = document.samples.find((each) => each.line === line);
  if (own) return own.sample;
  return sectionAt(document, line)?.sample ?? null;
}
