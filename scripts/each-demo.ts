import { type FoundDemo, findDemos } from "../backend/cli/find-demos.ts";
import { sentenceOf } from "../backend/cli/sentence-of.ts";
import { cleanLine } from "../contract/clean-text.ts";

/**
 * Runs work for each demo in the given files and folders, one after the other. Missing files, and demos for which the work fails, are
 * reported on standard error; the others are still processed.
 * @returns whether all succeeded
 */
export async function eachDemo(words: readonly string[], work: (demo: FoundDemo) => Promise<void>): Promise<boolean> {
  const { demos, missing } = await findDemos(words, process.cwd());
  for (const { error } of missing) console.error(cleanLine(error.message));
  let isFine = missing.length === 0;
  for (const demo of demos) {
    try {
      await work(demo);
    } catch (error) {
      isFine = false;
      console.error(`${cleanLine(demo.shown)}: ${cleanLine(sentenceOf(error, process.cwd()))}`);
    }
  }
  return isFine;
}
