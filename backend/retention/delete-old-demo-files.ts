import { endedMatchStatuses } from "../matches/match-life.ts";
import { deleteUnnamedUpload } from "../matches/release-upload.ts";
import type { Services } from "../services.ts";
import { batchSize } from "./batch-size.ts";
import { daysAgo } from "./days-ago.ts";

/**
 * Deletes raw demos, and uploads whose import has ended, after DEMO_FILE_DAYS. The data read from them stays.
 * @returns how many files
 */
export async function deleteOldDemoFiles(services: Services, signal: AbortSignal): Promise<number> {
  const before = daysAgo(services, services.config.DEMO_FILE_DAYS);
  return (await deleteRawDemos(services, before, signal)) + (await deleteUploads(services, before, signal));
}

async function deleteRawDemos({ database, blobs }: Services, before: Date, signal: AbortSignal): Promise<number> {
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const demos = await database
      .selectFrom("demos")
      .select(["sha256", "file_key"])
      .where("file_key", "is not", null)
      .where("created_at", "<", before)
      .limit(batchSize)
      .execute();
    if (demos.length === 0) return deleted;
    for (const { sha256, file_key: key } of demos) {
      // The row first: a file left behind is found as an orphan, while players would notice a row without its file.
      const { numUpdatedRows } = await database
        .updateTable("demos")
        .set({ file_key: null, file_bytes: null })
        .where("sha256", "=", sha256)
        .where("file_key", "=", key)
        .executeTakeFirst();
      if (!key || numUpdatedRows === 0n) continue;
      await blobs.delete(key);
      deleted++;
    }
  }
}

async function deleteUploads(services: Services, before: Date, signal: AbortSignal): Promise<number> {
  const { database } = services;
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const matches = await database
      .selectFrom("matches")
      .select(["id", "upload_key"])
      .where("upload_key", "is not", null)
      .where("status", "in", endedMatchStatuses)
      .where("created_at", "<", before)
      .limit(batchSize)
      .execute();
    if (matches.length === 0) return deleted;
    for (const { id, upload_key: key } of matches) {
      const { numUpdatedRows } = await database
        .updateTable("matches")
        .set({ upload_key: null })
        .where("id", "=", id)
        .where("upload_key", "=", key)
        // A match that is being imported again needs it.
        .where("status", "in", endedMatchStatuses)
        .executeTakeFirst();
      if (!key || numUpdatedRows === 0n) continue;
      await deleteUnnamedUpload(services, key);
      deleted++;
    }
  }
}
