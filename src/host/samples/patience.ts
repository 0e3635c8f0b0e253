/** Work that may take long: with a notification that can cancel it once the user has waited. */
import { withNotice } from "../say.ts";

/** Milliseconds after which the user is told that there is work. */
const PATIENCE = 500;

export type Report = (message: string) => void;

/** @returns `null` when the user thought better of it */
export async function patiently<T>(
  title: string,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T | null> {
  const abort = new AbortController();
  let tell: Report = () => {};
  const done = work(abort.signal, (message) => tell(message));
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<"waited">((resolve) => {
    timer = setTimeout(() => resolve("waited"), PATIENCE);
  });
  // A failure is the caller's to word, whenever it comes.
  const first = await Promise.race([done.then(() => "done" as const), waited]).finally(() =>
    clearTimeout(timer),
  );
  if (first === "done") return done;
  const cancelled = Symbol("cancelled");
  const ended = await withNotice(title, (progress, token) => {
    tell = (message) => progress.report({ message });
    const stop = new Promise<typeof cancelled>((resolve) => {
      token.onCancellationRequested(() => {
        abort.abort();
        resolve(cancelled);
      });
    });
    return Promise.race([done, stop]);
  });
  if (ended !== cancelled) return ended as T;
  done.catch(() => {});
  return null;
}
