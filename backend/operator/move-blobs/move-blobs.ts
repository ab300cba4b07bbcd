import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { BlobMissingError, type BlobStore } from "../../storage/blob-store.ts";
import { type S3BlobStore, SourceChangedError } from "../../storage/s3-blob-store.ts";
import { AtMostEvery } from "../../waits/at-most-every.ts";
import { forEach } from "../for-each.ts";
import { OperatorError } from "../operator-error.ts";
import type { NamedBlobs } from "./named-blobs.ts";

export interface MovedBlobs {
  /** Files that were stored, and those that existed already. */
  copied: number;
  copiedBytes: number;
  there: number;
  /** Keys named by the database for which the store has the same content as the folder. */
  proven: number;
  /** Keys that only the store has: a server stored them there. */
  onlyThere: number;
  /** Keys that the database names and that are in neither the folder nor the store; the first of them. */
  missing: string[];
}

export interface MoveBlobsOptions {
  /** Called now and then with the progress. */
  tell?: (line: string) => void;
  /** Reads every object back as a whole, instead of trusting the hash that the store reports. */
  readBack?: boolean;
}

/** Files in progress at once: small ones mostly wait for answers. */
const atOnce = 8;
/** For a file that changes, or a store that reports other content than was sent. */
const attempts = 3;
const tellEveryMs = 2000;
/** Tolerance between the file system's clock and ours, for files that came during a pass. */
const marginMs = 60_000;
const mostMissing = 1000;
/** After the first one, for files that came meanwhile. */
const mostPasses = 3;

type Outcome = "copied" | "there" | "gone";

/**
 * Copies every file of a folder into a store, then those that came meanwhile, then checks every blob that the database names: the store
 * must have it with the SHA-256 of the folder's file. Existing objects are left as they are. Calling it again copies what is missing. Files
 * may come and go meanwhile; nothing is deleted on either side.
 * @throws OperatorError with a sentence; StoreUnavailableError, BlobStoreFullError of the store
 */
export async function moveBlobs(
  source: BlobStore,
  target: S3BlobStore,
  named: NamedBlobs,
  options: MoveBlobsOptions = {},
): Promise<MovedBlobs> {
  const { tell = () => {} } = options;
  const report: MovedBlobs = { copied: 0, copiedBytes: 0, there: 0, proven: 0, onlyThere: 0, missing: [] };
  const total = await sizeOf(source);
  tell(`${total.files} files, ${megabytes(total.bytes)}`);

  const telling = new AtMostEvery(tellEveryMs);
  telling.restart();
  const copy = async (key: string) => {
    const ensured = await ensure(source, target, key, options);
    if (ensured.outcome === "copied") {
      report.copied++;
      report.copiedBytes += ensured.bytes;
    }
    return ensured;
  };
  const done = { files: 0, bytes: 0 };
  let since = Date.now();
  await forEach(source.list(""), atOnce, async (key) => {
    const { outcome, bytes } = await copy(key);
    if (outcome === "there") report.there++;
    done.files++;
    done.bytes += bytes;
    if (!telling.isDue()) return;
    tell(`${done.files} of ${total.files} files, ${megabytes(done.bytes)} of ${megabytes(total.bytes)}`);
  });
  // A server that keeps writing cannot be caught up with; a call after it was stopped will.
  for (let isNew = true, pass = 1; isNew && pass <= mostPasses; pass++) {
    isNew = false;
    const before = since;
    since = Date.now();
    await forEach(changedSince(source, before - marginMs), atOnce, async (key) => {
      if ((await copy(key)).outcome === "copied") isNew = true;
    });
  }

  tell("Comparing every file that the database names");
  const missing = new Set<string>();
  let looked = 0;
  await forEach(allNamed(named), atOnce, async (key) => {
    // A file that came after the last pass is copied now.
    const { outcome } = await copy(key);
    looked++;
    if (telling.isDue()) tell(`${looked} compared`);
    if (outcome !== "gone") report.proven++;
    else if (await target.stat(key)) report.onlyThere++;
    else if (missing.size < mostMissing) missing.add(key);
  });
  if (missing.size > 0) {
    // Deleted files are not missing; their rows were deleted before them.
    for await (const key of allNamed(named)) if (missing.has(key)) report.missing.push(key);
  }
  return report;
}

/**
 * Makes sure that the store has a file as the folder has it.
 * @returns "gone" when the folder does not have it
 * @throws OperatorError when the store does not keep what it is given, or the file keeps changing
 */
async function ensure(
  source: BlobStore,
  target: S3BlobStore,
  key: string,
  { readBack = false }: MoveBlobsOptions,
): Promise<{ outcome: Outcome; bytes: number }> {
  let copied = false;
  for (let attempt = 0; attempt <= attempts; attempt++) {
    try {
      const known = await source.stat(key);
      if (!known) return { outcome: "gone", bytes: 0 };
      const { path } = await source.openLocal(key);
      const sha256 = await hashOf(createReadStream(path));
      const there = await target.stat(key);
      const hash =
        there === null ? null : readBack || !there.sha256 ? await hashOf(await target.read(key)) : there.sha256;
      if (there?.bytes === known.bytes && hash === sha256) {
        return { outcome: copied ? "copied" : "there", bytes: known.bytes };
      }
      await target.storeCopy(key, path, known.contentType, sha256);
      copied = true;
    } catch (error) {
      const isGone = error instanceof BlobMissingError || (error as NodeJS.ErrnoException).code === "ENOENT";
      // Deleted between two checks, or replaced: the next check tells.
      if (!isGone && !(error instanceof SourceChangedError)) throw error;
    }
  }
  throw new OperatorError(
    `${key} is not in the store as it was given to it, or changes all the time. Nothing was deleted; look at it, then call the same command.`,
  );
}

async function hashOf(content: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest("hex");
}

async function sizeOf(source: BlobStore): Promise<{ files: number; bytes: number }> {
  const size = { files: 0, bytes: 0 };
  for await (const key of source.list("")) {
    size.files++;
    size.bytes += (await source.stat(key))?.bytes ?? 0;
  }
  return size;
}

/** For a folder: moving a file to its final place changes its entry. */
async function* changedSince(source: BlobStore, ms: number): AsyncIterable<string> {
  for await (const key of source.list("")) {
    const entry = await source
      .openLocal(key)
      .then(({ path }) => stat(path))
      .catch(() => null);
    if (entry && entry.ctimeMs >= ms) yield key;
  }
}

async function* allNamed(named: NamedBlobs): AsyncIterable<string> {
  for (let after = ""; ; ) {
    const keys = await named(after);
    yield* keys;
    const last = keys.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** "12.3 MB" */
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
