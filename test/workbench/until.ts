import { setTimeout as pause } from "node:timers/promises";

/**
 * Asks again until there is an answer. For states of the workbench that announce themselves by no event.
 * @throws after `seconds`, saying what was waited for
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  seconds = 45,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await pause(60);
  }
  throw new Error(`Waited ${seconds} s for ${what}.`);
}
