import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where the tests of `npm run test:long` stand: beside the short ones of the same thing. */
export const longTests = "**/*.long.test.ts";

/**
 * Begins with what takes longest: in the end no process is alone with it. The others go by the size of their file.
 * @param longest paths from the root of the project, the longest first
 */
export function longestFirst(longest: readonly string[]) {
  return class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => {
        const index = longest.indexOf(relative(this.ctx.config.root, moduleId));
        return index < 0 ? longest.length : index;
      };
      return (await super.sort(files)).sort((a, b) => place(a) - place(b));
    }
  };
}

/** What takes minutes because it lasts: faults in many rounds, waits for a heartbeat that stays away. */
export default defineConfig({
  test: {
    include: [longTests],
    setupFiles: ["tests/services/console-guard.ts"],
    pool: "forks",
    // One at a time left 27 % of two cores idle (decision 117).
    poolOptions: { forks: { minForks: 2, maxForks: 2 } },
    sequence: {
      sequencer: longestFirst([
        "tests/faults/faults.long.test.ts",
        "tests/e2e/command-line.long.test.ts",
        "backend/matches/redetect-old-demos.long.test.ts",
        "tests/unit/direction.long.test.ts",
        "backend/video/finished-clips.long.test.ts",
      ]),
    },
    // Of faults, which wait more than they compute.
    maxConcurrency: 3,
    retry: 0,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
