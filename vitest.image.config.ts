import { defineConfig } from "vitest/config";

/** The image as a container runs it; built before, see tests/image/running-image.ts. */
export default defineConfig({
  test: {
    include: ["tests/image/*.test.ts"],
    pool: "forks",
    expect: { poll: { timeout: 120_000, interval: 500 } },
    retry: 0,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
