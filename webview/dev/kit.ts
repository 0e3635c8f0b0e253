/** Every control on one page, and what it reports: the contract tests drive it once for each kit. */
import { html, render } from "lit";
import "../ui/controls.ts";
import { kit } from "../ui/kit.ts";
import { applyTheme } from "./themes.ts";

export interface KitPage {
  readonly kit: string;
  readonly events: string[];
  readonly violations: string[];
  set(change: Partial<State>): void;
}

interface State {
  readonly select: string;
  readonly checked: boolean;
  readonly text: string;
  readonly tab: string;
  readonly count: number;
  readonly disabled: boolean;
}

declare global {
  interface Window {
    kitPage?: KitPage;
  }
}

const events: string[] = [];
const violations: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
});
applyTheme(new URLSearchParams(location.search).get("theme") ?? "dark");

let state: State = { select: "b", checked: false, text: "", tab: "one", count: 7, disabled: false };
const options = [
  { value: "a", label: "Alpha" },
  { value: "b", label: "Beta" },
  { value: "c", label: "Gamma", disabled: true },
  { value: "d", label: "Delta" },
];

function changed(name: keyof State) {
  return (event: CustomEvent<string | boolean>): void => {
    events.push(`${name}: ${String(event.detail)}`);
    set({ [name]: event.detail });
  };
}

function set(change: Partial<State>): void {
  state = { ...state, ...change };
  show();
}

function show(): void {
  const root = document.getElementById("root");
  if (!root) return;
  const tabs = [
    { id: "one", label: "First", count: null, content: () => html`<p>first panel</p>` },
    { id: "two", label: "Second", count: state.count, content: () => html`<p>second panel</p>` },
    { id: "three", label: "Third", count: null, content: () => html`<p>third panel</p>` },
  ];
  render(
    html`<main>
      <h1>Controls</h1>
      <fd-button label="Plain" @click=${() => events.push("plain")}></fd-button>
      <fd-button label="…" name="More actions" kind="quiet" @click=${() => events.push("more")}></fd-button>
      <fd-button
        label="Perhaps"
        kind="primary"
        ?disabled=${state.disabled}
        @click=${() => events.push("perhaps")}
      ></fd-button>
      <fd-select label="Letter" .value=${state.select} .options=${options} @fd-change=${changed("select")}></fd-select>
      <fd-checkbox label="Agreed" ?checked=${state.checked} @fd-change=${changed("checked")}></fd-checkbox>
      <fd-text-field
        label="Filter"
        placeholder="Type here"
        .value=${state.text}
        @fd-change=${changed("text")}
      ></fd-text-field>
      <fd-badge text="42"></fd-badge>
      <fd-tabs label="Pages" .active=${state.tab} .tabs=${tabs} @fd-change=${changed("tab")}></fd-tabs>
    </main>`,
    root,
  );
}

show();
window.kitPage = { kit: kit.name, events, violations, set };
