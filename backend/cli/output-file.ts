import { access, constants, link, mkdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { isDiskFull } from "../storage/disk-full.ts";
import { syncFile, syncFolder } from "../storage/durable-files.ts";
import { CliError, UsageError } from "./cli-error.ts";
import { demoStem, type FoundDemo } from "./find-demos.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import type { CommandName } from "./usage.ts";

/** A file that a command is to write. */
export interface OutputFile {
  /** Absolute. */
  path: string;
  /** As whoever asked reads it. */
  shown: string;
}

/** A demo with the file that is to be made of it. */
export interface Task {
  demo: FoundDemo;
  target: OutputFile;
}

export interface OutputWish {
  /** As it was written: a file, or a folder. Null: the demos' names, in the current folder. */
  output: string | null;
  /** Of the file, with the dot. */
  ending: string;
  cwd: string;
  /** Whose help tells of it. */
  command: CommandName;
}

/**
 * Which file is made of which demo. A name with the right ending is the file of the only demo; a folder that is there, or a name that
 * ends with a slash, is where files are to be.
 * @throws UsageError for a name that is neither, or when two demos would become the same file
 */
export async function planOutputs(demos: readonly FoundDemo[], wish: OutputWish): Promise<Task[]> {
  const { output, ending, cwd, command } = wish;
  const isFolder = output === null || (await meansFolder(output, cwd));
  if (!isFolder && extname(output).toLowerCase() !== ending) {
    throw new UsageError(
      `“${output}” is no folder and does not end with ${ending}: write ${output}${ending}, or ${output}/ for a folder.`,
      command,
    );
  }
  if (!isFolder && demos.length > 1) {
    throw new UsageError(
      `${demos.length} demos do not fit into the one file “${output}”: name a folder, e.g. clips/.`,
      command,
    );
  }
  const tasks = demos.map((demo) => ({ demo, target: isFolder ? outputIn(output, demo, wish) : fileAt(output, cwd) }));
  for (const [i, { demo, target }] of tasks.entries()) {
    const earlier = tasks.slice(0, i).find((other) => other.target.path === target.path);
    if (earlier) {
      throw new UsageError(
        `“${earlier.demo.shown}” and “${demo.shown}” would both become “${target.shown}”: name them one at a time, with -o.`,
        command,
      );
    }
  }
  return tasks;
}

/** The file of a demo in a folder. */
export function outputIn(
  folder: string | null,
  demo: FoundDemo,
  { ending, cwd }: Pick<OutputWish, "ending" | "cwd">,
): OutputFile {
  return fileAt(join(folder ?? "", demoStem(demo.path) + ending), cwd);
}

function fileAt(shown: string, cwd: string): OutputFile {
  return { shown, path: resolve(cwd, shown) };
}

async function meansFolder(output: string, cwd: string): Promise<boolean> {
  if (output.endsWith("/") || output.endsWith(sep)) return true;
  return (await stat(resolve(cwd, output)).catch(() => null))?.isDirectory() ?? false;
}

/** The same name with a number: match-2.mp4 of match.mp4. */
export function numbered({ path, shown }: OutputFile, n: number): OutputFile {
  const ending = extname(path);
  const withNumber = (name: string) => `${name.slice(0, name.length - ending.length)}-${n}${ending}`;
  return { path: withNumber(path), shown: withNumber(shown) };
}

/** Whether something of that name is there. */
async function isThere({ path }: OutputFile): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** @throws CliError when it is there already, unless it may be overwritten */
export async function refuseToOverwrite(target: OutputFile, isForced: boolean): Promise<void> {
  const there = await stat(target.path).catch(() => null);
  if (there?.isDirectory()) throw new CliError(`“${target.shown}” is a folder. Name a file with -o.`);
  if (there && !isForced) throw alreadyThere(target);
}

function alreadyThere({ shown }: OutputFile): CliError {
  return new CliError(`“${shown}” is there already. Overwrite it with --force, or name another file with -o.`);
}

/**
 * Works in a folder beside the file that is to be made, so that the finished one only has to be renamed, and takes the folder away again,
 * whatever happens.
 * @throws CliError when the folder of the file cannot be written to, and what `work` throws
 */
export async function besideTarget<Result>(
  target: OutputFile,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const parent = dirname(target.path);
  try {
    await mkdir(parent, { recursive: true });
    await access(parent, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isDiskFull(error)) throw error;
    const mayNot = code === "EACCES" || code === "EPERM" || code === "EROFS";
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    const why = mayNot ? "may not be written to" : isFile ? "is a file" : `cannot be used (${code})`;
    throw new CliError(`The folder of “${target.shown}” ${why}. Name another one with -o.`, { cause: error });
  }
  return inTemporaryFolder(parent, `.${basename(target.path)}-`, work);
}

/**
 * Gives a finished file its name, whole and on the disk.
 * @throws CliError when somebody else has made a file of that name meanwhile and it may not be overwritten
 */
export async function putInPlace(file: string, target: OutputFile, isForced: boolean): Promise<void> {
  await syncFile(file);
  if (isForced) await rename(file, target.path);
  else await renameToNew(file, target);
  await syncFolder(dirname(target.path));
}

/** `rename` overwrites; `link` does not. */
async function renameToNew(file: string, target: OutputFile): Promise<void> {
  try {
    await link(file, target.path);
    await unlink(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw alreadyThere(target);
    // FAT and some network folders have no second names.
    if (await isThere(target)) throw alreadyThere(target);
    await rename(file, target.path);
  }
}
