/**
 * Our vocabulary of controls: what each must show and report, whoever draws it. The pages use the elements in
 * controls.ts; a kit draws them. test/unit/webview/kit.test.ts holds every kit to this.
 */
import type { nothing, TemplateResult } from "lit";

export interface ButtonView {
  /** What stands on it; also its accessible name unless `name` is given. */
  readonly label: string;
  /** Accessible name where the label alone says too little; "" otherwise. */
  readonly name: string;
  readonly kind: "primary" | "secondary" | "quiet";
  readonly disabled: boolean;
  /** For buttons that open something; `null` for others. */
  readonly expanded: boolean | null;
  /** Id of what it opens; "" when it opens nothing. */
  readonly controls: string;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectView {
  /** Accessible name. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly Choice[];
  readonly onChange: (value: string) => void;
}

export interface CheckboxView {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export interface TextFieldView {
  /** Accessible name. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label; `null` for none. */
  readonly count: number | null;
  /** What its panel holds; panels of other tabs are hidden, not emptied. */
  readonly content: () => TemplateResult | typeof nothing;
}

export const countText = (count: number): string => count.toLocaleString("en-US");

/** Accessible name of a tab: "Events 7". */
export const tabName = ({ label, count }: Pick<Tab, "label" | "count">): string =>
  count === null ? label : `${label} ${countText(count)}`;

export interface TabsView {
  /** Accessible name of the list of tabs. */
  readonly label: string;
  readonly active: string;
  readonly tabs: readonly Tab[];
  readonly onChange: (id: string) => void;
}

/** Draws the vocabulary with one library's elements. */
export interface Kit {
  readonly name: string;
  button(view: ButtonView): TemplateResult;
  select(view: SelectView): TemplateResult;
  checkbox(view: CheckboxView): TemplateResult;
  textField(view: TextFieldView): TemplateResult;
  tabs(view: TabsView): TemplateResult;
  badge(text: string): TemplateResult;
}
