import { configDefaults, defineConfig } from "vitest/config";
import { longTests } from "./vitest.long.config.ts";

/** Tests that drive the built product from outside without a browser. */
export default defineConfig({
  test: {
    include: ["tests/e2e/*.test.ts"],
    exclude: [...configDefaults.exclude, longTests],
    globalSetup: "tests/services/ceph-store.ts",
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    // `npm test` runs it beside the browser.
    poolOptions: { forks: { maxForks: 1 } },
    // A busy machine may take longer than Vitest's second.
    expect: { poll: { timeout: 20_000 } },
    retry: 0,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
