import { LitElement } from "lit";

/**
 * Base of all our elements. They render into the page itself, not into a shadow root: one style sheet, labels and
 * descriptions that reach across elements, and a page that can be searched.
 */
export class FdElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Registers an element once; loading the page's code twice does no harm. */
export function define(tag: `fd-${string}`, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element);
}
