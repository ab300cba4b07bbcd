import { defineConfig } from "vitest/config";

/** Tests that drive the built product from outside without a browser. One file at a time: they share the machine. */
export default defineConfig({
  test: {
    include: ["tests/e2e/*.test.ts"],
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    fileParallelism: false,
    // A busy machine may take longer than Vitest's second.
    expect: { poll: { timeout: 20_000 } },
    retry: 0,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
