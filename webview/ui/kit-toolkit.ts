/** The controls drawn with @vscode/webview-ui-toolkit 1.4.0 under a prefix of our own. */
import "./load-event.ts";
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { countText, type Kit, tabName } from "./contract.ts";
import { loaded } from "./load-event.ts";
import { syncAttribute, syncValue } from "./sync.ts";

loaded();
provideVSCodeDesignSystem()
  .withPrefix("fd-tk")
  .register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeTextField(),
  );

const APPEARANCE = { primary: "primary", secondary: "secondary", quiet: "icon" } as const;

const textOf = (event: Event): string => String(Reflect.get(event.target ?? {}, "value") ?? "");

// The toolkit's own badge writes a style attribute, which the page's policy refuses and reports.
const badge = (text: string): TemplateResult => html`<span class="badge">${text}</span>`;

// A tab and a text field of the toolkit name themselves when they are put on the page: ours have names already.
export const kit: Kit = {
  name: "toolkit",

  button: ({ label, name, kind, disabled, expanded, controls }) => html`<fd-tk-button
    appearance=${APPEARANCE[kind]}
    ?disabled=${disabled}
    aria-label=${name || label}
    aria-expanded=${expanded === null ? nothing : String(expanded)}
    data-controls=${controls || nothing}
    >${label}</fd-tk-button
  >`,

  select: ({ label, value, options, onChange }) => html`<fd-tk-dropdown
    aria-label=${label}
    ${syncValue("value", value, options)}
    @change=${(event: Event) => onChange(textOf(event))}
    >${repeat(
      options,
      (option) => option.value,
      (option) =>
        html`<fd-tk-option value=${option.value} ?disabled=${option.disabled === true} ?selected=${option.value === value}
          >${option.label}</fd-tk-option
        >`,
    )}</fd-tk-dropdown
  >`,

  checkbox: ({ label, checked, onChange }) => html`<fd-tk-checkbox
    aria-label=${label}
    ${syncValue("checked", checked)}
    @change=${(event: Event) => onChange(Reflect.get(event.target ?? {}, "checked") === true)}
    >${label}</fd-tk-checkbox
  >`,

  textField: ({ label, placeholder, value, onInput }) => html`<fd-tk-text-field
    ${syncAttribute("aria-label", label)}
    placeholder=${placeholder || nothing}
    .value=${value}
    @input=${(event: Event) => onInput(textOf(event))}
  ></fd-tk-text-field>`,

  tabs: ({ label, active, tabs, onChange }) => html`<fd-tk-panels
    aria-label=${label}
    activeid=${`fd-tab-${active}`}
    @change=${(event: Event) => {
      const tab: unknown = Reflect.get(event, "detail");
      if (tab instanceof HTMLElement && tab.dataset["tab"]) onChange(tab.dataset["tab"]);
    }}
    >${repeat(
      tabs,
      (tab) => tab.id,
      (tab) =>
        html`<fd-tk-panel-tab
          id=${`fd-tab-${tab.id}`}
          data-tab=${tab.id}
          data-testid=${`tab-${tab.id}`}
          ${syncAttribute("aria-label", tabName(tab))}
          >${tab.label}${tab.count === null ? nothing : html` ${badge(countText(tab.count))}`}</fd-tk-panel-tab
        >`,
    )}${repeat(
      tabs,
      (tab) => tab.id,
      (tab) =>
        html`<fd-tk-panel-view id=${`fd-panel-${tab.id}`} data-panel=${tab.id}
          >${tab.content()}</fd-tk-panel-view
        >`,
    )}</fd-tk-panels
  >`,

  badge,
};
