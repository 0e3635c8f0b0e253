import type { Transport } from "../../src/protocol/rpc.ts";

/** Two ends of a line; what is sent is copied as by a message, and arrives later. */
export function line(): { page: Transport; host: Transport } {
  const ends = [new Set<(message: unknown) => void>(), new Set<(message: unknown) => void>()] as const;
  const end = (own: 0 | 1): Transport => ({
    channel: "json",
    post: (message) => {
      const copy = structuredClone(message);
      queueMicrotask(() => {
        for (const listener of ends[own === 0 ? 1 : 0]) listener(copy);
      });
    },
    listen: (listener) => {
      ends[own].add(listener);
      return () => ends[own].delete(listener);
    },
  });
  return { page: end(0), host: end(1) };
}
