import { defineConfig } from "vitest/config";

/** Long tests (`*.long.test.ts`) run only with `npm run test:long`. */
const exclude = process.env["FLIGHT_DECK_LONG"] === "1" ? [] : ["**/*.long.test.ts"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], exclude, testTimeout: 30_000 } },
      {
        test: { name: "contract", include: ["test/contract/**/*.test.ts"], exclude, testTimeout: 120_000 },
      },
      {
        test: {
          name: "reliability",
          include: ["test/reliability/**/*.test.ts"],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "workbench",
          include: ["test/workbench/**/*.test.ts"],
          exclude,
          globalSetup: ["test/workbench/setup.ts"],
          setupFiles: ["test/workbench/failures.ts"],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          teardownTimeout: 30_000,
        },
      },
    ],
  },
});
