import { randomBytes } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Services } from "../../services.ts";
import type { Database } from "../../storage/schema.ts";

/** The parts of a compilation that are there, those with a loop first, then those with the best highlight. */
export function partsByScore(database: Kysely<Database>, clipId: number) {
  return database
    .selectFrom("clip_parts")
    .innerJoin("clips as part", "part.id", "clip_parts.part_id")
    .leftJoin("clip_highlights", "clip_highlights.clip_id", "part.id")
    .leftJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
    .select((row) => [
      "clip_parts.position",
      "part.id",
      "part.loop_key",
      row.fn.coalesce(row.fn.max("highlights.score"), row.lit(0)).as("score"),
    ])
    .where("clip_parts.clip_id", "=", clipId)
    .groupBy(["clip_parts.position", "part.id", "part.loop_key"])
    .orderBy((row) => row("part.loop_key", "is", null))
    .orderBy("score", "desc")
    .orderBy("clip_parts.position")
    .execute();
}

/** @throws BlobMissingError when there is nothing to copy */
export async function copyBlob(
  { blobs, scratchDirectory }: Services,
  { from, to, contentType }: { from: string; to: string; contentType: string },
): Promise<void> {
  const source = await blobs.openLocal(from);
  // The store moves what it is given where it can.
  const copy = join(scratchDirectory, `copy-${randomBytes(8).toString("hex")}`);
  try {
    await copyFile(source.path, copy);
    await blobs.putFile(to, copy, contentType);
  } finally {
    await source.release();
    await rm(copy, { force: true });
  }
}
