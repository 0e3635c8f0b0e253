/** Reduced motion, shown by pictures: what moves without it stands still with it, in a real browser. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PageBrowser } from "./browser.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start();
}, 120_000);
afterAll(() => browser?.close());

/** A run that is never answered: bones where its charts will be. */
async function open(ask: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await browser.blank();
  await ask(page);
  await page.goto(`${browser.url}?case=loading`);
  await page.locator(".bone").first().waitFor();
  return page;
}

/** Classes of all that moves, in the page and inside its controls; put at a moment of its course, in milliseconds. */
const moveTo = (page: Page, moment: number): Promise<string[]> =>
  page.evaluate((at) => {
    const roots: DocumentOrShadowRoot[] = [document];
    for (const element of document.querySelectorAll("*"))
      if (element.shadowRoot) roots.push(element.shadowRoot);
    // The toolkit's tabs need a transition that ends, of 10 ms: it is over within a frame.
    const moving = roots
      .flatMap((root) => root.getAnimations())
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 50);
    for (const animation of moving) {
      animation.pause();
      animation.currentTime = at;
    }
    return moving.map(({ effect }) =>
      effect instanceof KeyframeEffect ? String(effect.target?.className) : "",
    );
  }, moment);

async function pictures(page: Page): Promise<{ moving: string[]; isStill: boolean }> {
  const moving = await moveTo(page, 0);
  const first = await page.screenshot();
  await moveTo(page, 800);
  const second = await page.screenshot();
  await page.context().close();
  return { moving, isStill: first.equals(second) };
}

const asked = {
  "the system": (page: Page) => page.emulateMedia({ reducedMotion: "reduce" }),
  "VS Code": (page: Page) =>
    page.addInitScript(() =>
      addEventListener("DOMContentLoaded", () => document.body.classList.add("vscode-reduce-motion")),
    ),
};

describe("a page that waits", () => {
  it("moves while nobody asks for less", async () => {
    const { moving, isStill } = await pictures(await open(async () => {}));
    expect(moving).toContainEqual(expect.stringContaining("bone"));
    expect(isStill).toBe(false);
  });

  it.each(Object.entries(asked))("stands still when %s asks for less motion", async (_, ask) => {
    expect(await pictures(await open(ask))).toEqual({ moving: [], isStill: true });
  });
});

it.each(Object.entries(asked))(
  "a panel that is opened and a control that is pressed do so at once when %s asks for less motion",
  async (_, ask) => {
    const page = await browser.blank();
    await ask(page);
    await page.goto(`${browser.url}?case=run`);
    await page.locator('#root[data-ready="true"]').waitFor();
    for (const tab of ["samples", "events", "charts"]) {
      await page.getByTestId(`tab-${tab}`).click();
      expect([tab, await moveTo(page, 0)]).toEqual([tab, []]);
    }
    await page.context().close();
  },
);
