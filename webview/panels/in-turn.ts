/**
 * Heavy pieces of work one after another, with a frame between when they take long: what is ready is painted before the
 * next begins, however fast answers come in.
 */

/** Milliseconds of work after which a frame is let through. */
const BUDGET = 10;
/** A page that is not shown has no frames. */
const LONGEST_FRAME = 100;

let last: Promise<void> = Promise.resolve();
let spent = 0;

/** After what was changed until now is on the screen. */
export const frame = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_FRAME);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });

export function inTurn(work: () => Promise<void>): Promise<void> {
  const next = last.then(async () => {
    if (spent > BUDGET) {
      await frame();
      spent = 0;
    }
    const begun = performance.now();
    await work();
    spent += performance.now() - begun;
  });
  last = next.catch(() => {});
  return next;
}
