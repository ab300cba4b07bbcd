import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Services } from "../services.ts";
import { prefixesAfter } from "../storage/blob-key.ts";
import { areDeletionsHeld } from "../storage/held-deletions.ts";
import { deleteLeftScratchParts } from "../storage/left-scratch.ts";
import { namedKeys } from "../storage/named-blobs.ts";
import { batchSize } from "./batch-size.ts";
import { daysAgo } from "./days-ago.ts";
import { keepSweepCursor, sweepCursor } from "./sweep-cursor.ts";

/** A blob is stored before the row that names it, and a file that is being written changes all the time. */
const graceDays = 1;

/** Keys checked per hour: with a million clips each file is checked within two weeks. */
const keysAtOnce = 20_000;

/**
 * Deletes blobs that no row names, left by a process that died between a row and its files. Each run checks a part of the store, from where
 * the last one ended; a small store is checked as a whole. Pauses while a backup holds deletions.
 * @returns how many
 */
export async function deleteOrphanBlobs(
  services: Services,
  signal: AbortSignal,
  { most = keysAtOnce } = {},
): Promise<number> {
  const begun = await sweepCursor(services, "blobs");
  const toTheEnd = await sweepAfter(services, begun, { most, signal });
  if (!toTheEnd.isAtEnd || begun === "") return toTheEnd.deleted;
  const around = await sweepAfter(services, "", { most: most - toTheEnd.looked, signal, until: begun });
  return toTheEnd.deleted + around.deleted;
}

/**
 * Aborts uploads into the store that a killed process or an outage has left unfinished. Those of players who still send parts stay, however
 * long ago they were begun.
 * @returns how many
 */
export async function abortUnfinishedUploads(services: Services, signal: AbortSignal): Promise<number> {
  let ended = 0;
  const rows = await services.database
    .selectFrom("uploads")
    .select("store_handle")
    .where("match_id", "is", null)
    .execute();
  const inUse = new Set(rows.map(({ store_handle }) => store_handle));
  for (const prefix of prefixesAfter("")) {
    signal.throwIfAborted();
    ended += await services.blobs.endUploads(prefix, daysAgo(services, graceDays), inUse);
  }
  return ended;
}

/** Checks the keys after one. Stores where it stops, or the beginning once there are no more. */
async function sweepAfter(
  services: Services,
  after: string,
  { most, signal, until }: { most: number; signal: AbortSignal; until?: string },
): Promise<{ deleted: number; looked: number; isAtEnd: boolean }> {
  let deleted = 0;
  let looked = 0;
  for (const prefix of prefixesAfter(after)) {
    let batch: string[] = [];
    const flush = async () => {
      signal.throwIfAborted();
      if (await areDeletionsHeld(services.database, services.now())) return false;
      deleted += await deleteUnnamed(services, batch);
      const last = batch.at(-1);
      if (last !== undefined) await keepSweepCursor(services, "blobs", last);
      batch = [];
      return true;
    };
    for await (const key of services.blobs.list(prefix, after)) {
      if (looked >= most || (until !== undefined && key > until)) {
        await flush();
        return { deleted, looked, isAtEnd: false };
      }
      batch.push(key);
      looked++;
      if (batch.length >= batchSize && !(await flush())) return { deleted, looked, isAtEnd: false };
    }
    if (!(await flush())) return { deleted, looked, isAtEnd: false };
  }
  await keepSweepCursor(services, "blobs", "");
  return { deleted, looked, isAtEnd: true };
}

async function deleteUnnamed(services: Services, keys: readonly string[]): Promise<number> {
  const { blobs } = services;
  const before = daysAgo(services, graceDays);
  let deleted = 0;
  const named = await namedKeys(services, keys);
  for (const key of keys) {
    if (named.has(key)) continue;
    const stat = await blobs.stat(key);
    if (!stat || stat.modifiedAt >= before) continue;
    await blobs.delete(key);
    deleted++;
  }
  return deleted;
}

/** Deletes old files in the scratch folder, and folders that killed processes left beside it. @returns how many files and folders */
export async function deleteLeftScratch(services: Services): Promise<number> {
  const before = daysAgo(services, graceDays);
  const { config, scratchDirectory } = services;
  const root = resolve(config.DATA_DIR, "scratch");
  // With the embedded database there is no other process, and this one's folder is the root itself.
  let deleted = dirname(scratchDirectory) === root ? await deleteLeftScratchParts(root, scratchDirectory) : 0;
  for (const name of await readdir(scratchDirectory)) {
    const path = join(scratchDirectory, name);
    if ((await lastTouched(path)) >= before.getTime()) continue;
    await rm(path, { recursive: true, force: true });
    deleted++;
  }
  return deleted;
}

/** Milliseconds since 1970; for a folder, those of its newest entry. */
async function lastTouched(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (!found) return Number.POSITIVE_INFINITY;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => lastTouched(join(path, name))));
  return Math.max(found.mtimeMs, ...inside.filter(Number.isFinite));
}
