import { defineConfig } from "vitest/config";

/** Tests that drive the built product from outside, through a real browser. One file at a time: they share the machine. */
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    fileParallelism: false,
    // What a page shows is waited for; a busy machine may take longer than Vitest's second.
    expect: { poll: { timeout: 20_000 } },
    // A browser on a shared machine misses a moment now and then; a fault shows every time.
    retry: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
