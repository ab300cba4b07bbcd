import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, copyFile, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { blobKeyParts, contentTypeOf, isBlobKeyPart } from "./blob-key.ts";
import {
  type BlobInParts,
  BlobMissingError,
  type BlobPart,
  type BlobStat,
  type BlobStore,
  BlobStoreFullError,
  PartsGoneError,
} from "./blob-store.ts";
import { isDiskFull } from "./disk-full.ts";
import { makeFolder, syncFile, syncFolder, syncFoldersUpTo } from "./durable-files.ts";

/** Unfinished copies, and blobs that come in parts; no key reaches them. */
const unfinishedFolder = ".unfinished";
const unfinishedForMs = 24 * 3600_000;

/** More clips than one part of a sweep covers. A longer list reads the folder again, for four times as many. */
const firstNames = 8192;

/**
 * Stores blobs as files below a folder; keys are paths.
 * @param folder is created if it is missing
 * @param namesAtOnce how many names of a folder a list reads at first
 */
export async function openFolderBlobStore(
  folder: string,
  { namesAtOnce = firstNames }: { namesAtOnce?: number } = {},
): Promise<BlobStore> {
  const unfinished = join(folder, unfinishedFolder);
  await makeFolder(unfinished);
  await deleteOlder(unfinished, Date.now() - unfinishedForMs);
  return new FolderBlobStore(folder, unfinished, namesAtOnce);
}

class FolderBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #unfinished: string;
  readonly #namesAtOnce: number;

  constructor(folder: string, unfinished: string, namesAtOnce: number) {
    this.#folder = resolve(folder);
    this.#unfinished = unfinished;
    this.#namesAtOnce = namesAtOnce;
  }

  #path(key: string): string {
    return join(this.#folder, ...blobKeyParts(key));
  }

  async putFile(key: string, sourcePath: string): Promise<void> {
    const path = this.#path(key);
    try {
      await syncFile(sourcePath);
      await moveInto(sourcePath, path).catch(async (error) => {
        if (codeOf(error) !== "EXDEV") throw error;
        await this.#copyInto(sourcePath, path);
      });
      // Including the folders above, which may be as new as the file: created here or by a concurrent put.
      await syncFoldersUpTo(this.#folder, dirname(path));
    } catch (error) {
      if (isDiskFull(error)) throw new BlobStoreFullError("The disk is full.", { cause: error });
      throw error;
    }
  }

  /** For a file on another disk: copied to the blobs' disk first, so that readers never see part of it. */
  async #copyInto(sourcePath: string, path: string): Promise<void> {
    const copy = join(this.#unfinished, randomBytes(12).toString("hex"));
    try {
      await copyFile(sourcePath, copy, constants.COPYFILE_EXCL);
      await syncFile(copy);
      await moveInto(copy, path);
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
    await rm(sourcePath, { force: true });
  }

  /** Nothing to do: its disk is watched with the others of this machine (`disk-space.ts`). */
  async probe(): Promise<void> {}

  async stat(key: string): Promise<BlobStat | null> {
    const path = this.#path(key);
    try {
      const { size, mtime, mtimeMs, ino } = await stat(path);
      return {
        bytes: size,
        // Blobs are only replaced as a whole, by another file: inode, size and time identify the content.
        etag: `"${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}-${ino.toString(36)}"`,
        modifiedAt: mtime,
        contentType: contentTypeOf(key),
      };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(key: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>> {
    const path = this.#path(key);
    // Opened before the answer begins, so that a missing blob is an error rather than a broken stream.
    const file = await open(path, "r").catch((error) => {
      throw isMissing(error) ? new BlobMissingError(`There is no blob “${key}”.`) : error;
    });
    const stream = createReadStream(path, { fd: file, start: range?.start ?? 0, end: range?.end });
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  }

  async openLocal(key: string): Promise<{ path: string; release(): Promise<void> }> {
    if (!(await this.stat(key))) throw new BlobMissingError(`There is no blob “${key}”.`);
    return { path: this.#path(key), release: async () => {} };
  }

  async delete(key: string): Promise<void> {
    const path = this.#path(key);
    await rm(path, { force: true });
    // Removes the folder if it is empty; otherwise this fails.
    await rmdir(dirname(path)).catch(() => {});
  }

  async signedUrl(): Promise<null> {
    return null;
  }

  async *list(prefix: string, after = ""): AsyncIterable<string> {
    // The deepest folder that contains every key of the prefix.
    const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    for await (const key of this.#walk(start ? this.#path(start.slice(0, -1)) : this.#folder, start, after)) {
      if (key.startsWith(prefix)) yield key;
    }
  }

  async *listSizes(prefix: string, after = ""): AsyncIterable<{ key: string; bytes: number }> {
    for await (const key of this.list(prefix, after)) {
      const found = await stat(this.#path(key)).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (found) yield { key, bytes: found.size };
    }
  }

  async beginParts(): Promise<string> {
    const handle = `file-${randomBytes(12).toString("hex")}`;
    await (await open(this.#partsPath(handle), "wx")).close();
    await syncFolder(this.#unfinished);
    return handle;
  }

  /** One file has all parts, each at its place: the blob is complete without copying hundreds of megabytes. */
  async putPart({ handle }: BlobInParts, { start, path }: BlobPart): Promise<string> {
    const file = await open(this.#partsPath(handle), "r+").catch((error) => {
      throw isMissing(error) ? partsGone(handle) : error;
    });
    try {
      if ((await file.stat()).size < start) throw partsGone(handle);
      let at = start;
      for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
        for (let written = 0; written < piece.byteLength; ) {
          const { bytesWritten } = await file.write(piece, written, piece.byteLength - written, at);
          written += bytesWritten;
          at += bytesWritten;
        }
      }
      await file.sync();
      return "";
    } catch (error) {
      if (isDiskFull(error)) throw new BlobStoreFullError("The disk is full.", { cause: error });
      throw error;
    } finally {
      await file.close();
    }
  }

  async completeParts({ key, handle }: BlobInParts, _tags: readonly string[], bytes: number): Promise<void> {
    const path = this.#path(key);
    const whole = this.#partsPath(handle);
    const isThere = async () => (await this.stat(key))?.bytes === bytes;
    const found = await stat(whole).catch(() => null);
    if (found?.size !== bytes) {
      if (found || !(await isThere())) throw partsGone(handle);
      return;
    }
    await moveInto(whole, path).catch(async (error) => {
      if (codeOf(error) !== "ENOENT" || (await stat(whole).catch(() => null))) throw error;
      // Another call has moved it at the same time, or aborted it.
      if (!(await isThere())) throw partsGone(handle);
    });
    await syncFoldersUpTo(this.#folder, dirname(path));
  }

  async abortParts({ handle }: BlobInParts): Promise<void> {
    if (isFolderHandle(handle)) await rm(this.#partsPath(handle), { force: true });
  }

  /** The prefix does not matter: names of unfinished files do not tell their keys. Their times are those of the last part. */
  async endUploads(_prefix: string, begunBefore: Date, inUse?: ReadonlySet<string>): Promise<number> {
    return deleteOlder(this.#unfinished, begunBefore.getTime(), inUse);
  }

  /** @throws PartsGoneError for the handle of another kind of store */
  #partsPath(handle: string): string {
    if (!isFolderHandle(handle)) throw partsGone(handle);
    return join(this.#unfinished, handle);
  }

  async *#walk(folder: string, prefix: string, after: string): AsyncIterable<string> {
    let done = "";
    for (let most = this.#namesAtOnce; ; most *= 4) {
      const { names, areAll } = await namesAfter(folder, prefix, { after, done, most });
      for (const { name, key, isFolder } of names) {
        if (isFolder) yield* this.#walk(join(folder, name), key, after);
        else if (key > after) yield key;
      }
      if (areAll) return;
      done = names.at(-1)!.key;
    }
  }
}

const isFolderHandle = (handle: string) => /^file-[0-9a-f]{24}$/.test(handle);

const partsGone = (handle: string) => new PartsGoneError(`There are no parts “${handle}”.`);

/** Deletes the files of a folder that were last written before a time. @returns how many */
async function deleteOlder(folder: string, beforeMs: number, kept?: ReadonlySet<string>): Promise<number> {
  let deleted = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found || found.mtimeMs >= beforeMs || kept?.has(name)) continue;
    await rm(path, { force: true });
    deleted++;
  }
  return deleted;
}

interface Named {
  name: string;
  /** A folder sorts where its keys do: with a slash after its name. */
  key: string;
  isFolder: boolean;
}

/**
 * The first names of a folder that may contain keys after `after`. Most callers want part of a list, and a folder may have a million names:
 * it is read bit by bit, and at most twice the wanted number is held and sorted.
 * @param done begins after this one
 */
async function namesAfter(
  folder: string,
  prefix: string,
  { after, done, most }: { after: string; done: string; most: number },
): Promise<{ names: Named[]; areAll: boolean }> {
  let names: Named[] = [];
  let areAll = true;
  const keepFirst = () => {
    names.sort((a, b) => (a.key < b.key ? -1 : 1));
    if (names.length <= most) return;
    names = names.slice(0, most);
    areAll = false;
  };
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      const { name } = entry;
      const isFolder = entry.isDirectory();
      const key = `${prefix}${name}${isFolder ? "/" : ""}`;
      if (key <= done || (key <= after && !after.startsWith(key))) continue;
      // Sorts after those that are kept.
      if (!areAll && key > names[most - 1]!.key) continue;
      if (!(isFolder || entry.isFile()) || !isBlobKeyPart(name)) continue;
      if (names.push({ name, key, isFolder }) >= 2 * most) keepFirst();
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  keepFirst();
  return { names, areAll };
}

/** Deleting a folder's last blob removes the folder, which may happen between our creating it and our moving a file there. */
async function moveInto(from: string, path: string, attempts = 5): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await rename(from, path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || attempts <= 1 || !(await stat(from).catch(() => null))) throw error;
    await moveInto(from, path, attempts - 1);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}
