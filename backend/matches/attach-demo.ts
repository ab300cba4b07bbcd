import type { Services } from "../services.ts";
import { completeAsAlias } from "./match-life.ts";

/**
 * Attaches a demo to a match. If its player already has a match of this demo, the match becomes an alias: its id then stands for the older
 * match, and no list shows it.
 * @returns the match that stands in the end: its own id or the older one's; null when the match has been deleted
 * @throws Error when the demo has been deleted meanwhile; the import then begins anew
 */
export async function attachDemo(services: Services, matchId: string, sha256: string): Promise<string | null> {
  try {
    return await attachOnce(services, matchId, sha256);
  } catch (error) {
    // Another import of the same demo by the same player was attached between our look and our write.
    if ((error as { code?: string }).code === "23505") return attachOnce(services, matchId, sha256);
    throw error;
  }
}

function attachOnce(services: Services, matchId: string, sha256: string): Promise<string | null> {
  return services.database.transaction().execute(async (transaction) => {
    // Locked against `deleteUnusedDemo`, which waits and then finds our match.
    const demo = await transaction
      .selectFrom("demos")
      .select("sha256")
      .where("sha256", "=", sha256)
      .forShare()
      .executeTakeFirst();
    if (!demo) throw new Error("The demo was deleted while a match was about to use it.");
    const match = await transaction
      .selectFrom("matches")
      .select("user_id")
      .where("id", "=", matchId)
      .forUpdate()
      .executeTakeFirst();
    if (!match) return null;
    const older = await transaction
      .selectFrom("matches")
      .select("id")
      .where("user_id", "=", match.user_id)
      .where("demo_sha256", "=", sha256)
      .where("id", "!=", matchId)
      .executeTakeFirst();
    if (older) await completeAsAlias(transaction, matchId, older.id, services.now());
    else await transaction.updateTable("matches").set({ demo_sha256: sha256 }).where("id", "=", matchId).execute();
    return older?.id ?? matchId;
  });
}
