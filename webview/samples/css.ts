import { type ElementPart, noChange } from "lit";
import { Directive, directive, type PartInfo, PartType } from "lit/directive.js";

/** Sets style properties of an element one by one: the page's policy refuses style attributes. */
class Css extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("this belongs on an element");
  }

  render(_styles: Readonly<Record<string, string>>): symbol {
    return noChange;
  }

  override update(part: ElementPart, [styles]: [Readonly<Record<string, string>>]): symbol {
    if (part.element instanceof HTMLElement)
      for (const [name, value] of Object.entries(styles)) part.element.style.setProperty(name, value);
    return noChange;
  }
}

export const css = directive(Css);
