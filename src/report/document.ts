/** The file around a report: its policy lets nothing in, and its style sheet is the only thing that is not text. */
import { type Child, el, Markup, raw, render } from "./markup.ts";
import { STYLE } from "./style.ts";

/** One HTML file. @param title recorded text */
export async function page(title: string, body: readonly Child[]): Promise<string> {
  const policy = `default-src 'none'; style-src 'sha256-${await hashOf(STYLE)}'; base-uri 'none'; form-action 'none'`;
  const head = el(
    "head",
    {},
    el("meta", { charset: "utf-8" }),
    el("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
    el("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    el("meta", { name: "referrer", content: "no-referrer" }),
    el("title", {}, title),
    el("style", {}, raw(STYLE)),
  );
  const document = el("html", { lang: "en" }, head, el("body", {}, ...body));
  return `<!doctype html>\n${render(new Markup(document.text))}\n`;
}

/** Of a text's UTF-8, as policies write it. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

export function table(
  columns: readonly Column[],
  rows: readonly (readonly Child[])[],
  name: string | null = null,
): Markup {
  const kind = (i: number): string | null => (columns[i]?.isNumber === true ? "num" : null);
  return el(
    "div",
    { class: "tablebox" },
    el(
      "table",
      { class: name },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          columns.map(({ title }, i) => el("th", { class: kind(i), scope: "col" }, title)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((cells) =>
          el(
            "tr",
            {},
            cells.map((cell, i) => el("td", { class: kind(i) }, cell)),
          ),
        ),
      ),
    ),
  );
}

/** Names over values. */
export function facts(all: readonly (readonly [name: string, value: Child])[], name = "facts"): Markup {
  const shown = all.filter(([, value]) => value !== null && value !== "");
  return el(
    "dl",
    { class: name },
    shown.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))),
  );
}

export function section(title: string, ...children: readonly Child[]): Markup {
  return el("section", {}, el("h2", {}, title), ...children);
}
