import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Throttle } from "../../../src/host/live/throttle.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(took = 0) {
  const done: string[] = [];
  const throttle: Throttle = new Throttle(
    (dir) => {
      done.push(`${dir} ${Math.round(performance.now() - begun)}`);
      throttle.took(dir, took);
    },
    { least: 5000, share: 20 },
  );
  const begun = performance.now();
  return { throttle, done };
}

describe("work that is rationed", () => {
  it("is done at once, then once a while however much happens, and after the last of it", () => {
    const { throttle, done } = start();
    for (let i = 0; i < 120; i++) {
      throttle.ask("/a");
      vi.advanceTimersByTime(100);
    }
    expect(done).toEqual(["/a 0", "/a 5000", "/a 10000"]);
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual(["/a 0", "/a 5000", "/a 10000", "/a 15000"]);
  });

  it("rests twenty times as long as it took", () => {
    const { throttle, done } = start(2000);
    throttle.ask("/a");
    throttle.ask("/a");
    vi.advanceTimersByTime(39_000);
    expect(done).toEqual(["/a 0"]);
    vi.advanceTimersByTime(2000);
    expect(done).toEqual(["/a 0", "/a 40000"]);
  });

  it("keeps no folder waiting for another", () => {
    const { throttle, done } = start(1000);
    throttle.ask("/a");
    throttle.ask("/b");
    expect(done).toEqual(["/a 0", "/b 0"]);
  });

  it("takes it into account when the work turns out to be long while the next is waiting", () => {
    const done: number[] = [];
    const throttle = new Throttle(() => done.push(performance.now()), { least: 1000, share: 20 });
    const begun = performance.now();
    throttle.ask("/a");
    throttle.ask("/a");
    vi.advanceTimersByTime(500);
    throttle.took("/a", 500);
    vi.advanceTimersByTime(30_000);
    expect(done.map((at) => at - begun)).toEqual([0, 10_500]);
  });

  it("ends", () => {
    const { throttle, done } = start();
    throttle.ask("/a");
    throttle.ask("/a");
    throttle.dispose();
    vi.advanceTimersByTime(60_000);
    throttle.ask("/b");
    expect(done).toEqual(["/a 0"]);
  });
});
