import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/format/event.ts";
import { EventBuffer } from "../../../src/core/reader/event-buffer.ts";
import { shareEvents } from "../../../src/core/reader/event-share.ts";
import { range } from "../helpers/runs.ts";

const event = (step: number): RunEvent => ({
  ...{ timestamp: step, kind: "k", step, rank: 0, message: "", data: {} },
});

function holding(count: number, weight = 1): EventBuffer {
  const buffer = new EventBuffer();
  for (let step = 0; step < count; step++) buffer.push(event(step), weight);
  return buffer;
}

const steps = (buffer: EventBuffer | undefined) => buffer?.events().map(({ step }) => step);
const total = (buffers: readonly EventBuffer[]) => buffers.reduce((sum, { held }) => sum + held, 0);

test("files that hold little keep it, the others give up their middle", () => {
  const buffers = [holding(5), holding(100), holding(3), holding(30)];
  shareEvents(buffers, 48);
  expect(buffers.map(({ held }) => held)).toEqual([5, 20, 3, 20]);
  expect(buffers.map(({ lost }) => lost)).toEqual([0, 80, 0, 10]);
  expect(buffers.map(({ count }) => count)).toEqual([5, 100, 3, 30]);
  expect(steps(buffers[1])).toEqual([...range(0, 10), ...range(90, 100)]);
});

test("nothing is given up before there is too much, and by one file never", () => {
  const buffers = [holding(20), holding(28)];
  shareEvents(buffers, 48);
  expect(total(buffers)).toBe(48);
  const [alone] = [holding(100)];
  shareEvents([alone], 48);
  expect(alone.held).toBe(100);
});

test("what is heavy counts by its weight", () => {
  const buffers = [holding(10, 1), holding(10, 100)];
  shareEvents(buffers, 1000, 410);
  expect(buffers.map(({ held }) => held)).toEqual([10, 4]);
  expect(total(buffers)).toBeLessThanOrEqual(410);
});

test("what comes later goes on within the share: the newest is there, and what it pushes out is not lost twice", () => {
  const buffers = [holding(100), holding(100)];
  shareEvents(buffers, 40);
  const [first] = buffers;
  for (let step = 100; step < 200; step++) first?.push(event(step), 1);
  shareEvents(buffers, 40);
  expect(steps(first)).toEqual([...range(0, 10), ...range(190, 200)]);
  expect([first?.count, first?.dropped, first?.lost]).toEqual([200, 180, 80]);
});
