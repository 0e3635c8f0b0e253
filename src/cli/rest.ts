/** @returns false when it was cut short */
export function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(true), ms);
    const cut = () => done(false);
    const done = (isWhole: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cut);
      resolve(isWhole);
    };
    signal.addEventListener("abort", cut);
  });
}
