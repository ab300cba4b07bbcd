import { defineConfig } from "vitest/config";

/** A short form of every fault of `npm run faults`. */
export default defineConfig({
  test: {
    include: ["tests/faults/*.test.ts"],
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    maxConcurrency: 3,
    retry: 0,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
