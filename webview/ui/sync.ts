import { type ElementPart, noChange } from "lit";
import { Directive, directive, type PartInfo, PartType } from "lit/directive.js";

/**
 * Sets a property once the element's children are there, and only when it differs: a list box forgets a value that
 * none of its options has yet, and a check box reports a change that nobody made.
 */
class SyncValue extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("syncValue belongs on an element");
  }

  render(_name: string, _value: unknown, _after?: unknown): symbol {
    return noChange;
  }

  override update(part: ElementPart, [name, value]: [string, unknown, unknown?]): symbol {
    const { element } = part;
    const set = (): void => {
      if (Reflect.get(element, name) !== value) Reflect.set(element, name, value);
    };
    set();
    // Options are slotted, and counted by the element, after this render.
    queueMicrotask(set);
    requestAnimationFrame(set);
    return noChange;
  }
}

export const syncValue = directive(SyncValue);
