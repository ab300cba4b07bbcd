import { configDefaults, defineConfig } from "vitest/config";
import { longestFirst, longTests } from "./vitest.long.config.ts";

/** They put something between the parser and us, or look at how a module is loaded and what a process holds then. */
const withOwnModules = [
  "app/api/distant-api.test.ts",
  "backend/video/load-fonts.test.ts",
  "backend/demos/record/hostile-texts.test.ts",
];

/** What takes longest. */
const longest = [
  "backend/video/start-render.test.ts",
  "backend/jobs/pg-boss-queue.test.ts",
  "tests/api/renders.test.ts",
  "backend/storage/open-database.test.ts",
  "tests/api/imports.test.ts",
  "backend/storage/embedded-database.test.ts",
  "tests/api/match-facts.test.ts",
  "tests/api/hostile-demo.test.ts",
  "backend/children/containment.test.ts",
  "backend/demos/start-parse.test.ts",
  "backend/demos/record/parse-demo.test.ts",
];

const exclude = [...configDefaults.exclude, longTests];

export default defineConfig({
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  // Fonts whose addresses are asked for lie where node_modules may be linked to.
  server: { fs: { strict: false } },
  test: {
    pool: "forks",
    // Files follow one another in the same process: what a database, a demo and a server are made of is loaded once. Three for two
    // cores: each waits about as long as it computes, for children, time-outs and the disk. All of them stay to the end: a pool that
    // sends the first idle one away sends it away twice while there are more than wanted, and the run fails (tinypool 1.1).
    poolOptions: { forks: { minForks: 3, maxForks: 3, isolate: false } },
    sequence: { sequencer: longestFirst(longest) },
    projects: [
      {
        extends: true,
        test: {
          name: "files",
          include: ["{app,backend,contract,replay,scene,tests/unit,tests/api,bench}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, ...withOwnModules],
          // Whichever file loads the canvas first in a process decides for all: as the renderer has it.
          env: { DISABLE_SYSTEM_FONTS_LOAD: "1" },
        },
      },
      {
        extends: true,
        test: {
          name: "files with modules of their own",
          include: withOwnModules,
          exclude,
          poolOptions: { forks: { isolate: true } },
        },
      },
    ],
    // What fails once is mended, not tried again.
    retry: 0,
    // Only what hangs: on a busy machine a render can wait for minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
