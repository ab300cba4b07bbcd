import type { Transaction } from "kysely";
import { rememberDeleted } from "../automation/remember-deleted.ts";
import { afterClipDeletion } from "../clips/delete-clip.ts";
import { deleteUnnamedUpload } from "../matches/release-upload.ts";
import { deleteUnusedDemo } from "../matches/unused-demo.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

/**
 * Deletes a player's match with its clips and their files; its import and renders are stopped. The demo's data is deleted with the last match of
 * any player that uses it.
 * @param isDue called while nobody can create a clip of the match; nothing is deleted if it answers false
 * @returns false when there is no such match of theirs, or it is not due
 */
export async function deleteMatch(
  services: Services,
  userId: number,
  matchId: string,
  isDue?: (transaction: Transaction<Database>) => Promise<boolean>,
): Promise<boolean> {
  const removed = await services.database.transaction().execute(async (transaction) => {
    const match = await transaction
      .selectFrom("matches")
      .select(["id", "alias_of"])
      .where("id", "=", matchId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (!match) return null;
    // The id of an alias stands for another match.
    const targetId = match.alias_of ?? match.id;
    if (isDue) {
      // Creating a clip locks the row as well, so that the next query sees the clip.
      await transaction.selectFrom("matches").select("id").where("id", "=", targetId).forUpdate().execute();
      if (!(await isDue(transaction))) return null;
    }
    const aliases = await transaction.selectFrom("matches").select("id").where("alias_of", "=", targetId).execute();
    // Clips first, by id: everybody who takes several locks takes them in this order.
    await transaction
      .selectFrom("clips")
      .select("id")
      .where("match_id", "=", targetId)
      .orderBy("id")
      .forUpdate()
      .execute();
    await rememberDeleted(transaction, targetId, services.now());
    const clips = await transaction.deleteFrom("clips").where("match_id", "=", targetId).returning("id").execute();
    const row = await transaction
      .deleteFrom("matches")
      .where("id", "=", targetId)
      .returning(["demo_sha256", "upload_key"])
      .executeTakeFirst();
    return {
      matchIds: [targetId, ...aliases.map((alias) => alias.id)],
      clipIds: clips.map((clip) => clip.id),
      demo: row?.demo_sha256 ?? null,
      uploadKey: row?.upload_key ?? null,
    };
  });
  if (!removed) return false;
  for (const id of removed.matchIds) await services.jobs.cancel("import", { matchId: id });
  await afterClipDeletion(services, removed.clipIds);
  if (removed.demo) await deleteUnusedDemo(services, removed.demo);
  if (removed.uploadKey) await deleteUnnamedUpload(services, removed.uploadKey);
  return true;
}
