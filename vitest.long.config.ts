import { defineConfig } from "vitest/config";

/** Where the tests of `npm run test:long` stand: beside the short ones of the same thing. */
export const longTests = "**/*.long.test.ts";

/** What takes minutes because it lasts: faults in many rounds, waits for a heartbeat that stays away. One file at a time. */
export default defineConfig({
  test: {
    include: [longTests],
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    fileParallelism: false,
    // Of faults, which wait more than they compute.
    maxConcurrency: 3,
    retry: 0,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
