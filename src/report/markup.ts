/** HTML and SVG written as text. Every text becomes text: whatever was recorded cannot be more, wherever it is put. */
import { visibleLine, type Written } from "../view/visible.ts";

/** Markup that was made here. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Child = Markup | string | null | readonly Child[];
export type Attributes = Readonly<Record<string, string | number | null>>;

/** Elements without content. */
const VOID: ReadonlySet<string> = new Set(["meta", "br", "hr"]);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** What does not show is written by name in texts and attributes alike; line ends stay. */
const plain = (text: string): string =>
  escaped(
    text
      .split("\n")
      .map((line) => visibleLine(line).text)
      .join("\n"),
  );

/** @param tag ours, as are the names of attributes */
export function el(tag: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${plain(String(value))}"`)
    .join("");
  if (VOID.has(tag)) return new Markup(`<${tag}${pairs}>`);
  return new Markup(`<${tag}${pairs}>${render(children)}</${tag}>`);
}

export function render(child: Child): string {
  if (child === null) return "";
  if (typeof child === "string") return plain(child);
  if (child instanceof Markup) return child.text;
  return child.map(render).join("");
}

/** The text of the one style block, and nothing else: it is ours. */
export const raw = (text: string): Markup => new Markup(text);

const CR = /\r\n?/g;

/** Recorded text: it turns no direction but its own, and what does not show is written by name. */
export function recorded(text: string): Markup {
  return el("bdi", { class: "rec" }, ...named(text));
}

/** The same on lines of its own. @param limit characters that are shown; the rest is said to be missing */
export function passage(text: string, limit: number, length = text.length): Markup {
  const shown = text.slice(0, text.charCodeAt(limit - 1) >>> 10 === 0x36 ? limit - 1 : limit);
  const rest = length - shown.length;
  const note =
    rest > 0
      ? [
          el(
            "p",
            { class: "cut" },
            `Cut: ${shown.length.toLocaleString("en-US")} of ${length.toLocaleString("en-US")} characters.`,
          ),
        ]
      : [];
  return el("div", { class: "passage" }, el("pre", { dir: "auto" }, ...named(shown)), ...note);
}

function named(text: string): Child[] {
  return text
    .replace(CR, (end) => (end === "\r\n" ? "\n" : end))
    .split("\n")
    .flatMap((line, i): Child[] => [...(i > 0 ? ["\n"] : []), ...marked(visibleLine(line))]);
}

function marked({ text, named: names }: Written): Child[] {
  const parts: Child[] = [];
  let done = 0;
  for (const { from, to } of names) {
    if (from > done) parts.push(text.slice(done, from));
    parts.push(el("span", { class: "ctl" }, text.slice(from, to)));
    done = to;
  }
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}
