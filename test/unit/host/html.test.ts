import { describe, expect, it } from "vitest";
import { contentSecurityPolicy, createNonce, pageHtml } from "../../../src/host/editor/html.ts";

const assets = {
  cspSource: "https://*.vscode-cdn.net",
  nonce: "N0nce",
  script: "https://host/dist/page.js?a=1&b=2",
  style: "https://host/dist/page.css",
  late: ["https://host/dist/page-body.js?a=1&b=2"],
};

describe("contentSecurityPolicy", () => {
  it("is exactly this", () => {
    expect(contentSecurityPolicy(assets)).toBe(
      "default-src 'none'; script-src 'nonce-N0nce'; style-src https://*.vscode-cdn.net 'nonce-N0nce'; " +
        "font-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net data:; base-uri 'none'; form-action 'none'",
    );
  });
});

describe("pageHtml", () => {
  it("has one script, one style sheet, the policy, the nonce for the kit, and a root", () => {
    const html = pageHtml(assets);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain(
      '<script type="module" nonce="N0nce" src="https://host/dist/page.js?a=1&amp;b=2"></script>',
    );
    expect(html).toContain(
      '<link rel="modulepreload" nonce="N0nce" href="https://host/dist/page-body.js?a=1&amp;b=2" />',
    );
    expect(html).toContain('<link rel="stylesheet" href="https://host/dist/page.css" />');
    expect(html).toContain('<meta property="csp-nonce" content="N0nce" />');
    expect(html).toContain('<div id="root"></div>');
    expect(html).not.toMatch(/unsafe|<style|style=| on[a-z]+=/);
  });

  it("carries the page's words as an element that nothing runs, and its language", () => {
    expect(pageHtml(assets)).toContain('<html lang="en">');
    const words = { "Open <run>": "</script><script>alert(1)</script>" };
    const html = pageHtml({ ...assets, language: { tag: "de", words } });
    expect(html).toContain('<html lang="de">');
    const [, json = ""] = /<script id="words" type="application\/json">([^<]*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual(words);
    expect(html.match(/<script/g)).toHaveLength(2);
    // A page in parts takes them by a script of its own, which runs first.
    const parts = pageHtml({
      ...assets,
      words: "https://host/dist/page-words.js",
      language: { tag: "de", words },
    });
    expect([...parts.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      "https://host/dist/page-words.js",
      "https://host/dist/page.js?a=1&amp;b=2",
    ]);
    expect(pageHtml({ ...assets, words: "https://host/dist/page-words.js" })).not.toContain("page-words");
  });

  it("cannot be broken out of", () => {
    expect(pageHtml({ ...assets, script: '"><script>alert(1)</script>' })).not.toContain("<script>alert");
  });
});

describe("createNonce", () => {
  it("is long, plain and new each time", () => {
    const nonces = new Set(Array.from({ length: 100 }, createNonce));
    expect(nonces.size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{24}$/);
  });
});
