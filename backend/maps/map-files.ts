import { sql } from "kysely";
import type { Services } from "../services.ts";

/** The footprints of a map in the blob store: named by their content, so that a clip that names them stays what it is. */
export function mapFootprintsKey(hash: string): string {
  return `maps/${hash}/footprints.bin.gz`;
}

/** The footprints on which clips of a map are drawn that are created now; null when there are none yet. */
export async function mapInForce({ database, now }: Services, map: string): Promise<string | null> {
  const inForce = await database
    .selectFrom("map_footprints")
    .select("hash")
    .where("map", "=", map)
    .where("valid_from", "<=", now())
    .orderBy("valid_from", "desc")
    .limit(1)
    .executeTakeFirst();
  return inForce?.hash ?? null;
}

/** One match alone is drawn on its own walks. */
export const fewestMatches = 2;

/** Longer than it takes to write down a clip that was planned with a file that has just been followed by another. */
const keptDays = 2;

/** Forgets files that others have followed, and those of maps of which no two matches are left. Those that clips name stay in the store until the clips go. */
export async function deleteOldMapFootprints({ database, now }: Services): Promise<void> {
  const before = new Date(now().getTime() - keptDays * 24 * 3600_000);
  await sql`
    DELETE FROM map_footprints AS followed WHERE EXISTS (
      SELECT 1 FROM map_footprints AS later
      WHERE later.map = followed.map AND later.valid_from > followed.valid_from AND later.valid_from < ${before}
    )
  `.execute(database);
  await sql`
    DELETE FROM map_footprints AS left_over WHERE NOT EXISTS (
      SELECT 1 FROM demos WHERE demos.map = left_over.map AND track_key IS NOT NULL OFFSET ${fewestMatches - 1}
    )
  `.execute(database);
}
