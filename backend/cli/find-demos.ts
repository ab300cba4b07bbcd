import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CliError } from "./cli-error.ts";

/** A demo that was named, or lies in a folder that was. */
export interface FoundDemo {
  /** As it is shown: what was written, or folder and name. */
  shown: string;
  /** Absolute. */
  path: string;
  /** In which it was found, absolute; null when the file itself was named. */
  folder: string | null;
}

/** As the server takes them. */
const demoName = /\.dem(\.(bz2|gz|zst))?$/i;

/** What was named and is no demo. */
export interface MissingDemo {
  /** As it was written. */
  shown: string;
  error: CliError;
}

/**
 * The demos that files and folders name, each once, those of a folder by name. Folders in folders are not gone through.
 * @param cwd where relative paths begin
 * @returns as `missing` what is not there, may not be read, or is a folder without demos: the others are worked on all the same
 */
export async function findDemos(
  words: readonly string[],
  cwd: string,
): Promise<{ demos: FoundDemo[]; missing: MissingDemo[] }> {
  const found = new Map<string, FoundDemo>();
  const missing: MissingDemo[] = [];
  for (const word of words) {
    try {
      for (const demo of await demosNamed(word, cwd)) {
        // One that is named itself is meant, whatever folder has it too.
        if (demo.folder === null || !found.has(demo.path)) found.set(demo.path, demo);
      }
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      missing.push({ shown: word, error });
    }
  }
  return { demos: [...found.values()], missing };
}

async function demosNamed(word: string, cwd: string): Promise<FoundDemo[]> {
  const path = resolve(cwd, word);
  if (!(await isFolder(path, word))) return [{ shown: word, path, folder: null }];
  const demos = await demosOf(path, word);
  if (demos.length === 0)
    throw new CliError(`There is no demo in the folder “${word}” (.dem, .dem.bz2, .dem.gz, .dem.zst).`);
  return demos;
}

/** The demos of a folder, by name. @throws CliError when it may not be read */
export async function demosOf(folder: string, shown: string): Promise<FoundDemo[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw notReadable(error, shown);
  });
  return entries
    .filter((entry) => !entry.isDirectory() && demoName.test(entry.name))
    .map(({ name }) => ({ shown: join(shown, name), path: join(folder, name), folder }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Of demos of one name that were found in one folder (match.dem beside match.dem.bz2) the first: a packed one and what was unpacked of it
 * are one match. Those that were named themselves are all meant.
 * @param say is told of each that is left out, in a sentence
 */
export function withoutTwins(demos: readonly FoundDemo[], say: (sentence: string) => void): FoundDemo[] {
  const taken = new Map<string, FoundDemo>();
  return demos.filter((demo) => {
    if (demo.folder === null) return true;
    const name = join(demo.folder, demoStem(demo.path));
    const twin = taken.get(name);
    if (twin) say(`${demo.shown}: Left out, since ${twin.shown} has the same name.`);
    else taken.set(name, demo);
    return !twin;
  });
}

/** @throws CliError when it is not there, nobody may look, or it is neither file nor folder */
export async function isFolder(path: string, shown: string): Promise<boolean> {
  let there: Awaited<ReturnType<typeof stat>>;
  try {
    there = await stat(path);
  } catch (error) {
    throw notReadable(error, shown);
  }
  if (!there.isFile() && !there.isDirectory()) throw new CliError(`“${shown}” is neither a file nor a folder.`);
  return there.isDirectory();
}

function notReadable(error: unknown, shown: string): CliError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new CliError(`There is no file or folder “${shown}”.`, { cause: error });
  if (code === "EACCES" || code === "EPERM")
    return new CliError(`“${shown}” may not be read. Give yourself the right to.`, { cause: error });
  return new CliError(`“${shown}” cannot be read (${code}).`, { cause: error });
}

/** What a demo is called without the endings of its kind: "match" of match.dem.bz2. */
export function demoStem(path: string): string {
  return basename(path).replace(demoName, "") || basename(path);
}
