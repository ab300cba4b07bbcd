import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./durable-files.ts";

/** Rights of the group and of everybody else. */
const othersRights = 0o077;

/** Folders in DATA_DIR with files below them. */
const ownFolders = ["postgres", "blobs", "scratch", "reliefs"];
const ownNames = [...ownFolders, "ballast", "operator.sock", "clutchcast.pid", "lost+found"];

/**
 * Makes stored files accessible to their owner only: the database's files contain sessions, names and addresses. From here on this process
 * and its children create no file that others can read, and the files of earlier versions are corrected, once. A DATA_DIR with other
 * content keeps its own rights: it may be somebody's home.
 * @returns why stored files could not be corrected (some volumes have no rights, or another owner); null if they are correct
 */
export async function restrictToOwner(dataDirectory: string): Promise<unknown> {
  if (process.platform === "win32") return null;
  process.umask(othersRights);
  await makeFolder(dataDirectory);
  try {
    for (const name of ownFolders) {
      const path = join(dataDirectory, name);
      if (await isOpenToOthers(path)) await removeOthersRights(path);
    }
    const names = await readdir(dataDirectory);
    const isOwn = names.every((name) => ownNames.includes(name) || name.startsWith("postgres.new-"));
    if (isOwn && (await isOpenToOthers(dataDirectory))) await chmod(dataDirectory, 0o700);
    return null;
  } catch (error) {
    return error;
  }
}

/** Removes others' access to a folder and everything below it. The folder itself comes last, and marks the work as done. */
export async function removeOthersRights(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeOthersRights(path);
    // Links are skipped: their targets may not be ours.
    else if (entry.isFile()) await takeRights(path);
  }
  await takeRights(folder);
}

async function takeRights(path: string): Promise<void> {
  const { mode } = await lstat(path);
  if (mode & othersRights) await chmod(path, mode & 0o700);
}

async function isOpenToOthers(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isDirectory() === true && (stat.mode & othersRights) !== 0;
}
