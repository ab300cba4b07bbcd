import { configDefaults, defineConfig } from "vitest/config";
import { longTests } from "./vitest.long.config.ts";

/** They put something between the parser and us, or look at how a module is loaded and what a process holds then. */
const withOwnModules = [
  "app/api/distant-api.test.ts",
  "backend/video/load-fonts.test.ts",
  "backend/demos/record/{noisy-demo,refuse-oversized,hostile-texts}.test.ts",
];

const exclude = [...configDefaults.exclude, longTests];

export default defineConfig({
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  // Fonts whose addresses are asked for lie where node_modules may be linked to.
  server: { fs: { strict: false } },
  test: {
    pool: "forks",
    // Files follow one another in the same process: what a database, a demo and a server are made of is loaded once.
    poolOptions: { forks: { maxForks: 2, isolate: false } },
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
