import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { markAsOwn, sweepAbandoned } from "./run-mark.ts";

/**
 * Works in a new folder and takes it away again: when the work is done or has failed, and when this process ends in the middle of it.
 * What runs that were killed have left beside it goes first.
 * @param beginning of its name
 */
export async function inTemporaryFolder<Result>(
  parent: string,
  beginning: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await sweepAbandoned(parent);
  const folder = await mkdtemp(join(parent, beginning));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  try {
    await markAsOwn(folder);
    return await work(folder);
  } finally {
    process.off("exit", remove);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
