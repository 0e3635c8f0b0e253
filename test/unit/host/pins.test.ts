import { expect, it } from "vitest";
import { Pins } from "../../../src/host/editor/pins.ts";

it("keeps the step that each run's page points out, until it lets go of it; not of any number of runs", () => {
  const pins = new Pins();
  expect(pins.get("/a")).toBeNull();
  pins.set("/a", 0);
  pins.set("/b", -3);
  expect([pins.get("/a"), pins.get("/b")]).toEqual([0, -3]);
  pins.set("/b", null);
  expect(pins.get("/b")).toBeNull();
  for (let i = 0; i < 49; i++) pins.set(`/run-${i}`, i);
  expect(pins.get("/a")).toBe(0);
  pins.set("/a", 5);
  pins.set("/more", 1);
  expect([pins.get("/run-0"), pins.get("/a"), pins.get("/more")]).toEqual([null, 5, 1]);
});
