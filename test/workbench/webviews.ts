/** Finds our page in the workbench: an iframe in an iframe that floats above the editor it belongs to. */
import type { ElementHandle, Frame, Locator, Page } from "playwright-core";

const READY = '[data-ready="true"]';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function covers(outer: Box, inner: Box): boolean {
  const x = inner.x + inner.width / 2;
  const y = inner.y + inner.height / 2;
  return x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height;
}

/** Matches the whole text, whatever characters it holds. */
export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")}\\s*$`);
}

/** What the tab of a run that is being recorded begins with, or of one with news. */
const MARKS = ["", "● ", "!! "];

/** Tabs with this title. One editor can be open in several groups, which the label then names after the title. */
export function tabs(page: Page, title: string): Locator {
  const labels = MARKS.flatMap((mark) => [
    `[aria-label=${JSON.stringify(mark + title)}]`,
    `[aria-label^=${JSON.stringify(`${mark}${title}, `)}]`,
  ]);
  return page.locator(`.editor-group-container .tab:is(${labels.join(", ")})`);
}

async function readyChild(iframe: ElementHandle): Promise<Frame | undefined> {
  const outer = await iframe.contentFrame();
  for (const child of outer?.childFrames() ?? []) {
    if ((await child.locator(READY).count()) > 0) return child;
  }
  return undefined;
}

/** The ready page shown in this group now, if any. */
async function shownIn(page: Page, group: Locator): Promise<Frame | undefined> {
  const place = await group.locator(".editor-container").boundingBox();
  if (place === null) return undefined;
  for (const iframe of await page.locator("iframe.webview").elementHandles()) {
    const box = (await iframe.isVisible()) ? await iframe.boundingBox() : null;
    if (box === null || !covers(place, box)) continue;
    const frame = await readyChild(iframe);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

/** What a frame or group that goes away meanwhile makes of a question: no answer yet. */
const notYet = (): undefined => undefined;

/** The page of the n-th tab of this title if it is shown and has painted. */
export async function readyWebview(page: Page, title: string, nth: number): Promise<Frame | undefined> {
  const tab = tabs(page, title).nth(nth);
  if ((await tab.count()) === 0) return undefined;
  if (!/\bactive\b/.test((await tab.getAttribute("class").catch(notYet)) ?? "")) {
    await tab.click({ timeout: 2000 }).catch(notYet);
  }
  const group = tab.locator('xpath=ancestor::*[contains(@class, "editor-group-container")][1]');
  return shownIn(page, group).catch(notYet);
}
