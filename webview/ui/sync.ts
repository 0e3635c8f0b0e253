import { type ElementPart, noChange } from "lit";
import { Directive, directive, type PartInfo, PartType } from "lit/directive.js";

abstract class Sync extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("this belongs on an element");
  }

  render(_name: string, _value: unknown, _after?: unknown): symbol {
    return noChange;
  }

  override update(part: ElementPart, [name, value]: [string, unknown, unknown?]): symbol {
    const set = (): void => this.set(part.element, name, value);
    set();
    // Elements take in their children, and name themselves, after this render.
    queueMicrotask(set);
    requestAnimationFrame(set);
    return noChange;
  }

  protected abstract set(element: Element, name: string, value: unknown): void;
}

class SyncValue extends Sync {
  protected override set(element: Element, name: string, value: unknown): void {
    if (Reflect.get(element, name) !== value) Reflect.set(element, name, value);
  }
}

class SyncAttribute extends Sync {
  protected override set(element: Element, name: string, value: unknown): void {
    if (element.getAttribute(name) !== value) element.setAttribute(name, String(value));
  }
}

/**
 * Sets a property once the element's children are there, and only when it differs: a list box forgets a value that
 * none of its options has yet, and a check box reports a change that nobody made.
 */
export const syncValue = directive(SyncValue);

/** Sets an attribute that the element puts a default of its own into when it is put on the page. */
export const syncAttribute = directive(SyncAttribute);
