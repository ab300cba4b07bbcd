import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "./cli-error.ts";
import { markAsOwn, sweepAbandoned } from "./run-mark.ts";

/** @returns a CliError about a folder for temporary files that cannot be used; for a full disk the error itself */
export function temporaryFolderProblem(error: unknown, parent: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  const mayNot = code === "EACCES" || code === "EPERM" || code === "EROFS";
  if (!isMissing && !mayNot) return error;
  const why = isMissing ? "is not there" : "may not be written to";
  return new CliError(`The folder for temporary files, ${parent}, ${why}. Set TMPDIR to another one.`, {
    cause: error,
  });
}

/**
 * Works in a new folder and takes it away again: when the work is done or has failed, and when this process ends in the middle of it.
 * What runs that were killed have left beside it goes first.
 * @param beginning of its name
 * @throws CliError when no folder can be made there, and what `work` throws
 */
export async function inTemporaryFolder<Result>(
  parent: string,
  beginning: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await sweepAbandoned(parent);
  const folder = await mkdtemp(join(parent, beginning)).catch((error) => {
    throw temporaryFolderProblem(error, parent);
  });
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
