/** The controls that pages use: `fd-button`, `fd-select`, `fd-checkbox`, `fd-text-field`, `fd-tabs`, `fd-badge`. */
import type { TemplateResult } from "lit";
import type { ButtonView, Choice, Tab } from "./contract.ts";
import { define, FdElement } from "./element.ts";
import { kit } from "./kit.ts";

/** What the elements report; `detail` is the new value. They bubble. */
export interface ControlEvents {
  /** fd-select: the value; fd-checkbox: a boolean; fd-tabs: the tab's id; fd-text-field: the text, on every input. */
  "fd-change": CustomEvent<string | boolean>;
}

abstract class Control extends FdElement {
  protected changed(detail: string | boolean): void {
    this.dispatchEvent(new CustomEvent("fd-change", { detail, bubbles: true }));
  }

  /** Focuses what the kit has drawn. */
  override focus(options?: FocusOptions): void {
    const [first] = this.children;
    if (first instanceof HTMLElement) first.focus(options);
  }
}

/** Reports native clicks. */
export class FdButton extends Control {
  static override properties = {
    label: {},
    name: {},
    kind: {},
    disabled: { type: Boolean },
    expanded: { attribute: false },
    controls: {},
  };
  declare label: string;
  declare name: string;
  declare kind: ButtonView["kind"];
  declare disabled: boolean;
  declare expanded: boolean | null;
  declare controls: string;

  constructor() {
    super();
    this.label = "";
    this.name = "";
    this.kind = "secondary";
    this.disabled = false;
    this.expanded = null;
    this.controls = "";
    const refuse = (event: Event): void => {
      if (this.disabled) event.stopImmediatePropagation();
    };
    this.addEventListener("click", refuse, { capture: true });
  }

  override render(): TemplateResult {
    return kit.button(this);
  }
}

export class FdSelect extends Control {
  static override properties = { label: {}, value: {}, options: { attribute: false } };
  declare label: string;
  declare value: string;
  declare options: readonly Choice[];

  constructor() {
    super();
    this.label = "";
    this.value = "";
    this.options = [];
  }

  override render(): TemplateResult {
    const { label, value, options } = this;
    const onChange = (chosen: string): void => {
      if (chosen !== this.value) this.changed(chosen);
    };
    return kit.select({ label, value, options, onChange });
  }
}

export class FdCheckbox extends Control {
  static override properties = { label: {}, checked: { type: Boolean } };
  declare label: string;
  declare checked: boolean;

  constructor() {
    super();
    this.label = "";
    this.checked = false;
  }

  override render(): TemplateResult {
    const { label, checked } = this;
    const onChange = (now: boolean): void => {
      if (now !== this.checked) this.changed(now);
    };
    return kit.checkbox({ label, checked, onChange });
  }
}

export class FdTextField extends Control {
  static override properties = { label: {}, placeholder: {}, value: {} };
  declare label: string;
  declare placeholder: string;
  declare value: string;

  constructor() {
    super();
    this.label = "";
    this.placeholder = "";
    this.value = "";
  }

  override render(): TemplateResult {
    const { label, placeholder, value } = this;
    const onInput = (text: string): void => {
      if (text !== this.value) this.changed(text);
    };
    return kit.textField({ label, placeholder, value, onInput });
  }
}

/** Each tab is `tab-<id>` for tests. */
export class FdTabs extends Control {
  static override properties = { label: {}, active: {}, tabs: { attribute: false } };
  declare label: string;
  declare active: string;
  declare tabs: readonly Tab[];

  constructor() {
    super();
    this.label = "";
    this.active = "";
    this.tabs = [];
  }

  override render(): TemplateResult {
    const { label, active, tabs } = this;
    const onChange = (id: string): void => {
      if (id !== this.active) this.changed(id);
    };
    return kit.tabs({ label, active, tabs, onChange });
  }
}

export class FdBadge extends FdElement {
  static override properties = { text: {} };
  declare text: string;

  constructor() {
    super();
    this.text = "";
  }

  override render(): TemplateResult {
    return kit.badge(this.text);
  }
}

define("fd-button", FdButton);
define("fd-select", FdSelect);
define("fd-checkbox", FdCheckbox);
define("fd-text-field", FdTextField);
define("fd-tabs", FdTabs);
define("fd-badge", FdBadge);
