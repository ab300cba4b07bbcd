import { defineConfig } from "playwright/test";
import { launchOptions } from "../services/browser.ts";

const root = new URL("../../", import.meta.url).pathname;
const pages = new URL("pages/", import.meta.url).pathname;
/** What starts products of its own, and what takes longest. */
const first = ["main-job", "members", "screens"].map((name) => `${name}.test.ts`);
/** What plays in the browser: `testing/played-match.ts`. */
const played = ["preview", "replay"].map((name) => `${name}.test.ts`);

/** What lasts, in a browser (decision 117): `test(title, { tag: "@long" }, …)`, which `npm run test:long` runs. */
const long = /@long/;

/** Tests that drive the built product through a real browser: `pages/`. Those beside it need none and are Vitest's. */
export default defineConfig({
  testDir: pages,
  ...(process.env.LONG_TESTS ? { grep: long } : { grepInvert: long }),
  globalSetup: `${root}tests/services/ceph-store.ts`,
  // A folder of its own: Playwright empties it.
  outputDir: `${root}test-results/browser`,
  reporter: [["list"], ["json", { outputFile: `${root}test-results/playwright.json` }]],
  // Two wait for their pages while the third's is drawn; beside them the tests without a browser run. With two, a
  // third of two cores was idle for the last 100 s (decision 117).
  workers: 3,
  retries: 0,
  timeout: 240_000,
  // What a page shows is waited for; a busy machine may take longer than Playwright's five seconds.
  expect: { timeout: 20_000 },
  use: {
    launchOptions,
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // `npx playwright show-trace FILE`: every step, what was asked of the server and what the console said. With the page at every moment, which
    // `--trace retain-on-failure` keeps, two files took 58 s in place of 47; a picture of the end shows most of it.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
  },
  // Pages and server run as they were built.
  build: { external: [`${root}build/**`] },
  // The files of a project share a process for each worker (fixtures.ts). What lasts comes first, so that none of it is alone at the end.
  projects: [
    // In one process, which imports their match once.
    { name: "played", testMatch: played, workers: 1 },
    { name: "first", testMatch: first },
    { name: "pages", testIgnore: [...first, ...played] },
  ],
});
