import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  test: {
    include: ["{app,backend,contract,replay,scene,tests/unit,tests/api,bench}/**/*.test.{ts,tsx}"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 2 } },
    // Real servers, processes and files on a shared machine: what fails twice is a fault. A retry is shown in the report.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
