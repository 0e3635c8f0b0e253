/** The page's document: no script but ours, nothing from the network, no inline style without the nonce. */
import type { Bundle } from "../../protocol/l10n.ts";
import type { Language } from "../language.ts";

export interface PageAssets {
  /** What VS Code's own resources are served from. */
  readonly cspSource: string;
  readonly script: string;
  /** Runs before it where there are words. */
  readonly words?: string;
  readonly style: string;
  /** Scripts that the page asks for later: they are on their way by then. */
  readonly late?: readonly string[];
  readonly nonce: string;
  /** English where there is none. */
  readonly language?: Language;
}

/** 144 random bits; the same in Node and in a browser. */
export function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

export function contentSecurityPolicy({ cspSource, nonce }: Pick<PageAssets, "cspSource" | "nonce">): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The page's words for `webview/language.ts`: no browser runs an element of this type, and no tag can be closed in it. */
const wordsElement = (words: Bundle): string =>
  `<script id="words" type="application/json">${JSON.stringify(words).replaceAll("<", "\\u003c")}</script>`;

/** Modules run in the order of their elements. */
function scripts({ nonce, language, words, script }: PageAssets): string {
  const run = (src: string): string =>
    `<script type="module" nonce="${attribute(nonce)}" src="${attribute(src)}"></script>`;
  const said = language?.words;
  const first = said ? [wordsElement(said), ...(words === undefined ? [] : [run(words)])] : [];
  return [...first, run(script)].join("\n    ");
}

/** Nothing of the recording is in it: all that comes later, as messages. */
export function pageHtml(assets: PageAssets): string {
  const nonce = attribute(assets.nonce);
  return `<!doctype html>
<html lang="${attribute(assets.language?.tag ?? "en")}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(assets))}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Flight Deck</title>
    <link rel="stylesheet" href="${attribute(assets.style)}" />${(assets.late ?? [])
      .map((part) => `\n    <link rel="modulepreload" nonce="${nonce}" href="${attribute(part)}" />`)
      .join("")}
  </head>
  <body>
    <div id="root"></div>
    ${scripts(assets)}
  </body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => ENTITIES[character] ?? "");
}
