import { defineConfig } from "playwright/test";
import { launchOptions } from "../services/browser.ts";

const root = new URL("../../", import.meta.url).pathname;
const pages = new URL("pages/", import.meta.url).pathname;
/** Files that start their own products, and the slowest. */
const first = ["main-job", "members", "screens"].map((name) => `${name}.test.ts`);
/** Files that play in the browser: `testing/played-match.ts`. */
const played = ["preview", "replay"].map((name) => `${name}.test.ts`);

/** Slow tests in a browser (decision 117): `test(title, { tag: "@long" }, …)`, run by `npm run test:long`. */
const long = /@long/;

/**
 * Tests that drive the built product through a real browser: `pages/`. The files beside that folder need no browser and belong to Vitest.
 */
export default defineConfig({
  testDir: pages,
  ...(process.env.LONG_TESTS ? { grep: long } : { grepInvert: long }),
  globalSetup: `${root}tests/services/ceph-store.ts`,
  // A separate folder, because Playwright empties it.
  outputDir: `${root}test-results/browser`,
  reporter: [["list"], ["json", { outputFile: `${root}test-results/playwright.json` }]],
  // Two wait for their pages while the third's is drawn; the tests without a browser run beside them. With two workers, a third of two
  // cores was idle for the last 100 s (decision 117).
  workers: 3,
  retries: 0,
  timeout: 240_000,
  // Expectations wait for the page; a busy machine may take longer than Playwright's five seconds.
  expect: { timeout: 20_000 },
  use: {
    launchOptions,
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // `npx playwright show-trace FILE`: every step, requests and console messages. With snapshots of the page, which `--trace
    // retain-on-failure` adds, two files took 58 s instead of 47; a picture of the end shows most of it.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
  },
  // Pages and server run as built.
  build: { external: [`${root}build/**`] },
  // The files of a project share a process per worker (fixtures.ts). Slow ones come first, so that none runs alone at the end.
  projects: [
    // In one process, which imports their match once.
    { name: "played", testMatch: played, workers: 1 },
    { name: "first", testMatch: first },
    { name: "pages", testIgnore: [...first, ...played] },
  ],
});
