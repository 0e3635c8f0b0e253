/** Which tests run against changed code: those that scripts/mutants.mjs names. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: process.cwd(),
  // One thread for all files: what is changed is chosen while it runs, not while modules load.
  test: {
    include: JSON.parse(process.env.FLIGHT_DECK_MUTANT_TESTS ?? "[]"),
    testTimeout: 60_000,
    isolate: false,
  },
});
