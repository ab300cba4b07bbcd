import { defineConfig } from "vitest/config";

/** Tests that drive the built product from outside, through a real browser. One file at a time: they share the machine. */
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
