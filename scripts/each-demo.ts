import { type FoundDemo, findDemos } from "../backend/cli/find-demos.ts";
import { sentenceOf } from "../backend/cli/sentence-of.ts";
import { cleanLine } from "../contract/clean-text.ts";

/**
 * Works on each demo that files and folders name, one after the other. What is not there, and a demo on which the work fails, is said on
 * standard error; the others are worked on all the same.
 * @returns whether all went well
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
