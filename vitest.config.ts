import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  test: {
    include: ["{app,backend,contract,replay,scene,tests/unit,tests/api,bench}/**/*.test.{ts,tsx}"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 2 } },
    // What fails once is mended, not tried again.
    retry: 0,
    // Only what hangs: on a busy machine a render can wait for minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
