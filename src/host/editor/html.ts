/** The page's document: no script but ours, nothing from the network, no inline style without the nonce. */
import { randomBytes } from "node:crypto";

export interface PageAssets {
  /** What VS Code's own resources are served from. */
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
}

export const createNonce = (): string => randomBytes(18).toString("base64url");

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

/** Nothing of the recording is in it: all that comes later, as messages. */
export function pageHtml(assets: PageAssets): string {
  const nonce = attribute(assets.nonce);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(contentSecurityPolicy(assets))}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Flight Deck</title>
    <link rel="stylesheet" href="${attribute(assets.style)}" />
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${attribute(assets.script)}"></script>
  </body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => ENTITIES[character] ?? "");
}
