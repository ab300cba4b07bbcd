import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { limits } from "../../contract/limits.ts";
import type { UploadState } from "../../contract/schemas/uploads.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { type BlobInParts, PartsGoneError } from "../storage/blob-store.ts";
import { namedKeys } from "../storage/named-blobs.ts";
import type { UploadRow, User } from "../storage/schema.ts";
import { takeSharedPlace } from "../storage/shared-places.ts";
import { outageOf } from "../waits/outage.ts";
import { cleanFileName } from "./import-title.ts";

/** How long a part waits for another request that stores a part of the same upload. */
const storingWithinMs = 10_000;
const storingLookMs = 200;

/** Key of the file's blob, before and after it is complete. */
export const uploadKey = (id: string) => `uploads/${id}`;

export const blobOfUpload = ({ id, store_handle }: Pick<UploadRow, "id" | "store_handle">): BlobInParts => ({
  key: uploadKey(id),
  handle: store_handle,
});

export const uploadGone = () => Refusal.notFound("This upload is no longer here. Begin it again.");

/** Bytes of the file that are here. */
export const receivedBytes = ({ part_tags, part_bytes, bytes }: UploadRow) =>
  Math.min(bytes, part_tags.length * part_bytes);

/** What its player sees of an upload. */
export function uploadState(upload: UploadRow): UploadState {
  const { id, part_bytes, bytes } = upload;
  return { id, part_bytes, received_bytes: receivedBytes(upload), bytes };
}

/**
 * Begins an upload in parts. A player has at most four unfinished ones: each may be as large as a demo, and nothing tells those that are
 * still sent from those that were given up. A refused fifth could not be cancelled from a device that has forgotten the others, so the
 * one that was left alone longest ends instead.
 * @param bytes of the whole file, which the caller has checked
 */
export async function beginUpload(
  services: Services,
  user: User,
  { fileName, bytes }: { fileName: string; bytes: number },
): Promise<UploadRow> {
  const { database, blobs, now } = services;
  const id = randomBytes(12).toString("hex");
  const key = uploadKey(id);
  const handle = await blobs.beginParts(key, "application/octet-stream");
  const at = now();
  const row = {
    id,
    user_id: user.id,
    file_name: cleanFileName(fileName),
    bytes,
    part_bytes: limits.uploadPartBytes,
    store_handle: handle,
    match_id: null,
    created_at: at,
    touched_at: at,
  };
  try {
    const upload = await database.insertInto("uploads").values(row).returningAll().executeTakeFirstOrThrow();
    await endLeftAlone(services, upload);
    return upload;
  } catch (error) {
    // The account may be gone. After an outage the row may be there: both are swept after a day.
    if (outageOf(error) !== "database") await deleteFile(services, { key, handle });
    throw error;
  }
}

async function endLeftAlone(services: Services, { id, user_id }: UploadRow): Promise<void> {
  const others = await services.database
    .selectFrom("uploads")
    .select("id")
    .where("user_id", "=", user_id)
    .where("match_id", "is", null)
    .where("id", "<>", id)
    .orderBy("touched_at", "desc")
    .offset(limits.unfinishedUploadsPerUser - 1)
    .execute();
  for (const other of others) await endUpload(services, other.id);
}

/** @throws Refusal for what is gone or somebody else's */
export async function ownUpload({ database }: Services, userId: number, id: string): Promise<UploadRow> {
  const upload = await database
    .selectFrom("uploads")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!upload) throw uploadGone();
  return upload;
}

/**
 * Whether a part is here already.
 * @throws Refusal when neither it is nor the part before it
 */
export function hasPart({ part_tags, part_bytes, bytes }: UploadRow, number: number): boolean {
  if (number <= part_tags.length) return true;
  const isComplete = part_tags.length * part_bytes >= bytes;
  if (number === part_tags.length + 1 && !isComplete) return false;
  throw new Refusal(
    "part_out_of_order",
    isComplete ? "All parts are here already." : `Part ${part_tags.length + 1} is the next one.`,
  );
}

/** The length that a part of an upload must have. */
export function partLength({ part_bytes, bytes }: UploadRow, number: number): number {
  return Math.min(part_bytes, bytes - (number - 1) * part_bytes);
}

/**
 * Stores the next part of an upload. Requests that store parts of one upload take turns, in all processes, so that no part is replaced
 * while another request counts on it.
 * @param path a local file, which stays
 * @returns the upload with the part, even if another request stored it
 * @throws Refusal when the upload is gone, or another part is the next one
 */
export async function storePart(
  services: Services,
  { id, user_id }: UploadRow,
  number: number,
  path: string,
): Promise<UploadRow> {
  const release = await takeTurn(services, `uploads:${user_id}:${id}`);
  try {
    const upload = await ownUpload(services, user_id, id);
    if (hasPart(upload, number)) return upload;
    const blob = blobOfUpload(upload);
    const start = (number - 1) * upload.part_bytes;
    const tag = await services.blobs.putPart(blob, { number, start, path });
    const stored = await services.database
      .updateTable("uploads")
      .set({ part_tags: sql<string[]>`part_tags || ${tag}::text`, touched_at: services.now() })
      .where("id", "=", id)
      .where(sql`cardinality(part_tags)`, "=", number - 1)
      .returningAll()
      .executeTakeFirst();
    if (stored) return stored;
    const other = await ownUpload(services, user_id, id).catch(async (error: unknown) => {
      // Ended meanwhile, with the parts that were there before this one.
      if (error instanceof Refusal) await deleteFile(services, blob);
      throw error;
    });
    if (hasPart(other, number)) return other;
    throw uploadGone();
  } catch (error) {
    if (!(error instanceof PartsGoneError)) throw error;
    await endUpload(services, id);
    throw uploadGone();
  } finally {
    await release();
  }
}

async function takeTurn(services: Services, name: string): Promise<() => Promise<void>> {
  for (const until = performance.now() + storingWithinMs; ; await wait(storingLookMs)) {
    const release = await takeSharedPlace(services, name, 1);
    if (release) return release;
    if (performance.now() < until) continue;
    throw new Refusal("upload_limit", "Another part of this upload is being stored. Please try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
}

/**
 * Ends an upload. What is here of it is deleted, unless it was imported: then the file is its match's.
 * @param untouchedSince ends it only if no part has come since
 * @returns false when there is no such upload
 */
export async function endUpload(services: Services, id: string, untouchedSince?: Date): Promise<boolean> {
  const ended = await services.database
    .deleteFrom("uploads")
    .where("id", "=", id)
    .$if(untouchedSince !== undefined, (rows) => rows.where("touched_at", "<", untouchedSince!))
    .returningAll()
    .executeTakeFirst();
  if (ended && ended.match_id === null) await deleteFile(services, blobOfUpload(ended));
  return ended !== undefined;
}

/** Deletes the parts of a file, or the file itself unless a row names it. While the store is away this is left to the sweeps. */
export async function deleteFile(services: Services, blob: BlobInParts): Promise<void> {
  const { blobs, log } = services;
  try {
    await blobs.abortParts(blob);
    if (!(await namedKeys(services, [blob.key])).has(blob.key)) await blobs.delete(blob.key);
  } catch (error) {
    log.warn({ err: error, key: blob.key }, "an ended upload is left to the sweep of old ones");
  }
}
