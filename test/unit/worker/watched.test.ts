import { expect, it } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { Board } from "../../../src/protocol/board.ts";
import { Watch } from "../../../src/worker/watched.ts";

function start() {
  const board = new Board();
  let now = 0;
  let looks = 0;
  const watch = new Watch(board, {
    now: () => now,
    memory: () => ({ total: ++looks, decoder: 0, isBroken: false }),
  });
  return {
    board,
    watch,
    looks: () => looks,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const FILES = new Map([["steps/a", Uint8Array.of(1, 2, 3)]]);

it("notes each file before it is touched, and passes everything on", async () => {
  const { board, watch } = start();
  const inner = memorySource(FILES, "label");
  const seen: unknown[] = [];
  const spied = {
    ...inner,
    nameIsUtf8: false,
    read: async (path: string, from: number, length: number) => {
      seen.push(board.whereabouts);
      return inner.read(path, from, length);
    },
  };
  const source = watch.source(spied, "/run");
  expect([source.label, source.nameIsUtf8]).toEqual(["label", false]);
  expect(await source.read("steps/a", 1, 1)).toEqual(Uint8Array.of(2));
  expect(seen).toEqual([{ dir: "/run", file: "steps/a" }]);
  for (const [ask, file] of [
    [() => source.list(""), ""],
    [() => source.stat("b"), "b"],
    [() => source.readRanges("steps/a", []), "steps/a"],
  ] as const) {
    await ask();
    expect(board.whereabouts).toEqual({ dir: "/run", file });
  }
});

it("is nowhere once the last question is answered, and has weighed itself by then", async () => {
  const { board, watch, looks } = start();
  const source = watch.source(memorySource(FILES), "/run");
  let finish: () => void = () => {};
  const long = watch.answer(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  await watch.answer(() => source.stat("steps/a"));
  expect(board.whereabouts).not.toBeNull();
  const before = looks();
  finish();
  await long;
  expect(board.whereabouts).toBeNull();
  expect(looks()).toBe(before + 1);
  await expect(watch.answer(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(looks()).toBe(before + 2);
});

it("weighs itself while it reads, now and then", async () => {
  const { board, watch, looks, pass } = start();
  const source = watch.source(memorySource(FILES), "/run");
  for (let i = 0; i < 100; i++) {
    await source.stat("steps/a");
    pass(1);
  }
  expect(looks()).toBe(5);
  expect(board.memory.total).toBe(5);
});
