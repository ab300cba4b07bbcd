import type { Kysely } from "kysely";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

/**
 * A clip that was made for its player is one of theirs from now on, as if they had pressed for it: the mark goes, and one that still
 * waits stands where their own presses do. Decision 164.
 * @returns false when it is no clip of theirs
 */
export async function keepMadeClip(
  services: Services,
  userId: number,
  clipId: number,
  database: Kysely<Database> = services.database,
): Promise<boolean> {
  const keep = async (transaction: Parameters<Services["jobs"]["hasten"]>[2]) => {
    const own = await (transaction ?? database)
      .updateTable("clips")
      .set({ made_for_you: false })
      .where("id", "=", clipId)
      .where("user_id", "=", userId)
      .returning("queue_slot")
      .executeTakeFirst();
    if (own?.queue_slot != null) await services.jobs.hasten("render", { clipId }, transaction);
    return own !== undefined;
  };
  return database.isTransaction ? keep(database as Parameters<typeof keep>[0]) : database.transaction().execute(keep);
}
