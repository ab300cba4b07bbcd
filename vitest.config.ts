import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";

/** Half of a test's time is waiting for disks, children and clocks; each file at a time takes up to 2 GB. */
const filesAtOnce = Math.max(2, Math.min(2 * availableParallelism(), Math.floor(totalmem() / 2 ** 31)));

export default defineConfig({
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  test: {
    include: ["{app,backend,contract,replay,scene,tests/unit,tests/api,bench}/**/*.test.{ts,tsx}"],
    pool: "forks",
    poolOptions: { forks: { maxForks: filesAtOnce } },
    // What fails once is mended, not tried again.
    retry: 0,
    // Only what hangs: on a busy machine a render can wait for minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
