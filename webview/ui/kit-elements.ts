/** The same controls drawn with @vscode-elements/elements, the toolkit's living successor. */
import "@vscode-elements/elements/dist/vscode-badge/index.js";
import "@vscode-elements/elements/dist/vscode-button/index.js";
import "@vscode-elements/elements/dist/vscode-checkbox/index.js";
import "@vscode-elements/elements/dist/vscode-option/index.js";
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import "@vscode-elements/elements/dist/vscode-tab-header/index.js";
import "@vscode-elements/elements/dist/vscode-tab-panel/index.js";
import "@vscode-elements/elements/dist/vscode-tabs/index.js";
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { countText, type Kit } from "./contract.ts";
import { syncValue } from "./sync.ts";

const textOf = (event: Event): string => String(Reflect.get(event.currentTarget ?? {}, "value") ?? "");

export const kit: Kit = {
  name: "elements",

  button: ({ label, name, kind, disabled, expanded, controls }) => html`<vscode-button
    ?secondary=${kind !== "primary"}
    ?disabled=${disabled}
    aria-label=${name || label}
    aria-disabled=${disabled ? "true" : nothing}
    aria-expanded=${expanded === null ? nothing : String(expanded)}
    data-controls=${controls || nothing}
    >${label}</vscode-button
  >`,

  select: ({ label, value, options, onChange }) => html`<vscode-single-select
    label=${label}
    ${syncValue("value", value, options)}
    @change=${(event: Event) => onChange(textOf(event))}
    >${repeat(
      options,
      (option) => option.value,
      (option) =>
        html`<vscode-option value=${option.value} ?disabled=${option.disabled === true} ?selected=${option.value === value}
          >${option.label}</vscode-option
        >`,
    )}</vscode-single-select
  >`,

  checkbox: ({ label, checked, onChange }) => html`<vscode-checkbox
    label=${label}
    ${syncValue("checked", checked)}
    @change=${(event: Event) => onChange(Reflect.get(event.currentTarget ?? {}, "checked") === true)}
  ></vscode-checkbox>`,

  textField: ({ label, placeholder, value, onInput }) => html`<vscode-textfield
    .label=${label}
    placeholder=${placeholder || nothing}
    .value=${value}
    @input=${(event: Event) => onInput(textOf(event))}
  ></vscode-textfield>`,

  tabs: ({ label, active, tabs, onChange }) => html`<vscode-tabs
    aria-label=${label}
    selected-index=${tabs.findIndex((tab) => tab.id === active)}
    @vsc-tabs-select=${(event: CustomEvent<{ selectedIndex: number }>) => {
      const tab = tabs[event.detail.selectedIndex];
      if (tab) onChange(tab.id);
    }}
    >${repeat(
      tabs,
      (tab) => tab.id,
      (tab) =>
        html`<vscode-tab-header slot="header" data-testid=${`tab-${tab.id}`}
          >${tab.label}${tab.count === null ? nothing : html` <fd-badge text=${countText(tab.count)}></fd-badge>`}</vscode-tab-header
        >`,
    )}${repeat(
      tabs,
      (tab) => tab.id,
      (tab) => html`<vscode-tab-panel data-panel=${tab.id}>${tab.content()}</vscode-tab-panel>`,
    )}</vscode-tabs
  >`,

  badge: (text) => html`<vscode-badge>${text}</vscode-badge>`,
};
