import { defineConfig } from "vitest/config";

/** Long tests (`*.long.test.ts`) run only with `npm run test:long`. */
const exclude = process.env["FLIGHT_DECK_LONG"] === "1" ? [] : ["**/*.long.test.ts"];

/** What is awaited may take long on a busy machine; a poll ends as soon as it holds. */
const expect = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    // Left alone, a machine with two cores works with one of them.
    maxWorkers: "100%",
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], exclude, expect, testTimeout: 60_000 } },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          exclude,
          expect,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "reliability",
          include: ["test/reliability/**/*.test.ts"],
          exclude,
          expect,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "workbench",
          include: ["test/workbench/**/*.test.ts"],
          exclude,
          expect,
          // With two windows on two cores, tests that drive a palette were late too often.
          fileParallelism: false,
          globalSetup: ["test/workbench/setup.ts"],
          setupFiles: ["test/workbench/failures.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          teardownTimeout: 30_000,
        },
      },
    ],
  },
});
