/** The run editor's page without VS Code: bundled with made-up data, served under the policy that VS Code's page has. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { inParts, pageParts } from "../build.mjs";
import { root } from "./paths.mjs";

/** Puts the other library behind our controls: what changing the one line in webview/ui/kit.ts does. */
export const otherKit = (kit) => ({
  name: "kit",
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/kit-toolkit\.ts$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, `kit-${kit}.ts`),
    }));
  },
});

const asProduct = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  outdir: "out",
  platform: "browser",
  target: "es2022",
  conditions: ["browser"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
};

/**
 * The run editor's page in the files that the product's has, with another entry.
 * @param {string} entry relative to the repository
 * @returns {Promise<Record<string, string>>} texts by the names of their files; the entry is page.js
 */
export async function bundleParts(entry) {
  const { outputFiles } = await build({
    ...asProduct,
    ...inParts,
    entryPoints: { page: entry, ...pageParts },
  });
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
}

/**
 * Bundles a page's entry into one file.
 * @param {string} entry relative to the repository
 * @param {{ kit?: "toolkit" | "elements", minify?: boolean }} options
 */
export async function bundlePage(entry, { kit = "toolkit", minify = true } = {}) {
  const { outputFiles, metafile } = await build({
    ...asProduct,
    entryPoints: [entry],
    format: "iife",
    minify,
    plugins: kit === "toolkit" ? [] : [otherKit(kit)],
  });
  return { text: outputFiles[0]?.text ?? "", metafile };
}

const html = (nonce) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data:" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Flight Deck</title>
    <link rel="stylesheet" href="/page.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="/page.js"></script>
  </body>
</html>
`;

/**
 * Serves the fixture page on a free port of this machine.
 * @param {{ kit?: "toolkit" | "elements", minify?: boolean, entry?: string }} options
 * @returns {Promise<{ url: string, bytes: number, close: () => Promise<void> }>}
 */
export async function serveFixturePage({
  kit = "toolkit",
  minify = true,
  entry = "webview/dev/main.ts",
} = {}) {
  const [script, style] = await Promise.all([
    bundlePage(entry, { kit, minify }),
    bundlePage("webview/page.css", { minify }),
  ]);
  const files = new Map([
    ["/page.js", ["text/javascript", script.text]],
    ["/page.css", ["text/css", style.text]],
  ]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [type, body] = files.get(pathname) ?? ["text/html", html(randomBytes(16).toString("base64"))];
    response
      .writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" })
      .end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${port}/`, bytes: Buffer.byteLength(script.text), close };
}
